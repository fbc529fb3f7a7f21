# SPDX-License-Identifier: Apache-2.0
"""What the gains measure on any module: losses, gradients, weights and divergences."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Optional

import torch
from torch import Tensor, nn

from gradus.torch.seeds import HostState, seeded

Loss = Callable[[nn.Module, Any], Tensor]
Gradient = Sequence[Optional[Tensor]]

# Numbers that dot() converts to double at a time. On a GPU every piece costs kernel launches.
_PIECE = 1 << 15
_PIECE_ON_GPU = 1 << 24


class Gaussian(NamedTuple):
    """A diagonal Gaussian posterior over some weights, and its prior. Widths are standard
    deviations. The prior's tensors are broadcast to the shape of the posterior's."""

    mean: Tensor
    width: Tensor
    prior_mean: Tensor
    prior_width: Tensor


def divergence(gaussians: Iterable[Gaussian]) -> Tensor:
    """KL(posterior | prior) in nats. In double, because the gains subtract two of them."""
    total = torch.zeros((), dtype=torch.float64)
    for gaussian in gaussians:
        mean, width, prior_mean, prior_width = (t.double() for t in gaussian)
        spread = (width**2 + (mean - prior_mean) ** 2) / (2 * prior_width**2)
        total = total.to(mean.device) + (torch.log(prior_width / width) + spread - 0.5).sum()
    return total


def dot(a: Gradient, b: Gradient) -> float:
    """Dot product in double, over the pairs in which neither tensor is None. One pass over the
    tensors, in pieces whose double copies stay in the processor's cache."""
    sums: dict[torch.device, Tensor] = {}
    for x, y in zip(a, b):
        if x is None or y is None:
            continue
        flat_x, flat_y = _flat(x), _flat(y)
        piece = _PIECE_ON_GPU if flat_x.is_cuda else _PIECE
        for start in range(0, flat_x.numel(), piece):
            left = flat_x[start : start + piece].double()
            right = left if x is y else flat_y[start : start + piece].double()
            total = torch.dot(left, right)
            sums[total.device] = sums[total.device] + total if total.device in sums else total
    return sum(float(total) for total in sums.values())


def _flat(tensor: Tensor) -> Tensor:
    """The entries as a vector, without a copy if they are contiguous. Those of this rank only if
    the tensor is distributed (FSDP2)."""
    tensor = tensor.detach()
    if hasattr(tensor, "to_local"):
        tensor = tensor.to_local()
    return (tensor.to_dense() if tensor.is_sparse else tensor).reshape(-1)


class RandomState:
    """The random state, when created, of torch's generators of the CPU and of the GPUs that hold the
    parameters, and of the generators of random and NumPy."""

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        indices = {p.device.index for p in parameters if p.device.type == "cuda"}
        self.devices = sorted(index for index in indices if index is not None)
        self.cpu = torch.get_rng_state()
        self.cuda = [torch.cuda.get_rng_state(device) for device in self.devices]
        self.host = HostState()

    @contextlib.contextmanager
    def replayed(self) -> Iterator[None]:
        """Runs the block from this state, then restores the current state."""
        current = HostState()
        try:
            with torch.random.fork_rng(self.devices):
                torch.set_rng_state(self.cpu)
                for device, state in zip(self.devices, self.cuda):
                    torch.cuda.set_rng_state(state, device)
                self.host.restore()
                yield
        finally:
            current.restore()

    @contextlib.contextmanager
    def seeded(self, seed: int) -> Iterator[None]:
        """Runs the block with all of these generators seeded, then restores the current state."""
        with torch.random.fork_rng(self.devices), seeded(seed):
            for device in self.devices:
                torch.cuda.default_generators[device].manual_seed(seed)
            yield


@contextlib.contextmanager
def unchanged(model: nn.Module) -> Iterator[None]:
    """Restores the modes and buffers (running means, for example) of the model at the end."""
    modes = [(module, module.training) for module in model.modules()]
    buffers = [(buffer, buffer.detach().clone()) for buffer in model.buffers()]
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
        with torch.no_grad():
            for buffer, value in buffers:
                buffer.copy_(value)
