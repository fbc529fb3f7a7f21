# SPDX-License-Identifier: Apache-2.0
"""Measures a training step on a batch of several tasks: one progress per task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

import torch
from torch import Tensor

from gradus._core import InputError
from gradus._tuples import Reward, Ticket
from gradus.torch.measure import RandomState
from gradus.torch.step import MeasuredStep

if TYPE_CHECKING:
    from gradus.torch.gains import Gain


class MixedStep(MeasuredStep):
    """Measures a step on a mixed batch with one forward pass before it and one after it. The
    progress of a task is computed from the mean losses of its samples, and settles all its tickets
    of the batch."""

    def __init__(self, gain: Gain, tickets: Sequence[Ticket], batch: Any) -> None:
        super().__init__(gain.syllabus, tickets)
        self.gain = gain
        self.tickets = tickets
        self.batch = batch
        self.progress: dict[str, float] = {}
        """The measured gain of each task in the batch; empty until the step is finished."""
        self.rewards: list[Reward] = []
        """A reward per ticket, without those whose tasks were removed; empty if refused."""
        self._before: Optional[dict[str, float]] = None
        names = [ticket.name for ticket in tickets]
        self._tasks = list(dict.fromkeys(names))
        places = {task: place for place, task in enumerate(self._tasks)}
        self._places = torch.tensor([places[name] for name in names])

    def report(self, losses: Tensor) -> None:
        """Reports the step's own losses, one per sample, from before the update. Only used if
        reuse=True."""
        if self.gain.reuse:
            self._before = self._by_task("report", losses)

    def _measure_before(self) -> None:
        self._random = RandomState(self.gain.model.parameters())
        if not self.gain.reuse:
            self._before = self._losses()

    def _measure_after(self) -> None:
        if self._before is None:
            raise InputError(
                "reuse=True, but no losses were reported: call step.report(losses) in the block"
            )
        after = self._losses() if self.gain.needs["loss_after"] else {}
        for task, before in self._before.items():
            measured = {"outputs": 1.0, "loss_before": before}
            if after:
                measured["loss_after"] = after[task]
            self.progress[task] = self.gain.core.progress(measured, task)

    def _settle(self) -> None:
        costs = self._costs()
        tickets = self._outstanding()
        try:
            self.rewards = self.gain.syllabus.reward_batch(
                tickets,
                [self.progress[ticket.name] for ticket in tickets],
                [costs[ticket.name] for ticket in tickets],
            )
        except InputError:
            self.gain.refuse()
            self._drop()

    def _losses(self) -> dict[str, float]:
        assert self.gain.loss_per_sample is not None
        losses = self.gain.measured(self._random, self.gain.loss_per_sample, self.batch)
        return self._by_task("loss_per_sample", losses)

    def _costs(self) -> dict[str, float]:
        cost = 1.0 if self.gain.cost is None else self.gain.cost(self.batch)
        if isinstance(cost, Tensor) and cost.dim() > 0:
            return self._by_task("cost", cost)
        return dict.fromkeys(self._tasks, float(cost))

    def _by_task(self, what: str, values: Tensor) -> dict[str, float]:
        """Means over the samples of each task, in double."""
        if values.shape != self._places.shape:
            raise InputError(
                f"{what} has shape {list(values.shape)}, expected a number for each of "
                f"{len(self.tickets)} samples"
            )
        values = values.detach().double().cpu()
        sums = torch.zeros(len(self._tasks), dtype=torch.float64).index_add_(
            0, self._places, values
        )
        counts = torch.bincount(self._places, minlength=len(self._tasks))
        return dict(zip(self._tasks, (sums / counts).tolist()))
