# SPDX-License-Identifier: Apache-2.0
"""A GRU learns four tasks on strings of digits, with uniform sampling and with prediction gain.

    python examples/pytorch/four_tasks.py

Both runs train on the same number of batches and differ only in the task of each batch. Prints the
held-out loss of every task, in nats per output, and the number of batches per task.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

import gradus
from gradus.torch import Gain, SyllabusBatchSampler, TaskDataset, TicketCollate
from tasks import BLANK, TASKS, TOKENS, Sequence, collate, data_set


class Network(nn.Module):
    """Reads one token per step and predicts the next token of the answer."""

    def __init__(self, cells: int = 128) -> None:
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


def main() -> None:
    parser = argparse.ArgumentParser(description="Four tasks under two syllabuses.")
    parser.add_argument("--batches", type=int, default=2000, help="batches per run")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(1)  # more threads do not help with tensors this small

    data = TaskDataset({task: data_set(task, 20_000, "training") for task in TASKS})
    print(f"{'':10}" + "".join(f"{task:>10}" for task in [*TASKS, "mean"]))
    syllabuses = {
        "uniform": gradus.Syllabus(TASKS, "uniform", seed=options.seed),
        "pg": gradus.Syllabus(TASKS, "exp3s", seed=options.seed, rounds=options.batches),
    }
    for name, syllabus in syllabuses.items():
        start = time.monotonic()
        losses, seen = train(syllabus, data, options.batches)
        mean = sum(losses.values()) / len(losses)
        row = "".join(f"{value:10.3f}" for value in [*losses.values(), mean])
        print(f"{name:10}{row}    {time.monotonic() - start:.0f} s")
        print(f"{'  batches':10}" + "".join(f"{seen[task]:10}" for task in TASKS))


if __name__ == "__main__":
    main()
