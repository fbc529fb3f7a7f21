# SPDX-License-Identifier: Apache-2.0
"""Gradus in a PyTorch training loop: measures progress at each step, loads the batches that a
syllabus draws, makes the same choices on every rank, and loads the networks of the engine's own
runs. Importing this module imports torch; `import gradus` does not.
"""

from gradus.torch.data import (
    MixedBatch,
    MixedBatchSampler,
    MixedCollate,
    SyllabusBatchSampler,
    TaskDataset,
    TicketBatch,
    TicketCollate,
)
from gradus.torch.distributed import DistributedSyllabus, RanksDiverged
from gradus.torch.gains import Gain, Step
from gradus.torch.measure import Gaussian
from gradus.torch.mixed import MixedStep
from gradus.torch.network import Network, load_network
from gradus.torch.prompts import PromptSampler
from gradus.torch.reader import TaskStreams
from gradus.torch.stream import SyllabusDataset
from gradus.torch.trainer import TicketFeed, trainer_callback

__all__ = [
    "DistributedSyllabus",
    "Gain",
    "Gaussian",
    "MixedBatch",
    "MixedBatchSampler",
    "MixedCollate",
    "MixedStep",
    "Network",
    "PromptSampler",
    "RanksDiverged",
    "Step",
    "SyllabusBatchSampler",
    "SyllabusDataset",
    "TaskDataset",
    "TaskStreams",
    "TicketBatch",
    "TicketCollate",
    "TicketFeed",
    "load_network",
    "trainer_callback",
]
