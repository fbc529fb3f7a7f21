# SPDX-License-Identifier: Apache-2.0
"""The tuples that the compiled core returns. They are plain, so they can be pickled."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple

State = Dict[str, Any]
"""What state_dict() returns: dicts, lists, strings and numbers, as in JSON."""


class Ticket(NamedTuple):
    """A drawn task. `Syllabus.reward` settles it; `Syllabus.drop` gives it up."""

    task: int
    """Index of the task at the time of the draw."""
    name: str
    probability: float
    """Probability of the draw. It sets the importance weight of the reward, even a late one."""
    id: int


class Reward(NamedTuple):
    """A settled reward."""

    raw: float
    """progress / cost"""
    scaled: float
    """In [-1, 1]: the value that the policy learned from."""


class Limit(NamedTuple):
    """The limits that a user set on one task's probability."""

    floor: float
    ceiling: float
    frozen: bool
