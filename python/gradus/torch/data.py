# SPDX-License-Identifier: Apache-2.0
"""Batches drawn by a syllabus, for torch.utils.data.DataLoader with any number of workers.

The main process draws tasks; workers only fetch samples. A batch carries its ticket, so its reward
is weighted by the probability of its draw, however early it was fetched.
"""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sized
from typing import Any, NamedTuple, Optional, Protocol, cast

from torch.utils.data import Dataset, Sampler, default_collate

from gradus._core import InputError, Shuffle
from gradus._tuples import State, Ticket

_FORMAT = "gradus-sampler"
_VERSION = 1


class DrawnSyllabus(Protocol):
    """What a sampler needs from a syllabus. gradus.Syllabus and DistributedSyllabus provide it."""

    @property
    def seed(self) -> int:
        ...

    @property
    def tasks(self) -> list[str]:
        ...

    def draw(self) -> Ticket:
        ...

    def is_outstanding(self, ticket: Ticket) -> bool:
        ...


class TicketBatch(NamedTuple):
    """A batch of one task and the ticket that drew it."""

    ticket: Ticket
    data: Any


class TaskDataset(Dataset[Any]):
    """Several map-style datasets keyed by task name. An index is (ticket, index in the dataset)."""

    def __init__(self, datasets: Mapping[str, Any]) -> None:
        self.datasets = dict(datasets)

    def __getitem__(self, index: Any) -> tuple[Ticket, Any]:
        ticket, place = index
        return ticket, self.datasets[ticket.name][place]

    def sizes(self) -> dict[str, int]:
        """Returns the number of samples of each task."""
        return {task: len(cast(Sized, data)) for task, data in self.datasets.items()}


class TicketCollate:
    """Collates the samples of a batch and returns them with their ticket."""

    def __init__(self, collate: Callable[[list[Any]], Any] = default_collate) -> None:
        self.collate = collate

    def __call__(self, drawn: list[tuple[Ticket, Any]]) -> TicketBatch:
        return TicketBatch(drawn[0][0], self.collate([sample for _, sample in drawn]))


class _Drawn(NamedTuple):
    ticket: Ticket
    position: int
    """Number of samples of its task that were given to all ranks together before."""


class SyllabusBatchSampler(Sampler[Any]):
    """Draws each batch: its task from a syllabus, its samples without replacement, pass by pass.

        data = TaskDataset({"easy": ..., "hard": ...})
        sampler = SyllabusBatchSampler(syllabus, data.sizes(), batch_size=32)
        loader = DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate(), num_workers=4)
        for ticket, batch in loader: ...

    batches     number of batches per iteration over the loader; endless by default. After
                load_state_dict() the next iteration finishes the one that was saved
    ahead       number of tickets drawn ahead of the next one to be rewarded. Draws depend on it and
                not on the number of workers. Workers may fetch at most `ahead` batches early
                (prefetch_factor * num_workers)
    rank, world_size
                select this process's part of the samples. By default those of a
                DistributedSyllabus, otherwise 0 and 1

    A batch is consumed when its ticket is settled or dropped. Settle or drop every ticket: at most
    `ahead` + 1 are outstanding at any time. Batches that were drawn but not consumed are part of
    state_dict(). They come again, in order, after load_state_dict() and in every new iteration.
    """

    def __init__(
        self,
        syllabus: DrawnSyllabus,
        sizes: Optional[Mapping[str, int]],
        batch_size: int,
        *,
        batches: Optional[int] = None,
        ahead: int = 8,
        rank: Optional[int] = None,
        world_size: Optional[int] = None,
    ) -> None:
        self.syllabus = syllabus
        self.batch_size = _at_least("batch_size", batch_size, 1)
        self.batches = None if batches is None else _at_least("batches", batches, 1)
        self.ahead = _at_least("ahead", ahead, 0)
        self.rank = int(getattr(syllabus, "rank", 0) if rank is None else rank)
        self.world_size = int(
            getattr(syllabus, "world_size", 1) if world_size is None else world_size
        )
        if not 0 <= self.rank < self.world_size:
            raise InputError(f"rank is {self.rank}, expected 0..{self.world_size - 1}")
        self.sizes = None if sizes is None else dict(sizes)
        self._shuffles: dict[str, Shuffle] = {}
        self._positions: dict[str, int] = {}
        self._waiting: deque[_Drawn] = deque()
        self._taken: deque[_Drawn] = deque()
        self._given = 0  # batches in this iteration
        self._given_before = 0  # batches already given in the iteration of a loaded state
        for task in syllabus.tasks:
            self._check_task(task)

    def __len__(self) -> int:
        if self.batches is None:
            raise TypeError("a sampler without `batches` has no length")
        return self.batches

    def __iter__(self) -> Iterator[list[tuple[Ticket, int]]]:
        self._forget_consumed()
        self._waiting.extendleft(reversed(self._taken))
        self._taken.clear()
        self._given, self._given_before = self._given_before, 0
        while self.batches is None or self._given < self.batches:
            batch = self._next()
            self._given += 1
            yield batch

    def _next(self) -> list[tuple[Ticket, int]]:
        self._forget_consumed()
        self._draw_ahead()
        if not self._waiting:
            raise InputError(
                f"{len(self._taken)} batches were taken whose tickets are neither settled nor "
                f"dropped, expected at most {self.ahead} (ahead): settle or drop each ticket, or "
                "raise ahead; a loader with workers fetches prefetch_factor * num_workers batches "
                "early"
            )
        drawn = self._waiting.popleft()
        self._taken.append(drawn)
        return [(drawn.ticket, place) for place in self._places(drawn)]

    def _forget_consumed(self) -> None:
        """Forgets batches whose tickets are settled, dropped or void."""
        outstanding = self.syllabus.is_outstanding
        self._taken = deque(drawn for drawn in self._taken if outstanding(drawn.ticket))
        self._waiting = deque(drawn for drawn in self._waiting if outstanding(drawn.ticket))

    def _draw_ahead(self) -> None:
        """Draws tickets ahead, but not past the end of the iteration: a loader stops there too."""
        left = math.inf if self.batches is None else self.batches - self._given
        while len(self._taken) + len(self._waiting) <= self.ahead and len(self._waiting) < left:
            ticket = self.syllabus.draw()
            position = self._positions.get(ticket.name, 0)
            self._positions[ticket.name] = position + self.batch_size * self.world_size
            self._waiting.append(_Drawn(ticket, position))

    def _places(self, drawn: _Drawn) -> list[int]:
        start = drawn.position + self.rank * self.batch_size
        positions = range(start, start + self.batch_size)
        if self.sizes is None:
            return list(positions)
        task = drawn.ticket.name
        if task not in self._shuffles:
            self._check_task(task)
            self._shuffles[task] = Shuffle(task, self.sizes[task], self.syllabus.seed)
        return [self._shuffles[task].index(position) for position in positions]

    def _check_task(self, task: str) -> None:
        if self.sizes is not None and task not in self.sizes:
            raise InputError(
                f'sizes has no entry for "{task}", expected one for each task of the syllabus'
            )

    def state_dict(self) -> State:
        """Returns the state in plain JSON types. Save it with the syllabus's own state_dict()."""
        self._forget_consumed()
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "batch_size": self.batch_size,
            "ahead": self.ahead,
            "consumed": self._given - len(self._taken),
            "positions": dict(self._positions),
            "drawn": [[*drawn.ticket, drawn.position] for drawn in [*self._taken, *self._waiting]],
        }

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(). Load the syllabus's own state first."""
        expected = {"format": _FORMAT, "version": _VERSION, "ahead": self.ahead}
        for key, ours in expected.items():
            if state.get(key) != ours:
                raise InputError(
                    f"saved sampler has another {key}: {state.get(key)!r} there and {ours!r} here"
                )
        drawn = [_Drawn(Ticket(*entry[:4]), entry[4]) for entry in state["drawn"]]
        for entry in drawn:
            if not self.syllabus.is_outstanding(entry.ticket):
                raise InputError(
                    f"saved sampler has ticket {entry.ticket.id}, which is not outstanding: first "
                    "load the syllabus state that was saved at the same time"
                )
        self._positions = {str(task): int(at) for task, at in state["positions"].items()}
        self._waiting = deque(drawn)
        self._taken = deque()
        self._given_before = int(state["consumed"]) % (self.batches or sys.maxsize)


def _at_least(name: str, value: int, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} is {value!r}, expected a whole number, {least} or more")
    return value
