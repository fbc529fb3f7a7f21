# SPDX-License-Identifier: Apache-2.0
"""gradus replay, compared with reference.py, and on damaged logs."""

import itertools
import math
import random
import signal
import subprocess

import pytest

import reference
from program import command, fail, refuse, run, succeed

HEADER = "task,progress,cost\n"


def write_log(path, log, end="\n"):
    rows = [HEADER.strip(), *(f"{task},{progress!r},{cost!r}" for task, progress, cost in log)]
    path.write_bytes((end.join(rows) + end).encode())
    return path


def random_log(seed, tasks, rounds):
    """A log with three kinds of progress, so that the scale sees spread, ties and outliers."""
    draw = random.Random(seed)
    kinds = [
        lambda: draw.gauss(0, 1),
        lambda: float(draw.randrange(-2, 3)),
        lambda: draw.choice([-1, 1]) * 10 ** draw.uniform(-6, 6),
    ]
    return [
        (draw.randrange(tasks), draw.choice(kinds)(), float(draw.choice([1, 2, 7.5, 58])))
        for _ in range(rounds)
    ]


def numbers(out):
    return [[float(field) for field in line.split(",")] for line in out.splitlines()[1:]]


def assert_agree(out, expected):
    """Every number is within 1e-9 of the reference, both relative and absolute."""
    got = numbers(out)
    assert [row[0] for row in got] == list(range(1, len(expected) + 1))
    for row, wanted in zip(got, expected):
        assert len(row) == 1 + len(wanted)
        for value, want in zip(row[1:], map(float, wanted)):
            assert math.isclose(value, want, rel_tol=1e-9, abs_tol=1e-15), (row[0], value, want)
            assert abs(value - want) <= 1e-9


# Every pair of eta and beta, with epsilon chosen so that every pair with epsilon occurs too.
ETAS, BETAS, EPSILONS = [1e-3, 0.1, 10], [0, 0.01, -0.05], [0.05, 0, 1]
SETTINGS = [
    (eta, beta, EPSILONS[(i + j) % 3])
    for (i, eta), (j, beta) in itertools.product(enumerate(ETAS), enumerate(BETAS))
]


@pytest.mark.parametrize("tasks", [1, 2, 3, 11, 20, 169])
@pytest.mark.parametrize("eta, beta, epsilon", SETTINGS)
def test_exp3s_agrees_with_the_reference(tmp_path, tasks, eta, beta, epsilon):
    log = random_log(f"{tasks} {eta} {beta}", tasks, 40 if tasks == 169 else 120)
    out = succeed(
        *["replay", write_log(tmp_path / "log.csv", log), "--tasks", tasks],
        *["--eta", eta, "--beta", beta, "--epsilon", epsilon, "--reservoir", 1000],
    )
    assert_agree(out, list(reference.replay(reference.Exp3S(tasks, eta, beta, epsilon), log)))


@pytest.mark.parametrize("tasks", [1, 2, 3, 11, 20, 169])
def test_the_defaults_but_for_eta_are_the_papers(tmp_path, tasks):
    log = random_log(tasks, tasks, 60)
    path = write_log(tmp_path / "log.csv", log)
    out = succeed("replay", path, "--tasks", tasks, "--eta", 1e-3)
    assert_agree(out, list(reference.replay(reference.Exp3S(tasks, 1e-3, 0, 0.05), log)))


@pytest.mark.parametrize("tasks", [1, 2, 3, 11, 20, 169])
@pytest.mark.parametrize("step", [0.01, 0.1])
def test_exp3_agrees_with_the_reference(tmp_path, tasks, step):
    eta = step / tasks  # a first reward of 1 changes its weight by one step
    log = random_log(tasks, tasks, 40)
    path = write_log(tmp_path / "log.csv", log)
    out = succeed("replay", path, "--tasks", tasks, "--policy", "exp3", "--eta", eta)
    assert_agree(out, list(reference.replay(reference.Exp3(tasks, eta), log)))


def test_two_rounds_worked_by_hand(tmp_path):
    path = write_log(tmp_path / "log.csv", [(0, 1, 1), (0, 3, 1)])
    out = succeed("replay", path, "--tasks", 2, "--eta", 0.5, "--epsilon", 0.2)
    # Round 1 has no history, so the reward is 0 and no weight changes. Round 2: 3 > 1, so the
    # reward is 1, and with alpha = 1/3, weight 0 becomes 2/3 e + 1/3 and weight 1 becomes 2/3 + 1/3
    # e, since 0.5 * 1 / 0.5 = 1.
    p0 = 0.8 * (2 * math.e + 1) / (3 * math.e + 3) + 0.1
    first, second = numbers(out)
    assert first == [1, 0.5, 0, 0.5, 0.5]
    assert second == [2, 0.5, 1, pytest.approx(p0, abs=1e-15), pytest.approx(1 - p0, abs=1e-15)]


def test_policies_that_ignore_rewards(tmp_path):
    path = write_log(tmp_path / "log.csv", random_log(5, 3, 10))
    uniform = numbers(succeed("replay", path, "--tasks", 3, "--policy", "uniform"))
    assert all(row[3:] == [1 / 3] * 3 for row in uniform)
    fixed = ["--policy", "fixed", "--probabilities", "0.5,0.3,0.2"]
    fixed = numbers(succeed("replay", path, "--tasks", 3, *fixed))
    assert all(row[3:] == [0.5, 0.3, 0.2] for row in fixed)


def test_numbers_have_17_digits_and_read_back(tmp_path):
    out = succeed("replay", write_log(tmp_path / "log.csv", random_log(1, 3, 50)), "--tasks", 3)
    lines = out.splitlines()
    assert lines[0] == "round,probability,reward,p0,p1,p2"
    for line in lines[1:]:
        for field in line.split(",")[1:]:
            assert format(float(field), ".17g") == field


def test_a_reservoir_smaller_than_the_log_depends_on_the_seed_alone(tmp_path):
    path = write_log(tmp_path / "log.csv", random_log(2, 3, 200))
    args = ["replay", path, "--tasks", 3, "--reservoir", 10, "--seed"]
    small = succeed(*args, 1)
    assert small == succeed(*args, 1)
    assert small != succeed(*args, 2)
    # The first 11 rounds use the first 10 rewards, all of which are kept.
    whole = succeed("replay", path, "--tasks", 3)
    assert small.splitlines()[:12] == whole.splitlines()[:12]
    assert small != whole


def test_windows_line_ends_and_byte_order_mark(tmp_path):
    log = random_log(3, 2, 20)
    plain = succeed("replay", write_log(tmp_path / "unix.csv", log), "--tasks", 2)
    windows = write_log(tmp_path / "windows.csv", log, end="\r\n")
    assert succeed("replay", windows, "--tasks", 2) == plain
    windows.write_bytes(b"\xef\xbb\xbf" + windows.read_bytes())
    assert succeed("replay", windows, "--tasks", 2) == plain


def test_the_last_line_may_lack_its_end_and_be_blank(tmp_path):
    path = tmp_path / "log.csv"
    outs = set()
    for end in ["", "\n", "\n\n"]:
        path.write_text(HEADER + "0,1,1\n1,2,1" + end)
        outs.add(succeed("replay", path, "--tasks", 2))
    assert len(outs) == 1


def test_a_log_of_no_rounds_prints_the_header(tmp_path):
    path = write_log(tmp_path / "log.csv", [])
    assert succeed("replay", path, "--tasks", 2) == "round,probability,reward,p0,p1\n"


def test_rewards_at_the_ends_of_the_range(tmp_path):
    log = [(0, 1.5e308, 1.0), (1, -1.5e308, 1.0), (0, 5e-324, 1.0), (1, 1.7e308, 1.0)]
    out = succeed("replay", write_log(tmp_path / "log.csv", log), "--tasks", 2, "--eta", 1e-3)
    assert_agree(out, list(reference.replay(reference.Exp3S(2, 1e-3, 0, 0.05), log)))


# The rule is the smaller of two terms: 2 sqrt(ln N / (N T)) in a long log, 0.2 / N in a short one.
@pytest.mark.parametrize("tasks, rounds", [(2, 1000), (3, 20), (1, 300)])
@pytest.mark.parametrize("option", [[], ["--eta", "auto"]])
def test_an_automatic_eta_is_that_of_the_length_of_the_log(tmp_path, tasks, rounds, option):
    log = random_log(8, tasks, rounds)
    n = max(tasks, 2)
    eta = min(2 * math.sqrt(math.log(n) / (n * rounds)), 0.2 / n)
    out = succeed("replay", write_log(tmp_path / "log.csv", log), "--tasks", tasks, *option)
    assert_agree(out, list(reference.replay(reference.Exp3S(tasks, eta, 0, 0.05), log)))


def test_a_huge_eta_makes_no_nan(tmp_path):
    path = write_log(tmp_path / "log.csv", [(0, 1.0, 1.0), (0, 2.0, 1.0), (0, 3.0, 1.0)])
    for policy in ["exp3s", "exp3"]:
        out = succeed("replay", path, "--tasks", 2, "--policy", policy, "--eta", 100)
        assert all(sum(row[3:]) == pytest.approx(1) for row in numbers(out))


@pytest.mark.parametrize(
    "policy, options",
    [
        ("boltzmann", ["--discount", 0.5, "--temperature", 0.3]),
        ("ducb", ["--window", 20]),
        ("swucb", ["--window", "auto", "--epsilon", 0.2]),
        ("thompson", ["--window", 50]),
        ("exp3ix", []),
        ("corral", ["--bases", "ducb,tsallis", "--window", 9]),
    ],
)
def test_other_policies_are_positive_distributions_after_every_row(tmp_path, policy, options):
    path = write_log(tmp_path / "log.csv", random_log(3, 5, 200))
    rows = numbers(succeed("replay", path, "--tasks", 5, "--policy", policy, *options))
    assert len(rows) == 200
    assert all(min(row[3:]) > 0 and sum(row[3:]) == pytest.approx(1) for row in rows)
    assert rows[0][3:] != rows[-1][3:]


def test_a_log_of_tasks_that_tsallis_would_not_draw_is_refused(tmp_path):
    """Each loss is divided by a probability that falls with the square of the losses before."""
    path = write_log(tmp_path / "log.csv", [(0, -float(i), 1.0) for i in range(50)])
    message = refuse("replay", path, "--tasks", 2, "--policy", "tsallis")
    assert "expected at most 1e150" in message


@pytest.mark.parametrize(
    "row, named",
    [
        ("3,1,1", "task 3 is not one of the 3 tasks 0..2"),
        ("-1,1,1", "task -1 is not one of the 3 tasks 0..2"),
        ("99999999999,1,1", 'task is "99999999999", expected a whole number'),
        ("one,1,1", 'task is "one", expected a whole number'),
        ("0.5,1,1", 'task is "0.5", expected a whole number'),
        (",1,1", 'task is "", expected a whole number'),
        ("0,nan,1", "progress is nan, expected a finite number"),
        ("0,inf,1", "progress is inf, expected a finite number"),
        ("0,-inf,1", "progress is -inf, expected a finite number"),
        ("0,much,1", 'progress is "much", expected a number'),
        ("0,1.5x,1", 'progress is "1.5x", expected a number'),
        ("0, 1,1", 'progress is " 1", expected a number'),
        ("0,,1", 'progress is "", expected a number'),
        ("0,1e999,1", 'progress is "1e999", expected a number'),
        ("0,1e300,1e-300", "progress / cost is inf, expected a finite number"),
        ("0,1,0", "cost is 0, expected a finite number above 0"),
        ("0,1,-2", "cost is -2, expected a finite number above 0"),
        ("0,1,nan", "cost is nan, expected a finite number above 0"),
        ("0,1,inf", "cost is inf, expected a finite number above 0"),
        ("0,1,dear", 'cost is "dear", expected a number'),
        ("0,1", '"0,1" has 2 columns, expected 3: task,progress,cost'),
        ("0,1,1,1", '"0,1,1,1" has 4 columns, expected 3: task,progress,cost'),
        ("0;1;1", '"0;1;1" has 1 columns, expected 3: task,progress,cost'),
        ("", '"" has 1 columns, expected 3: task,progress,cost'),
    ],
)
def test_a_bad_row_is_named_with_its_value(tmp_path, row, named):
    path = tmp_path / "log.csv"
    path.write_text(f"{HEADER}0,1,1\n{row}\n1,1,1\n")
    message = refuse("replay", path, "--tasks", 3)
    assert message.startswith(f"{path}:3: row 2: ")
    assert named in message


def test_rows_before_a_bad_one_are_printed(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(HEADER + "0,1,1\n0,2,1\n0,nan,1\n")
    code, out, _ = run("replay", path, "--tasks", 2)
    assert code == 2
    assert [row[0] for row in numbers(out)] == [1, 2]


@pytest.mark.parametrize(
    "text", ["", "\n", "0,1,1\n", "task,progress\n0,1\n", "cost,progress,task\n"]
)
def test_a_wrong_header_is_quoted(tmp_path, text):
    path = tmp_path / "log.csv"
    path.write_text(text)
    header = text.split("\n")[0]
    expected = f'{path}:1: header is "{header}", expected "task,progress,cost"'
    assert refuse("replay", path, "--tasks", 2) == expected


def test_a_log_that_cannot_be_read(tmp_path):
    path = tmp_path / "none.csv"
    expected = f"{path}: cannot be read: No such file or directory"
    assert refuse("replay", path, "--tasks", 2) == expected
    assert refuse("replay", tmp_path, "--tasks", 2) == f"{tmp_path}: cannot be read: Is a directory"


@pytest.mark.parametrize(
    "options, message",
    [
        ("--policy exp3z", 'unknown policy "exp3z"; did you mean "exp3s"?'),
        ("--policy unifrom", 'unknown policy "unifrom"; did you mean "uniform"?'),
        ("--policy exp3 --epsilon 0.1", "policy exp3 has no setting epsilon"),
        ("--policy exp3 --beta 0.1", "policy exp3 has no setting beta"),
        ("--policy uniform --eta 0.1", "policy uniform has no setting eta"),
        ("--policy exp3s --probabilities 0.5,0.5", "policy exp3s has no setting probabilities"),
        ("--policy uniform --eta auto", "policy uniform has no setting eta"),
        ("--eta abc", '--eta is "abc", expected a number or "auto"'),
        ("--eta -1", "eta is -1, expected a "),
        ("--eta nan", "eta is nan, expected a "),
        ("--eta 1e308", "eta is 1e+308, expected a number from 0 to 100"),
        ("--beta inf", "beta is inf, expected a "),
        ("--seed -1", "--seed: Value -1 not in range 0 to "),
        ("--epsilon 1.5", "epsilon is 1.5, expected a number from 0 to 1"),
        ("--reservoir 0", "reservoir is 0, expected a whole number from 1 to 1e+08"),
        ("--policy fixed", "policy fixed has 0 probabilities, expected one for each of 2 tasks"),
        (
            "--policy fixed --probabilities 0.5,0.4",
            "policy fixed: the probabilities sum to 0.9, expected 1",
        ),
    ],
)
def test_options_that_make_no_policy(tmp_path, options, message):
    path = write_log(tmp_path / "log.csv", [(0, 1.0, 1.0)])
    assert refuse("replay", path, "--tasks", 2, *options.split()).startswith(message)


def test_a_task_that_the_policy_never_draws(tmp_path):
    path = write_log(tmp_path / "log.csv", [(1, 1.0, 1.0)])
    fixed = ["--policy", "fixed", "--probabilities", "1,0"]
    message = refuse("replay", path, "--tasks", 2, *fixed)
    assert message == f"{path}:2: row 1: task 1 (1) has probability 0 under the policy fixed"


def test_a_reader_that_leaves_causes_no_noise(tmp_path):
    path = write_log(tmp_path / "log.csv", random_log(4, 169, 500))
    call = command("replay", path, "--tasks", 169)
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout.readline().startswith(b"round,")
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == -signal.SIGPIPE


def test_a_full_disk_is_a_failure(tmp_path):
    path = write_log(tmp_path / "log.csv", random_log(4, 2, 5))
    with open("/dev/full", "w") as full:
        assert "No space left on device" in fail("replay", path, "--tasks", 2, stdout=full)
