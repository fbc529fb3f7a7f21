# SPDX-License-Identifier: Apache-2.0
"""Compares the arms of an example over several seeds."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

# 97.5% quantiles of Student's t with 1, 2, ... degrees of freedom.
_T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half the width of its 95% interval by Student's t. Takes 2 to 10 values."""
    spread = statistics.stdev(values) / len(values) ** 0.5
    return statistics.mean(values), _T[len(values) - 2] * spread


def print_comparison(arms: Mapping[str, Sequence[float]], name: str, digits: int = 3) -> None:
    """Prints the mean of each arm, and of its difference from the first arm, seed by seed."""
    base, *_ = arms
    print(f"{'':10}{name + ', mean and 95% interval':>40}{'difference from ' + base:>30}")
    for arm, values in arms.items():
        mean, half = interval(values)
        row = f"{arm:10}{f'{mean:.{digits}f} +- {half:.{digits}f}':>40}"
        if arm != base:
            change, half = interval([a - b for a, b in zip(values, arms[base])])
            row += f"{f'{change:+.{digits}f} +- {half:.{digits}f}':>30}"
        print(row)
