# SPDX-License-Identifier: Apache-2.0
"""A syllabus in TRL's GRPOTrainer and RLOOTrainer."""

from __future__ import annotations

import pathlib
from typing import Any, Optional

from gradus import _core
from gradus._core import InputError
from gradus.reinforcement import Signal
from gradus.torch.prompts import PromptSampler, column
from gradus.torch.trainer import check_data_skip, read_state, write_state


class SyllabusMixin:
    """Draws the task of every prompt. Put it before the trainer's own class:

        class Trainer(SyllabusMixin, GRPOTrainer):
            pass

        trainer = Trainer(...)                        # with a dataset that has a column "task"
        trainer.syllabus = gradus.Syllabus(tasks)
        trainer.train()

    syllabus      the same on every process: same tasks, seed and settings
    task_column   column of the training dataset with the task of each prompt
    signal        "learnability" or "advantage", see progress_by_task()

    Rewards come from the trainer, which gathers those of all processes. Checkpoints contain the
    syllabus (gradus.json); set ignore_data_skip=True to resume. Needs dataloader_num_workers=0.
    """

    syllabus: Optional[_core.Syllabus] = None
    task_column: str = "task"
    signal: Signal = "learnability"
    _prompts: Optional[PromptSampler] = None

    def _get_train_sampler(self, dataset: Any = None) -> PromptSampler:
        trainer: Any = self
        if self.syllabus is None:
            raise InputError("the trainer has no syllabus: set trainer.syllabus before train()")
        if trainer.args.dataloader_num_workers:
            raise InputError(
                f"dataloader_num_workers is {trainer.args.dataloader_num_workers}, expected 0: "
                "workers would draw prompts long before the rewards are known"
            )
        if self._prompts is None:
            data = trainer.train_dataset if dataset is None else dataset
            self._prompts = PromptSampler(
                self.syllabus,
                column(data, self.task_column),
                trainer.args.generation_batch_size // trainer.num_generations,
                each=trainer.num_generations,
                passes=trainer.num_iterations * trainer.args.steps_per_generation,
                ahead=1,  # the loader of accelerate fetches the next batch early
            )
        return self._prompts

    def _calculate_rewards(self, inputs: Any, *arguments: Any, **named: Any) -> Any:
        trainer: Any = super()
        rewards = trainer._calculate_rewards(inputs, *arguments, **named)
        this: Any = self
        if this.model.training and self._prompts is not None:
            weights = this.reward_weights.to(rewards.device).unsqueeze(0)
            self._prompts.reward_attempts((rewards * weights).nansum(dim=1).tolist(), self.signal)
        return rewards

    def _save_checkpoint(self, *arguments: Any, **named: Any) -> None:
        trainer: Any = super()
        trainer._save_checkpoint(*arguments, **named)
        this: Any = self
        if self._prompts is not None and this.args.should_save:
            folder = pathlib.Path(this.args.output_dir) / f"checkpoint-{this.state.global_step}"
            write_state(folder, self._prompts.state_dict())

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        trainer: Any = super()
        trainer._load_from_checkpoint(resume_from_checkpoint, model)
        self._load_syllabus(resume_from_checkpoint)

    def _load_optimizer_and_scheduler(self, checkpoint: Optional[str]) -> None:
        """With DeepSpeed the trainer calls only this one of the two."""
        trainer: Any = super()
        trainer._load_optimizer_and_scheduler(checkpoint)
        if checkpoint is not None:
            self._load_syllabus(checkpoint)

    def _load_syllabus(self, checkpoint: str) -> None:
        trainer: Any = self
        check_data_skip(trainer.args)
        state = read_state(pathlib.Path(checkpoint))
        self._get_train_sampler().load_state_dict(state)
