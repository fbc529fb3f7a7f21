# SPDX-License-Identifier: Apache-2.0
"""An iterable dataset over several streams, for data that can only be read in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Optional

from torch.utils.data import (
    DataLoader,
    IterableDataset,
    default_collate,
    get_worker_info,
)

from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus._states import reading
from gradus._tuples import State, Ticket
from gradus.torch.data import SyllabusBatchSampler, TicketBatch, TicketCollate
from gradus.torch.reader import Mark, TaskStreams, last_mark, read_marks
from gradus.torch.sampling import AHEAD


_worker_info: Callable[[], Any] = get_worker_info  # untyped in torch


class _MarkedCollate:
    """Collates a batch and adds the state of its stream, for the main process."""

    def __init__(self, streams: TaskStreams, collate: Callable[[list[Any]], Any]) -> None:
        self.streams = streams
        self.collate = TicketCollate(collate)

    def __call__(self, drawn: list[tuple[Ticket, Any]]) -> tuple[TicketBatch, Optional[Mark]]:
        batch = self.collate(drawn)
        return batch, self.streams.mark(batch.ticket.name)


class SyllabusDataset(IterableDataset[TicketBatch]):
    """Draws batches of several iterable datasets from a syllabus. Yields TicketBatch.

        dataset = SyllabusDataset(syllabus, {"news": news, "code": code}, 32, num_workers=2)
        for ticket, batch in dataset: ...

    streams      one iterable per task; each pass iterates over it from the start. If it has
                 state_dict() and load_state_dict(), or its iterator has, a resumed run continues
                 from its state
    num_workers  number of processes that read. This dataset starts them itself, because the main
                 process must draw: a DataLoader around it takes batch_size=None and no workers
    collate      makes a batch from a list of samples
    ahead, batches, seeds, rank, world_size    as for SyllabusBatchSampler

    The k-th sample of a task is the k-th of its stream, whatever the number of workers and ranks.
    So each of them skips the samples that the others take, and a resumed run reads past all samples
    consumed before if the stream has no state.
    """

    def __init__(
        self,
        syllabus: SyllabusLike,
        streams: Mapping[str, Iterable[Any]],
        batch_size: int,
        *,
        num_workers: int = 0,
        collate: Callable[[list[Any]], Any] = default_collate,
        batches: Optional[int] = None,
        ahead: int = AHEAD,
        seeds: bool = False,
        rank: Optional[int] = None,
        world_size: Optional[int] = None,
    ) -> None:
        for task in syllabus.tasks:
            if task not in streams:
                raise InputError(f'streams has no entry for "{task}", expected one for each task')
        self.streams = TaskStreams(streams)
        self.num_workers = num_workers
        self.collate = _MarkedCollate(self.streams, collate)
        self.sampler = SyllabusBatchSampler(
            syllabus,
            None,
            batch_size,
            batches=batches,
            ahead=ahead,
            seeds=seeds,
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
            self.streams,
            batch_sampler=self.sampler,
            collate_fn=self.collate,
            num_workers=self.num_workers,
        )
        for batch, mark in loader:
            if mark is not None:
                self._remember(batch.ticket.name, mark)
            yield batch

    def _remember(self, task: str, mark: Mark) -> None:
        """Adds a mark, and forgets those that no batch needs any more."""
        marks = self.streams.marks.setdefault(task, [])
        marks.append(mark)
        start = self._last_mark(task)
        marks[:] = [m for m in marks if start is None or m.position >= start.position]

    def _last_mark(self, task: str) -> Optional[Mark]:
        """The last mark before all samples of the task that are not consumed."""
        return last_mark(self.streams.marks[task], self.sampler.first_position(task))

    def state_dict(self) -> State:
        """Returns the state of the sampler, in plain JSON types, and those of the streams. Save it
        with the syllabus's own state_dict()."""
        marks = ((task, self._last_mark(task)) for task in self.streams.marks)
        streams = {task: list(mark) for task, mark in marks if mark is not None}
        return {**self.sampler.state_dict(), "streams": streams}

    def load_state_dict(self, state: State, *, reshard: bool = False) -> None:
        """Continues from a state_dict(). Load the syllabus's own state first."""
        with reading("sampler", state):
            streams = state.get("streams", {})
        read_marks(streams)  # raises before anything is changed
        self.sampler.load_state_dict(state, reshard=reshard)
        self.streams.load_state_dict(streams)
