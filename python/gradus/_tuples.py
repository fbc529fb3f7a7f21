"""What the compiled core hands out: plain tuples, which travel between processes as they are."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple

State = Dict[str, Any]
"""What state_dict() returns: dicts, lists, strings and numbers, as JSON has them."""


class Ticket(NamedTuple):
    """A drawn task, to be settled by `Syllabus.reward` or given up by `Syllabus.drop`."""

    task: int
    """Its place among the tasks at the time of the draw."""
    name: str
    probability: float
    """Of the draw: what the reward is weighed by, however late it comes."""
    id: int


class Reward(NamedTuple):
    """A settled reward."""

    raw: float
    """progress / cost"""
    scaled: float
    """In [-1, 1]: what the policy learned from."""


class Limit(NamedTuple):
    """What a user says about one task's probability."""

    floor: float
    ceiling: float
    frozen: bool
