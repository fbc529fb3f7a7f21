# SPDX-License-Identifier: Apache-2.0
"""Checks gradus.torch.Gain on models small enough for hand-worked gains."""

import copy
import inspect
import math
import pickle
import re

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

import gradus
from command import program
from gradus.reinforcement import syllabus_env
from gradus.torch import Gain, Gaussian
from line import Line, batch, make, squared, train


# w = 1, x = 2, y = 5: loss (2 - 5)^2 = 9, gradient 2 * 2 * -3 = -12. A step of rate 0.1 makes
# w = 2.2 and the loss 0.36. On the probe x = 1, y = 3 the loss goes from 4 to 0.64.
BY_HAND = {
    "pg": 9 - 0.36,
    "gpg": 144.0,
    "spg": 4 - 0.64,
    "tpg": 4 - 0.64,
    "mpg": 4 - 0.64,
    "l2g": 2.2**2 - 1,
    "gl2g": 12.0,
    "hpg": 4 - 0.64,
    "gspg": 48.0,  # the gradient of the probe's loss is 2 * 1 * -2 = -4
    "gtpg": 48.0,
    "gmpg": 48.0,
    "xl": 9 - 2.5,
    "lrn": 0.1875,
    "lsg": 0.0,  # there is no slope at the first visit
}
OPTIONS = {"xl": dict(floors={"a": 2.5}), "lrn": dict(right=lambda model, batch: 0.25)}


def test_several_signals_are_measured_in_one_step_and_settle_its_ticket():
    model, x = Line(), batch(2.0, 5.0)
    syllabus = gradus.Syllabus(["a", "b"], policy="corral", bases="exp3s,exp3s,exp3s", seed=1)
    gain = Gain("hpg:pg:gpg", syllabus, model, squared, probe=lambda task: batch(1.0, 3.0))
    ticket = syllabus.ticket_for("a")
    with gain.step(ticket, x) as step:
        train(model, x)
    assert step.progress == pytest.approx(BY_HAND["hpg"], abs=1e-12)
    assert step.reward.raw == step.progress
    scale = syllabus.state_dict()["scale"]
    values = [state["values"][0] for state in (scale["state"], *scale["more"])]
    assert values == pytest.approx([BY_HAND[name] for name in ("hpg", "pg", "gpg")], abs=1e-12)
    with pytest.raises(gradus.InputError, match="3 numbers, expected 1"):
        plain = gradus.Syllabus(["a", "b"])
        plain.reward(plain.draw(), [1.0, 2.0, 3.0])
    with pytest.raises(gradus.InputError, match="settled by one signal, not by 2"):
        Gain("pg:lsg", syllabus, model, loss_per_sample=squared)


@pytest.mark.parametrize("reuse", [False, True])
@pytest.mark.parametrize("name", BY_HAND)
def test_a_step_of_a_line_gains_what_was_worked_out_by_hand(name, reuse):
    model, x = Line(), batch(2.0, 5.0)
    asked = []

    def probe(task):
        asked.append(task)
        return batch(1.0, 3.0)

    options = dict(
        probe=probe, target="b", cost=lambda b: 2.0, reuse=reuse, **OPTIONS.get(name, {})
    )
    syllabus, gain = make(name, model, **options)
    ticket = syllabus.ticket_for("a")
    with gain.step(ticket, x) as step:
        step.report(train(model, x))
    assert step.progress == pytest.approx(BY_HAND[name], abs=1e-12)
    assert step.reward.raw == pytest.approx(BY_HAND[name] / 2, abs=1e-12)
    assert syllabus.outstanding == 0
    random = [syllabus.probe_task(ticket)]
    expected = dict(
        spg=["a"], tpg=["b"], mpg=random, gspg=["a"], gtpg=["b"], gmpg=random, hpg=["a"]
    )
    assert asked == expected.get(name, [])


# The losses of task a are 9, 7, 6 and 2 (tests/gains/gains_test.cc), those of b do not fall.
def test_a_slope_gain_remembers_the_losses_of_each_task_and_continues_from_its_state():
    model, values = Line(), {"a": [9.0, 7.0, 6.0, 2.0], "b": [3.0, 3.0, 3.0, 3.0]}
    syllabus, gain = make("lsg", model, loss=lambda model, value: model.w * value)
    for visit in range(4):
        for task in ("a", "b"):
            state = gain.state_dict()
            syllabus, gain = make("lsg", model, loss=lambda model, value: model.w * value)
            gain.load_state_dict(state)
            with gain.step(syllabus.ticket_for(task), values[task][visit]) as step:
                pass
            expected = 2.2 - 0.72 / 2.2 if (task, visit) == ("a", 3) else 0
            assert step.progress == pytest.approx(expected, abs=1e-12)
    gain.forget("a")
    assert list(gain.state_dict()["memory"]["losses"]) == ["b"]
    with pytest.raises(gradus.InputError, match='saved gain is "lsg", expected "alsg"'):
        make("alsg", model)[1].load_state_dict(state)


def test_the_printed_sign_is_the_papers_formula():
    model, x = Line(), batch(2.0, 5.0)
    syllabus, gain = make("gl2g", model, sign="printed")
    with gain.step(syllabus.draw(), x) as step:
        train(model, x)
    assert step.progress == pytest.approx(-12)


class Posterior(nn.Module):
    """One weight with mean m, width s and prior N(0, 1). There is no noise: the weight is m."""

    def __init__(self):
        super().__init__()
        self.m = nn.Parameter(torch.tensor(1.0, dtype=torch.float64))
        self.s = nn.Parameter(torch.tensor(0.5, dtype=torch.float64))

    def forward(self, x):
        return (self.m + 0 * self.s) * x

    def gaussians(self):
        zero, one = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)
        return [Gaussian(self.m, self.s, zero, one)]


# KL = -log s + (s^2 + m^2)/2 - 1/2, so dKL/dm = m = 1; the step takes m from 1 to 2.2 as above.
@pytest.mark.parametrize("name, expected", [("vcg", (2.2**2 - 1) / 2), ("gvcg", 12.0)])
def test_complexity_gains_of_one_gaussian_weight(name, expected):
    model, x = Posterior(), batch(2.0, 5.0)
    syllabus, gain = make(name, model, posterior=model.gaussians)
    with gain.step(syllabus.draw(), x) as step:
        train(model, x)
    assert step.progress == pytest.approx(expected, abs=1e-12)


class Counting(TorchDispatchMode):
    """Counts the numbers that are converted to double, and those of the largest new tensor."""

    def __init__(self):
        super().__init__()
        self.converted = self.largest = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            if "_to_copy" in str(function):
                self.converted += result.numel()
            if all(result.data_ptr() != a.data_ptr() for a in args if isinstance(a, torch.Tensor)):
                self.largest = max(self.largest, result.numel())
        return result


def test_norms_take_one_pass_over_the_weights_without_a_copy_of_them():
    """l2g reads the weights before and after the step, gpg the gradient once. There are 300,000."""
    model = nn.Linear(1000, 300, bias=False)
    for name, passes in (("l2g", 2), ("gpg", 1)):
        no_pass = lambda model, batch: pytest.fail("no pass of the network is needed")
        syllabus, gain = make(name, model, no_pass, reuse=True)
        model.weight.grad = torch.randn_like(model.weight)
        step = gain.step(syllabus.draw(), None)
        with Counting() as counted:
            step.begin()
            step.finish()
        assert counted.converted == passes * 300_000
        assert counted.largest <= 2**15
    expected = float((model.weight.grad.double() ** 2).sum())
    assert step.progress == pytest.approx(expected, rel=1e-12)  # added in another order


@pytest.mark.parametrize(
    "name, options, message",
    [
        ("pgg", {}, 'unknown gain "pgg"; did you mean'),
        ("spg", {}, "gain spg needs probe"),
        ("tpg", dict(probe=print), "gain tpg needs target"),
        ("tpg", dict(probe=print, target="x"), 'unknown task "x"'),
        ("vcg", {}, "gain vcg needs posterior"),
        ("gvcg", {}, "gain gvcg needs posterior"),
        ("gl2g", dict(sign="plus"), 'unknown sign "plus"'),
        ("hpg", {}, "gain hpg needs probe"),
        ("gtpg", dict(probe=print), "gain gtpg needs target"),
        ("lrn", {}, "gain lrn needs right"),
        ("lsg", dict(window=3), "slope.window is 3, expected a whole number from 4 to 10000"),
        ("lsg", dict(errors=-1), "slope.errors is -1, expected a number from 0 to 100"),
        ("pg", dict(refused="ignore"), 'refused is "ignore"'),
    ],
)
def test_a_gain_that_lacks_something_is_refused(name, options, message):
    with pytest.raises(gradus.InputError) as refusal:
        make(name, Line(), **options)
    assert message in str(refusal.value)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("name", ["lsg", "vcg"])
def test_a_copied_gain_goes_on_alike_with_its_own_syllabus_and_model(name, clone):
    model, x = Posterior(), batch(2.0, 5.0)
    one = make(name, model, posterior=model.gaussians, window=4)

    def steps(syllabus, gain, count):
        found = []
        for _ in range(count):
            with gain.step(syllabus.draw(), x) as step:
                train(gain.model, x, rate=0.01)
            found.append(step.progress)
        return found

    steps(*one, 5)
    other = clone(one)
    assert other[1].syllabus is other[0] and other[1].model is not model
    expected = steps(*one, 5)
    assert steps(*other, 5) == expected and any(expected)
    assert other[1].state_dict() == one[1].state_dict()


@pytest.mark.program
def test_the_defaults_of_slopes_are_those_of_the_engine():
    stated = re.findall(r"slope\.(window|errors) = (\S+)", program("train", "--help"))
    assert len(stated) == 2
    for function in (gradus.Gain, Gain, syllabus_env):
        parameters = inspect.signature(function).parameters
        for name, value in stated:
            assert parameters[name].default == float(value), (function, name)


def test_the_gains_are_those_of_the_engine():
    nine = ["pg", "gpg", "spg", "tpg", "mpg", "vcg", "gvcg", "l2g", "gl2g"]
    new = ["lsg", "alsg", "hsg", "hpg", "gspg", "gtpg", "gmpg", "xl", "lrn"]
    assert list(gradus.gains()) == [*nine, *new]
    gain = gradus.Gain("pg")
    assert gain.needs["loss_after"] and gain.progress({"loss_before": 3, "loss_after": 1}) == 2
    assert math.isnan(gain.progress({"loss_before": 3}))
    with pytest.raises(gradus.InputError, match='unknown measurement "los_after"'):
        gain.progress({"los_after": 1})


@pytest.mark.parametrize("name, message", [("gpg", "needs reuse=True"), ("gspg", "cannot be")])
def test_gradients_of_sharded_parameters_come_from_the_step_alone(name, message):
    with pytest.raises(gradus.InputError, match=f"gain {name} {message}"):
        Gain(
            name, gradus.Syllabus(["a"]), nn.Linear(1, 1), lambda m, b: m(b), probe=str, shards=True
        )
