"""The native engine from Python: train a run, go on with it, read it back."""

from __future__ import annotations

import importlib
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

from gradus import _core
from gradus._core import InputError, Training
from gradus._tuples import State

Path = Union[str, "os.PathLike[str]"]


def train(
    config: Union[Path, Mapping[str, Any], None] = None,
    overrides: Optional[Mapping[str, Any]] = None,
    *,
    folder: Optional[Path] = None,
    threads: int = 1,
) -> Training:
    """Starts a training run of the native engine; iterate over what it returns to train.

        for metrics in gradus.train({"gain": "pg", "network.cells": 64, "steps": 1_000_000}):
            print(metrics["steps"], metrics["target_loss"])

    config     a TOML file, or settings by key, nested or dotted; `gradus train --help` lists them
    overrides  settings that go over those of a file
    folder     of the run, new or empty; runs/CURRICULUM-GAIN-SEED where left out
    threads    to work with; results do not depend on it

    Yields a dict at every evaluation, with None for what does not apply.
    """
    settings = {**(config if isinstance(config, Mapping) else {}), **(overrides or {})}
    file = None if config is None or isinstance(config, Mapping) else os.fspath(config)
    out = None if folder is None else os.fspath(folder)
    return _warned(_core.start_training(file, list(_assignments(settings)), out, threads))


def resume(folder: Path, *, threads: int = 1) -> Training:
    """Goes on with the run in `folder` from its last checkpoint, and ends with the same bits as a
    run that was never stopped."""
    return _warned(_core.resume_training(os.fspath(folder), threads))


class Run(dict[str, Any]):
    """A stored run as plain Python types.

    folder, version, status, settings (as text, by key), tasks, target; metrics: columns by name, a
    value an evaluation, None where it does not apply; task_metrics: steps, and policy, loss and error
    as lists in the order of the tasks.
    """

    def frame(self) -> Any:
        """The metrics as a pandas frame, a row an evaluation."""
        pandas = importlib.import_module("pandas")
        columns = self["metrics"]
        whole = ("steps", "rounds", "refused")
        return pandas.DataFrame(
            {name: _column(values, name in whole) for name, values in columns.items()}
        )

    def task_frame(self) -> Any:
        """The metrics of tasks as a pandas frame, a row an evaluation and task."""
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
    """Reads a stored run; one that is being written too, as it was at one moment."""
    return Run(_core.read_run(os.fspath(folder)))


def find_runs(folder: Path) -> list[str]:
    """The run folders at or below a folder, by name."""
    return _core.find_runs(os.fspath(folder))


def _column(values: list[Any], whole: bool) -> list[Any]:
    return values if whole else [float("nan") if value is None else value for value in values]


def _warned(training: Training) -> Training:
    for message in training.warnings:
        warnings.warn(message, stacklevel=3)
    return training


def _assignments(settings: State, prefix: str = "") -> Iterator[str]:
    """key=value, as the command line has it, with the value in TOML."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _assignments(dict(value), f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}={_toml(prefix + key, value)}"


def _toml(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(key, entry) for entry in value) + "]"
    raise InputError(
        f"{key} is {value!r}, expected a string, a number, a truth value or a list of them"
    )
