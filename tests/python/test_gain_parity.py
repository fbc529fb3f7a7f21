# SPDX-License-Identifier: Apache-2.0
"""Compares gradus.torch.Gain with the engine's own gains on the same LSTM, at each of 30 updates.

GRADUS_TRACE names the program parity_trace, which trains the network in C++ and writes the value of
every gain. Cases and referee are those of tests/parity.
"""

import pathlib
import sys

import pytest
import torch

import gradus
from gradus.torch import Gain, Gaussian

sys.path.append(str(pathlib.Path(__file__).parents[1] / "parity"))
from cases import CASES  # noqa: E402
from parity_test import scalars, trace  # noqa: E402
from referee import (
    FLOOR,
    WINDOW,
    Referee,
    evaluation,
    loss,
    posterior_and_prior,
    sample,
)  # noqa: E402

torch.set_default_dtype(torch.float32)  # the referee sets double; other tests share this process

# Allows for rounding in double over thirty updates, as in tests/parity. Relative to the losses of a
# difference, or to the product of the norms of a dot product.
TOLERANCE = 1e-12

CHOSEN = ["ml-1-softmax", "ml-2-sigmoid", "l2-strong", "vi-1-softmax", "vi-tensor-1-sigmoid"]


@pytest.fixture(autouse=True)
def double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


class Network(torch.nn.Module):
    """The case's network as a module with one parameter that holds everything trained."""

    def __init__(self, case, phi):
        super().__init__()
        self.case = case
        self.phi = torch.nn.Parameter(phi.clone())
        self.noise = torch.zeros(0)

    def gaussians(self):
        posterior, prior = posterior_and_prior(self.case, self.phi)
        return [Gaussian(posterior.loc, posterior.scale, prior.loc, prior.scale)]


def data_loss(model, batch):
    return loss(model.case, sample(model.case, model.phi, model.noise), batch)


def share_right(model, batch):
    counts = evaluation(model.case, sample(model.case, model.phi, model.noise), batch)
    return 1 - counts["wrong_answers"] / counts["answers"]


@pytest.mark.parametrize("name", CHOSEN)
def test_every_gain_is_the_engines(name):
    case = CASES[name]
    phi, updates = trace(case, "double")
    model, referee = Network(case, phi), Referee(case, phi)
    names = [gain for gain, value in updates[0]["gains"].items() if value is not None]
    assert len(names) == 16
    syllabus = gradus.Syllabus(["task"])
    gains = {
        (gain, reuse): Gain(
            gain,
            syllabus,
            model,
            data_loss,
            probe=lambda task: update["probe"],
            target="task",
            posterior=model.gaussians,
            right=share_right,
            window=WINDOW,
            floors={"task": FLOOR},
            reuse=reuse,
        )
        for gain in names
        for reuse in (False, True)
    }
    for update in updates:
        model.noise = torch.tensor(update["noise"])
        steps = {}
        for key, measured in gains.items():
            steps[key] = measured.step(syllabus.draw(), update["batch"])
            steps[key].begin()
            outputs = sum(sum(s["scored"]) for s in update["batch"]) / len(update["batch"])
            steps[key]._measured["outputs"] = outputs  # the engine's floors are per output
        model.zero_grad()
        value = data_loss(model, update["batch"])
        value.backward()
        result = referee.step(update["batch"], update["probe"], model.noise)
        with torch.no_grad():
            model.phi.copy_(referee.phi)
        for (gain, reuse), step in steps.items():
            step.report(value)
            step.finish()
            _, scale = scalars(result)[gain]
            assert abs(step.progress - update["gains"][gain]) <= TOLERANCE * scale, (gain, reuse)
