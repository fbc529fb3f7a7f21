# SPDX-License-Identifier: Apache-2.0
"""What the package asks of a syllabus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional, Protocol, Union, overload

from gradus._tuples import Reward, State, Ticket

Numbers = Union[float, Sequence[float]]


class SyllabusLike(Protocol):
    """gradus.Syllabus and gradus.torch.DistributedSyllabus provide it."""

    @property
    def tasks(self) -> list[str]:
        ...

    @property
    def policy(self) -> str:
        ...

    @property
    def settings(self) -> State:
        ...

    @property
    def seed(self) -> int:
        ...

    @property
    def issued(self) -> int:
        ...

    @property
    def rounds(self) -> int:
        ...

    def index(self, task: str) -> int:
        ...

    def probabilities(self) -> dict[str, float]:
        ...

    def reward_range(self) -> tuple[float, float]:
        ...

    @overload
    def draw(self) -> Ticket:
        ...

    @overload
    def draw(self, n: int, *, quotas: bool = False) -> list[Ticket]:
        ...

    def ticket_for(self, task: str, *, probability: Optional[float] = None) -> Ticket:
        ...

    def reward(self, ticket: Ticket, progress: Numbers, cost: float = 1.0) -> Reward:
        ...

    def reward_batch(
        self, tickets: Sequence[Ticket], progress: Numbers, cost: Numbers = 1.0
    ) -> list[Reward]:
        ...

    def drop(self, ticket: Ticket) -> None:
        ...

    def is_outstanding(self, ticket: Ticket) -> bool:
        ...

    def is_void(self, ticket: Ticket) -> bool:
        ...

    def probe_task(self, ticket: Ticket) -> str:
        ...

    def state_dict(self) -> State:
        ...

    def load_state_dict(self, state: State) -> None:
        ...
