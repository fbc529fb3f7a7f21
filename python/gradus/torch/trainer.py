# SPDX-License-Identifier: Apache-2.0
"""A syllabus in the Trainer of Hugging Face transformers, which is imported lazily."""

from __future__ import annotations

import importlib
import json
import os
import pathlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any, Optional, Protocol, Union, cast

from gradus._core import InputError
from gradus._tuples import State
from gradus.torch.data import TicketBatch
from gradus.torch.gains import Gain, Step

STATE_FILE = "gradus.json"
TRAINER_FILE = "trainer_state.json"


class Stateful(Protocol):
    """A SyllabusBatchSampler or a SyllabusDataset."""

    def state_dict(self) -> State:
        ...

    def load_state_dict(self, state: State) -> None:
        ...


def write_state(folder: pathlib.Path, state: State) -> None:
    """Writes STATE_FILE of a checkpoint, by an atomic replacement."""
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / (STATE_FILE + ".new")
    temporary.write_text(json.dumps(state))
    temporary.replace(folder / STATE_FILE)


def read_state(folder: pathlib.Path) -> Any:
    """Reads STATE_FILE of a checkpoint."""
    path = folder / STATE_FILE
    if not path.is_file():
        raise InputError(f"{path}: no such file, expected a checkpoint saved with a syllabus")
    return json.loads(path.read_text())


def check_data_skip(args: Any) -> None:
    """Raises InputError if a trainer with these arguments would skip data when it resumes."""
    if not args.ignore_data_skip:
        raise InputError(
            "ignore_data_skip is False, expected True to resume: the trainer would skip batches, "
            "but the sampler itself continues with the first one that is left"
        )


class TicketFeed:
    """Wraps a loader of TicketBatch for a Trainer: yields the batches without their tickets and
    keeps the tickets in the order of the batches."""

    def __init__(self, loader: Iterable[TicketBatch]) -> None:
        self.loader = loader
        self.handed: deque[TicketBatch] = deque()
        self.after_handing: Optional[Callable[[], None]] = None

    def __len__(self) -> int:
        return len(cast(Sized, self.loader))

    def __iter__(self) -> Iterator[Any]:
        self.handed.clear()
        for ticket, data in self.loader:
            self.handed.append(TicketBatch(ticket, data))
            if self.after_handing is not None:
                self.after_handing()
            yield data


class TrainerHooks:
    """Handles the Trainer's events. An optimiser step takes one batch, or several if gradients are
    accumulated. A Trainer may fetch batches before it needs them."""

    def __init__(self, gain: Gain, feed: TicketFeed, sampler: Stateful) -> None:
        self.gain = gain
        self.feed = feed
        self.sampler = sampler
        self._open: list[Step] = []
        self._due = 0
        self._is_loaded = False
        feed.after_handing = self._begin_due

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Loads the checkpoint from which the Trainer resumes, unless load() was called. Gives up
        what is left of a train() that failed."""
        self._give_up()
        is_loaded, self._is_loaded = self._is_loaded, False
        if state.global_step == 0:
            return
        check_data_skip(args)
        if not is_loaded:
            self._load(self._resumed_from(args, state))

    def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._due = 1
        self._begin_due()

    def on_substep_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._due = 1
        self._begin_due()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._due = 0
        for step in self._open:
            step.finish()
        self._open.clear()

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if not state.is_world_process_zero:
            return
        folder = pathlib.Path(args.output_dir) / f"checkpoint-{state.global_step}"
        saved = {
            "syllabus": self.gain.syllabus.state_dict(),
            "sampler": self.sampler.state_dict(),
            "gain": self.gain.state_dict(),
        }
        write_state(folder, saved)

    def _resumed_from(self, args: Any, state: Any) -> pathlib.Path:
        """The checkpoint of the output folder at this step, if the Trainer's state is its own."""
        folder = pathlib.Path(args.output_dir) / f"checkpoint-{state.global_step}"
        path = folder / TRAINER_FILE
        history = json.loads(path.read_text())["log_history"] if path.is_file() else None
        if history != state.log_history:
            raise InputError(
                f"the Trainer resumes at step {state.global_step}, but not from {folder}: call "
                "callback.load(checkpoint) with the folder of the checkpoint before Trainer.train"
            )
        return folder

    def load(self, checkpoint: Union[str, os.PathLike[str]]) -> None:
        """Continues from the state in a checkpoint folder. Only needed if it is not in the
        Trainer's output_dir. Call it before Trainer.train."""
        self._give_up()  # while the syllabus knows the tickets
        self._load(pathlib.Path(checkpoint))
        self._is_loaded = True

    def _load(self, checkpoint: pathlib.Path) -> None:
        saved = read_state(checkpoint)
        self.gain.syllabus.load_state_dict(saved["syllabus"])
        self.sampler.load_state_dict(saved["sampler"])
        self.gain.load_state_dict(saved.get("gain"))  # None in checkpoints of older versions

    def _give_up(self) -> None:
        """Drops the tickets of steps that were begun and not finished."""
        self._due = 0
        for step in self._open:
            step.drop()
        self._open.clear()

    def _begin_due(self) -> None:
        if self._due and self.feed.handed:
            self._due = 0
            ticket, batch = self.feed.handed.popleft()
            step = self.gain.step(ticket, batch)
            step.begin()
            self._open.append(step)


def trainer_callback(gain: Gain, feed: TicketFeed, sampler: Stateful) -> Any:
    """Returns a transformers.TrainerCallback that measures `gain` around each optimiser step,
    settles the tickets, and saves the syllabus in the Trainer's checkpoints (gradus.json).

        feed = TicketFeed(DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate()))

        class SyllabusTrainer(Trainer):
            def get_train_dataloader(self):
                return feed

        callback = trainer_callback(gain, feed, sampler)
        SyllabusTrainer(..., callbacks=[callback]).train()

    To resume, set TrainingArguments(ignore_data_skip=True), because the sampler itself knows which
    batches are left, and call train(resume_from_checkpoint=...). The state is then loaded from the
    checkpoint in output_dir. For a checkpoint in another folder, call callback.load(checkpoint).
    """
    transformers = importlib.import_module("transformers")
    kind = type("SyllabusCallback", (TrainerHooks, transformers.TrainerCallback), {})
    return kind(gain, feed, sampler)
