# SPDX-License-Identifier: Apache-2.0
"""Reinforcement learning: signals of progress from rewards, and environments chosen at reset."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, Optional, cast, get_args

from gradus import _core
from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus._tuples import Ticket

Signal = Literal["learnability", "advantage"]

_OF_RETURNS = ("alsg", "lsg", "lrn")
"""The gains that the return of an episode is enough for."""


def checked_signal(signal: Any) -> Signal:
    """Raises InputError unless it is a signal of progress_by_task()."""
    if signal not in get_args(Signal):
        raise InputError(f'signal is "{signal}", expected "learnability" or "advantage"')
    return cast(Signal, signal)


def progress_by_task(
    tasks: Sequence[str],
    rewards: Sequence[float],
    groups: Optional[Sequence[Hashable]] = None,
    signal: Signal = "learnability",
) -> dict[str, float]:
    """The progress of each task, from the rewards of attempts.

    tasks    the task of each attempt
    rewards  the reward of each attempt: a list, an array or a tensor, as for groups
    groups   the prompt of each attempt; attempts at the same prompt are compared with each other.
             By default all attempts at a task are one group
    signal   "learnability": p (1 - p), p the mean reward of a group, which must be within 0..1.
             "advantage": mean distance of a reward from the mean of its group

    Both are means over the groups of a task. They are 0 for prompts that are always or never solved,
    from which a policy gradient learns nothing.
    """
    checked_signal(signal)
    tasks, rewards = _plain("tasks", tasks), _plain("rewards", rewards)
    groups = tasks if groups is None else _plain("groups", groups)
    if not len(tasks) == len(rewards) == len(groups):
        raise InputError(
            f"there are {len(tasks)} tasks, {len(rewards)} rewards and {len(groups)} groups, "
            "expected as many of each"
        )
    members: dict[str, dict[Hashable, list[float]]] = {}
    for task, group, reward in zip(tasks, groups, rewards):
        members.setdefault(task, {}).setdefault(group, []).append(float(reward))
    return {
        task: sum(_of_group(rewards, signal) for rewards in of_task.values()) / len(of_task)
        for task, of_task in members.items()
    }


def _plain(name: str, values: Any) -> list[Any]:
    """A list of Python's own values. Two equal tensors would be different groups."""
    listed = [each.tolist() if hasattr(each, "tolist") else each for each in values]
    for each in listed:
        if not isinstance(each, Hashable):
            raise InputError(f"{name} contains {each!r}, expected a flat list, array or tensor")
    return listed


def _of_group(rewards: list[float], signal: Signal) -> float:
    mean = sum(rewards) / len(rewards)
    if signal == "advantage":
        return sum(abs(reward - mean) for reward in rewards) / len(rewards)
    for reward in rewards:
        if not 0 <= reward <= 1:
            raise InputError(f"reward is {reward}, expected 0..1 for learnability")
    return mean * (1 - mean)


class SyllabusEnvironment:
    """Several environments as one. Every reset() draws one of them; see syllabus_env()."""

    def __init__(
        self,
        syllabus: SyllabusLike,
        envs: Mapping[str, Any],
        signal: str = "alsg",
        *,
        window: int = 10,
        errors: float = 2.0,
    ) -> None:
        for task in syllabus.tasks:
            if task not in envs:
                raise InputError(f'envs has no entry for "{task}", expected one for each task')
        self.syllabus = syllabus
        self.envs = dict(envs)
        if signal not in _OF_RETURNS:
            raise InputError(
                f'signal is "{signal}", expected one that returns can measure: alsg, lsg or lrn'
            )
        self.gain = _core.Gain(signal, window=window, errors=errors)
        self.ticket: Optional[Ticket] = None
        """The ticket of the current episode; None before the first and after the end of one."""
        self.returned = 0.0
        self._task: Optional[str] = None  # of the last episode
        self.action_space = _shared_space(self.envs, "action_space")
        self.observation_space = _shared_space(self.envs, "observation_space")
        first = next(iter(self.envs.values()))
        for name in ("metadata", "render_mode"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))

    @property
    def env(self) -> Any:
        """The environment of the current episode, or of the last one."""
        if self._task is None:
            raise InputError("no episode has begun: call reset() first")
        return self.envs[self._task]

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Any, dict[str, Any]]:
        """Draws the environment of the next episode. An episode that has not ended earns nothing."""
        self._give_up()
        self.ticket, self.returned = self.syllabus.draw(), 0.0
        self._task = self.ticket.name
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, {**info, "task": self._task}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step of the current environment. The end of an episode settles its ticket."""
        if self.ticket is None:
            raise InputError("no episode has begun, or it has ended: call reset() first")
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.returned += float(reward)
        info = {**info, "task": self._task}
        if terminated or truncated:
            self._settle()
        return observation, reward, terminated, truncated, info

    def _settle(self) -> None:
        assert self.ticket is not None
        ticket, self.ticket = self.ticket, None
        if not self.syllabus.is_outstanding(ticket):
            return  # its task was removed
        measured = {"outputs": 1.0, "loss_before": -self.returned, "answers_right": self.returned}
        try:
            self.syllabus.reward(ticket, self.gain.progress(measured, ticket.name))
        except InputError:
            self.syllabus.drop(ticket)
            raise

    def _give_up(self) -> None:
        """Drops the ticket of an episode that has not ended."""
        ticket, self.ticket = self.ticket, None
        if ticket is not None and self.syllabus.is_outstanding(ticket):
            self.syllabus.drop(ticket)

    def render(self) -> Any:
        """Renders the environment of the current episode, or of the last one."""
        return self.env.render()

    def close(self) -> None:
        """Closes all environments. An episode that has not ended earns nothing."""
        self._give_up()
        for env in self.envs.values():
            env.close()


def _shared_space(envs: Mapping[str, Any], name: str) -> Any:
    """The space that all environments have. Raises InputError if they differ."""
    first, *others = envs
    space = getattr(envs[first], name)
    for task in others:
        theirs = getattr(envs[task], name)
        if theirs != space:
            raise InputError(
                f'{name} of "{task}" is {theirs}, expected {space}, as for "{first}": all '
                "environments must have the same spaces"
            )
    return space


def syllabus_env(
    syllabus: SyllabusLike,
    envs: Mapping[str, Any],
    signal: str = "alsg",
    *,
    window: int = 10,
    errors: float = 2.0,
) -> Any:
    """Returns an environment with Gymnasium's interface whose reset() draws one of `envs`, a dict by
    task name, and whose episodes settle the tickets when they end.

    signal   how returns become progress: "alsg" or "lsg", how fast the return of a task changes or
             rises over the last `window` episodes; "lrn", p (1 - p) for returns within 0..1
    errors   of alsg and lsg: standard errors within which a change counts as 0

    `info` has the task's name. All environments must have the same spaces. The environment is a
    gymnasium.Env if Gymnasium is installed. To resume, save the states of the syllabus and of
    env.gain, which remembers the returns, between two episodes.
    """
    bases: tuple[type, ...] = (SyllabusEnvironment,)
    if importlib.util.find_spec("gymnasium") is not None:
        bases += (importlib.import_module("gymnasium").Env,)
    kind: Any = type("SyllabusEnv", bases, {"__doc__": SyllabusEnvironment.__doc__})
    return kind(syllabus, envs, signal, window=window, errors=errors)
