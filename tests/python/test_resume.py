# SPDX-License-Identifier: Apache-2.0
"""Runs resume exactly through a StatefulDataLoader (a stand-in, see stateful.py), through the states
of streams, and with the same random numbers for every sample."""

import copy
import json
import random

import numpy
import pytest
import torch
from torch.utils.data import DataLoader

import gradus
from gradus.torch import (
    MixedBatchSampler,
    MixedCollate,
    SyllabusBatchSampler,
    SyllabusDataset,
    TaskDataset,
    TaskStreams,
    TicketCollate,
)
from loaders import SIZES, StatefulStreams, make_loader, reward_of, samples
from stateful import StatefulDataLoader


def make_stateful(kind, workers, load=None):
    """Returns a syllabus and its loader, continued from a pair of states."""
    syllabus = gradus.Syllabus(SIZES, seed=5, eta=0.3)
    if kind == "streams":
        data, sizes = TaskStreams({t: StatefulStreams(v) for t, v in samples().items()}), None
    else:
        data, sizes = TaskDataset(samples()), SIZES
    mixed = kind == "mixed"
    kinds = (MixedBatchSampler, MixedCollate) if mixed else (SyllabusBatchSampler, TicketCollate)
    sampler = kinds[0](syllabus, sizes, 3, ahead=8)
    loader = StatefulDataLoader(
        data, batch_sampler=sampler, collate_fn=kinds[1](), num_workers=workers
    )
    if load is not None:
        syllabus.load_state_dict(load[0])
        loader.load_state_dict(load[1])
    return syllabus, loader


def consume(loader, syllabus, count, settle_last=True):
    seen = []
    for tickets, batch in loader:
        seen.append((tickets, batch.tolist()))
        if len(seen) < count or settle_last:
            for ticket in tickets if isinstance(tickets, list) else [tickets]:
                syllabus.reward(ticket, reward_of(ticket))
        if len(seen) == count:
            return seen


@pytest.mark.parametrize("kind", ["map", "mixed", "streams"])
@pytest.mark.parametrize("workers", [0, 2])
def test_a_stateful_loader_resumes_exactly_with_workers(kind, workers):
    syllabus, loader = make_stateful(kind, 0)
    whole = consume(loader, syllabus, 60)
    seen, saved = [], None
    for _ in range(3):
        syllabus, loader = make_stateful(kind, workers, saved)
        seen += consume(loader, syllabus, 20)
        saved = copy.deepcopy((syllabus.state_dict(), loader.state_dict()))
    assert seen == whole


def test_a_batch_that_was_not_settled_comes_again_from_a_stateful_loader():
    syllabus, loader = make_stateful("map", 2)
    last = consume(loader, syllabus, 20, settle_last=False)[-1]
    saved = syllabus.state_dict(), loader.state_dict()
    syllabus, loader = make_stateful("map", 2, saved)
    assert consume(loader, syllabus, 1) == [last]


def test_a_snapshot_that_is_some_batches_old_is_refused():
    syllabus, loader = make_stateful("map", 2)
    for number, (ticket, _) in enumerate(loader):
        syllabus.reward(ticket, 1)
        if number == 10:
            old = loader.state_dict()
        if number == 12:
            break
    with pytest.raises(gradus.InputError, match="must keep snapshot_every_n_steps=1"):
        syllabus, loader = make_stateful("map", 2, (syllabus.state_dict(), old))
        next(iter(loader))


@pytest.mark.parametrize("workers", [0, 2])
def test_a_stream_with_a_state_is_not_read_again(workers):
    """The first batch of a run that resumes is far into its stream. Two batches and the four that
    are fetched early have 18 samples; each of two workers also reads what the other one takes."""
    reads = StatefulStreams.reads
    syllabus, dataset, _ = make_loader("stateful", workers)
    consume(dataset, syllabus, 40)
    saved = json.loads(json.dumps([syllabus.state_dict(), dataset.state_dict()]))
    syllabus, dataset, _ = make_loader("stateful", workers)
    syllabus.load_state_dict(saved[0])
    dataset.load_state_dict(saved[1])
    reads.value = 0
    seen = consume(dataset, syllabus, 2)
    assert len(seen) == 2 and saved[1]["drawn"][0][0][4] == 66
    assert reads.value <= (36 if workers else 6)


class Augmented:
    """A data set whose samples contain random numbers of all three generators."""

    def __len__(self):
        return 5

    def __getitem__(self, place):
        drawn = random.random(), float(numpy.random.rand()), float(torch.rand(()))
        return torch.tensor([place, *drawn], dtype=torch.float64)


def augmented(workers, load=None, seeds=True):
    syllabus = gradus.Syllabus(["a", "b"], eta=0.3)
    data = TaskDataset({"a": Augmented(), "b": Augmented()})
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), 2, seeds=seeds)
    if load is not None:
        syllabus.load_state_dict(load[0])
        sampler.load_state_dict(load[1])
    loader = DataLoader(
        data, batch_sampler=sampler, collate_fn=TicketCollate(), num_workers=workers
    )
    return syllabus, sampler, loader


def test_augmentation_depends_on_task_and_position_only():
    syllabus, sampler, loader = augmented(0)
    batches = iter(loader)
    before = random.getstate(), torch.get_rng_state()
    whole = consume(batches, syllabus, 20)
    assert random.getstate() == before[0] and torch.equal(torch.get_rng_state(), before[1])
    syllabus, sampler, loader = augmented(2)
    half = consume(loader, syllabus, 10)
    saved = syllabus.state_dict(), sampler.state_dict()
    syllabus, sampler, loader = augmented(3, saved)
    assert half + consume(loader, syllabus, 10) == whole
    rows = [tuple(row[1:]) for _, batch in whole for row in batch]
    assert len(set(rows)) == 40, "every task and position has other numbers"


def test_streams_are_augmented_with_the_seeds_of_their_samples():
    class Noisy:
        def __iter__(self):
            return ((i, random.random()) for i in range(4))

    seen = []
    for workers in (0, 2):
        syllabus = gradus.Syllabus(["a", "b"], seed=3)
        dataset = SyllabusDataset(
            syllabus, {"a": Noisy(), "b": Noisy()}, 2, num_workers=workers, collate=list, seeds=True
        )
        values = {}
        for ticket, batch in dataset:
            values.setdefault(ticket.name, []).extend(batch)
            syllabus.drop(ticket)
            if ticket.id == 9:
                break
        seen.append(values)
    assert seen[0] == seen[1]
    for task, values in seen[0].items():
        for position, (place, number) in enumerate(values):
            seed = gradus.sample_seed(task, position, 3)
            assert (place, number) == (position % 4, random.Random(seed).random())


def test_the_seed_of_a_sample_is_a_function_of_its_arguments():
    seeds = {gradus.sample_seed(t, k, s) for t in "ab" for k in range(50) for s in (1, 2)}
    assert len(seeds) == 200 and max(seeds) > 2**60
    assert gradus.sample_seed("a", 7) == gradus.sample_seed("a", 7, seed=1)
    with pytest.raises(gradus.InputError, match="position is -1"):
        gradus.sample_seed("a", -1)
