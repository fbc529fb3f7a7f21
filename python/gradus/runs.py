# SPDX-License-Identifier: Apache-2.0
"""The native engine from Python: start, resume and read training runs."""

from __future__ import annotations

import importlib
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

from gradus import _core
from gradus._core import InputError, Training

Path = Union[str, "os.PathLike[str]"]


def train(
    config: Union[Path, Mapping[str, Any], None] = None,
    overrides: Optional[Mapping[str, Any]] = None,
    *,
    folder: Optional[Path] = None,
    threads: int = 1,
) -> Training:
    """Starts a training run of the native engine. Iterate over the result to train.

        for metrics in gradus.train({"gain": "pg", "network.cells": 64, "steps": 1_000_000}):
            print(metrics["steps"], metrics["target_loss"])

    config     a TOML file, or a dict of settings with nested or dotted keys; `gradus train --help`
               lists them
    overrides  settings that override those of `config`
    folder     folder of the run, new or empty. By default runs/CURRICULUM-GAIN-SEED, followed by
               .2, .3 and so on if that is taken
    threads    number of threads; results do not depend on it

    Yields a dict at every evaluation. A metric that does not apply is None.
    """
    given = dict(dotted(overrides or {}))
    base = dotted(config) if isinstance(config, Mapping) else ()
    settings = [*((key, value) for key, value in base if key not in given), *given.items()]
    file = None if config is None or isinstance(config, Mapping) else os.fspath(config)
    out = None if folder is None else os.fspath(folder)
    assignments = [f"{key}={_toml(key, value)}" for key, value in settings]
    return _warned(_core.start_training(file, assignments, out, threads))


def resume(folder: Path, *, threads: int = 1) -> Training:
    """Resumes the run in `folder` from its last checkpoint. The result is bit for bit that of a run
    that was never stopped."""
    return _warned(_core.resume_training(os.fspath(folder), threads))


class Run(dict[str, Any]):
    """A stored run as plain Python types.

    Keys: folder, version, status, settings (key to text), tasks, target, metrics, task_metrics.

    metrics       columns by name, each with one value per evaluation; None if it does not apply
    task_metrics  the columns steps, policy, loss and error, each with one entry per evaluation; an
                  entry of the last three is a list in the order of the tasks
    """

    def frame(self) -> Any:
        """Returns the metrics as a pandas DataFrame with one row per evaluation."""
        pandas = importlib.import_module("pandas")
        columns = self["metrics"]
        whole = ("steps", "rounds", "refused")
        return pandas.DataFrame(
            {name: _column(values, name in whole) for name, values in columns.items()}
        )

    def task_frame(self) -> Any:
        """Returns the metrics of the tasks as a DataFrame with one row per evaluation and task."""
        pandas = importlib.import_module("pandas")
        columns, tasks = self["task_metrics"], self["tasks"]
        rows: dict[str, list[Any]] = {"steps": [], "task": []}
        for steps in columns["steps"]:
            rows["steps"] += [steps] * len(tasks)
            rows["task"] += tasks
        for name in ("policy", "loss", "error"):
            values = (list(row) or [None] * len(tasks) for row in columns[name])
            rows[name] = _column([value for row in values for value in row], False)
        return pandas.DataFrame(rows)


def read_run(folder: Path) -> Run:
    """Reads a stored run. If it is still being written, returns a consistent snapshot."""
    return Run(_core.read_run(os.fspath(folder)))


def find_runs(folder: Path) -> list[str]:
    """Returns the run folders at or below `folder`, sorted by name."""
    return _core.find_runs(os.fspath(folder))


def _column(values: list[Any], whole: bool) -> list[Any]:
    return values if whole else [float("nan") if value is None else value for value in values]


def _warned(training: Training) -> Training:
    for message in training.warnings:
        warnings.warn(message, stacklevel=3)
    return training


def dotted(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yields the keys, with dots, and the values."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from dotted(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def no_setting(key: str, value: Any) -> InputError:
    """The error for a value that no setting can have."""
    return InputError(f"{key} is {value!r}, expected a string, a number, a bool or a list of them")


def _toml(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(key, entry) for entry in value) + "]"
    raise no_setting(key, value)
