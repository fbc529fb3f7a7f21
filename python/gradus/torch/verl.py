# SPDX-License-Identifier: Apache-2.0
"""A curriculum sampler for verl, which must be installed. In verl's configuration:

    data:
      dataloader_num_workers: 0
      sampler:
        class_path: pkg://gradus.torch.verl
        class_name: SyllabusSampler
        task_key: data_source            # these six may be left out
        signal: learnability             # or: advantage
        policy: exp3s
        eta: 0.05
        seed: 1
        quotas: false
"""

from __future__ import annotations

import importlib
from typing import Any

from gradus import _core
from gradus._states import reading
from gradus._tuples import State, Ticket
from gradus.reinforcement import checked_signal, progress_by_task
from gradus.torch.prompts import PromptSampler, column

_sampler: Any = importlib.import_module("verl.experimental.dataset.sampler")


class SyllabusSampler(PromptSampler, _sampler.AbstractCurriculumSampler):  # type: ignore[misc]
    """Draws the task of every prompt, and learns from the rewards of its attempts.

    The tasks are the values of the dataset's column `task_key`. verl saves the sampler's state, with
    that of the syllabus, together with its loader.
    """

    def __init__(self, data_source: Any, data_config: Any) -> None:
        settings = data_config.sampler
        self.task_key = str(settings.get("task_key", "data_source"))
        self.signal = checked_signal(settings.get("signal", "learnability"))
        tasks = column(data_source, self.task_key)
        chosen: Any = {key: settings[key] for key in ("eta", "seed") if key in settings}
        syllabus = _core.Syllabus(sorted(set(tasks)), settings.get("policy", "exp3s"), **chosen)
        size = data_config.get("gen_batch_size", None) or data_config.train_batch_size
        super().__init__(syllabus, tasks, size, quotas=settings.get("quotas", False))

    def update(self, batch: Any) -> None:
        """Called by verl after every training step, with the batch that it trained on."""
        tasks = [str(task) for task in batch.non_tensor_batch[self.task_key]]
        if self.signal == "advantage" and "advantages" in batch.batch:
            mask = batch.batch["response_mask"]
            sizes = (batch.batch["advantages"].abs() * mask).sum(-1) / mask.sum(-1).clamp(min=1)
            self.reward(_means(tasks, sizes.tolist()))
            return
        scores = batch.batch["token_level_scores"].sum(-1).tolist()
        groups = list(batch.non_tensor_batch["uid"])
        self.reward(progress_by_task(tasks, scores, groups, self.signal))

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict(). verl saves after training on a batch and before update(),
        so that batch does not come again: its tickets are dropped."""
        with reading("sampler", state):
            self.syllabus.load_state_dict(state["syllabus"])
            for batch in state["batches"]["drawn"][: state["batches"]["handed"]]:
                for entry in batch:
                    self.syllabus.drop(Ticket(*entry[:4]))
        super().load_state_dict({**state, "syllabus": self.syllabus.state_dict()})


def _means(tasks: list[str], values: list[float]) -> dict[str, float]:
    of_task: dict[str, list[float]] = {}
    for task, value in zip(tasks, values):
        of_task.setdefault(task, []).append(value)
    return {task: sum(each) / len(each) for task, each in of_task.items()}
