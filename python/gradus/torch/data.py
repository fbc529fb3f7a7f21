# SPDX-License-Identifier: Apache-2.0
"""Batches drawn by a syllabus, for torch.utils.data.DataLoader with any number of workers.

The main process draws tasks; workers only fetch samples. A batch carries its ticket, so its reward
is weighted by the probability of its draw, however early it was fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sized
from typing import Any, NamedTuple, Optional, cast

from torch.utils.data import Dataset, default_collate

from gradus._protocols import SyllabusLike
from gradus._tuples import State, Ticket
from gradus.torch.sampling import AHEAD, TicketSampler
from gradus.torch.seeds import seeded


class TicketBatch(NamedTuple):
    """A batch of one task and the ticket that drew it."""

    ticket: Ticket
    data: Any


class MixedBatch(NamedTuple):
    """A batch of several tasks: the ticket that drew each of its samples, in order."""

    tickets: list[Ticket]
    data: Any


class TaskDataset(Dataset[Any]):
    """Several map-style datasets keyed by task name. An index is (ticket, index in the dataset), or
    (ticket, index, seed) from a sampler with seeds: the sample is then made with that seed."""

    def __init__(self, datasets: Mapping[str, Any]) -> None:
        self.datasets = dict(datasets)

    def __getitem__(self, index: Any) -> tuple[Ticket, Any]:
        ticket, place, seed = (*index, None)[:3]
        with seeded(seed):
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


class MixedCollate:
    """Collates the samples of a MixedBatchSampler's batch and returns them with their tickets."""

    def __init__(self, collate: Callable[[list[Any]], Any] = default_collate) -> None:
        self.collate = collate

    def __call__(self, drawn: list[tuple[Ticket, Any]]) -> MixedBatch:
        tickets = [ticket for ticket, _ in drawn]
        return MixedBatch(tickets, self.collate([sample for _, sample in drawn]))


class SyllabusBatchSampler(TicketSampler):
    """Draws each batch: its task from a syllabus, its samples without replacement, pass by pass.

        data = TaskDataset({"easy": ..., "hard": ...})
        sampler = SyllabusBatchSampler(syllabus, data.sizes(), batch_size=32)
        loader = DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate(), num_workers=4)
        for ticket, batch in loader: ...

    batches     number of batches per iteration over the loader; endless by default. After
                load_state_dict() the next iteration finishes the one that was saved
    ahead       number of batches drawn ahead of the next one to be rewarded. Draws depend on it and
                not on the number of workers. Workers may fetch at most `ahead` batches early
                (prefetch_factor * num_workers)
    seeds       if True, every sample gets a seed that depends only on the syllabus's seed, its task
                and its position among the task's samples. While it is made, the generators of
                random, NumPy and torch have that seed, so augmentation is the same whatever the
                number of workers, and after a resumption
    rank, world_size
                select this process's part of the samples. By default those of a
                DistributedSyllabus, otherwise 0 and 1

    A batch is consumed when its ticket is settled or dropped. Settle or drop every ticket: at most
    `ahead` + 1 are outstanding at any time. Batches that were drawn but not consumed are part of
    state_dict(). They come again, in order, after load_state_dict() and in every new iteration.
    """

    def _draw_tickets(self) -> list[Ticket]:
        return [self.syllabus.draw()]

    @property
    def _width(self) -> int:
        return self.batch_size


class MixedBatchSampler(TicketSampler):
    """Draws the task of every sample of a batch. Has the arguments of SyllabusBatchSampler, and

    quotas   if True, task i with probability p_i gets batch_size * p_i samples of each batch,
             rounded up or down at random so that the mean is exact. Otherwise every sample is an
             independent draw

        sampler = MixedBatchSampler(syllabus, data.sizes(), batch_size=256, quotas=True)
        loader = DataLoader(data, batch_sampler=sampler, collate_fn=MixedCollate())
        for tickets, batch in loader: ...

    Every sample has its own ticket. Ranks get samples of the same tasks, each its own. A batch is
    consumed when all its tickets are settled or dropped.
    """

    # Batches that were drawn already keep their number of tickets.
    _resizable = ("world_size",)

    def __init__(
        self,
        syllabus: SyllabusLike,
        sizes: Optional[Mapping[str, int]],
        batch_size: int,
        *,
        quotas: bool = False,
        batches: Optional[int] = None,
        ahead: int = AHEAD,
        seeds: bool = False,
        rank: Optional[int] = None,
        world_size: Optional[int] = None,
    ) -> None:
        super().__init__(
            syllabus,
            sizes,
            batch_size,
            batches=batches,
            ahead=ahead,
            seeds=seeds,
            rank=rank,
            world_size=world_size,
        )
        self.quotas = quotas

    def _draw_tickets(self) -> list[Ticket]:
        return self.syllabus.draw(self.batch_size, quotas=self.quotas)

    @property
    def _width(self) -> int:
        return 1

    def _identity(self) -> State:
        return {**super()._identity(), "quotas": self.quotas}
