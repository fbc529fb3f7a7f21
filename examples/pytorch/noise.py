# SPDX-License-Identifier: Apache-2.0
"""Which signals follow noise: a classifier on three data sets, of which one has random labels.

    python examples/pytorch/noise.py

`rule` can be learned, `known` was learned before, and `noise` has 2000 samples with random labels,
which can only be memorised. All arms train on the same number of batches and differ in the data set
of each batch. Prints the held-out loss of `rule` in nats, and how often each data set was drawn.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter

import torch
from torch import Tensor, nn

import gradus
from compare import print_comparison
from gradus.torch import Gain, SyllabusBatchSampler

SIZES = {"rule": 20_000, "known": 20_000, "noise": 2000}
FEATURES, CLASSES = 16, 8
PROBED = 500  # held-out samples that a gain sees
Batch = list[Tensor]


def samples(task: str, count: int, generator: torch.Generator) -> Batch:
    """Inputs, which are 0 outside the part of this data set, and labels."""
    x = torch.zeros(count, len(SIZES), FEATURES)
    features = torch.randn(count, FEATURES, generator=generator)
    x[:, list(SIZES).index(task)] = features
    y = features[:, :CLASSES].argmax(1)
    if task == "noise":
        y = torch.randint(CLASSES, (count,), generator=generator)
    elif task == "known":
        y = (features[:, 0] > 0).long()
    return [x.flatten(1), y]


def loss(model: nn.Module, batch: Batch) -> Tensor:
    return nn.functional.cross_entropy(model(batch[0]), batch[1])


class Run:
    """The data sets and the network of a seed. The network knows `known` already."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        generator = torch.Generator().manual_seed(seed)
        self.data = {t: samples(t, n, generator) for t, n in SIZES.items()}
        self.held_out = {t: samples(t, PROBED + 10_000, generator) for t in SIZES}
        self.model = nn.Sequential(
            nn.Linear(len(SIZES) * FEATURES, 128), nn.ReLU(), nn.Linear(128, CLASSES)
        )
        self.optimizer = torch.optim.Adam(self.model.parameters(), 1e-3)
        for place in range(0, 9600, 32):
            self.update([part[place : place + 32] for part in self.data["known"]])

    def update(self, batch: Batch) -> Tensor:
        self.optimizer.zero_grad()
        value = loss(self.model, batch)
        value.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        return value

    def probe(self, task: str) -> Batch:
        """Some of the held-out samples. The others are kept for the final measurement."""
        return [part[:PROBED] for part in self.held_out[task]]

    def train(
        self, syllabus: gradus.Syllabus, signal: str, batches: int
    ) -> tuple[float, Counter[str]]:
        """Returns the held-out loss of `rule` and the number of batches per data set."""
        sampler = SyllabusBatchSampler(syllabus, SIZES, 32, batches=batches)
        gain = Gain(signal, syllabus, self.model, loss, probe=self.probe, reuse=True)
        seen: Counter[str] = Counter()
        for drawn in sampler:
            ticket, places = drawn[0][0], [index[1] for index in drawn]
            batch = [part[places] for part in self.data[ticket.name]]
            with gain.step(ticket, batch) as step:
                step.report(self.update(batch))
            seen[ticket.name] += 1
        with torch.no_grad():
            return float(loss(self.model, [part[PROBED:] for part in self.held_out["rule"]])), seen


def make_syllabus(arm: str, seed: int, batches: int) -> gradus.Syllabus:
    if arm == "uniform":
        return gradus.Syllabus(SIZES, "uniform", seed=seed)
    return gradus.Syllabus(SIZES, seed=seed, rounds=batches)


def main() -> None:
    parser = argparse.ArgumentParser(description="Signals of progress beside random labels.")
    parser.add_argument("--batches", type=int, default=1000, help="batches per run")
    parser.add_argument("--seeds", type=int, default=5, help="runs per arm, 2 to 10")
    options = parser.parse_args()
    torch.set_num_threads(1)  # more threads do not help with tensors this small

    losses: dict[str, list[float]] = {}
    shares: dict[str, list[Counter[str]]] = {}
    for arm in ("uniform", "pg", "hpg", "hsg"):
        for seed in range(1, options.seeds + 1):
            signal = "pg" if arm == "uniform" else arm
            syllabus = make_syllabus(arm, seed, options.batches)
            value, seen = Run(seed).train(syllabus, signal, options.batches)
            losses.setdefault(arm, []).append(value)
            shares.setdefault(arm, []).append(seen)
    print_comparison(losses, "held-out loss of rule")
    print(f"\n{'share of batches':20}" + "".join(f"{task:>10}" for task in SIZES))
    for arm, counts in shares.items():
        means = [statistics.mean(seen[task] for seen in counts) for task in SIZES]
        print(f"{arm:20}" + "".join(f"{mean / options.batches:>10.2f}" for mean in means))


if __name__ == "__main__":
    main()
