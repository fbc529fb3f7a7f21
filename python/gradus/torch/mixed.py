# SPDX-License-Identifier: Apache-2.0
"""Measures a training step on a batch of several tasks: one progress per task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

import torch
from torch import Tensor

from gradus._core import InputError
from gradus._tuples import Reward, Ticket
from gradus.torch.measure import Loss, RandomState
from gradus.torch.step import MeasuredStep

if TYPE_CHECKING:
    from gradus.torch.gains import Gain


class MixedStep(MeasuredStep):
    """Measures a step on a mixed batch. One forward pass before it and one after it measure the
    losses of all tasks, one the right answers, and one per task each probe. The progress of a task
    is computed from the means over its samples, and settles all its tickets of the batch."""

    def __init__(self, gain: Gain, tickets: Sequence[Ticket], batch: Any) -> None:
        super().__init__(gain.syllabus, tickets)
        self.gain = gain
        self.tickets = tickets
        self.batch = batch
        self.progress: dict[str, float] = {}
        """The measured gain of each task in the batch; empty until the step is finished."""
        self.rewards: list[Reward] = []
        """A reward per ticket, without those whose tasks were removed; empty if refused."""
        names = [ticket.name for ticket in tickets]
        self._tasks = list(dict.fromkeys(names))
        places = {task: place for place, task in enumerate(self._tasks)}
        self._places = torch.tensor([places[name] for name in names])
        self._measured: dict[str, dict[str, float]] = {
            "outputs": dict.fromkeys(self._tasks, 1.0)  # floors are in units of the loss
        }
        self._probes: dict[str, Any] = {}

    def report(self, losses: Tensor) -> None:
        """Reports the step's own losses, one per sample, from before the update. Only used if
        reuse=True."""
        if self.gain.reuse:
            self._measured["loss_before"] = self._by_task("report", losses)

    def _measure_before(self) -> None:
        gain, needs = self.gain, self.gain.needs
        self._random = RandomState(gain.model.parameters())
        if needs["loss_before"] and not gain.reuse:
            self._measured["loss_before"] = self._per_sample(
                "loss_per_sample", gain.loss_per_sample
            )
        if needs["answers_right"]:
            self._measured["answers_right"] = self._per_sample("right", gain.right)
        if needs["probe"] != "none":
            firsts = {ticket.name: ticket for ticket in reversed(self.tickets)}
            self._probes = {
                task: gain.probe_batch(self._random, task, firsts[task]) for task in self._tasks
            }
            self._measured["probe_before"] = self._probe_losses()

    def _measure_after(self) -> None:
        gain, needs = self.gain, self.gain.needs
        if needs["loss_before"] and "loss_before" not in self._measured:
            raise InputError(
                "reuse=True, but no losses were reported: call step.report(losses) in the block"
            )
        if needs["loss_after"]:
            self._measured["loss_after"] = self._per_sample("loss_per_sample", gain.loss_per_sample)
        if needs["probe_after"]:
            self._measured["probe_after"] = self._probe_losses()
        for task in self._tasks:
            measured = {name: values[task] for name, values in self._measured.items()}
            self.progress[task] = gain.core.progress(measured, task)

    def _settle(self) -> None:
        costs = self._costs()
        tickets = self._left()
        try:
            self.rewards = self.gain.syllabus.reward_batch(
                tickets,
                [self.progress[ticket.name] for ticket in tickets],
                [costs[ticket.name] for ticket in tickets],
            )
        except InputError:
            self.gain.refuse(tickets)
            self.drop()

    def _per_sample(self, what: str, function: Optional[Loss]) -> dict[str, float]:
        assert function is not None
        values = self.gain.measured(self._random, function, self.batch)
        return self._by_task(what, values)

    def _probe_losses(self) -> dict[str, float]:
        gain = self.gain
        return {
            task: float(gain.measured(self._random, gain.loss, batch))
            for task, batch in self._probes.items()
        }

    def _costs(self) -> dict[str, float]:
        cost = 1.0 if self.gain.cost is None else self.gain.cost(self.batch)
        if isinstance(cost, Tensor) and cost.dim() > 0:
            return self._by_task("cost", cost)
        return dict.fromkeys(self._tasks, float(cost))

    def _by_task(self, what: str, values: Tensor) -> dict[str, float]:
        """Means over the samples of each task, in double."""
        shape = getattr(values, "shape", torch.Size())
        if shape != self._places.shape:
            raise InputError(
                f"{what} has shape {list(shape)}, expected a number for each of "
                f"{len(self.tickets)} samples"
            )
        values = values.detach().double().cpu()
        sums = torch.zeros(len(self._tasks), dtype=torch.float64).index_add_(
            0, self._places, values
        )
        counts = torch.bincount(self._places, minlength=len(self._tasks))
        return dict(zip(self._tasks, (sums / counts).tolist()))
