# SPDX-License-Identifier: Apache-2.0
"""The policies, the reward scale, shuffling and replay on their own."""

import math
import pathlib
import random
import sys
import threading

import pytest

import gradus

sys.path.append(str(pathlib.Path(__file__).parents[1] / "cli"))
import reference  # noqa: E402

# Allows for rounding over a hundred rounds, as in tests/cli.
TOLERANCE = 1e-9


def random_log(tasks, rounds):
    draw = random.Random(tasks)
    return [
        (draw.randrange(tasks), draw.gauss(0, 1), draw.choice([1.0, 7.5])) for _ in range(rounds)
    ]


@pytest.mark.parametrize("tasks", [1, 2, 11])
def test_replay_agrees_with_an_independent_implementation(tasks):
    log = random_log(tasks, 100)
    names = [f"t{i}" for i in range(tasks)]
    found = gradus.replay([(names[t], p, c) for t, p, c in log], names, eta=0.1, beta=0.01)
    expected = list(reference.replay(reference.Exp3S(tasks, 0.1, 0.01, 0.05), log))
    for probability, reward, policy, wanted in zip(*found.values(), expected, strict=True):
        assert [probability, reward, *policy] == pytest.approx(
            [float(value) for value in wanted], abs=TOLERANCE
        )


def test_replay_reads_the_programs_log(tmp_path):
    log = random_log(3, 50)
    path = tmp_path / "log.csv"
    rows = [f"{task},{progress!r},{cost!r}" for task, progress, cost in log]
    path.write_text("\n".join(["task,progress,cost", *rows]))
    names = ["a", "b", "c"]
    by_name = [(names[task], progress, cost) for task, progress, cost in log]
    for each in (path, str(path)):
        assert gradus.replay(each, names, "exp3") == gradus.replay(by_name, names, "exp3")


@pytest.mark.parametrize(
    "rows, message",
    [
        ([("x", 1, 1)], 'unknown task "x"'),
        ([("a", 1, 1), ("b", None, 1)], "row 2: progress is None, expected a number"),
        ([("a", 1, 1), ("b", 1, "much")], "row 2: cost is 'much', expected a number"),
        ([("a", 1)], r"row 1 is \('a', 1\), expected a task's name, its progress and its cost"),
        ([("a", 1, 1), ("a", math.nan, 1)], r"row 2: task 0 \(a\): progress is nan"),
    ],
)
def test_replay_refuses_what_a_syllabus_refuses_naming_the_row(rows, message):
    with pytest.raises(gradus.InputError, match=message):
        gradus.replay(rows, ["a", "b"])


def test_replay_has_the_automatic_eta_of_the_length_of_its_log():
    log = [("ab"[i % 2], float(i * i % 7), 1.0) for i in range(200)]
    eta = gradus.Policy("exp3s", 2, rounds=200).settings["eta"]
    assert gradus.replay(log, ["a", "b"]) == gradus.replay(log, ["a", "b"], eta=eta)
    with pytest.raises(gradus.InputError, match="rounds is given, but replay uses"):
        gradus.replay(log, ["a", "b"], rounds=200)


def test_replay_refuses_a_file_that_is_no_log(tmp_path):
    path = tmp_path / "none.csv"
    with pytest.raises(gradus.InputError, match="cannot be read"):
        gradus.replay(path, ["a"])
    path.write_text("0,1,1\n")
    with pytest.raises(gradus.InputError, match=r":1: header is"):
        gradus.replay(path, ["a"])


def test_other_threads_run_during_a_replay(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("task,progress,cost\n" + "0,1.5,1\n" * 60000)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        gradus.replay(path, [str(i) for i in range(50)])
        during = counted[0] - before
    finally:
        done.set()
        thread.join()
    # If replay held the GIL, the other thread would run only before and after it.
    assert during > 100


def test_a_policy_on_its_own_learns_and_is_restored():
    policy = gradus.Policy("exp3s", 3, eta=0.5, epsilon=0.2)
    assert (policy.name, len(policy)) == ("exp3s", 3)
    assert policy.settings == {"eta": 0.5, "beta": 0.0, "epsilon": 0.2}
    policy.update(1, policy.probability(1), 1.0)
    assert policy.probability(1) == max(policy.probabilities())
    copy = gradus.Policy("exp3s", 3, eta=0.5, epsilon=0.2)
    copy.load_state_dict(policy.state_dict())
    assert copy.probabilities() == policy.probabilities()
    assert [policy.draw(u) for u in (0.0, 0.5, 0.999)] == [0, 1, 2]


@pytest.mark.parametrize(
    "use, message",
    [
        (lambda p: p.update(3, 0.5, 1), "task is 3, expected 0..2"),
        (lambda p: p.update(0, 0, 1), "probability is 0, expected"),
        (lambda p: p.update(0, 0.5, 2), "reward is 2, expected a number from -1 to 1"),
        (lambda p: p.update(0, 0.5, math.nan), "reward is nan"),
        (lambda p: p.draw(1.0), "u is 1, expected"),
        (lambda p: p.probability(-1), "task is -1"),
        (lambda p: p.load_state_dict({"round": 1}), 'no "shares"'),
    ],
)
def test_a_policy_refuses_what_it_cannot_use(use, message):
    with pytest.raises(gradus.InputError, match=message):
        use(gradus.Policy("exp3s", 3))


def test_a_scale_maps_its_quantiles_to_the_ends():
    scale = gradus.RewardScale(low=0.25, high=0.75)
    assert all(math.isnan(end) for end in scale.range())
    assert [scale.scale(raw) for raw in (1, 2, 3, 4, 5)] == [0, 1, 1, 1, 1]
    assert scale.range() == (2, 4)  # of 1..5, at positions 1 and 3
    assert [scale.scale(3), scale.scale(1.5)] == [0, -1]
    copy = gradus.RewardScale(low=0.25, high=0.75)
    copy.load_state_dict(scale.state_dict())
    assert copy.range() == scale.range()
    with pytest.raises(gradus.InputError, match="raw reward is inf"):
        scale.scale(math.inf)


def test_a_shuffle_is_a_permutation_by_seed_and_task():
    orders = [
        [gradus.Shuffle(task, 50, seed).index(i) for i in range(50)]
        for task, seed in [("a", 1), ("a", 1), ("b", 1), ("a", 2)]
    ]
    assert all(sorted(order) == list(range(50)) for order in orders)
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) == 3
    shuffle = gradus.Shuffle("a", 50, 1)
    assert [shuffle.index(i) for i in (70, 3, 120)] == [shuffle.index(i) for i in (70, 3, 120)]
    with pytest.raises(gradus.InputError, match="position is -1"):
        shuffle.index(-1)


def test_a_shuffle_sends_each_sample_everywhere():
    """4000 passes over 4 samples: each sample is in each place 1000 times, up to 4 deviations."""
    shuffle = gradus.Shuffle("a", 4, 1)
    counts = [[0] * 4 for _ in range(4)]
    for position in range(16000):
        counts[position % 4][shuffle.index(position)] += 1
    assert all(abs(count - 1000) < 4 * math.sqrt(4000 * 3 / 16) for row in counts for count in row)


def test_policies_are_listed_with_a_line_on_each():
    assert list(gradus.policies())[:2] == ["exp3s", "exp3"]
    assert all(gradus.policies().values())
