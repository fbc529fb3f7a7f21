# SPDX-License-Identifier: Apache-2.0
"""Records a training loop of yours as a run, which `gradus report`, `serve` and `export` read."""

from __future__ import annotations

import json
import math
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Optional, Protocol, SupportsFloat, SupportsIndex, Type, Union

from gradus import _core
from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus.runs import dotted, no_setting

Mirror = Callable[[dict[str, float], int], object]
"""Called with the scalars of an evaluation, by name, and the steps."""

# Settings that Recorder sets itself, and those of the engine's own runs that reports interpret.
_RESERVED = ("curriculum", "gain", "policy", "seed", "steps")
_RESERVED_TABLES = ("stop.", "syllabus.")


class Recorder:
    """Records a run of your own training loop, in the folder format of `gradus train`.

        with gradus.Recorder("runs/mine", syllabus, gain="pg", steps=1_000_000) as recorder:
            ...                                             # in your loop, now and then:
            recorder.log(steps, losses={"easy": 0.1, "hard": 2.3}, training_loss=0.9)

    folder      folder of the run, new or empty
    syllabus    its tasks, policy and seed are stored, and at every log() its probabilities
    gain        what rewards the policy: a name of gains(), or one of your own. Reports group runs by
                it and compare them with those of "uniform", the default for a uniform policy
    steps       how long the run is to be, in the unit of log(); None if you do not know
    curriculum  what reports call the set of tasks; all runs of a report must have the same
    target      the task that matters, if there is one; otherwise runs are compared by the mean
                loss
    measure     another metric that runs are compared by, such as "target_loss" if you log one that
                belongs to no task
    seed        of your loop; by default the syllabus's
    settings    anything else that tells runs apart, such as {"lr": 1e-3}: a dict, nested or with
                dotted keys. Runs with different settings are different groups in a report
    resume      steps of the checkpoint from which your loop continues the run in `folder`. What was
                logged after it is deleted. 0 also starts a run if the folder has none
    mirrors     functions that get every evaluation too, as (dict of scalars, steps): wandb.log,
                mlflow.log_metrics and trackio.log fit; for TensorBoard, tensorboard(writer)

    The run is "running" while the recorder is open. At the end of the `with` statement it is
    "finished", after Ctrl-C or SystemExit "stopped", after another exception "failed"; finish(),
    stop() and fail() do the same without `with`. If the process dies, the run counts as stopped.
    With several ranks, make a recorder on one of them.
    """

    def __init__(
        self,
        folder: Union[str, os.PathLike[str]],
        syllabus: SyllabusLike,
        *,
        gain: Optional[str] = None,
        steps: Optional[int] = None,
        curriculum: str = "own tasks",
        target: Optional[str] = None,
        measure: Optional[str] = None,
        seed: Optional[int] = None,
        settings: Optional[Mapping[str, Any]] = None,
        resume: Optional[int] = None,
        mirrors: Sequence[Mirror] = (),
    ) -> None:
        if gain is None:
            gain = "uniform" if syllabus.policy == "uniform" else "progress"
        facts = {
            "curriculum": curriculum,
            "gain": gain,
            "policy": syllabus.policy,
            "seed": str(_whole("seed", syllabus.seed if seed is None else seed)),
        }
        for name, value in facts.items():
            if not isinstance(value, str) or not value:
                raise InputError(f"{name} is {value!r}, expected a text that is not empty")
        if steps is not None:
            facts["steps"] = str(_whole("steps", steps, least=1))
        for key, value in syllabus.settings.items():
            if gain != "uniform" or key != "probabilities":  # they follow from the tasks
                facts[f"syllabus.{key}"] = _text(key, value)
        facts.update(_own_settings(settings or {}))
        at = None if resume is None else _whole("resume", resume, least=0)
        for mirror in mirrors:
            if not callable(mirror):
                raise InputError(f"mirrors contains {mirror!r}, expected functions")
        self.folder = os.fspath(folder)
        self.syllabus = syllabus
        self.mirrors = list(mirrors)
        self._run = _core.RunWriter(
            self.folder, facts, syllabus.tasks, target or "", measure or "", at
        )

    @property
    def steps(self) -> int:
        """Steps of the last log(), or those at which the run was resumed."""
        return self._run.steps

    def log(
        self,
        steps: SupportsIndex,
        losses: Optional[Mapping[str, SupportsFloat]] = None,
        *,
        errors: Optional[Mapping[str, SupportsFloat]] = None,
        rounds: Optional[int] = None,
        **metrics: SupportsFloat,
    ) -> None:
        """Stores an evaluation, with the probabilities of the moment.

        steps    how far the run is, in a unit of your choice: samples, tokens, batches. Must grow
        losses   held-out loss of each task, or of some, in nats per output; finite
        errors   share of wrong answers of each task, from 0 to 1
        rounds   number of batches so far; by default the number of rewards
        metrics  training_loss, gradient_norm and others by name (docs/runs.md)

        The target's loss and the means over all tasks follow from `losses` and `errors`, the
        entropy and the range of rewards from the syllabus; a metric that you pass replaces them.
        """
        tasks = self.syllabus.tasks
        probabilities = self.syllabus.probabilities()
        given = {name: _metric(name, value) for name, value in metrics.items()}
        low, high = self.syllabus.reward_range()
        ranges = {"reward_low": low, "reward_high": high}
        by_task = {
            "policy": [probabilities[task] for task in tasks],
            "loss": _by_task("loss", losses or {}, tasks, _loss),
            "error": _by_task("error", errors or {}, tasks, _share),
        }
        at = _whole("steps", steps, least=0)
        count = self.syllabus.rounds if rounds is None else _whole("rounds", rounds, least=0)
        scalars = self._run.add(at, count, {**ranges, **given}, tasks, *by_task.values())
        for name, values in by_task.items():
            for task, value in zip(tasks, values):
                if not math.isnan(value):
                    scalars[f"{name}/{task}"] = value
        for mirror in self.mirrors:
            mirror(dict(scalars), at)

    def note(self, message: str) -> None:
        """Stores an event with a message of yours, which `gradus show` and `serve` list."""
        self._run.note("note", message)

    def finish(self) -> None:
        """Marks the run as finished and closes the recorder."""
        self._run.close("finished", "")

    def stop(self, reason: str = "") -> None:
        """Marks the run as stopped, to be resumed later, and closes the recorder."""
        self._run.close("stopped", reason)

    def fail(self, reason: str) -> None:
        """Marks the run as failed and closes the recorder."""
        self._run.close("failed", reason)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.finish()
        elif issubclass(kind, Exception):
            self.fail(f"{kind.__name__}: {error}")
        else:
            self.stop(kind.__name__)


class _Writer(Protocol):
    def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> object:
        ...


def tensorboard(writer: _Writer) -> Mirror:
    """Returns a mirror for Recorder that writes to TensorBoard.

    writer   a torch.utils.tensorboard.SummaryWriter, or any object with its add_scalar
    """

    def mirror(scalars: dict[str, float], steps: int) -> None:
        for name, value in scalars.items():
            writer.add_scalar(name, value, steps)

    return mirror


def _own_settings(settings: Mapping[str, Any]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, value in dotted(settings):
        if key in _RESERVED or key.startswith(_RESERVED_TABLES):
            raise InputError(
                f"settings contains {key}, a name that Recorder reserves; choose another"
            )
        texts[key] = _text(key, value)
    return texts


def _text(key: str, value: Any) -> str:
    """A setting as it is stored: JSON without the quotes of a string."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    try:
        return json.dumps(value)
    except TypeError:
        raise no_setting(key, value) from None


def _whole(name: str, value: Any, least: Optional[int] = None) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or (least is not None and number < least):
        wanted = "" if least is None else f", {least} or more"
        raise InputError(f"{name} is {value!r}, expected a whole number{wanted}")
    return number


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, RuntimeError):  # torch raises RuntimeError for several numbers
        number = math.nan
    if math.isnan(number):
        raise InputError(f"{name} is {value!r}, expected a number; leave out what is not measured")
    return number


def _metric(name: str, value: Any) -> float:
    read = {"loss": _loss, "error": _share}.get(name.rpartition("_")[2], _number)
    return read(name, value)


def _loss(name: str, value: Any) -> float:
    number = _number(name, value)
    if math.isinf(number):
        raise InputError(f"{name} is {number}, expected a finite number")
    return number


def _share(name: str, value: Any) -> float:
    number = _number(name, value)
    if not 0 <= number <= 1:
        raise InputError(f"{name} is {number}, expected a share from 0 to 1")
    return number


def _by_task(
    what: str,
    values: Mapping[str, Any],
    tasks: Sequence[str],
    read: Callable[[str, Any], float],
) -> list[float]:
    for task in values:
        if task not in tasks:
            raise InputError(
                f'{what} of an unknown task "{task}"; the tasks are {", ".join(tasks)}'
            )
    return [
        read(f'the {what} of task "{task}"', values[task]) if task in values else math.nan
        for task in tasks
    ]
