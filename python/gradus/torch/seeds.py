# SPDX-License-Identifier: Apache-2.0
"""Random numbers for one sample, so that its augmentation does not depend on what came before."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from typing import Optional

import numpy
import torch


@contextlib.contextmanager
def seeded(seed: Optional[int]) -> Iterator[None]:
    """Runs the block with the generators of random, NumPy and torch (CPU) seeded, then restores
    their states. Does nothing if the seed is None."""
    if seed is None:
        yield
        return
    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    random.seed(seed)
    numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32])
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.set_rng_state(states[2])
