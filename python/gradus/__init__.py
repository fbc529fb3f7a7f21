# SPDX-License-Identifier: Apache-2.0
"""Gradus chooses what a neural network studies next.

    syllabus = gradus.Syllabus(["easy", "hard"])
    ticket = syllabus.draw()                # chooses the task of the next batch
    ...                                     # train on a batch of ticket.name
    syllabus.reward(ticket, progress)       # how much the model learned from it

`gradus.torch` measures progress around a PyTorch training step and loads the batches that a
syllabus draws. `gradus.train` trains the engine's own networks on its own curricula.
"""

import typing as _typing
from importlib.metadata import version as _version

from gradus import _core
from gradus._core import (
    Gain,
    InputError,
    Policy,
    RewardScale,
    Shuffle,
    Syllabus,
    gains,
    policies,
    sample_seed,
)
from gradus._tuples import Limit, Reward, Ticket
from gradus.weights import Weights

__version__ = _version("gradus")

__all__ = [
    "Gain",
    "InputError",
    "Limit",
    "Policy",
    "Reward",
    "RewardScale",
    "Shuffle",
    "Syllabus",
    "Ticket",
    "Weights",
    "gains",
    "policies",
    "sample_seed",
]

if not _typing.TYPE_CHECKING and not hasattr(_core, "Training"):  # a wheel of the bandit alone

    def __getattr__(name):
        return getattr(_core, name)  # raises an AttributeError that says so

else:
    from gradus._core import Training, replay
    from gradus.recorder import Recorder, tensorboard
    from gradus.runs import Run, find_runs, read_run, resume, train

    __all__ += [
        "Recorder",
        "Run",
        "Training",
        "find_runs",
        "read_run",
        "replay",
        "resume",
        "tensorboard",
        "train",
    ]
