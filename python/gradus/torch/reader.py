# SPDX-License-Identifier: Apache-2.0
"""Reads streams at increasing positions, and resumes them through their own states."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Optional

from torch.utils.data import Dataset

from gradus._core import InputError
from gradus._states import at_least, reading
from gradus._tuples import State, Ticket
from gradus.torch.seeds import seeded


class Mark(NamedTuple):
    """The state of a stream that has given `position` samples, counted over all passes."""

    position: int
    state: Any


def last_mark(marks: list[Mark], position: int) -> Optional[Mark]:
    """The last of the marks that is not after the position."""
    before = {mark.position: mark for mark in marks if mark.position <= position}
    return before[max(before)] if before else None


def read_marks(state: State) -> dict[str, list[Mark]]:
    """The marks of TaskStreams.state_dict(), by task."""
    marks = {}
    with reading("streams", state):
        for task, (position, saved) in state.items():
            marks[task] = [Mark(at_least(f'saved position of "{task}"', position, 0), saved)]
    return marks


def _is_stateful(thing: Any) -> bool:
    return hasattr(thing, "state_dict") and hasattr(thing, "load_state_dict")


class _Reader:
    """Reads a stream pass after pass. If the position falls, it starts over from the last mark
    before it, or from the start of the stream."""

    def __init__(self, task: str, stream: Iterable[Any], marks: list[Mark]) -> None:
        self.task = task
        self.stream = stream
        self.marks = marks
        self.position: Optional[int] = None
        owner: Any = stream
        self._initial = copy.deepcopy(owner.state_dict()) if _is_stateful(owner) else None

    def item(self, position: int, seed: Optional[int]) -> Any:
        if self.position is None or position < self.position:
            self._seek(position)
        assert self.position is not None
        for _ in range(position - self.position):
            next(self._items)
        self.position = position + 1
        with seeded(seed):
            return next(self._items)

    def mark(self) -> Optional[Mark]:
        """The stream's own state now; None if it has none."""
        owner: Any = self.stream if _is_stateful(self.stream) else self._pass
        if self.position is None or not _is_stateful(owner):
            return None
        return Mark(self.position, copy.deepcopy(owner.state_dict()))

    def _seek(self, position: int) -> None:
        start = last_mark(self.marks, position) or Mark(0, None)
        self._items = self._endless(start.state)
        self.position = start.position

    def _endless(self, state: Any) -> Iterator[Any]:
        while True:
            empty = state is None
            self._pass = self._start_pass(state)
            for item in self._pass:
                empty = False
                yield item
            if empty:
                raise InputError(f'the stream of task "{self.task}" is empty')
            state = None

    def _start_pass(self, state: Any) -> Iterator[Any]:
        """Every pass starts from the same state, except for the one that is resumed."""
        stream: Any = self.stream
        if _is_stateful(stream):
            stream.load_state_dict(copy.deepcopy(self._initial if state is None else state))
            return iter(stream)
        iterator: Any = iter(stream)
        if state is not None:
            iterator.load_state_dict(copy.deepcopy(state))
        return iterator  # type: ignore[no-any-return]


class TaskStreams(Dataset[Any]):
    """Several streams keyed by task name, as a dataset for a DataLoader with a
    SyllabusBatchSampler. An index is (ticket, position), or (ticket, position, seed).

        streams = TaskStreams({"news": news, "code": code})
        sampler = SyllabusBatchSampler(syllabus, None, batch_size=32)
        loader = StatefulDataLoader(
            streams, batch_sampler=sampler, collate_fn=TicketCollate(), num_workers=2
        )

    A stream is an iterable, and every pass iterates over it from the start. If it has state_dict()
    and load_state_dict(), or its iterator has, a resumed run continues from its state instead of
    reading it again. Every worker has its own readers. SyllabusDataset does all this itself.
    """

    def __init__(self, streams: Mapping[str, Iterable[Any]]) -> None:
        self.streams = dict(streams)
        self.marks: dict[str, list[Mark]] = {}
        self._readers: dict[str, _Reader] = {}

    def __getitem__(self, index: Any) -> tuple[Ticket, Any]:
        ticket, position, seed = (*index, None)[:3]
        task = ticket.name
        if task not in self._readers:
            marks = self.marks.setdefault(task, [])
            self._readers[task] = _Reader(task, self.streams[task], marks)
        return ticket, self._readers[task].item(position, seed)

    def mark(self, task: str) -> Optional[Mark]:
        """The state of a task's stream in this process; None if it has none."""
        return self._readers[task].mark() if task in self._readers else None

    def state_dict(self) -> State:
        """Returns the states of the streams that this process has read."""
        marks = {task: self.mark(task) for task in self._readers}
        return {task: list(mark) for task, mark in marks.items() if mark is not None}

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict()."""
        self.marks = read_marks(state)
        self._readers.clear()
