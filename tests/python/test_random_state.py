# SPDX-License-Identifier: Apache-2.0
"""Measuring leaves all generators alone, and probes do not depend on their states."""

import random

import numpy
import pytest
import torch
from torch import nn

import gradus
from gradus.torch import Gain

DRAWS = {
    "torch": lambda: float(torch.rand(())),
    "random": random.random,
    "numpy": numpy.random.rand,
    "numpy normal": numpy.random.randn,  # numpy makes these in pairs
}


def seed_all(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed)


def numbers():
    return [draw() for draw in DRAWS.values()]


class Noisy(nn.Module):
    """Its loss has noise of one generator, and so has each update."""

    def __init__(self, draw):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(1.0))
        self.draw = draw

    def forward(self, x):
        return (self.w * x + self.draw()) ** 2


def train(name, generator, measured, reuse, seed=0, steps=6):
    """Returns the weight and the next number of each generator, and the gains."""
    seed_all(seed)
    draw = DRAWS[generator]
    model, syllabus = Noisy(draw), gradus.Syllabus(["a", "b"], "uniform", seed=1)
    loss = lambda model, x: model(x)
    gain = Gain(name, syllabus, model, loss, probe=lambda task: 1.0 + draw(), reuse=reuse)
    gains = []
    for _ in range(steps):
        x = 1 + random.random()
        step = gain.step(syllabus.draw(), x)
        if measured:
            step.begin()
        model.zero_grad()
        value = loss(model, x)
        value.backward()
        with torch.no_grad():
            model.w -= 0.01 * model.w.grad
        if measured:
            step.report(value)
            step.finish()
            gains.append(step.progress)
    return [float(model.w), *numbers()], gains


@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("generator", DRAWS)
@pytest.mark.parametrize("name", ["pg", "gpg", "hpg", "hsg", "gspg"])
def test_a_run_is_the_same_with_and_without_being_measured(name, generator, reuse):
    without, _ = train(name, generator, False, reuse)
    assert train(name, generator, True, reuse)[0] == without


@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("generator", DRAWS)
def test_both_losses_of_a_difference_see_the_same_numbers(generator, reuse):
    seed_all(3)
    model, syllabus = Noisy(DRAWS[generator]), gradus.Syllabus(["a"])
    gain = Gain("pg", syllabus, model, lambda model, x: model(x), reuse=reuse)
    for _ in range(3):
        with gain.step(syllabus.draw(), 1.0) as step:
            step.report(model(1.0))  # no update
        assert step.progress == 0


def probed(seed, mixed=False):
    """The batches that a probe makes in four steps, with all generators."""
    seed_all(seed)
    syllabus, batches = gradus.Syllabus(["a", "b"], "uniform", seed=1), []

    def probe(task):
        batches.append((task, *numbers()))
        return 1.0

    model = Noisy(lambda: 0.0)
    each = lambda model, x: torch.as_tensor(model(x)).expand(4)
    losses = dict(loss_per_sample=each) if mixed else dict(loss=lambda model, x: model(x))
    gain = Gain("hpg", syllabus, model, **losses, probe=probe)
    for _ in range(4):
        with gain.step(syllabus.draw(4) if mixed else syllabus.draw(), 1.0):
            numbers()
    return batches


@pytest.mark.parametrize("mixed", [False, True])
def test_a_probe_draws_new_numbers_for_every_ticket_whatever_the_random_state(mixed):
    batches = probed(1, mixed)
    assert batches == probed(2, mixed)
    assert len({batch[1:] for batch in batches}) == len(batches) >= 4


def test_ranks_probe_other_samples():
    found = []
    for rank in range(2):
        syllabus = gradus.Syllabus(["a"])

        class Ranked:
            """A syllabus on one of two ranks."""

            world_size = 2

            def __getattr__(self, name):
                return getattr(syllabus, name)

        shared = Ranked()
        shared.rank = rank
        probe = lambda task: found.append(random.random()) or 1.0
        gain = Gain("hpg", shared, Noisy(lambda: 0.0), lambda model, x: model(x), probe=probe)
        for _ in range(3):
            with gain.step(syllabus.draw(), 1.0):
                pass
    assert len(set(found)) == len(found) == 6


@pytest.mark.parametrize("kind", ["MT19937", "PCG64"])
def test_another_bit_generator_of_numpy_is_left_alone_too(kind):
    if not hasattr(numpy.random, "set_bit_generator"):
        pytest.skip("this NumPy has one global bit generator")
    before = numpy.random.get_bit_generator()

    def run(measured):
        numpy.random.set_bit_generator(getattr(numpy.random, kind)(3))
        syllabus, draws = gradus.Syllabus(["a"]), []
        probe = lambda task: draws.append(numpy.random.randn()) or 1.0
        gain = Gain("hpg", syllabus, Noisy(numpy.random.randn), lambda m, x: m(x), probe=probe)
        for _ in range(3 if measured else 0):
            with gain.step(syllabus.draw(), 1.0):
                pass
        assert len(set(draws)) == len(draws)
        return numpy.random.randn(3).tolist(), draws

    try:
        assert run(True)[0] == run(False)[0]
        assert run(True) == run(True)
    finally:
        numpy.random.set_bit_generator(before)
