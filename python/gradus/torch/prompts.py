# SPDX-License-Identifier: Apache-2.0
"""Draws prompts for reinforcement learning: a task for each prompt, and its reward afterwards."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torch.utils.data import Sampler

from gradus import _core
from gradus._core import InputError
from gradus._states import at_least, reading
from gradus._tuples import State, Ticket
from gradus.reinforcement import Signal, progress_by_task
from gradus.torch.data import MixedBatchSampler


class PromptSampler(Sampler[int]):
    """Yields indices of a dataset of prompts, batch by batch. Call reward() or reward_attempts()
    once for every batch.

    syllabus    gradus.Syllabus with the tasks that the prompts belong to
    tasks       the task of each prompt of the dataset
    batch_size  number of different prompts in a batch
    quotas      as for MixedBatchSampler
    each        number of attempts at each prompt, which are compared with each other: the prompt is
                yielded so many times in a row
    passes      number of times that a batch is repeated as a whole
    ahead       number of batches that the loader fetches before the current one is rewarded

    An iteration has as many batches as fit into the dataset. The prompts of a task come without
    replacement, pass by pass. With several processes each makes the same sampler and must get the
    same rewards; the loader gives every process its part. The state includes that of the syllabus.
    """

    def __init__(
        self,
        syllabus: _core.Syllabus,
        tasks: Sequence[str],
        batch_size: int,
        *,
        quotas: bool = False,
        each: int = 1,
        passes: int = 1,
        ahead: int = 0,
    ) -> None:
        self.syllabus = syllabus
        at_least("batch_size", batch_size, 1)
        self.each = at_least("each", each, 1)
        self.passes = at_least("passes", passes, 1)
        self._assignment = _digest(tasks)
        self._members: dict[str, list[int]] = {}
        for place, task in enumerate(tasks):
            self._members.setdefault(task, []).append(place)
        if batch_size > len(tasks):
            raise InputError(f"batch_size is {batch_size}, expected at most {len(tasks)} prompts")
        self._batches = MixedBatchSampler(
            syllabus,
            {task: len(places) for task, places in self._members.items()},
            batch_size,
            quotas=quotas,
            batches=len(tasks) // batch_size,
            ahead=ahead,
            rank=0,
            world_size=1,
        )
        self._handed: deque[list[Ticket]] = deque()

    def __len__(self) -> int:
        return len(self._batches) * self._batches.batch_size * self.each * self.passes

    def __iter__(self) -> Iterator[int]:
        self._handed.clear()
        for batch in self._batches:
            self._handed.append([index[0] for index in batch])
            places = [self._members[index[0].name][index[1]] for index in batch]
            for _ in range(self.passes):
                for place in places:
                    yield from [place] * self.each

    def reward(self, progress: Mapping[str, float]) -> None:
        """Rewards the oldest batch that was not rewarded yet with the progress of each task. The
        tickets of a task without progress are dropped. A task that has no prompts and is not one of
        the syllabus is refused."""
        for task in progress:
            if task not in self._members:
                self.syllabus.index(task)
        if not self._handed:
            raise InputError("there is no batch to reward: call reward() once for each batch")
        tickets = [t for t in self._handed.popleft() if self.syllabus.is_outstanding(t)]
        settled = [ticket for ticket in tickets if ticket.name in progress]
        try:
            self.syllabus.reward_batch(settled, [progress[ticket.name] for ticket in settled])
        finally:
            for ticket in tickets:
                if self.syllabus.is_outstanding(ticket):
                    self.syllabus.drop(ticket)

    def reward_attempts(self, rewards: Sequence[float], signal: Signal = "learnability") -> None:
        """Rewards the oldest batch, given the reward of every attempt in the order in which their
        prompts were yielded, in one pass."""
        tickets = self._handed[0] if self._handed else []
        tasks = [ticket.name for ticket in tickets for _ in range(self.each)]
        groups = [place for place in range(len(tickets)) for _ in range(self.each)]
        self.reward(progress_by_task(tasks, rewards, groups, signal) if tickets else {})

    def state_dict(self) -> State:
        """Returns the states of the syllabus and of the sampler, in plain JSON types."""
        return {
            "syllabus": self.syllabus.state_dict(),
            "batches": self._batches.state_dict(),
            "assignment": self._assignment,
        }

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(). Batches that were not rewarded come again."""
        with reading("sampler", state):
            there = state["assignment"]
            if there != self._assignment:
                raise InputError(
                    f"saved sampler has different tasks of its prompts: their hash is {there}, "
                    f"expected {self._assignment}"
                )
            self.syllabus.load_state_dict(state["syllabus"])
            self._batches.load_state_dict(state["batches"])
        self._handed.clear()


def _digest(tasks: Sequence[str]) -> str:
    """A hash of the task of each prompt."""
    return hashlib.sha256(json.dumps([str(task) for task in tasks]).encode()).hexdigest()[:16]


def column(dataset: Any, name: str) -> list[str]:
    """A column of a dataset of rows, as text. Uses the table of the dataset if it has one."""
    table = getattr(dataset, "dataframe", dataset)
    names = getattr(table, "column_names", None)
    if names is None:
        names = getattr(table, "columns", None)
    rows = list(table[name]) if names is not None and name in names else None
    if rows is None:
        try:
            rows = [dataset[place][name] for place in range(len(dataset))]
        except KeyError as error:
            raise InputError(
                f'the dataset has no column "{name}", expected the task of each prompt'
            ) from error
    return [str(row) for row in rows]
