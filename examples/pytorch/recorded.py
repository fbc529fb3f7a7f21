# SPDX-License-Identifier: Apache-2.0
"""Records training runs of PyTorch, so that Gradus lists, reports and exports them like its own.

    python examples/pytorch/recorded.py --out runs/digits
    gradus report runs/digits -o digits.html

Trains the network of four_tasks.py with uniform sampling and with prediction gain, with several
seeds each. While it trains, `gradus serve runs` shows the runs as they grow.
"""

from __future__ import annotations

import argparse
import pathlib

import torch
from torch.utils.data import DataLoader

import gradus
from four_tasks import Network, evaluate, loss
from gradus.torch import Gain, SyllabusBatchSampler, TaskDataset, TicketCollate
from tasks import TASKS, collate, data_set

BATCH = 32


def train(
    syllabus: gradus.Syllabus, recorder: gradus.Recorder, data: TaskDataset, batches: int
) -> None:
    """Trains a new network, and logs ten evaluations and the one at the start."""
    torch.manual_seed(syllabus.seed)
    model = Network(cells=64)
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), BATCH, batches=batches)
    gain = Gain("pg", syllabus, model, loss, cost=lambda batch: len(batch[0]), reuse=True)

    recorder.log(0, evaluate(model))
    losses: list[float] = []
    loader = DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate(collate))
    for number, (ticket, batch) in enumerate(loader, start=1):
        with gain.step(ticket, batch) as step:
            optimizer.zero_grad()
            value = loss(model, batch)
            value.backward()
            optimizer.step()
            step.report(value)
        losses.append(value.item())
        if number % (batches // 10) == 0:
            mean = sum(losses) / len(losses)
            recorder.log(number * BATCH, evaluate(model), training_loss=mean)
            losses.clear()


def main() -> None:
    parser = argparse.ArgumentParser(description="Records runs on four tasks.")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("runs/digits"))
    parser.add_argument("--batches", type=int, default=1000, help="batches per run, 10 or more")
    parser.add_argument("--seeds", type=int, default=2, help="runs per syllabus")
    options = parser.parse_args()
    torch.set_num_threads(1)  # more threads do not help with tensors this small

    data = TaskDataset({task: data_set(task, 20_000, "training") for task in TASKS})
    for seed in range(1, options.seeds + 1):
        for gain, policy in (("uniform", "uniform"), ("pg", "exp3s")):
            more = {} if policy == "uniform" else {"rounds": options.batches}
            syllabus = gradus.Syllabus(TASKS, policy, seed=seed, **more)
            with gradus.Recorder(
                options.out / f"{gain}-{seed}",
                syllabus,
                gain=gain,
                steps=options.batches * BATCH,
                curriculum="four tasks on digits",
                settings={"learning_rate": 2e-3, "cells": 64},
            ) as recorder:
                train(syllabus, recorder, data, options.batches)
            print(f"recorded {recorder.folder}")


if __name__ == "__main__":
    main()
