# SPDX-License-Identifier: Apache-2.0
"""One syllabus for all ranks of torch.distributed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union, overload

import torch
import torch.distributed

from gradus import _core
from gradus._core import InputError
from gradus._protocols import Numbers
from gradus._tuples import Limit, Reward, State, Ticket


# Typed as Any because its types differ between versions of torch.
dist: Any = torch.distributed

# Keys of calls without a ticket, whose ids are 0 or more.
_NO_TICKET = -1
_ALL_TASKS = -2


class RanksDiverged(RuntimeError):
    """Ranks no longer hold the same syllabus, or settle different tickets."""


class DistributedSyllabus:
    """A syllabus that is the same on every rank. Has the methods of gradus.Syllabus.

    Every rank makes its own gradus.Syllabus with the same tasks, seed and settings, and wraps it.
    Draws need no communication, since a draw depends only on the seed and the rewards so far. A
    reward is the mean of progress over all ranks divided by the mean of cost. Every rank must
    make the same calls in the same order. Each reward checks that the ranks agree and, if they do
    not, raises RanksDiverged on all of them. The state does not depend on the number of ranks.

    group   process group of torch.distributed; by default all ranks
    """

    def __init__(self, syllabus: _core.Syllabus, group: Any = None) -> None:
        if not dist.is_initialized():
            raise InputError("torch.distributed is not initialised: call init_process_group first")
        self.syllabus = syllabus
        self.group = group
        self.rank: int = dist.get_rank(group)
        self.world_size: int = dist.get_world_size(group)

    @classmethod
    def from_state_dict(cls, state: State, group: Any = None) -> DistributedSyllabus:
        """Creates a syllabus with the tasks, settings and state of a state_dict(), which must be
        the same on every rank."""
        return cls(_core.Syllabus.from_state_dict(state), group)

    def __len__(self) -> int:
        return len(self.syllabus)

    @property
    def tasks(self) -> list[str]:
        """The task names, in order."""
        return self.syllabus.tasks

    @property
    def policy(self) -> str:
        """The policy's name."""
        return self.syllabus.policy

    @property
    def settings(self) -> State:
        """The settings of the policy and the reward scale."""
        return self.syllabus.settings

    @property
    def seed(self) -> int:
        """The seed of all draws."""
        return self.syllabus.seed

    @property
    def issued(self) -> int:
        """Number of tickets issued so far."""
        return self.syllabus.issued

    @property
    def rounds(self) -> int:
        """Number of rewards settled so far."""
        return self.syllabus.rounds

    @property
    def outstanding(self) -> int:
        """Number of tickets neither settled nor given up."""
        return self.syllabus.outstanding

    def index(self, task: str) -> int:
        """Returns the index of a task by name."""
        return self.syllabus.index(task)

    @overload
    def draw(self) -> Ticket:
        ...

    @overload
    def draw(self, n: int, *, quotas: bool = False) -> list[Ticket]:
        ...

    def draw(self, n: Optional[int] = None, *, quotas: bool = False) -> Union[Ticket, list[Ticket]]:
        """Draws a task, or a list of n, the same on every rank."""
        return self.syllabus.draw() if n is None else self.syllabus.draw(n, quotas=quotas)

    def ticket_for(self, task: str, *, probability: Optional[float] = None) -> Ticket:
        """Issues a ticket for a task that was drawn elsewhere, the same on every rank."""
        return self.syllabus.ticket_for(task, probability=probability)

    def drop(self, ticket: Ticket) -> None:
        """Gives a ticket up. Every rank must drop the same tickets."""
        self.syllabus.drop(ticket)

    def is_outstanding(self, ticket: Ticket) -> bool:
        """Returns whether the ticket can still be settled."""
        return self.syllabus.is_outstanding(ticket)

    def is_void(self, ticket: Ticket) -> bool:
        """Returns whether the ticket's task was removed while it was outstanding."""
        return self.syllabus.is_void(ticket)

    def probe_task(self, ticket: Ticket) -> str:
        """Returns the name of a uniformly drawn task, always the same for the same ticket."""
        return self.syllabus.probe_task(ticket)

    def probabilities(self) -> dict[str, float]:
        """Returns the distribution that draw() uses, as a dict by task name."""
        return self.syllabus.probabilities()

    def entropy(self) -> float:
        """Entropy of the probabilities, in nats."""
        return self.syllabus.entropy()

    def reward_range(self) -> tuple[float, float]:
        """The raw rewards that now map to -1 and +1; both NaN before the first reward."""
        return self.syllabus.reward_range()

    def add(self, task: str) -> None:
        """Adds a task at the end. Every rank must add the same."""
        self.syllabus.add(task)

    def remove(self, task: str) -> None:
        """Removes a task. Every rank must remove the same."""
        self.syllabus.remove(task)

    def freeze(self, task: str) -> None:
        """Stops drawing the task until unfreeze(), on every rank."""
        self.syllabus.freeze(task)

    def unfreeze(self, task: str) -> None:
        """Lets a frozen task be drawn again, on every rank."""
        self.syllabus.unfreeze(task)

    def limit(
        self,
        task: Union[str, Iterable[str]],
        *,
        floor: Optional[float] = None,
        ceiling: Optional[float] = None,
    ) -> None:
        """Keeps the probability of a task, or of each of a list of tasks, between `floor` and
        `ceiling`, on every rank."""
        self.syllabus.limit(task, floor=floor, ceiling=ceiling)

    def limit_of(self, task: str) -> Limit:
        """Returns the task's Limit(floor, ceiling, frozen)."""
        return self.syllabus.limit_of(task)

    def reward(self, ticket: Ticket, progress: Numbers, cost: float = 1.0) -> Reward:
        """Settles a ticket with the means over all ranks. Blocks until every rank calls it.
        Communicates twice if progress is a list, of several signals."""
        if not isinstance(progress, Sequence):
            rows = self._agreed("ticket", ticket.id, float(progress), float(cost))
            return self.syllabus.reward(ticket, *_means(rows))
        self._agreed("ticket", ticket.id)
        numbers = torch.tensor([*progress, cost], dtype=torch.float64)
        *signals, cost = _means(self._gathered(numbers))
        return self.syllabus.reward(ticket, signals, cost)

    def reward_batch(
        self, tickets: Sequence[Ticket], progress: Numbers, cost: Numbers = 1.0
    ) -> list[Reward]:
        """Settles several tickets with the means over all ranks. Communicates twice."""
        count = len(tickets)
        numbers = [*_numbers("progress", progress, count), *_numbers("cost", cost, count)]
        self._agreed("list of tickets", hash(tuple(ticket.id for ticket in tickets)))
        means = _means(self._gathered(torch.tensor(numbers, dtype=torch.float64)))
        return self.syllabus.reward_batch(tickets, means[:count], means[count:])

    def reward_all(
        self, progress: Mapping[str, float], cost: Union[float, Mapping[str, float]] = 1.0
    ) -> dict[str, Reward]:
        """Rewards all tasks with the means over all ranks. Communicates twice. Arguments that are
        wrong on one rank are refused on all."""
        tasks, refusal = self.tasks, ""
        numbers = [0.0] * (2 * len(tasks))
        try:
            costs = cost if isinstance(cost, Mapping) else dict.fromkeys(tasks, cost)
            numbers = [*self._by_task("progress", progress), *self._by_task("cost", costs)]
        except InputError as error:
            refusal = str(error)
        self._agreed("call", _ALL_TASKS)
        is_refused = float(refusal != "")
        rows = self._gathered(torch.tensor([is_refused, *numbers], dtype=torch.float64))
        self._refuse_together(refusal, [bool(row[0]) for row in rows])
        _, *means = _means(rows)
        return self.syllabus.reward_all(
            dict(zip(tasks, means)), dict(zip(tasks, means[len(tasks) :]))
        )

    def _by_task(self, name: str, numbers: Any) -> list[float]:
        """The numbers in the order of the tasks. Raises InputError unless the keys are the tasks."""
        if not isinstance(numbers, Mapping):
            raise InputError(f"{name} is {numbers!r}, expected a dict with a number for each task")
        for task in numbers:
            if not isinstance(task, str):
                raise InputError(f"{name} has the key {task!r}, expected the name of a task")
            self.syllabus.index(task)
        for task in self.tasks:
            if task not in numbers:
                raise InputError(f'{name} has no entry for "{task}", expected one for each task')
        return [_number(name, numbers[task]) for task in self.tasks]

    def _refuse_together(self, refusal: str, is_refused: list[bool]) -> None:
        """Raises the InputError of the first rank that has one, on every rank."""
        if not any(is_refused):
            return
        refusals: list[Any] = [None] * self.world_size
        dist.all_gather_object(refusals, refusal, group=self.group)
        rank = is_refused.index(True)
        raise InputError(f"on rank {rank}: {refusals[rank]}")

    def check(self) -> None:
        """Raises RanksDiverged if the ranks hold different syllabuses. Every rank must call it."""
        self._agreed("call", _NO_TICKET)

    def fingerprint(self) -> int:
        """A hash of this rank's syllabus. check() compares those of all ranks."""
        return self.syllabus.fingerprint()

    def state_dict(self) -> State:
        """Returns the state. It is the same on every rank, so one rank may save it for all."""
        return self.syllabus.state_dict()

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(), which must be the same on every rank. Another number of
        ranks may have saved it."""
        self.syllabus.load_state_dict(state)

    def _agreed(self, what: str, key: int, *numbers: float) -> list[torch.Tensor]:
        """Returns the numbers of each rank, at most two. Raises RanksDiverged unless all ranks have
        the same syllabus and call this with the same key. A single all_gather of four 64-bit
        values, whatever the call."""
        values = torch.zeros(2, dtype=torch.float64)
        values[: len(numbers)] = torch.tensor(numbers, dtype=torch.float64)
        fingerprint = self.syllabus.fingerprint() >> 1  # to fit in int64
        head = torch.tensor([fingerprint, key])
        rows = self._gathered(torch.cat([head, values.view(torch.int64)]))
        self._compare("syllabus", [int(row[0]) for row in rows])
        self._compare(what, [int(row[1]) for row in rows])
        return [row[2:].view(torch.float64) for row in rows]

    def _gathered(self, mine: torch.Tensor) -> list[torch.Tensor]:
        return gathered(mine, self.group)

    def _compare(self, what: str, values: list[int]) -> None:
        different = [rank for rank, value in enumerate(values) if value != values[0]]
        if not different:
            return
        shown = f"{values[different[0]]} on rank {different[0]} and {values[0]} on rank 0"
        raise RanksDiverged(f"ranks {different} have a different {what} from rank 0: {shown}")


def gathered(mine: torch.Tensor, group: Any = None) -> list[torch.Tensor]:
    """The tensors of all ranks of the group, in their order, on the CPU."""
    if dist.get_backend(group) == "nccl":
        mine = mine.to(torch.device("cuda", torch.cuda.current_device()))
    theirs = [torch.empty_like(mine) for _ in range(dist.get_world_size(group))]
    dist.all_gather(theirs, mine, group=group)
    return [row.cpu() for row in theirs]


def _means(rows: list[torch.Tensor]) -> list[float]:
    """Column means. Every rank adds in rank order, so that they are bit-identical."""
    columns = zip(*(row.tolist() for row in rows))
    return [sum(column) / len(column) for column in columns]


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):  # torch raises RuntimeError for several numbers
        raise InputError(f"{name} is {value!r}, expected a number") from None


def _numbers(name: str, numbers: Numbers, count: int) -> list[float]:
    """A number for each of `count` tickets."""
    try:
        several: list[float] = [float(number) for number in numbers]  # type: ignore[union-attr]
    except TypeError:  # not a list, an array or a tensor with dimensions
        return [float(numbers)] * count  # type: ignore[arg-type]
    if len(several) != count:
        raise InputError(
            f"{name} has {len(several)} numbers, expected one for each of {count} tickets"
        )
    return several
