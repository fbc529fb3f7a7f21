# SPDX-License-Identifier: Apache-2.0
"""One syllabus for all ranks of torch.distributed."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed

from gradus import _core
from gradus._core import InputError
from gradus._tuples import Reward, State, Ticket


# Typed as Any because its types differ between versions of torch.
dist: Any = torch.distributed


class RanksDiverged(RuntimeError):
    """Ranks no longer hold the same syllabus, or settle different tickets."""


class DistributedSyllabus:
    """A syllabus that is the same on every rank.

    Every rank makes its own gradus.Syllabus with the same tasks, seed and settings, and wraps it.
    Draws need no communication, since a draw depends only on the seed and the rewards so far. A
    reward is the mean of progress over all ranks divided by the mean of cost. Every rank must
    settle the same tickets in the same order. Each reward checks that the ranks agree and, if they
    do not, raises RanksDiverged on all of them. The state does not depend on the number of ranks.

    group   process group of torch.distributed; by default all ranks
    """

    def __init__(self, syllabus: _core.Syllabus, group: Any = None) -> None:
        if not dist.is_initialized():
            raise InputError("torch.distributed is not initialised: call init_process_group first")
        self.syllabus = syllabus
        self.group = group
        self.rank: int = dist.get_rank(group)
        self.world_size: int = dist.get_world_size(group)
        self._device = torch.device("cpu")
        if dist.get_backend(group) == "nccl":
            self._device = torch.device("cuda", torch.cuda.current_device())

    @property
    def tasks(self) -> list[str]:
        return self.syllabus.tasks

    @property
    def seed(self) -> int:
        return self.syllabus.seed

    @property
    def outstanding(self) -> int:
        return self.syllabus.outstanding

    def index(self, task: str) -> int:
        return self.syllabus.index(task)

    def draw(self) -> Ticket:
        return self.syllabus.draw()

    def drop(self, ticket: Ticket) -> None:
        """Gives a ticket up. Every rank must drop the same tickets."""
        self.syllabus.drop(ticket)

    def is_outstanding(self, ticket: Ticket) -> bool:
        return self.syllabus.is_outstanding(ticket)

    def is_void(self, ticket: Ticket) -> bool:
        return self.syllabus.is_void(ticket)

    def probe_task(self, ticket: Ticket) -> str:
        return self.syllabus.probe_task(ticket)

    def probabilities(self) -> dict[str, float]:
        return self.syllabus.probabilities()

    def reward(self, ticket: Ticket, progress: float, cost: float = 1.0) -> Reward:
        """Settles a ticket with the means over all ranks. Blocks until every rank calls it."""
        numbers = self._gathered(ticket.id, float(progress), float(cost))
        mean_progress, mean_cost = (sum(column) / len(column) for column in zip(*numbers))
        return self.syllabus.reward(ticket, mean_progress, mean_cost)

    def check(self) -> None:
        """Raises RanksDiverged if the ranks hold different syllabuses. Every rank must call it."""
        self._gathered(-1, 0.0, 1.0)

    def state_dict(self) -> State:
        """Returns the state. It is the same on every rank, so one rank may save it for all."""
        return self.syllabus.state_dict()

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(), which must be the same on every rank. Another number of
        ranks may have saved it."""
        self.syllabus.load_state_dict(state)

    def _gathered(self, ticket: int, progress: float, cost: float) -> list[tuple[float, float]]:
        # A single all_gather of 64-bit values. Every rank sums them in rank order, so that the sums
        # are bit-identical.
        fingerprint = self.syllabus.fingerprint() >> 1  # to fit in int64
        values = torch.tensor([progress, cost], dtype=torch.float64).view(torch.int64)
        mine = torch.cat([torch.tensor([fingerprint, ticket]), values]).to(self._device)
        theirs = [torch.empty_like(mine) for _ in range(self.world_size)]
        dist.all_gather(theirs, mine, group=self.group)
        rows = [row.cpu() for row in theirs]
        self._compare("syllabus", [int(row[0]) for row in rows])
        self._compare("ticket", [int(row[1]) for row in rows])
        numbers = [row[2:].view(torch.float64).tolist() for row in rows]
        return [(number[0], number[1]) for number in numbers]

    def _compare(self, what: str, values: list[int]) -> None:
        different = [rank for rank, value in enumerate(values) if value != values[0]]
        if not different:
            return
        shown = f"{values[different[0]]} on rank {different[0]} and {values[0]} on rank 0"
        raise RanksDiverged(f"ranks {different} have a different {what} from rank 0: {shown}")
