# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals for scripts/verdicts, written independently of gradus/report to check it."""

import math
from dataclasses import dataclass


def beta_share(a, b, x):
    """The regularised incomplete beta function I_x(a, b), by Lentz's continued fraction."""
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_share(b, a, 1 - x)
    front = (
        math.exp(
            a * math.log(x)
            + b * math.log1p(-x)
            + math.lgamma(a + b)
            - math.lgamma(a)
            - math.lgamma(b)
        )
        / a
    )
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 300):
        for top in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + top * d)
            c = 1 + top / c
            value *= c * d
    return front * value


def student_limit(freedom, confidence=0.95):
    """The t that |T| exceeds with probability 1 - confidence, for Student's T."""
    low, high = 0.0, 1e6
    for _ in range(200):
        t = (low + high) / 2
        beyond = beta_share(freedom / 2, 0.5, freedom / (freedom + t * t))
        low, high = (t, high) if beyond > 1 - confidence else (low, t)
    return t


@dataclass
class Interval:
    mean: float
    low: float
    high: float

    def __str__(self):
        return f"{self.mean:.2f} ({self.low:.2f} to {self.high:.2f})"


def moments(values):
    n = len(values)
    mean = sum(values) / n
    return n, mean, sum((v - mean) ** 2 for v in values) / (n - 1)


def mean_interval(values):
    """Student's 95% interval of a mean."""
    n, mean, variance = moments(values)
    reach = student_limit(n - 1) * math.sqrt(variance / n)
    return Interval(mean, mean - reach, mean + reach)


@dataclass
class Ratio:
    ratio: float
    low: float
    high: float


def compare(baseline, arm):
    """Steps of the baseline divided by steps of the arm, with Welch's 95% interval on log steps.

    Each arm is a list of (steps, reached). A run that did not reach the threshold counts with the
    steps that it trained, so the ratio is then a bound.
    """
    (n, mean, var), (m, other, var_other) = (
        moments([math.log(s) for s, _ in list_]) for list_ in (baseline, arm)
    )
    a, b = var / n, var_other / m
    difference, error = mean - other, math.sqrt(a + b)
    freedom = (a + b) ** 2 / (a * a / (n - 1) + b * b / (m - 1)) if error > 0 else n + m - 2
    reach = student_limit(freedom) * error
    return Ratio(math.exp(difference), math.exp(difference - reach), math.exp(difference + reach))
