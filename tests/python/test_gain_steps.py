# SPDX-License-Identifier: Apache-2.0
"""Checks how gradus.torch.Gain measures a step: it leaves the model unchanged, and settles or drops
the step's ticket."""

import math

import pytest
import torch
from torch import nn

import gradus
from gradus.torch import Gain
from line import Line, batch, make, squared, train


class Noisy(nn.Module):
    """Dropout and batch normalisation depend on modes, random numbers and buffers."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(6, 20), nn.BatchNorm1d(20), nn.Dropout(0.5), nn.Linear(20, 1)
        )

    def forward(self, x):
        return self.layers(x)


def noisy_batch():
    return torch.randn(8, 6), torch.randn(8, 1)


@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("name", ["pg", "gpg", "spg", "l2g", "gl2g"])
def test_a_run_is_the_same_with_and_without_being_measured(name, reuse):
    """Weights, buffers, modes and random numbers must not depend on the gain."""
    ends = []
    for measured in (False, True):
        torch.manual_seed(0)
        model = Noisy()
        model.layers[1].eval()  # a mode unlike the rest, as in a frozen part
        optimizer = torch.optim.SGD(model.parameters(), 1e-3)
        probe = [torch.ones(8, 6), torch.ones(8, 1)]
        syllabus, gain = make(name, model, probe=lambda task: probe, reuse=reuse)
        for _ in range(5):
            x = noisy_batch()
            step = gain.step(syllabus.draw(), x)
            if measured:
                step.begin()
            optimizer.zero_grad()
            loss = squared(model, x)
            loss.backward()
            optimizer.step()
            if measured:
                step.report(loss)
                step.finish()
        assert [module.training for module in model.layers] == [True, False, True, True]
        ends.append([*model.state_dict().values(), torch.rand(3), optimizer.param_groups[0]["lr"]])
    for without, with_gain in zip(*ends):
        assert torch.equal(torch.as_tensor(without), torch.as_tensor(with_gain))


@pytest.mark.parametrize("reuse", [False, True])
def test_both_losses_of_a_difference_see_the_same_dropout(reuse):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 20), nn.Dropout(0.5), nn.Linear(20, 1))
    syllabus, gain = make("pg", model, reuse=reuse)
    x = noisy_batch()
    with gain.step(syllabus.draw(), x) as step:
        step.report(squared(model, x))  # no update
    assert step.progress == 0


def test_steps_may_be_open_at_once():
    model, x, y = Line(), batch(2.0, 5.0), batch(1.0, 3.0)
    syllabus, gain = make("pg", model)
    steps = [gain.step(syllabus.draw(), b) for b in (x, y)]
    for step in steps:
        step.begin()
    train(model, x)
    for step in steps:
        step.finish()
    assert [step.progress for step in steps] == pytest.approx([8.64, 3.36])


def test_a_failing_step_drops_its_ticket_and_the_error_passes():
    syllabus, gain = make("pg", Line())
    ticket = syllabus.draw()
    with pytest.raises(ZeroDivisionError):
        with gain.step(ticket, batch(1.0, 1.0)):
            1 / 0
    assert not syllabus.is_outstanding(ticket) and syllabus.rounds == 0


def test_a_task_removed_during_the_step_earns_nothing():
    model, x = Line(), batch(2.0, 5.0)
    syllabus, gain = make("pg", model)
    ticket = syllabus.ticket_for("a")
    with gain.step(ticket, x) as step:
        train(model, x)
        syllabus.remove("a")
    assert step.progress == pytest.approx(8.64) and step.reward is None


def test_a_gain_that_is_not_a_number_is_refused_or_counted_and_its_ticket_dropped():
    model, x = Line(), batch(math.nan, 1.0)
    for refused in ("raise", "drop"):
        syllabus, gain = make("pg", model, refused=refused)
        ticket = syllabus.draw()
        step = gain.step(ticket, x)
        step.begin()
        if refused == "raise":
            with pytest.raises(gradus.InputError, match="progress is nan"):
                step.finish()
        else:
            step.finish()
            assert gain.refusals == 1
        assert not syllabus.is_outstanding(ticket)


@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("in_block", [True, False])
def test_a_measurement_that_fails_drops_its_ticket(calls, in_block):
    """The first loss is measured by begin() and the second one by finish()."""
    left = [calls]

    def failing(model, batch):
        left[0] -= 1
        if left[0] == 0:
            raise RuntimeError("out of memory")
        return squared(model, batch)

    syllabus, gain = make("pg", Line(), failing)
    step = gain.step(syllabus.draw(), batch(1.0, 2.0))
    with pytest.raises(RuntimeError, match="out of memory"):
        if in_block:
            with step:
                pass
        else:
            step.begin()
            step.finish()
    assert (syllabus.outstanding, syllabus.rounds, left) == (0, 0, [0])


def test_reuse_without_what_is_to_be_reused_is_refused():
    model, x = Line(), batch(2.0, 5.0)
    for name, message in [("pg", "call step.report"), ("gpg", "no gradient in .grad")]:
        syllabus, gain = make(name, model, reuse=True)
        with pytest.raises(gradus.InputError, match=message):
            with gain.step(syllabus.draw(), x):
                pass
        assert syllabus.outstanding == 0


def test_a_reused_gradient_must_be_that_of_one_batch():
    """With accumulation .grad is a sum over several batches, so gains of gradients refuse it."""
    syllabus, model = gradus.Syllabus(["a", "b"]), nn.Linear(2, 1, bias=False)
    square = lambda model, batch: (model(batch) ** 2).mean()
    gain = Gain("gpg", syllabus, model, square, reuse=True)
    first, second = (gain.step(syllabus.draw(), torch.ones(1, 2)) for _ in range(2))
    first.begin()
    with pytest.raises(gradus.InputError, match="accumulate gradients with reuse=False"):
        second.begin()
    square(model, torch.ones(1, 2)).backward()
    first.finish()
    assert (syllabus.rounds, syllabus.outstanding) == (1, 0)
    both = Gain("gpg", syllabus, model, square)
    steps = [both.step(syllabus.draw(), k * torch.ones(1, 2)) for k in (1, 2)]
    for step in steps:
        step.begin()
    for step in steps:
        step.finish()
    # The gradient of (w x)^2 is 2 (w x) x, which grows with the square of x.
    assert [s.progress for s in steps] == pytest.approx([first.progress, 16 * first.progress])


def test_an_update_that_a_scaler_skips_earns_no_reward():
    """With float16, a gradient may overflow. The scaler then skips the update."""
    syllabus, model = gradus.Syllabus(["a"]), nn.Linear(2, 1)
    gain = Gain("gpg", syllabus, model, lambda m, b: m(b).sum(), reuse=True, refused="drop")
    with gain.step(syllabus.draw(), torch.ones(1, 2)) as step:
        (model(torch.ones(1, 2)).sum() * float("inf")).backward()
    assert step.reward is None and gain.refusals == 1 and syllabus.outstanding == 0
