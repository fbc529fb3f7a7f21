# SPDX-License-Identifier: Apache-2.0
"""Compares a syllabus on two and three processes (gloo) with a single one given the means."""

import json

import pytest

import gradus
import rank_gains
from gradus.torch import DistributedSyllabus
from loaders import SIZES
from ranks import (
    ROUNDS,
    WRONG,
    diverge,
    draw_prompts,
    make,
    make_master,
    mean_progress,
    on_ranks,
    read_streams,
    refuse,
    refuse_all,
    refuse_stale,
    report_mixture,
    settle_signals,
    settle_together,
    train,
)

AHEAD = 8


class Reference:
    """A single syllabus that draws eight tickets ahead and gets the mean over ranks."""

    def __init__(self):
        self.syllabus, self.tickets = make(), []

    def rounds(self, world):
        seen = []
        for _ in range(ROUNDS):
            while len(self.tickets) <= AHEAD:
                self.tickets.append(self.syllabus.draw())
            ticket = self.tickets.pop(0)
            mean_cost = sum(1 + rank for rank in range(world)) / world
            seen.append(
                (ticket, self.syllabus.reward(ticket, mean_progress(ticket, world), mean_cost))
            )
        return seen


def check_ranks(ranks, expected):
    """Checks that all ranks drew and settled as expected, and took valid samples."""
    for seen, _ in ranks:
        assert [(ticket, reward) for ticket, _, reward in seen] == expected
    for number, (ticket, _) in enumerate(expected):
        places = sum((seen[number][1] for seen, _ in ranks), [])
        assert len(places) == 2 * len(ranks) and max(places) < SIZES[ticket.name]
    for _, state in ranks:
        assert state == ranks[0][1], "the state must be the same on every rank"


WAYS = ["seed", "drop", "batch", "limit", "not at all"]


@pytest.fixture(scope="module")
def two():
    """Maps each job to its results on two ranks."""
    jobs = {
        "train": (train, None),
        "together": (settle_together, None),
        "signals": (settle_signals, None),
        "report": (report_mixture, None),
        "refuse": (refuse, None),
        "refuse on all": (refuse_all, True),
        "refuse on one": (refuse_all, False),
        "refuse stale": (refuse_stale, None),
        "streams": (read_streams, None),
        "sharded": (rank_gains.sharded, None),
        "accumulated": (rank_gains.accumulated, None),
        "prompts": (draw_prompts, None),
        **{way: (diverge, way) for way in WAYS},
    }
    return dict(zip(jobs, on_ranks(2, list(jobs.values()))))


@pytest.fixture(scope="module")
def three(two):
    """The same for jobs that three ranks continue from what rank 0 of two has saved."""
    saved = {name: json.loads(json.dumps(two[name][0][-1])) for name in ("train", "streams")}
    jobs = {
        "train": (train, saved["train"]),
        "streams": (read_streams, saved["streams"]),
        "sharded": (rank_gains.sharded, None),
        "accumulated": (rank_gains.accumulated, None),
        "prompts": (draw_prompts, None),
    }
    return dict(zip(jobs, on_ranks(3, list(jobs.values()))))


def test_two_ranks_then_three_draw_and_settle_as_one_that_is_told_the_means(two, three):
    reference = Reference()
    check_ranks(two["train"], reference.rounds(2))
    check_ranks(three["train"], reference.rounds(3))


def test_two_ranks_then_three_read_each_sample_of_a_stream_once_and_do_not_start_over(two, three):
    for task in "ab":
        first = sum((seen[task] for seen, _, _ in two["streams"]), [])
        then = sum((seen[task] for seen, _, _ in three["streams"]), [])
        assert sorted(first + then) == list(range(len(first + then))) and len(first) > 10
        assert min(then) == len(first)
    # Ten batches of three ranks with two samples each, and what is left of the last batch of each.
    assert all(reads <= 10 * 6 + 2 * 2 for _, reads, _ in three["streams"])


def test_the_samples_of_a_pass_are_shared_among_the_ranks(two):
    places = []
    for number, (ticket, _, _) in enumerate(two["train"][0][0]):
        if ticket.name == "c":
            places += [place for seen, _ in two["train"] for place in seen[number][1]]
    assert len(places) >= 20 and len(set(places[:30])) == len(places[:30])


@pytest.mark.parametrize("how, round", [("seed", 0), ("drop", 3), ("batch", 3), ("limit", 3)])
def test_ranks_that_differ_are_noticed_on_every_rank(two, how, round):
    for number, message in two[how]:
        assert number == round
        assert message.startswith("ranks [1] have a different ")


def test_ranks_that_agree_are_left_alone(two):
    assert two["not at all"] == (None, None)


def test_a_bad_reward_on_one_rank_is_refused_on_all(two):
    for message, unchanged in two["refuse"]:
        assert "progress is nan" in message and unchanged


def test_wrong_arguments_of_reward_all_are_refused_like_those_of_a_syllabus_on_every_rank(two):
    expected = []
    for progress, cost in WRONG.values():
        with pytest.raises(gradus.InputError) as refusal:
            make().reward_all(progress, cost)
        expected.append(str(refusal.value))
    for job in ("refuse on all", "refuse on one"):
        (errors, unchanged), other = two[job]
        assert other == (errors, unchanged) and unchanged
        assert len(errors) == len(expected)
        for error, alone in zip(errors, expected):
            assert error.rpartition("on rank ")[2].lstrip("01: ") == alone


def test_a_step_with_a_stale_ticket_is_refused_on_every_rank(two):
    errors, outstanding, _ = two["refuse stale"][0]
    assert two["refuse stale"][1] == two["refuse stale"][0]
    assert len(errors) == 2 and all("has already been settled" in error for error in errors)
    assert outstanding == 0


def test_batches_and_all_tasks_are_settled_with_the_means(two):
    syllabus = make()
    tickets = syllabus.draw(4, quotas=True)
    rewards = syllabus.reward_batch(tickets, [mean_progress(ticket, 2) for ticket in tickets], 1.5)
    rewards += syllabus.reward_all({"a": 0.5, "b": 1.5, "c": 2.5}, 2).values()
    assert two["together"] == ((rewards, syllabus.state_dict()),) * 2


def test_a_mixture_is_rewarded_with_the_means(two):
    syllabus = make()
    weights = gradus.Weights(syllabus)
    weights()
    rewards = weights.reward({"a": 0.5, "b": 1}, {"a": 3, "b": 1}, 0, 1.5)
    assert two["report"] == ((rewards, syllabus.state_dict()),) * 2


def test_several_signals_are_settled_with_the_means(two):
    syllabus, rewards = make_master(), []
    for _ in range(5):
        ticket = syllabus.draw()
        rewards.append(syllabus.reward(ticket, [0.5 + ticket.id, 0.5 - ticket.task], 1.5))
    assert two["signals"] == ((rewards, syllabus.state_dict()),) * 2


def test_a_distributed_syllabus_has_all_methods_of_a_syllabus():
    def public(kind):
        return {name for name in dir(kind) if not name.startswith("_") or name == "__len__"}

    assert public(gradus.Syllabus) <= public(DistributedSyllabus)
    for name in public(gradus.Syllabus) - {"__len__"}:
        assert getattr(DistributedSyllabus, name).__doc__, name


@pytest.mark.parametrize("world", [2, 3])
def test_gains_on_sharded_parameters_are_those_of_the_whole_model(two, three, world):
    found = {2: two, 3: three}[world]["sharded"]
    expected = rank_gains.whole(world)
    for progress, weights, fingerprint in found:
        assert progress == pytest.approx(expected[0], rel=1e-10)
        assert weights == pytest.approx(expected[1], rel=1e-10)
        assert fingerprint == found[0][2]


@pytest.mark.parametrize("world", [2, 3])
def test_prediction_gain_with_accumulated_gradients_and_mixed_precision(two, three, world):
    """Data-parallel ranks with two tickets per update and losses in bfloat16, against one process
    that has the batches of all ranks. Gradients are added in another order, in float, and a weight
    that differs in its last digit may round an output to the next bfloat16, 2^-8 away."""
    found = {2: two, 3: three}[world]["accumulated"]
    expected = rank_gains.accumulated_by_one(world)
    for progress, raw, fingerprint in found:
        assert raw == pytest.approx(expected, rel=2**-8)
        assert fingerprint == found[0][2]
    means = [sum(each) / world for each in zip(*(progress for progress, _, _ in found))]
    assert means == pytest.approx(expected, rel=2**-8)


def test_ranks_that_gather_their_rewards_draw_the_prompts_of_one(two, three):
    expected = draw_prompts(0, 1, None)
    assert len(expected[0]) == 5
    for found in (*two["prompts"], *three["prompts"]):
        assert found == expected


def test_torch_distributed_must_be_initialised():
    with pytest.raises(gradus.InputError, match="call init_process_group first"):
        DistributedSyllabus(make())
