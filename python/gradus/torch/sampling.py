# SPDX-License-Identifier: Apache-2.0
"""What all samplers share: batches drawn ahead of their rewards, and their saved state."""

from __future__ import annotations

import abc
import math
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Optional, Union

from torch.utils.data import Sampler

from gradus._core import InputError, Shuffle, sample_seed
from gradus._protocols import SyllabusLike
from gradus._states import at_least, reading
from gradus._tuples import State, Ticket
from gradus.torch.unconsumed import Batch, Drawn, Unconsumed, unconsumed

_FORMAT = "gradus-sampler"
_VERSION = 4

AHEAD = 32
"""Enough for 16 workers that prefetch two batches each, the default of torch."""

Index = Union[tuple[Ticket, int], tuple[Ticket, int, int]]
"""What a dataset gets: a ticket, the place of the sample, and its seed if the sampler has seeds."""


class TicketSampler(Sampler[Any], abc.ABC):
    """Base of the samplers. A subclass says how a batch is drawn (_draw_tickets) and how many
    samples of each ticket a rank gets (_width)."""

    _resizable: tuple[str, ...] = ("batch_size", "world_size")

    def __init__(
        self,
        syllabus: SyllabusLike,
        sizes: Optional[Mapping[str, int]],
        batch_size: int,
        *,
        batches: Optional[int] = None,
        ahead: int = AHEAD,
        seeds: bool = False,
        rank: Optional[int] = None,
        world_size: Optional[int] = None,
    ) -> None:
        self.syllabus = syllabus
        self.seeds = seeds
        self.batch_size = at_least("batch_size", batch_size, 1)
        self.batches = None if batches is None else at_least("batches", batches, 1)
        self.ahead = at_least("ahead", ahead, 0)
        self.rank = int(getattr(syllabus, "rank", 0) if rank is None else rank)
        self.world_size = int(
            getattr(syllabus, "world_size", 1) if world_size is None else world_size
        )
        if not 0 <= self.rank < self.world_size:
            raise InputError(f"rank is {self.rank}, expected 0..{self.world_size - 1}")
        self.sizes = None if sizes is None else dict(sizes)
        self._shuffles: dict[str, Shuffle] = {}
        self._positions: dict[str, int] = {}
        self._waiting: deque[Batch] = deque()
        self._taken: deque[Batch] = deque()
        self._given = 0  # batches in this iteration
        self._given_before = 0  # batches already given in the iteration of a loaded state
        for task in syllabus.tasks:
            self._check_task(task)

    @abc.abstractmethod
    def _draw_tickets(self) -> list[Ticket]:
        """Draws the tickets of the next batch."""

    @property
    @abc.abstractmethod
    def _width(self) -> int:
        """Number of samples of each ticket in the batch of one rank."""

    @property
    def _tickets_per_batch(self) -> int:
        return self.batch_size // self._width

    def __len__(self) -> int:
        if self.batches is None:
            raise TypeError("a sampler without `batches` has no length")
        return self.batches

    def __iter__(self) -> Iterator[list[Index]]:
        self._forget_consumed()
        self._waiting.extendleft(reversed(self._taken))
        self._taken.clear()
        self._given, self._given_before = self._given_before, 0
        while self.batches is None or self._given < self.batches:
            batch = self._next()
            self._given += 1
            yield batch

    def _next(self) -> list[Index]:
        self._forget_consumed()
        self._draw_ahead()
        if not self._waiting:
            raise InputError(
                f"{len(self._taken)} batches were taken whose tickets are neither settled nor "
                f"dropped, expected at most {self.ahead} (ahead): settle or drop each ticket, or "
                "raise ahead; a loader with workers fetches prefetch_factor * num_workers batches "
                "early"
            )
        batch = self._waiting.popleft()
        self._taken.append(batch)
        return [index for drawn in batch for index in self._indices(drawn)]

    def first_position(self, task: str) -> int:
        """The position of the task's first sample that is not consumed."""
        self._forget_consumed()
        drawn = (drawn for batch in (*self._taken, *self._waiting) for drawn in batch)
        positions = [position for ticket, position in drawn if ticket.name == task]
        return min(positions, default=self._positions.get(task, 0))

    def _forget_consumed(self) -> None:
        """Forgets batches whose tickets are all settled, dropped or void."""

        def left(batches: Iterable[Batch]) -> deque[Batch]:
            outstanding = self.syllabus.is_outstanding
            return deque(b for b in batches if any(outstanding(drawn.ticket) for drawn in b))

        self._taken, self._waiting = left(self._taken), left(self._waiting)

    def _draw_ahead(self) -> None:
        """Draws batches ahead, but not past the end of the iteration: a loader stops there too."""
        left = math.inf if self.batches is None else self.batches - self._given
        while len(self._taken) + len(self._waiting) <= self.ahead and len(self._waiting) < left:
            self._waiting.append(self._placed(self._draw_tickets()))

    def _placed(self, tickets: Iterable[Ticket]) -> Batch:
        """Gives the tickets the next samples of their tasks."""
        batch = []
        for ticket in tickets:
            position = self._positions.get(ticket.name, 0)
            self._positions[ticket.name] = position + self._width * self.world_size
            batch.append(Drawn(ticket, position))
        return batch

    def _indices(self, drawn: Drawn) -> list[Index]:
        ticket, start = drawn.ticket, drawn.position + self.rank * self._width
        positions = range(start, start + self._width)
        places = self._places(ticket.name, positions)
        if not self.seeds:
            return [(ticket, place) for place in places]
        seed = self.syllabus.seed
        return [
            (ticket, place, sample_seed(ticket.name, position, seed))
            for place, position in zip(places, positions)
        ]

    def _places(self, task: str, positions: range) -> list[int]:
        if self.sizes is None:
            return list(positions)
        if task not in self._shuffles:
            self._check_task(task)
            self._shuffles[task] = Shuffle(task, self.sizes[task], self.syllabus.seed)
        return [self._shuffles[task].index(position) for position in positions]

    def _check_task(self, task: str) -> None:
        if self.sizes is not None and task not in self.sizes:
            raise InputError(
                f'sizes has no entry for "{task}", expected one for each task of the syllabus'
            )

    def _identity(self) -> State:
        """What must be the same in the sampler that saves a state and in the one that loads it."""
        return {
            "format": _FORMAT,
            "version": _VERSION,
            "kind": type(self).__name__,
            "ahead": self.ahead,
            "batch_size": self.batch_size,
            "seeds": self.seeds,
            "world_size": self.world_size,
        }

    def state_dict(self) -> State:
        """Returns the state in plain JSON types. Save it with the syllabus's own state_dict()."""
        self._forget_consumed()
        batches = [*self._taken, *self._waiting]
        return {
            **self._identity(),
            "sizes": self.sizes,
            "issued": self.syllabus.issued,
            "handed": len(self._taken),
            "consumed": self._given - len(self._taken),
            "positions": dict(self._positions),
            "drawn": [[[*drawn.ticket, drawn.position] for drawn in batch] for batch in batches],
        }

    def load_state_dict(self, state: State, *, reshard: bool = False) -> None:
        """Continues from a state_dict(). Load the syllabus's own state first, which may have been
        saved later: see unconsumed().

        With reshard=True the state may come from another batch size or number of ranks. Every task
        then continues with its first sample that was not consumed.
        """
        with reading("sampler", state):
            resized = self._check_state(state, reshard)
            left = unconsumed(state, self.syllabus)
            positions = {
                task: at_least(f'saved position of "{task}"', at, 0)
                for task, at in state["positions"].items()
            }
            consumed = at_least("saved consumed", state["consumed"], 0)
        self._positions = positions
        self._continue(left, consumed, resized)

    def _continue(self, left: Unconsumed, consumed_before: int, resized: bool) -> None:
        batches, later, consumed = left
        width = self._tickets_per_batch
        for start in range(0, len(later), width):
            batches.append(self._placed(later[start : start + width]))
        if resized:
            batches = self._placed_anew(batches)
        self._waiting = deque(batches)
        self._taken = deque()
        self._given = (consumed_before + consumed) % (self.batches or sys.maxsize)
        self._given_before = self._given

    def _check_state(self, state: State, reshard: bool) -> bool:
        """Raises InputError unless the state fits. Returns whether batches have another size."""
        resized = False
        for key, ours in self._identity().items():
            if state.get(key) == ours:
                continue
            resizable = key in self._resizable
            if not (resizable and reshard):
                raise InputError(
                    f"saved sampler has a different {key}: {state.get(key)!r}, expected {ours!r}"
                    + ("; reshard=True allows it" if resizable else "")
                )
            resized = True
        if state["sizes"] is None and self.sizes is not None:
            raise InputError("saved sampler is that of streams, expected one of data sets")
        for task, size in (state["sizes"] or {}).items():
            here = None if self.sizes is None else self.sizes.get(task)
            if size != here:
                raise InputError(
                    f'saved sampler has a different data set for "{task}": {size} samples, '
                    f"expected {'none' if here is None else here}"
                )
        return resized

    def _placed_anew(self, batches: list[Batch]) -> list[Batch]:
        """Batches of another size, which take the first samples that were not consumed."""
        for drawn in reversed([drawn for batch in batches for drawn in batch]):
            self._positions[drawn.ticket.name] = drawn.position
        return [self._placed(drawn.ticket for drawn in batch) for batch in batches]
