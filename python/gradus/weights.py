# SPDX-License-Identifier: Apache-2.0
"""The current mixture, for loaders that do their own sampling."""

from __future__ import annotations

import json
import math
import os
import pathlib
from collections.abc import Mapping
from typing import Any, Optional, Union

from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus._states import at_least, reading
from gradus._tuples import Reward, State, Ticket

_FORMAT = "gradus-mixture"
_VERSION = 1


class Weights:
    """Publishes the mixture of a syllabus, as a callable and as a JSON file.

        weights = Weights(syllabus, "mixture.json")
        mixture = weights()                 # {'web': 0.7, 'code': 0.3}, for the loader
        version = weights.version           # of this mixture; travels with the samples
        weights.reward({"web": 0.02, "code": 0.05}, {"web": 180, "code": 76}, version)

    path   file to which every new mixture is written, by an atomic replacement; None for no file
    keep   number of versions to remember

    A call returns the current mixture and, if it has changed, publishes it as a new version. A
    sample that was drawn by an older version is weighted by the probability that its task had then.
    Rewards of a version that is no longer remembered are not used; they are counted in `stale`.
    """

    def __init__(
        self,
        syllabus: SyllabusLike,
        path: Union[str, os.PathLike[str], None] = None,
        *,
        keep: int = 100,
    ) -> None:
        self.syllabus = syllabus
        self.path = None if path is None else pathlib.Path(path)
        self.keep = at_least("keep", keep, 1)
        self.version = -1
        """The version of the last mixture; -1 before the first call."""
        self.stale = 0
        """Number of tasks whose rewards came too late."""
        self._published: dict[int, dict[str, float]] = {}

    def __call__(self) -> dict[str, float]:
        mixture = self.syllabus.probabilities()
        if self._published.get(self.version) != mixture:
            self.version += 1
            self._published[self.version] = mixture
            self._published.pop(self.version - self.keep, None)
            self._write()
        return dict(mixture)

    def reward(
        self,
        progress: Mapping[str, float],
        counts: Mapping[str, int],
        version: int,
        cost: Union[float, Mapping[str, float]] = 1.0,
    ) -> dict[str, Reward]:
        """Rewards tasks for samples that were drawn by the mixture `version`.

        progress  of each task that the samples contain
        counts    number of its samples. Each counts as a draw
        cost      of each task, or of all; the raw reward is progress / cost

        Returns the last Reward of each task; nothing if the version is no longer remembered. A task
        that was removed since then earns nothing. If something is wrong, nothing is rewarded.
        """
        costs = cost if isinstance(cost, Mapping) else dict.fromkeys(progress, cost)
        mixture = self._checked(progress, counts, version, costs)
        if mixture is None:
            self.stale += len(progress)
            return {}
        tasks = set(self.syllabus.tasks)
        drawn = [task for task in progress if task in tasks for _ in range(counts[task])]
        tickets: list[Ticket] = []
        try:
            for task in drawn:
                tickets.append(self.syllabus.ticket_for(task, probability=mixture[task]))
            rewards = self.syllabus.reward_batch(
                tickets, [progress[task] for task in drawn], [costs[task] for task in drawn]
            )
        except BaseException:
            for ticket in tickets:
                self.syllabus.drop(ticket)
            raise
        return dict(zip(drawn, rewards))

    def _checked(
        self,
        progress: Mapping[str, float],
        counts: Mapping[str, int],
        version: int,
        costs: Mapping[str, float],
    ) -> Optional[dict[str, float]]:
        """Raises InputError if the arguments of reward() do not fit each other. Returns the mixture
        of the version; None if it is no longer remembered."""
        if not 0 <= version <= self.version:
            raise InputError(f"version is {version}, expected one from 0 to {self.version}")
        for name, others in (("counts", counts), ("cost", costs)):
            if set(progress) != set(others):
                raise InputError(
                    f"progress has the tasks {sorted(progress)} and {name} {sorted(others)}, "
                    "expected the same"
                )
        for task, count in counts.items():
            if count < 0:
                raise InputError(f'counts has {count} for "{task}", expected 0 or more')
        mixture = self._published.get(version)
        if mixture is not None:
            for task in progress:
                if not mixture.get(task, 0) > 0:
                    raise InputError(f'task "{task}" was not in the mixture of version {version}')
        return mixture

    def _write(self) -> None:
        if self.path is None:
            return
        text = json.dumps(
            {"format": _FORMAT, "version": self.version, "weights": self._published[self.version]}
        )
        temporary = self.path.with_name(self.path.name + ".new")
        with open(temporary, "w") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self.path)

    def state_dict(self) -> State:
        """Returns the state in plain JSON types. Save it with the syllabus's own state_dict()."""
        return {
            "format": _FORMAT,
            "state": _VERSION,
            "version": self.version,
            "stale": self.stale,
            "published": [[version, mixture] for version, mixture in self._published.items()],
        }

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(). Writes the last mixture to the file again."""
        with reading("weights", state):
            for key, ours in (("format", _FORMAT), ("state", _VERSION)):
                if state.get(key) != ours:
                    raise InputError(
                        f"saved weights have a different {key}: {state.get(key)!r}, expected {ours!r}"
                    )
            version = at_least("saved version", state["version"], -1)
            stale = at_least("saved stale", state["stale"], 0)
            published = dict(_read_published(entry) for entry in state["published"])
            if max(published, default=-1) != version:
                raise InputError(f"saved weights have no mixture of their version, {version}")
        self.version, self.stale, self._published = version, stale, published
        if self._published:
            self._write()


def _read_published(entry: Any) -> tuple[int, dict[str, float]]:
    version, mixture = entry
    for task, weight in mixture.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise InputError(
                f'saved weight of "{task}" is {weight!r}, expected a number, 0 or more'
            )
    return at_least("saved version", version, 0), dict(mixture)
