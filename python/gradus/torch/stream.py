# SPDX-License-Identifier: Apache-2.0
"""An iterable dataset over several streams, for data that can only be read in order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Optional

from torch.utils.data import (
    DataLoader,
    Dataset,
    IterableDataset,
    default_collate,
    get_worker_info,
)

from gradus._core import InputError
from gradus._tuples import State, Ticket
from gradus.torch.data import SyllabusBatchSampler, TicketBatch, TicketCollate
from gradus.torch.sampling import AHEAD, DrawnSyllabus


_worker_info: Callable[[], Any] = get_worker_info  # untyped in torch


class _Reader:
    """Reads a stream at increasing positions, pass after pass. Restarts if the position falls."""

    def __init__(self, task: str, stream: Iterable[Any]) -> None:
        self.task = task
        self.stream = stream
        self._start_over()

    def _start_over(self) -> None:
        self.items = self._endless()
        self.position = 0

    def _endless(self) -> Iterator[Any]:
        while True:
            empty = True
            for item in self.stream:
                empty = False
                yield item
            if empty:
                raise InputError(f'the stream of task "{self.task}" is empty')

    def item(self, position: int) -> Any:
        if position < self.position:
            self._start_over()
        skipped = position - self.position
        self.position = position + 1
        return next(itertools.islice(self.items, skipped, None))


class _StreamDataset(Dataset[Any]):
    """The streams as a map-style dataset. Every worker has its own readers."""

    def __init__(self, streams: Mapping[str, Iterable[Any]]) -> None:
        self.streams = dict(streams)
        self.readers: dict[str, _Reader] = {}

    def __getitem__(self, index: Any) -> tuple[Ticket, Any]:
        ticket, position = index
        task = ticket.name
        if task not in self.readers:
            self.readers[task] = _Reader(task, self.streams[task])
        return ticket, self.readers[task].item(position)


class SyllabusDataset(IterableDataset[TicketBatch]):
    """Draws batches of several iterable datasets from a syllabus. Yields TicketBatch.

        dataset = SyllabusDataset(syllabus, {"news": news, "code": code}, 32, num_workers=2)
        for ticket, batch in dataset: ...

    streams      one iterable per task; each pass iterates over it from the start
    num_workers  number of processes that read. This dataset starts them itself, because the main
                 process must draw: a DataLoader around it takes batch_size=None and no workers
    collate      makes a batch from a list of samples
    ahead, batches, rank, world_size    as for SyllabusBatchSampler

    The k-th sample of a task is the k-th of its stream, whatever the number of workers and ranks.
    So each of them skips the samples that the others take, and a resumed run reads past all samples
    consumed before.
    """

    def __init__(
        self,
        syllabus: DrawnSyllabus,
        streams: Mapping[str, Iterable[Any]],
        batch_size: int,
        *,
        num_workers: int = 0,
        collate: Callable[[list[Any]], Any] = default_collate,
        batches: Optional[int] = None,
        ahead: int = AHEAD,
        rank: Optional[int] = None,
        world_size: Optional[int] = None,
    ) -> None:
        for task in syllabus.tasks:
            if task not in streams:
                raise InputError(f'streams has no entry for "{task}", expected one for each task')
        self.dataset = _StreamDataset(streams)
        self.num_workers = num_workers
        self.collate = TicketCollate(collate)
        self.sampler = SyllabusBatchSampler(
            syllabus,
            None,
            batch_size,
            batches=batches,
            ahead=ahead,
            rank=rank,
            world_size=world_size,
        )

    def __iter__(self) -> Iterator[TicketBatch]:
        if _worker_info() is not None:
            raise InputError(
                "a SyllabusDataset draws in the main process: pass num_workers to it, not to the "
                "DataLoader around it"
            )
        loader: DataLoader[Any] = DataLoader(
            self.dataset,
            batch_sampler=self.sampler,
            collate_fn=self.collate,
            num_workers=self.num_workers,
        )
        yield from loader

    def state_dict(self) -> State:
        """Returns the state in plain JSON types. Save it with the syllabus's own state_dict()."""
        return self.sampler.state_dict()

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(). Load the syllabus's own state first."""
        self.sampler.load_state_dict(state)
