# SPDX-License-Identifier: Apache-2.0
"""gradus.torch on a GPU. Skipped if there is none."""

import math

import pytest
import torch
import torch.distributed
from torch import nn

import gradus
from gradus.torch import DistributedSyllabus, Gain, Gaussian

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")

# Allows for another order of summation over a few hundred doubles.
TOLERANCE = 1e-10


class Network(nn.Module):
    """One layer of weights with means and widths."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.mean = nn.Parameter(torch.randn(9, 5).double())
        self.width = nn.Parameter(torch.rand(9, 5).double() + 0.1)
        self.prior = nn.Parameter(torch.tensor(0.3).double())

    def forward(self, x):
        return torch.tanh(x @ (self.mean + 0.1 * self.width))

    def gaussians(self):
        return [Gaussian(self.mean, self.width, self.prior, torch.ones_like(self.prior))]


def loss(model, x):
    return (model(x) ** 2).sum()


@pytest.mark.parametrize("name", list(gradus.gains()))
def test_a_gain_is_the_same_on_both_devices(name):
    found = []
    x = torch.linspace(-1, 1, 36).double().view(4, 9)
    for device in ("cpu", "cuda"):
        model, batch = Network().to(device), x.to(device)
        syllabus = gradus.Syllabus(["a", "b"])
        gain = Gain(
            name,
            syllabus,
            model,
            loss,
            probe=lambda task: 2 * batch,
            target="b",
            posterior=model.gaussians,
            right=lambda model, batch: (model(batch) > 0).double().mean(),
            floors={"a": 0.5, "b": 0.5},
        )
        with gain.step(syllabus.draw(), batch) as step:
            optimizer = torch.optim.SGD(model.parameters(), 0.01)
            (loss(model, batch) + sum((p**2).sum() for p in model.parameters())).backward()
            optimizer.step()
        found.append(step.progress)
    assert found[0] == pytest.approx(found[1], rel=TOLERANCE) and math.isfinite(found[0])


def test_the_random_state_of_the_device_is_left_alone_and_shared_by_both_losses():
    model = nn.Sequential(nn.Linear(6, 50), nn.Dropout(0.5), nn.Linear(50, 1)).cuda()
    syllabus = gradus.Syllabus(["a"])
    gain = Gain("pg", syllabus, model, lambda m, x: m(x).sum(), reuse=True)
    x = torch.randn(8, 6, device="cuda")
    torch.cuda.manual_seed(3)
    model(x)
    expected = torch.rand(4, device="cuda")
    torch.cuda.manual_seed(3)
    with gain.step(syllabus.draw(), x) as step:
        step.report(model(x).sum())
    assert step.progress == 0
    assert torch.equal(torch.rand(4, device="cuda"), expected)


def test_an_lstm_of_cudnn_can_be_measured():
    model = nn.LSTM(3, 8).cuda()
    for name in ("pg", "gpg", "gl2g"):
        syllabus = gradus.Syllabus(["a"])
        gain = Gain(name, syllabus, model, lambda m, x: (m(x)[0] ** 2).sum())
        with gain.step(syllabus.draw(), torch.ones(5, 2, 3, device="cuda")) as step:
            pass
        assert math.isfinite(step.progress)


def test_ranks_agree_over_nccl(tmp_path):
    torch.distributed.init_process_group(
        "nccl", init_method=f"file://{tmp_path}/store", rank=0, world_size=1
    )
    try:
        shared, alone = (gradus.Syllabus(["a", "b"], seed=2) for _ in range(2))
        shared = DistributedSyllabus(shared)
        for number in range(5):
            ticket = shared.draw()
            assert alone.draw() == ticket
            assert shared.reward(ticket, number / 7) == alone.reward(ticket, number / 7)
        shared.check()
    finally:
        torch.distributed.destroy_process_group()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", ["pg", "gpg", "hpg"])
def test_a_gain_under_autocast_is_close_to_that_in_float(name, dtype):
    """Autocast in the loss function, as the step has it. A bfloat16 has 8 bits."""
    found = []
    for enabled in (False, True):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 1)).cuda()
        x = torch.linspace(-1, 1, 256, device="cuda").view(32, 8)

        def loss(model, x):
            with torch.autocast("cuda", dtype=dtype, enabled=enabled):
                outputs = model(x)
            return ((outputs.float() - 1) ** 2).mean()

        syllabus = gradus.Syllabus(["a"])
        gain = Gain(name, syllabus, model, loss, probe=lambda task: -x)
        optimizer = torch.optim.SGD(model.parameters(), 0.05)
        with gain.step(syllabus.draw(), x) as step:
            loss(model, x).backward()
            optimizer.step()
        assert syllabus.rounds == 1
        found.append(step.progress)
    assert found[1] == pytest.approx(found[0], rel=0.1)


def test_a_probe_has_numbers_of_its_own_on_the_device_and_leaves_its_random_state_alone():
    found, x = [], torch.ones(2, 4, device="cuda")
    for seed in (1, 2):
        model, syllabus = nn.Linear(4, 1).cuda(), gradus.Syllabus(["a"])
        probe = lambda task: found.append(torch.rand(2, 4, device="cuda")) or found[-1]
        gain = Gain("hpg", syllabus, model, lambda m, x: m(x).sum(), probe=probe)
        torch.cuda.manual_seed(seed)
        before = torch.cuda.get_rng_state()
        for _ in range(2):
            with gain.step(syllabus.draw(), x):
                pass
        assert torch.equal(torch.cuda.get_rng_state(), before)
    assert torch.equal(found[0], found[2]) and torch.equal(found[1], found[3])
    assert not torch.equal(found[0], found[1])
