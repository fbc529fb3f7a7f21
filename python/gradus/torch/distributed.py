"""One syllabus for all ranks of torch.distributed."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed

from gradus import _core
from gradus._core import InputError
from gradus._tuples import Reward, State, Ticket


# Its types differ from version to version.
dist: Any = torch.distributed


class RanksDiverged(RuntimeError):
    """Ranks no longer hold the same syllabus, or settle different tickets."""


class DistributedSyllabus:
    """A syllabus that is the same on every rank.

    Every rank makes its own gradus.Syllabus with the same tasks, seed and settings, and wraps it.
    Draws need no communication, since a draw is a function of the seed and of the rewards so far. A
    reward is the mean over ranks of progress, divided by the mean of cost; every rank must settle
    the same tickets in the same order. Each reward checks that the ranks agree, and raises
    RanksDiverged on all of them where they do not. The state does not depend on the number of ranks.

    group   of torch.distributed; all ranks where left out
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
        """Gives a ticket up, which every rank must do alike."""
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
        """Settles a ticket with the means over all ranks; waits for them."""
        numbers = self._gathered(ticket.id, float(progress), float(cost))
        mean_progress, mean_cost = (sum(column) / len(column) for column in zip(*numbers))
        return self.syllabus.reward(ticket, mean_progress, mean_cost)

    def check(self) -> None:
        """Raises RanksDiverged where the ranks hold different syllabuses; waits for them."""
        self._gathered(-1, 0.0, 1.0)

    def state_dict(self) -> State:
        """The same on every rank: saving that of one is enough."""
        return self.syllabus.state_dict()

    def load_state_dict(self, state: State) -> None:
        """Every rank loads the same state, whatever the number of ranks that saved it."""
        self.syllabus.load_state_dict(state)

    def _gathered(self, ticket: int, progress: float, cost: float) -> list[tuple[float, float]]:
        # One message: all numbers as 64 bits. Every rank adds them up in the order of ranks, so
        # that all have the same sum to the last bit.
        fingerprint = self.syllabus.fingerprint() >> 1  # int64 has no room for the last bit
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
        shown = f"{values[different[0]]} there and {values[0]} on rank 0"
        raise RanksDiverged(f"ranks {different} have another {what} than rank 0: {shown}")
