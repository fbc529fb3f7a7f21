# SPDX-License-Identifier: Apache-2.0
"""Gains on several ranks: sharded parameters, accumulated gradients and mixed precision. Debian's
PyTorch has no FSDP for CPUs, so Sharded stands in for it: every rank holds a part of the parameters,
gathers the rest for a forward pass, and keeps its part of the mean gradient. test_fsdp.py runs the
same steps under FSDP itself if PyTorch has it."""

import copy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import gradus
from gradus.torch import DistributedSyllabus, Gain

SIZE = 12
RATE = 0.05
GAINS = {"pg": False, "l2g": False, "gpg": True, "gl2g": True}  # whether the gradient is reused


def start():
    return torch.sin(torch.arange(SIZE, dtype=torch.float64) + 1)


def batch_of(rank):
    """Inputs and targets of a rank."""
    generator = torch.Generator().manual_seed(rank)
    return torch.randn(5, SIZE, dtype=torch.float64, generator=generator), torch.full((5,), 2.0)


def loss_of(weights, batch):
    inputs, targets = batch
    return ((inputs @ weights - targets) ** 2).mean()


class _Gathered(torch.autograd.Function):
    @staticmethod
    def forward(ctx, shard):
        parts = [torch.empty_like(shard) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, shard.detach())
        return torch.cat(parts)

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.clone()
        dist.all_reduce(gradient)
        return (gradient / dist.get_world_size()).chunk(dist.get_world_size())[dist.get_rank()]


class Sharded(nn.Module):
    def __init__(self):
        super().__init__()
        self.shard = nn.Parameter(start().chunk(dist.get_world_size())[dist.get_rank()].clone())

    def forward(self, batch):
        return loss_of(_Gathered.apply(self.shard), batch)

    def all_weights(self):
        return _Gathered.apply(self.shard)


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.weights = nn.Parameter(start())

    def forward(self, batch):
        return loss_of(self.weights, batch)


class Fsdp1(nn.Module):
    """Whole, sharded by FullyShardedDataParallel."""

    def __init__(self, device):
        from torch.distributed.fsdp import FullyShardedDataParallel

        super().__init__()
        self.sharded = FullyShardedDataParallel(Whole().to(device), device_id=torch.device(device))

    def forward(self, batch):
        return self.sharded(batch)

    def all_weights(self):
        from torch.distributed.fsdp import FullyShardedDataParallel

        with FullyShardedDataParallel.summon_full_params(self.sharded):
            return self.sharded.module.weights.detach().clone()


class Fsdp2(Whole):
    """Whole, sharded by fully_shard."""

    def __init__(self, device):
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        super().__init__()
        self.to(device)
        mesh = init_device_mesh(torch.device(device).type, (dist.get_world_size(),))
        fully_shard(self, mesh=mesh)

    def all_weights(self):
        return self.weights.full_tensor()


def sharded(rank, world, how):
    """Three steps under each gain. `how` is None for the stand-in, or Fsdp1 or Fsdp2 and a device.
    Returns the mean progress of each, the weights at the end of the last run, and the syllabus's
    fingerprint."""
    make, device = (Sharded, "cpu") if how is None else (lambda: how[0](how[1]), how[1])
    batch = tuple(part.to(device) for part in batch_of(rank))
    progress = {}
    for name, reuse in GAINS.items():
        model = make()
        syllabus = DistributedSyllabus(gradus.Syllabus(["a", "b"], seed=1))
        loss = lambda model, batch: model(batch)
        gain = Gain(name, syllabus, model, loss, reuse=reuse, shards=True)
        optimizer = torch.optim.SGD(model.parameters(), RATE)
        for number in range(3):
            with gain.step(syllabus.draw(), batch) as step:
                optimizer.zero_grad()
                model(batch).backward()
                optimizer.step()
            progress[f"{name} {number}"] = step.reward.raw
    return progress, model.all_weights().tolist(), syllabus.fingerprint()


def whole(world):
    """The same in one process that has all weights and the batches of all ranks."""
    weights, progress = start(), {}
    batches = [batch_of(rank) for rank in range(world)]
    mean = lambda w: sum(loss_of(w, batch) for batch in batches) / world
    for number in range(3):
        variable = weights.clone().requires_grad_()
        (gradient,) = torch.autograd.grad(mean(variable), variable)
        after = weights - RATE * gradient
        progress[f"pg {number}"] = float(mean(weights) - mean(after))
        progress[f"l2g {number}"] = float(after @ after - weights @ weights)
        progress[f"gpg {number}"] = float(gradient @ gradient)
        progress[f"gl2g {number}"] = float(-(weights @ gradient))
        weights = after
    return progress, weights.tolist()


def half_loss(model, batch):
    """In bfloat16, except for the mean."""
    inputs, targets = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = model(inputs.float())
    return ((outputs.float().squeeze(1) - targets) ** 2).mean()


def make_model():
    torch.manual_seed(3)
    return nn.Sequential(nn.Linear(SIZE, 8), nn.Tanh(), nn.Linear(8, 1))


def accumulated(rank, world, _):
    """One update from two batches, each with its own ticket. Returns this rank's progress, the raw
    rewards and the syllabus's fingerprint."""
    model = DistributedDataParallel(make_model())
    syllabus = DistributedSyllabus(gradus.Syllabus(["a", "b"], seed=1))
    gain = Gain("pg", syllabus, model.module, half_loss)
    optimizer = torch.optim.SGD(model.parameters(), RATE)
    batches = [batch_of(rank), batch_of(rank + world)]
    steps = [gain.step(syllabus.draw(), batch) for batch in batches]
    for step in steps:
        step.begin()
    with model.no_sync():
        (half_loss(model, batches[0]) / 2).backward()
    (half_loss(model, batches[1]) / 2).backward()
    optimizer.step()
    for step in steps:
        step.finish()
    return (
        [step.progress for step in steps],
        [step.reward.raw for step in steps],
        syllabus.fingerprint(),
    )


def accumulated_by_one(world):
    """The progress on both batches, in one process."""
    model = make_model()
    after = copy.deepcopy(model)
    for number in range(2 * world):
        (half_loss(after, batch_of(number)) / (2 * world)).backward()
    torch.optim.SGD(after.parameters(), RATE).step()
    with torch.no_grad():
        gains = [
            float(half_loss(model, batch) - half_loss(after, batch))
            for batch in map(batch_of, range(2 * world))
        ]
    return [sum(gains[:world]) / world, sum(gains[world:]) / world]
