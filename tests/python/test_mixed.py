# SPDX-License-Identifier: Apache-2.0
"""Batches of several tasks: draws, quotas, losses per sample, rewards of all tasks, priors."""

import collections
import json
import math
import time

import numpy
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.utils.data import DataLoader

import gradus
from gradus.torch import Gain, MixedBatchSampler, MixedCollate, TaskDataset
from loaders import SIZES, samples

weights = st.lists(st.integers(1, 100), min_size=2, max_size=6)


def by_name(numbers):
    return {f"t{i}": number for i, number in enumerate(numbers)}


@given(weights, st.integers(0, 40), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_quotas_are_the_shares_rounded_up_or_down(numbers, n, seed):
    prior = by_name(numbers)
    syllabus = gradus.Syllabus(prior, prior=prior, seed=seed)
    p = syllabus.probabilities()
    assert p == pytest.approx({task: w / sum(numbers) for task, w in prior.items()})
    tickets = syllabus.draw(n, quotas=True)
    counts = collections.Counter(ticket.name for ticket in tickets)
    assert len(tickets) == n == syllabus.outstanding
    assert all(abs(counts[task] - n * p[task]) < 1 + 1e-9 for task in prior)
    plain = gradus.Syllabus(prior, prior=prior, seed=seed)
    syllabus = gradus.Syllabus(prior, prior=prior, seed=seed)
    assert syllabus.draw(n) == [plain.draw() for _ in range(n)]


@given(weights, st.lists(st.integers(-9, 9), min_size=6, max_size=6), st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_a_prior_is_where_a_policy_returns_to_and_goes_through_a_saved_state(numbers, earned, cost):
    """Rewards that are all equal carry no information."""
    prior = by_name(numbers)
    syllabus = gradus.Syllabus(prior, "boltzmann", prior=prior, discount=0.5)
    syllabus.reward_all(dict(zip(prior, earned)), cost)
    for _ in range(3):
        syllabus.reward_all(dict(zip(prior, earned)), dict.fromkeys(prior, cost))
    copy = gradus.Syllabus.from_state_dict(json.loads(json.dumps(syllabus.state_dict())))
    assert copy.probabilities() == syllabus.probabilities()
    for each in (syllabus, copy):
        for _ in range(60):
            each.reward_all(dict.fromkeys(prior, 0.0))
        start = {task: w / sum(numbers) for task, w in prior.items()}
        assert each.probabilities() == pytest.approx(start, rel=1e-6)


def test_rewards_of_all_tasks_are_hedge_and_need_every_task():
    """As in tests/policies: 19, 13 and 10 of 42 with eta = ln(2)."""
    syllabus = gradus.Syllabus(["a", "b", "c"], eta=math.log(2), epsilon=0)
    syllabus.reward_all({"a": 1, "b": 2, "c": 3})
    rewards = syllabus.reward_all({"a": 3, "b": 2, "c": 1})
    assert rewards["a"] == gradus.Reward(3, 1)
    assert syllabus.probabilities() == pytest.approx({"a": 19 / 42, "b": 13 / 42, "c": 10 / 42})
    before = syllabus.state_dict()
    for bad, message in [
        ({"a": 1, "b": 2}, 'progress has no entry for "c"'),
        ({"a": 1, "b": 2, "x": 3}, 'unknown task "x"'),
        ({"a": 1, "b": 2, "c": 3, "x": 4}, 'unknown task "x"'),
        ({"a": 1, "b": 2, "c": 3, 4: 5}, "progress has the key 4, expected the name of a task"),
        ([1, 2, 3], r"progress is \[1, 2, 3\], expected a dict with a number for each task"),
        ({"a": 1, "b": 2, "c": math.nan}, r"task 2 \(c\): progress is nan"),
    ]:
        with pytest.raises(gradus.InputError, match=message):
            syllabus.reward_all(bad)
    assert syllabus.state_dict() == before
    with pytest.raises(gradus.InputError, match="policy thompson cannot learn from the rewards"):
        gradus.Syllabus(["a"], "thompson").reward_all({"a": 1})


def test_the_time_for_many_tasks_is_not_quadratic():
    """With 60,000 tasks a look-up of each name among all takes seconds, and in a table milliseconds."""
    weights = {f"task {number}": 1.0 for number in range(60_000)}
    start = time.process_time()
    syllabus = gradus.Syllabus(weights, prior=weights)
    syllabus.reward_all(weights)
    assert time.process_time() - start < 2


def test_a_ticket_of_a_draw_made_elsewhere_has_its_probability():
    syllabus = gradus.Syllabus(["a", "b"])
    syllabus.freeze("b")
    ticket = syllabus.ticket_for("b", probability=0.125)
    assert ticket == gradus.Ticket(1, "b", 0.125, 0)
    syllabus.reward(ticket, 1)
    with pytest.raises(gradus.InputError, match=r"task 0 \(a\): probability is 2, expected"):
        syllabus.ticket_for("a", probability=2)


def test_a_batch_of_tickets_is_settled_as_a_whole_or_not_at_all():
    syllabus, one = gradus.Syllabus(["a", "b"]), gradus.Syllabus(["a", "b"])
    tickets = syllabus.draw(4)
    expected = [one.reward(ticket, ticket.id, 2) for ticket in one.draw(4)]
    with pytest.raises(gradus.InputError, match="progress has 3 numbers, expected one for each"):
        syllabus.reward_batch(tickets, [1, 2, 3])
    with pytest.raises(gradus.InputError, match="cost is 0"):
        syllabus.reward_batch(tickets, 1, [1, 1, 1, 0])
    assert syllabus.outstanding == 4
    assert syllabus.reward_batch(tickets, [0, 1, 2, 3], 2) == expected
    assert syllabus.state_dict() == one.state_dict()


def make_loader(workers, quotas, **options):
    syllabus = gradus.Syllabus(SIZES, seed=5, eta=0.3, prior={"a": 1, "b": 2, "c": 3})
    data = TaskDataset(samples())
    sampler = MixedBatchSampler(syllabus, data.sizes(), 6, quotas=quotas, ahead=4, **options)
    collate = MixedCollate()
    loader = DataLoader(data, batch_sampler=sampler, collate_fn=collate, num_workers=workers)
    return syllabus, sampler, loader


def consume(loader, syllabus, count):
    seen = []
    for tickets, values in loader:
        seen.append((tickets, values.tolist()))
        syllabus.reward_batch(tickets, [ticket.id % 7 - 2 * ticket.task for ticket in tickets])
        if len(seen) == count:
            return seen


@pytest.mark.parametrize("quotas", [False, True])
def test_mixed_batches_do_not_depend_on_workers_and_resume_exactly(quotas):
    syllabus, _, loader = make_loader(0, quotas)
    whole = consume(loader, syllabus, 24)
    for tickets, values in whole:
        assert [ticket.task for ticket in tickets] == [value // 1000 for value in values]
    counts = collections.Counter(value for _, values in whole for value in values)
    for task, size in enumerate(SIZES.values()):  # pass by pass
        of_task = [counts[1000 * task + k] for k in range(size)]
        assert max(of_task) - min(of_task) <= 1
    syllabus, sampler, loader = make_loader(2, quotas)
    seen = consume(loader, syllabus, 9)
    saved = json.loads(json.dumps([syllabus.state_dict(), sampler.state_dict()]))
    syllabus, sampler, loader = make_loader(1, quotas)
    syllabus.load_state_dict(saved[0])
    sampler.load_state_dict(saved[1])
    assert seen + consume(loader, syllabus, 15) == whole
    with pytest.raises(gradus.InputError, match="a different quotas"):
        make_loader(0, not quotas)[1].load_state_dict(saved[1])


def test_ranks_get_other_samples_of_the_same_tasks():
    parts = [make_loader(0, True, rank=rank, world_size=3) for rank in range(3)]
    batches = [consume(loader, syllabus, 2) for syllabus, _, loader in parts]
    for one, two, three in zip(*batches):
        assert one[0] == two[0] == three[0]
        assert len({*one[1], *two[1], *three[1]}) == 18


class Scales(nn.Module):
    """One weight per task; the loss of a sample (k, x, y) is (w_k x - y)^2."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2, dtype=torch.float64))
        self.passes = 0


def losses(model, batch):
    model.passes += 1
    k, x, y = batch
    return (model.w[k] * x - y) ** 2


# w = 1, 1 on (a: x 2, y 5), (b: x 1, y 3), (a: x 1, y 1): losses 9, 4, 0. The gradient of their sum
# is -12 for a and -4 for b; a step of rate 0.1 makes w = 2.2, 1.4 and the losses 0.36, 2.56, 1.44.
# Means: a from 4.5 to 0.9, b from 4 to 2.56.
@pytest.mark.parametrize("reuse", [False, True])
def test_one_forward_pass_measures_all_tasks_of_a_batch(reuse):
    model = Scales()
    tokens = torch.tensor([10.0, 4.0, 20.0])
    syllabus = gradus.Syllabus(["a", "b", "c"])
    gain = Gain(
        "pg", syllabus, model, loss_per_sample=losses, cost=lambda batch: tokens, reuse=reuse
    )
    batch = (
        torch.tensor([0, 1, 0]),
        torch.tensor([2.0, 1, 1]).double(),
        torch.tensor([5.0, 3, 1]).double(),
    )
    tickets = [syllabus.ticket_for(task) for task in "aba"]
    with gain.step(tickets, batch) as step:
        each = losses(model, batch)
        step.report(each)
        each.sum().backward()
        with torch.no_grad():
            model.w -= 0.1 * model.w.grad
    assert step.progress == pytest.approx({"a": 3.6, "b": 1.44})
    raw = {"a": 3.6 / 15, "b": 1.44 / 4}
    assert [r.raw for r in step.rewards] == pytest.approx([raw[task] for task in "aba"])
    assert (syllabus.rounds, syllabus.outstanding) == (3, 0)
    assert model.passes == (2 if reuse else 3)


# The batch and the step of the test above. The probe of a is (x 1, y 4), that of b (x 1, y 3): their
# losses are 9 and 4 before the step, 3.24 and 2.56 after it. Samples 1 and 3 are right before it.
@pytest.mark.parametrize(
    "name, options, expected",
    [
        ("xl", dict(floors={"a": 1.5, "b": 3.5, "c": 0}), {"a": 3.0, "b": 0.5}),
        ("hpg", dict(probe=True), {"a": 5.76, "b": 1.44}),
        ("lrn", dict(right=True), {"a": 0.25, "b": 0.0}),
    ],
)
def test_excess_losses_held_out_losses_and_right_answers_are_measured_per_task(
    name, options, expected
):
    model, syllabus = Scales(), gradus.Syllabus(["a", "b", "c"])
    x, y = (torch.tensor(row).double() for row in ([2.0, 1, 1], [5.0, 3, 1]))
    batch = torch.tensor([0, 1, 0]), x, y
    held_out = {"a": (0, 1.0, 4.0), "b": (1, 1.0, 3.0)}
    if "probe" in options:
        options = dict(probe=lambda task: tuple(torch.tensor([v]) for v in held_out[task]))
    if "right" in options:
        answers = torch.tensor([0.0, 1.0, 1.0])
        options = dict(right=lambda model, batch: answers)
    gain = Gain(name, syllabus, model, loss_per_sample=losses, **options)
    tickets = [syllabus.ticket_for(task) for task in "aba"]
    with gain.step(tickets, batch) as step:
        losses(model, batch).sum().backward()
        with torch.no_grad():
            model.w -= 0.1 * model.w.grad
    assert step.progress == pytest.approx(expected)
    assert syllabus.rounds == 3


def test_held_out_slopes_are_remembered_per_task():
    """The probe's loss of task a falls by 1 at each visit, that of b stays: slopes 1 and 0."""
    model, syllabus = Scales(), gradus.Syllabus(["a", "b"])
    visits = collections.Counter()

    def probe(task):
        visits[task] += 1
        return 10.0 - visits["a"] if task == "a" else 5.0

    def each(model, batch):
        return torch.tensor([batch]) if isinstance(batch, float) else batch

    gain = Gain("hsg", syllabus, model, loss_per_sample=each, probe=probe, window=4)
    for _ in range(6):
        tickets = [syllabus.ticket_for(task) for task in "ab"]
        with gain.step(tickets, torch.ones(2)) as step:
            pass
    assert step.progress == pytest.approx({"a": 1.0, "b": 0.0})


def test_a_mixed_batch_that_cannot_be_measured_is_refused_and_its_tickets_are_dropped():
    model, syllabus = Scales(), gradus.Syllabus(["a", "b"])
    for name in ("gpg", "l2g"):
        with pytest.raises(gradus.InputError, match=f"gain {name} takes no loss_per_sample"):
            Gain(name, syllabus, model, loss_per_sample=losses)
    with pytest.raises(gradus.InputError, match="needs a gain with loss_per_sample"):
        Gain("pg", syllabus, model, losses).step(syllabus.draw(2), None)
    gain = Gain("pg", syllabus, model, loss_per_sample=lambda m, b: b)
    tickets = syllabus.draw(2)
    with pytest.raises(
        gradus.InputError, match=r"has shape \[3\], expected a number for each of 2"
    ):
        with gain.step(tickets, torch.ones(3)):
            pass
    assert not any(map(syllabus.is_outstanding, tickets))


@pytest.mark.parametrize(
    "make", [torch.tensor, numpy.array, tuple], ids=["tensor", "array", "tuple"]
)
def test_a_prior_may_be_a_tensor_or_an_array(make):
    syllabus = gradus.Syllabus(["a", "b"], prior=make([1.0, 3.0]))
    assert syllabus.probabilities() == pytest.approx({"a": 0.25, "b": 0.75})
    with pytest.raises(gradus.InputError, match="prior of task 1 is nan"):
        gradus.Syllabus(["a", "b"], prior=make([1.0, math.nan]))
