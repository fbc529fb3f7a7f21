# SPDX-License-Identifier: Apache-2.0
"""Gradus chooses what a neural network studies next.

    syllabus = gradus.Syllabus(["easy", "hard"])
    ticket = syllabus.draw()                # chooses the task of the next batch
    ...                                     # train on a batch of ticket.name
    syllabus.reward(ticket, progress)       # how much the model learned from it

`gradus.torch` measures progress around a PyTorch training step and loads the batches that a
syllabus draws. `gradus.train` trains the engine's own networks on its own curricula.
"""

from importlib.metadata import version as _version

from gradus._core import (
    Gain,
    InputError,
    Policy,
    RewardScale,
    Shuffle,
    Syllabus,
    Training,
    gains,
    policies,
    replay,
    sample_seed,
)
from gradus._tuples import Limit, Reward, Ticket
from gradus.recorder import Recorder, tensorboard
from gradus.runs import Run, find_runs, read_run, resume, train
from gradus.weights import Weights

__version__ = _version("gradus")

__all__ = [
    "Gain",
    "InputError",
    "Limit",
    "Policy",
    "Recorder",
    "Reward",
    "RewardScale",
    "Run",
    "Shuffle",
    "Syllabus",
    "Ticket",
    "Training",
    "Weights",
    "find_runs",
    "gains",
    "policies",
    "read_run",
    "replay",
    "resume",
    "sample_seed",
    "tensorboard",
    "train",
]
