# SPDX-License-Identifier: Apache-2.0
"""Checks gradus.torch.Gain on models small enough for hand-worked gains, and that it leaves the
model unchanged."""

import copy
import math
import pickle

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

import gradus
from gradus.torch import Gain, Gaussian


class Line(nn.Module):
    """y = w x."""

    def __init__(self, w=1.0):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(w, dtype=torch.float64))

    def forward(self, x):
        return self.w * x


def squared(model, batch):
    x, y = batch
    return ((model(x) - y) ** 2).sum()


def batch(x, y):
    return torch.tensor([x], dtype=torch.float64), torch.tensor([y], dtype=torch.float64)


def make(name, model, loss=squared, tasks=("a", "b"), **options):
    syllabus = gradus.Syllabus(tasks, seed=1)
    return syllabus, Gain(name, syllabus, model, loss, **options)


def train(model, x, rate=0.1, loss=squared):
    """Takes a step of plain gradient descent."""
    model.zero_grad()
    value = loss(model, x)
    value.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= rate * p.grad
    return value


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


def test_reuse_without_what_is_to_be_reused_is_refused():
    model, x = Line(), batch(2.0, 5.0)
    for name, message in [("pg", "call step.report"), ("gpg", "no gradient in .grad")]:
        syllabus, gain = make(name, model, reuse=True)
        with pytest.raises(gradus.InputError, match=message):
            with gain.step(syllabus.draw(), x):
                pass
        assert syllabus.outstanding == 0


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


def test_the_gains_are_those_of_the_engine():
    nine = ["pg", "gpg", "spg", "tpg", "mpg", "vcg", "gvcg", "l2g", "gl2g"]
    new = ["lsg", "alsg", "hsg", "hpg", "gspg", "gtpg", "gmpg", "xl", "lrn"]
    assert list(gradus.gains()) == [*nine, *new]
    gain = gradus.Gain("pg")
    assert gain.needs["loss_after"] and gain.progress({"loss_before": 3, "loss_after": 1}) == 2
    assert math.isnan(gain.progress({"loss_before": 3}))
    with pytest.raises(gradus.InputError, match='unknown measurement "los_after"'):
        gain.progress({"los_after": 1})


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


@pytest.mark.parametrize("name, message", [("gpg", "needs reuse=True"), ("gspg", "cannot be")])
def test_gradients_of_sharded_parameters_come_from_the_step_alone(name, message):
    with pytest.raises(gradus.InputError, match=f"gain {name} {message}"):
        Gain(
            name, gradus.Syllabus(["a"]), nn.Linear(1, 1), lambda m, b: m(b), probe=str, shards=True
        )
