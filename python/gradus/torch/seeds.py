# SPDX-License-Identifier: Apache-2.0
"""The generators of random and NumPy: their state, and seeds of their own for a sample or a probe,
so that neither depends on what came before."""

from __future__ import annotations

import contextlib
import ctypes
import random
from collections.abc import Iterator
from typing import Any, NamedTuple, Optional

import numpy
import torch

_MERSENNE_BYTES = 625 * 4  # 624 words and a position


def _bit_generator() -> Any:
    """NumPy's own generator, or the one that numpy.random.set_bit_generator put in its place."""
    return numpy.random.mtrand._rand._bit_generator


def _seed_numpy(seed: int) -> None:
    kind = type(_bit_generator())
    if kind is numpy.random.MT19937:
        numpy.random.seed([seed & 0xFFFFFFFF, seed >> 32])
    else:
        numpy.random.set_state(kind(seed).state)


def _mersenne() -> Optional[bytes]:
    """The memory of NumPy's generator; None if it is not the default one, a Mersenne Twister."""
    generator = _bit_generator()
    if type(generator) is not numpy.random.MT19937:
        return None
    return ctypes.string_at(generator.ctypes.state_address, _MERSENNE_BYTES)


class _NumpyState(NamedTuple):
    memory: Optional[bytes]
    state: Any  # of get_state()

    def is_current(self) -> bool:
        """Whether nothing can have been drawn since. Normal numbers are made in pairs; drawing the
        second one does not change the memory."""
        return (
            self.memory is not None and not self.state["has_gauss"] and self.memory == _mersenne()
        )


class HostState:
    """The state, when created, of the generators of random and NumPy.

    NumPy takes 40 microseconds to return its state and as many to set it, so both are left out if
    nothing was drawn since the last time."""

    _last: Optional[_NumpyState] = None

    def __init__(self) -> None:
        if HostState._last is None or not HostState._last.is_current():
            HostState._last = _NumpyState(_mersenne(), numpy.random.get_state(legacy=False))
        self._numpy = HostState._last
        self._python = random.getstate()

    def restore(self) -> None:
        random.setstate(self._python)
        if not self._numpy.is_current():
            numpy.random.set_state(self._numpy.state)


@contextlib.contextmanager
def seeded(seed: Optional[int]) -> Iterator[None]:
    """Runs the block with the generators of random, NumPy and torch (CPU) seeded, then restores
    their states. Does nothing if the seed is None."""
    if seed is None:
        yield
        return
    host, state = HostState(), torch.get_rng_state()
    random.seed(seed)
    _seed_numpy(seed)
    torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        host.restore()
        torch.set_rng_state(state)
