# SPDX-License-Identifier: Apache-2.0
"""Loaders of three small tasks, and a run that may be killed at any time."""

import json
import multiprocessing
import os

from torch.utils.data import DataLoader

import gradus
from gradus.torch import SyllabusBatchSampler, SyllabusDataset, TaskDataset, TicketCollate

SIZES = {"a": 7, "b": 12, "c": 30}


def samples():
    """Sample k of task t is 1000 t + k."""
    return {t: [1000 * i + k for k in range(n)] for i, (t, n) in enumerate(SIZES.items())}


class Streams:
    """The same samples, readable only from the start."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        return iter(self.values)


class StatefulStreams(Streams):
    """Streams that can also continue from their own state. `reads` counts the samples read in all
    processes."""

    reads = multiprocessing.Value("q", 0)

    def __init__(self, values):
        super().__init__(values)
        self.at = 0

    def __iter__(self):
        while self.at < len(self.values):
            with self.reads.get_lock():
                self.reads.value += 1
            self.at += 1
            yield self.values[self.at - 1]

    def state_dict(self):
        return {"at": self.at}

    def load_state_dict(self, state):
        self.at = state["at"]


class StatefulIterators(Streams):
    """Streams whose iterators have a state."""

    def __iter__(self):
        return iter_with_state(self.values)


class iter_with_state(StatefulStreams):
    def __iter__(self):
        return self

    def __next__(self):
        return next(super().__iter__())


STREAMS = {"stream": Streams, "stateful": StatefulStreams, "iterators": StatefulIterators}


def make_loader(kind, workers, batches=None, ahead=8):
    """Returns a syllabus, the object that saves the state of its data, and its loader."""
    syllabus = gradus.Syllabus(SIZES, seed=5, eta=0.3)
    options = dict(batches=batches, ahead=ahead)
    if kind in STREAMS:
        streams = {task: STREAMS[kind](values) for task, values in samples().items()}
        dataset = SyllabusDataset(syllabus, streams, 3, num_workers=workers, **options)
        return syllabus, dataset, dataset
    data = TaskDataset(samples())
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), 3, **options)
    loader = DataLoader(
        data, batch_sampler=sampler, collate_fn=TicketCollate(), num_workers=workers
    )
    return syllabus, sampler, loader


def reward_of(ticket):
    """Varies between tickets, so that every reward changes the policy."""
    return ticket.id % 7 - 2 * ticket.task


def run(kind, workers, log, state, batches):
    """Continues from the state if there is one. Logs a line per batch, then saves the state."""
    syllabus, sampler, loader = make_loader(kind, workers)
    if os.path.exists(state):
        with open(state) as file:
            saved = json.load(file)
        syllabus.load_state_dict(saved[0])
        sampler.load_state_dict(saved[1])
    with open(log, "a") as lines:
        for ticket, batch in loader:
            lines.write(json.dumps([*ticket, batch.tolist()]) + "\n")
            lines.flush()
            syllabus.reward(ticket, reward_of(ticket))
            with open(state + ".new", "w") as file:
                json.dump([syllabus.state_dict(), sampler.state_dict()], file)
            os.replace(state + ".new", state)
            if ticket.id + 1 >= batches:
                return
