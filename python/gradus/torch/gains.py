# SPDX-License-Identifier: Apache-2.0
"""Measures learning-progress signals around a training step of any module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Optional, Union, overload
from weakref import WeakSet

import torch
from torch import Tensor, nn

from gradus import _core
from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus._tuples import Reward, State, Ticket
from gradus.torch.distributed import gathered
from gradus.torch.measure import Gaussian, Gradient, Loss, RandomState, divergence, dot, unchanged
from gradus.torch.mixed import MixedStep
from gradus.torch.step import MeasuredStep


class Gain:
    """Measures a gain around each training step and settles the step's ticket with it.

        gain = Gain("hsg", syllabus, model, loss, probe=held_out)
        with gain.step(ticket, batch):
            ...                          # your own step: forward, backward, optimizer.step()

    name       one of gradus.gains(); "hsg" suits most data (docs/choosing.md). "hsg:pg" measures
               several, for a syllabus with policy="corral" and as many bases
    loss       loss(model, batch) -> scalar tensor: the data loss alone, without regularisers
    loss_per_sample
               loss_per_sample(model, batch) -> a tensor with the loss of each sample; needed for
               batches of several tasks (MixedBatchSampler). step() then takes a list of tickets,
               and one forward pass measures the losses of all tasks. For gains of losses and of
               right answers; `right` then also returns a number per sample, and `probe` is called
               for each task of the batch. `loss` may be left out: it is the mean
    cost       cost(batch) -> cost of training on the batch, for example its number of tokens or the
               length of its longest sequence; rewards are progress / cost. By default 1. For a
               batch of several tasks, a tensor with the cost of each sample, or one number
    probe      probe(task) -> a new batch of that task; needed by spg, tpg, mpg, gspg, gtpg and
               gmpg. For hpg and hsg, a batch of its held-out data. It is called with the generators
               of random, NumPy and torch seeded anew for each ticket
    target     name of the target task; needed by tpg and gtpg
    right      right(model, batch) -> share of the batch's answers that are right; needed by lrn. For
               a batch of several tasks, a tensor with the share of each sample
    posterior  posterior() -> Gaussians over the model's weights, differentiable with respect to its
               parameters; needed by vcg and gvcg
    sign       sign of gvcg and gl2g: "derived" or "printed" (docs/algorithm.md)
    window     lsg, alsg and hsg: visits of a task over which the slope of its loss is taken
    errors     lsg, alsg and hsg: standard errors within which a slope counts as 0
    floors     dict from each task to the smallest possible loss(model, batch); needed by xl
    reuse      if True, saves passes by using the loss and gradient of the step itself. Call
               step.report(loss) with its data loss (pg, lsg, alsg, xl), and leave its gradient in
               .grad until the end of the block (gpg, gl2g, gvcg, gspg, gtpg, gmpg)
    shards     process group over which the parameters are sharded (FSDP), or True for all ranks.
               Norms and products of weights are then summed over it. Pass the wrapped model, and
               reuse=True for gains of gradients
    refused    what to do if the syllabus refuses a reward, such as NaN: "raise" the error, or
               count it in `refusals` and go on ("drop"). The ticket is dropped in either case. A
               ticket that was settled or dropped before, or is of another syllabus, is always an
               error

    Losses are measured in eval mode or, with reuse, in the current mode of the model. Gradients are
    computed in the current mode. Both losses of a difference use the same random numbers. Measuring
    leaves the random state, the modes, the buffers and .grad unchanged.
    """

    def __init__(
        self,
        name: str,
        syllabus: SyllabusLike,
        model: nn.Module,
        loss: Optional[Loss] = None,
        *,
        loss_per_sample: Optional[Loss] = None,
        cost: Optional[Callable[[Any], Union[float, Tensor]]] = None,
        probe: Optional[Callable[[str], Any]] = None,
        target: Optional[str] = None,
        posterior: Optional[Callable[[], Iterable[Gaussian]]] = None,
        right: Optional[Callable[[nn.Module, Any], Any]] = None,
        sign: str = "derived",
        window: int = 10,
        errors: float = 2.0,
        floors: Optional[Mapping[str, float]] = None,
        reuse: bool = False,
        shards: Any = None,
        refused: Literal["raise", "drop"] = "raise",
    ) -> None:
        self._settings = (name, sign, window, errors, dict(floors or {}))
        self.core = _core.Gain(*self._settings)
        self.needs = self.core.needs
        self.syllabus = syllabus
        self.model = model
        self.loss_per_sample = loss_per_sample
        self.loss = self._mean_loss if loss is None else loss
        self.cost = cost
        self.probe = probe
        self.target = target
        self.posterior = posterior
        self.right = right
        self.reuse = reuse
        self.shards = shards
        self.open_steps: WeakSet[Step] = WeakSet()
        self.refused = refused
        self.refusals = 0
        if loss is None and loss_per_sample is None:
            raise InputError("a gain needs loss or loss_per_sample")
        self._check()

    def _mean_loss(self, model: nn.Module, batch: Any) -> Tensor:
        assert self.loss_per_sample is not None
        return self.loss_per_sample(model, batch).mean()

    def _check(self) -> None:
        needs, name = self.needs, self.core.name
        if needs["probe"] != "none" and self.probe is None:
            raise InputError(f"gain {name} needs probe, a function that returns a batch of a task")
        if needs["probe"] == "target":
            if self.target is None:
                raise InputError(f"gain {name} needs target, the name of the target task")
            self.syllabus.index(self.target)
        if needs["answers_right"] and self.right is None:
            raise InputError(f"gain {name} needs right, a function that returns a share")
        if (needs["kl"] or needs["kl_dot_gradient"]) and self.posterior is None:
            raise InputError(f"gain {name} needs posterior, a function that returns Gaussians")
        if self.loss_per_sample is not None and (
            self.needs_weights() or needs["probe"] in ("target", "random")
        ):
            raise InputError(
                f"gain {name} takes no loss_per_sample: it cannot be measured per task, expected a "
                "gain of the losses on the batch or on a probe of its own task, such as pg"
            )
        if self.loss_per_sample is not None and self.core.signals > 1:
            raise InputError(
                f"gain {name} takes no loss_per_sample: a batch of several tasks is settled by one "
                f"signal, not by {self.core.signals}"
            )
        if self.shards is not None and self.needs_gradient():
            if needs["probe_dot_gradient"]:
                raise InputError(f"gain {name} cannot be measured on sharded parameters")
            if not self.reuse:
                raise InputError(
                    f"gain {name} needs reuse=True on sharded parameters: only the step's own "
                    "backward pass has their gradient"
                )
        if self.refused not in ("raise", "drop"):
            raise InputError(f'refused is "{self.refused}", expected "raise" or "drop"')

    def needs_gradient(self) -> bool:
        wanted = ("gradient_norm", "weights_dot_gradient", "kl_dot_gradient", "probe_dot_gradient")
        return any(self.needs[name] for name in wanted)  # type: ignore[literal-required]

    def needs_weights(self) -> bool:
        return self.needs_gradient() or self.needs["weight_norm"] or self.needs["kl"]

    @property
    def parameters(self) -> list[nn.Parameter]:
        """The trainable parameters."""
        return [p for p in self.model.parameters() if p.requires_grad]

    @overload
    def step(self, ticket: Ticket, batch: Any) -> Step:
        ...

    @overload
    def step(self, ticket: list[Ticket], batch: Any) -> MixedStep:
        ...

    def step(self, ticket: Union[Ticket, list[Ticket]], batch: Any) -> Union[Step, MixedStep]:
        """Returns a context manager for one training step on `batch`, which `ticket` drew, or a
        list with the ticket of each sample."""
        if isinstance(ticket, Ticket):
            return Step(self, ticket, batch)
        if self.loss_per_sample is None:
            raise InputError("a batch of several tasks needs a gain with loss_per_sample")
        return MixedStep(self, ticket, batch)

    def measured(self, random: RandomState, function: Loss, batch: Any) -> Tensor:
        """function(model, batch) from the given random state, without changing the model."""
        with random.replayed(), unchanged(self.model), torch.no_grad():
            if not self.reuse or function is self.right:
                self.model.eval()
            return function(self.model, batch)

    def dot(self, a: Gradient, b: Gradient) -> float:
        """Dot product in double, over all shards."""
        return self.over_shards(dot(a, b))

    def over_shards(self, part: float) -> float:
        """The sum of the parts of all shards, in the order of the ranks."""
        if self.shards is None:
            return part
        group = None if self.shards is True else self.shards
        parts = gathered(torch.tensor([part], dtype=torch.float64), group)
        return sum(float(each) for each in parts)

    def refuse(self, tickets: Sequence[Ticket]) -> None:
        """Called while an InputError of the syllabus is handled: raises it again or counts it. A
        ticket that cannot be settled is always an error."""
        if self.refused == "raise" or not all(map(self.syllabus.is_outstanding, tickets)):
            raise
        self.refusals += 1

    def state_dict(self) -> State:
        """Returns what the gain remembers of earlier steps: lsg, alsg and hsg remember losses."""
        return self.core.state_dict()

    def load_state_dict(self, state: State) -> None:
        """Continues from a state_dict() of the same gain with the same settings."""
        self.core.load_state_dict(state)

    def __getstate__(self) -> State:
        """For pickle and copy.deepcopy. A copy has a model of its own and no open steps. Functions
        are not copied: use a method of the model as `posterior`, which then belongs to its copy."""
        state = {**self.__dict__, "core": self.core.state_dict()}
        del state["open_steps"]
        return state

    def __setstate__(self, state: State) -> None:
        self.__dict__.update(state)
        self.core = _core.Gain(*self._settings)
        self.core.load_state_dict(state["core"])
        self.open_steps = WeakSet()

    def forget(self, task: str) -> None:
        """Forgets what the gain remembers of a task, for example one that was removed for good."""
        self.core.forget(task)

    def probed_task(self, ticket: Ticket) -> str:
        tasks = {"same": ticket.name, "held-out": ticket.name, "target": self.target}
        return tasks.get(self.needs["probe"]) or self.syllabus.probe_task(ticket)

    def probe_batch(self, random: RandomState, task: str, ticket: Ticket) -> Any:
        """probe(task) with random numbers that depend only on the seed, the task, the ticket and
        the rank. Every rank has numbers of its own."""
        world_size: int = getattr(self.syllabus, "world_size", 1)
        number = ticket.id * world_size + getattr(self.syllabus, "rank", 0)
        assert self.probe is not None
        with random.seeded(_core.sample_seed(f"probe of {task}", number, self.syllabus.seed)):
            return self.probe(task)


class Step(MeasuredStep):
    """Measures one training step. Use it as a context manager, or call begin() and finish() from
    callbacks. Several steps may be open at once, for example when accumulating gradients."""

    def __init__(self, gain: Gain, ticket: Ticket, batch: Any) -> None:
        super().__init__(gain.syllabus, [ticket])
        self.gain = gain
        self.ticket = ticket
        self.batch = batch
        self._signals: list[float] = []
        self.progress: Optional[float] = None
        """The measured gain; None until the step is finished."""
        self.reward: Optional[Reward] = None
        """The reward; None if the syllabus refused it or the task was removed."""
        self._measured: dict[str, float] = {"outputs": 1.0}  # floors are in units of the loss
        self._before: list[Tensor] = []
        self._kl_gradient: Gradient = []
        self._probe_gradient: Gradient = []

    def report(self, loss: Tensor) -> None:
        """Reports the step's own data loss, from before the update. Only used if reuse=True."""
        if self.gain.reuse:
            self._measured["loss_before"] = float(loss.detach())

    def _measure_before(self) -> None:
        gain, needs = self.gain, self.gain.needs
        if gain.reuse and gain.needs_gradient() and gain.open_steps:
            raise InputError(
                f"gain {gain.core.name} with reuse=True, but another step is open: .grad is the sum "
                "over the batches of both, so accumulate gradients with reuse=False"
            )
        gain.open_steps.add(self)
        self._random = RandomState(gain.model.parameters())
        if needs["loss_before"] and not gain.reuse:
            self._measured["loss_before"] = self._loss(self.batch)
        if needs["probe"] != "none":
            task = gain.probed_task(self.ticket)
            self._probe = gain.probe_batch(self._random, task, self.ticket)
        if needs["probe_dot_gradient"]:
            self._probe_gradient = self._gradient(self._probe)
        elif needs["probe"] != "none":
            self._measured["probe_before"] = self._loss(self._probe)
        if needs["answers_right"]:
            assert gain.right is not None
            self._measured["answers_right"] = float(
                gain.measured(self._random, gain.right, self.batch)
            )
        if needs["weight_norm"]:
            self._measured["weight_norm_before"] = gain.dot(gain.parameters, gain.parameters)
        if needs["kl"]:
            self._measured["kl_before"] = self._kl()
        if needs["kl_dot_gradient"]:
            self._kl_gradient = self._gradient_of_kl()
        if needs["weights_dot_gradient"] and gain.reuse:
            self._before = [p.detach().clone() for p in gain.parameters]
        if gain.needs_gradient() and not gain.reuse:
            self._measure_gradient(self._gradient(self.batch), list(gain.parameters))

    def _measure_after(self) -> None:
        gain, needs = self.gain, self.gain.needs
        gain.open_steps.discard(self)
        if needs["loss_before"] and "loss_before" not in self._measured:
            raise InputError(
                "reuse=True, but no loss was reported: call step.report(loss) in the block"
            )
        if needs["loss_after"]:
            self._measured["loss_after"] = self._loss(self.batch)
        if needs["probe_after"]:
            self._measured["probe_after"] = self._loss(self._probe)
        if needs["weight_norm"]:
            self._measured["weight_norm_after"] = gain.dot(gain.parameters, gain.parameters)
        if needs["kl"]:
            self._measured["kl_after"] = self._kl()
        if gain.needs_gradient() and gain.reuse:
            self._measure_gradient(self._left_gradient(), self._before)
        self._signals = gain.core.progress_by_signal(self._measured, self.ticket.name)
        self.progress = self._signals[0]

    def _settle(self) -> None:
        gain = self.gain
        if not self._left():
            return  # its task was removed
        cost = 1.0 if gain.cost is None else float(gain.cost(self.batch))
        several = len(self._signals) > 1
        progress: Union[float, list[float]] = self._signals if several else self._signals[0]
        try:
            self.reward = gain.syllabus.reward(self.ticket, progress, cost)
        except InputError:
            gain.refuse([self.ticket])
            self.drop()

    def drop(self) -> None:
        self.gain.open_steps.discard(self)
        super().drop()

    def _loss(self, batch: Any) -> float:
        return float(self.gain.measured(self._random, self.gain.loss, batch))

    def _kl(self) -> float:
        assert self.gain.posterior is not None
        with torch.no_grad():
            return self.gain.over_shards(float(divergence(self.gain.posterior())))

    def _gradient_of_kl(self) -> Gradient:
        assert self.gain.posterior is not None
        with torch.enable_grad():
            kl = divergence(self.gain.posterior())
            return torch.autograd.grad(kl, self.gain.parameters, allow_unused=True)

    def _gradient(self, batch: Any) -> Gradient:
        model = self.gain.model
        with self._random.replayed(), unchanged(model), torch.enable_grad():
            loss = self.gain.loss(model, batch)
            return torch.autograd.grad(loss, self.gain.parameters, allow_unused=True)

    def _left_gradient(self) -> Gradient:
        gradient = [p.grad for p in self.gain.parameters]
        if all(g is None for g in gradient):
            raise InputError(
                "reuse=True, but there is no gradient in .grad at the end of the block: call "
                "zero_grad before backward, not after the update"
            )
        return gradient

    def _measure_gradient(self, gradient: Gradient, weights: Gradient) -> None:
        gain, needs = self.gain, self.gain.needs
        if needs["gradient_norm"]:
            self._measured["gradient_norm"] = gain.dot(gradient, gradient)
        if needs["weights_dot_gradient"]:
            self._measured["weights_dot_gradient"] = gain.dot(weights, gradient)
        if needs["kl_dot_gradient"]:
            self._measured["kl_dot_gradient"] = gain.dot(self._kl_gradient, gradient)
        if needs["probe_dot_gradient"]:
            self._measured["probe_dot_gradient"] = gain.dot(self._probe_gradient, gradient)
