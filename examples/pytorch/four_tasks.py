# SPDX-License-Identifier: Apache-2.0
"""A GRU learns four tasks on strings of digits, with uniform sampling and with prediction gain.

    python examples/pytorch/four_tasks.py

All runs train on the same number of batches and differ only in the task of each batch. Prints the
held-out loss of every task, in nats per output, and the number of batches per task, both as means over
the seeds, and how the arms differ.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

import gradus
from compare import print_comparison
from gradus.torch import Gain, SyllabusBatchSampler, TaskDataset, TicketCollate
from tasks import BLANK, TASKS, TOKENS, Sequence, collate, data_set


class Network(nn.Module):
    """Reads one token per step and predicts the next token of the answer."""

    def __init__(self, cells: int = 64) -> None:
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, 32)
        self.gru = nn.GRU(32, cells)
        self.output = nn.Linear(cells, TOKENS)

    def forward(self, inputs: Tensor) -> Tensor:
        hidden, _ = self.gru(self.embedding(inputs))
        logits: Tensor = self.output(hidden)
        return logits


def loss(model: nn.Module, batch: Sequence) -> Tensor:
    """Mean loss in nats per output."""
    inputs, targets = batch
    return nn.functional.cross_entropy(
        model(inputs).flatten(0, 1), targets.flatten(), ignore_index=BLANK
    )


def train(
    syllabus: gradus.Syllabus, data: TaskDataset, batches: int
) -> tuple[dict[str, float], Counter[str]]:
    """Returns the held-out loss and the number of batches of each task."""
    torch.manual_seed(syllabus.seed)
    model = Network()
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), 32, batches=batches)
    gain = Gain("pg", syllabus, model, loss, cost=lambda batch: len(batch[0]), reuse=True)

    seen: Counter[str] = Counter()
    for ticket, batch in DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate(collate)):
        with gain.step(ticket, batch) as step:
            optimizer.zero_grad()
            value = loss(model, batch)
            value.backward()
            optimizer.step()
            step.report(value)
        seen[ticket.name] += 1
    return evaluate(model), seen


def evaluate(model: nn.Module) -> dict[str, float]:
    with torch.no_grad():
        return {
            task: float(loss(model, collate(data_set(task, 500, "held out")))) for task in TASKS
        }


def make_syllabus(arm: str, seed: int, batches: int) -> gradus.Syllabus:
    if arm == "uniform":
        return gradus.Syllabus(TASKS, "uniform", seed=seed)
    return gradus.Syllabus(TASKS, seed=seed, rounds=batches)


def main() -> None:
    parser = argparse.ArgumentParser(description="Four tasks under two syllabuses.")
    parser.add_argument("--batches", type=int, default=1000, help="batches per run")
    parser.add_argument("--seeds", type=int, default=5, help="runs per arm, 2 to 10")
    options = parser.parse_args()
    torch.set_num_threads(1)  # more threads do not help with tensors this small

    data = TaskDataset({task: data_set(task, 20_000, "training") for task in TASKS})
    losses: dict[str, list[dict[str, float]]] = {"uniform": [], "pg": []}
    print(f"{'':10}" + "".join(f"{task:>10}" for task in TASKS))
    for arm, runs in losses.items():
        counts: Counter[str] = Counter()
        for seed in range(1, options.seeds + 1):
            held_out, seen = train(make_syllabus(arm, seed, options.batches), data, options.batches)
            runs.append(held_out)
            counts += seen
        means = (statistics.mean(run[task] for run in runs) for task in TASKS)
        print(f"{arm:10}" + "".join(f"{mean:10.3f}" for mean in means))
        print(f"{'  batches':10}" + "".join(f"{counts[t] / options.seeds:10.0f}" for t in TASKS))

    for name, tasks in (("loss of add", ["add"]), ("mean loss", list(TASKS))):
        print()
        print_comparison(
            {
                arm: [statistics.mean(run[task] for task in tasks) for run in runs]
                for arm, runs in losses.items()
            },
            name,
        )


if __name__ == "__main__":
    main()
