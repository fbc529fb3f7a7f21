# SPDX-License-Identifier: Apache-2.0
"""Mixed precision with a GradScaler, which skips an update whose gradient is infinite. It is torch's
own on a GPU, and a stand-in with its documented behaviour otherwise."""

import pytest
import torch
from torch import nn

import gradus
from gradus.torch import Gain

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class StandIn:
    """Multiplies the loss by a scale. step() divides the gradients by it, unless unscale_() did so,
    and skips the update if one is not finite; update() then halves the scale."""

    def __init__(self, init_scale):
        self.value, self.unscaled, self.overflow = init_scale, False, False

    def get_scale(self):
        return self.value

    def scale(self, loss):
        return loss * self.value

    def unscale_(self, optimizer):
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"]]
        for gradient in gradients:
            gradient /= self.value
        self.overflow = not all(bool(torch.isfinite(g).all()) for g in gradients)
        self.unscaled = True

    def step(self, optimizer):
        if not self.unscaled:
            self.unscale_(optimizer)
        if not self.overflow:
            optimizer.step()

    def update(self):
        self.value *= 0.5 if self.overflow else 1.0
        self.unscaled = False


class One(nn.Module):
    """A weight of 1."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1, device=DEVICE))


def make_scaler():
    return (
        torch.cuda.amp.GradScaler(init_scale=2.0**16) if DEVICE == "cuda" else StandIn(2.0**16)
    )


@pytest.mark.parametrize("name", ["gpg", "gl2g"])
def test_a_skipped_update_earns_no_reward_and_the_next_one_does(name):
    """The loss is 1000 w, so that its scaled gradient is more than the largest float16, 65504."""
    syllabus, model = gradus.Syllabus(["a"]), One()
    loss = lambda model, x: model.weight.half().sum().float() * x
    gain = Gain(name, syllabus, model, loss, reuse=True, refused="drop")
    optimizer, scaler, x = torch.optim.SGD(model.parameters(), 0.1), make_scaler(), 1000.0
    for skipped in (True, False):
        with gain.step(syllabus.draw(), x) as step:
            optimizer.zero_grad()
            scaler.scale(loss(model, x)).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
        scaler.update()
        assert (step.reward is None) == skipped == (float(model.weight) == 1)
        assert (gain.refusals, syllabus.rounds, syllabus.outstanding) == (1, int(not skipped), 0)
        x = 0.5  # no overflow
    assert scaler.get_scale() == 2.0**15
    # The gradient of 0.5 w is 0.5, after it was unscaled, and the step lowers the norm of w.
    assert step.progress == pytest.approx({"gpg": 0.25, "gl2g": -0.5}[name])


def test_without_dropping_a_skipped_update_raises_and_the_ticket_is_dropped():
    syllabus, model = gradus.Syllabus(["a"]), One()
    loss = lambda model, x: model.weight.half().sum().float() * x
    gain = Gain("gpg", syllabus, model, loss, reuse=True)
    optimizer, scaler = torch.optim.SGD(model.parameters(), 0.1), make_scaler()
    with pytest.raises(gradus.InputError, match="progress is inf"):
        with gain.step(syllabus.draw(), 1000.0):
            scaler.scale(loss(model, 1000.0)).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
    assert syllabus.outstanding == 0
