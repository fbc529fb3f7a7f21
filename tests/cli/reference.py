# SPDX-License-Identifier: Apache-2.0
"""A slow, independent implementation of the policies and the reward scale.

Policies store the weights themselves, not their logarithms, as 50-digit decimals. The scale sorts
its whole history and computes with fractions. Nothing is optimised, and nothing can overflow.
"""

import bisect
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, setcontext
from fractions import Fraction

setcontext(Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN))


class Exp3S:
    """pi(i) = (1 - epsilon) W_i / sum(W) + epsilon / N, with W_i = exp(w_i)."""

    def __init__(self, tasks, eta, beta, epsilon):
        self.tasks = tasks
        self.eta, self.beta, self.epsilon = Decimal(eta), Decimal(beta), Decimal(epsilon)
        self.weights = [Decimal(1)] * tasks
        self.round = 1

    def probabilities(self):
        total = sum(self.weights)
        return [
            (1 - self.epsilon) * weight / total + self.epsilon / self.tasks
            for weight in self.weights
        ]

    def update(self, task, reward):
        grown = []
        for i, (weight, p) in enumerate(zip(self.weights, self.probabilities())):
            estimate = ((reward if i == task else 0) + self.beta) / p
            grown.append(weight * (self.eta * estimate).exp())
        self.weights = self.share(grown, 1 / Decimal(self.round + 1))
        self.round += 1

    def share(self, grown, alpha):
        if self.tasks == 1:
            return grown
        total = sum(grown)
        return [(1 - alpha) * w + alpha / (self.tasks - 1) * (total - w) for w in grown]


class Exp3(Exp3S):
    """Exp3.S without exploration and without sharing."""

    def __init__(self, tasks, eta):
        super().__init__(tasks, eta, 0, 0)

    def share(self, grown, alpha):
        return grown


class QuantileScale:
    def __init__(self):
        self.history = []

    def quantile(self, p):
        position = p * (len(self.history) - 1)
        below = int(position)
        above = min(below + 1, len(self.history) - 1)
        return self.history[below] + (position - below) * (
            self.history[above] - self.history[below]
        )

    def scale(self, raw):
        raw = Fraction(raw)
        scaled = self.place(raw) if self.history else Fraction(0)
        bisect.insort(self.history, raw)
        return scaled

    def place(self, raw):
        low, high = self.quantile(Fraction(1, 5)), self.quantile(Fraction(4, 5))
        if raw < low:
            return Fraction(-1)
        if raw > high:
            return Fraction(1)
        if low == high:
            return Fraction(0)
        return 2 * (raw - low) / (high - low) - 1


def replay(policy, log):
    """Yields (probability, reward, policy after the update) for each (task, progress, cost)."""
    scale = QuantileScale()
    for task, progress, cost in log:
        probability = policy.probabilities()[task]
        reward = scale.scale(progress / cost)
        policy.update(task, Decimal(reward.numerator) / reward.denominator)
        yield [probability, reward, *policy.probabilities()]
