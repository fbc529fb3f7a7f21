# SPDX-License-Identifier: Apache-2.0
"""Gains under PyTorch's own FSDP, against one process that has all weights. On CPUs it needs a newer
PyTorch than Debian's 1.13; test_distributed.py has the same test with a stand-in. On GPUs there is a
rank per GPU, as NCCL demands."""

import pytest
import torch

import rank_gains
from ranks import on_ranks

VERSION = tuple(map(int, torch.__version__.split(".")[:2]))


@pytest.mark.parametrize("make", [rank_gains.Fsdp1, rank_gains.Fsdp2])
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_gains_under_fsdp_are_those_of_the_whole_model(make, device):
    if VERSION < (2, 6):
        pytest.skip("needs PyTorch 2.6")
    if device == "cuda" and not torch.cuda.is_available():
        pytest.skip("no GPU")
    world, backend = (2, "gloo") if device == "cpu" else (1, "nccl")
    [found] = on_ranks(world, [(rank_gains.sharded, (make, device))], backend)
    expected = rank_gains.whole(world)
    for progress, weights, fingerprint in found:
        assert progress == pytest.approx(expected[0], rel=1e-10)
        assert weights == pytest.approx(expected[1], rel=1e-10)
        assert fingerprint == found[0][2]
