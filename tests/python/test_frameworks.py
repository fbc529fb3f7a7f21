# SPDX-License-Identifier: Apache-2.0
"""Runs the recipes of docs/frameworks.md for Lightning and Accelerate. Neither package is in Debian,
so stand-ins with their documented interfaces take their place."""

import contextlib
import itertools
import types

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader

import gradus
from documents import code_of
from gradus.torch import Gain, SyllabusBatchSampler, TaskDataset, TicketCollate

BATCHES = 12


def loss(model, batch):
    return ((model(batch) - 1) ** 2).mean()


class Desk:
    """Everything that a user creates."""

    def __init__(self):
        torch.manual_seed(0)
        self.model = nn.Linear(1, 1).double()
        data = TaskDataset({t: torch.arange(20.0).double().view(-1, 1) for t in ("a", "b")})
        self.syllabus = gradus.Syllabus(["a", "b"], eta=0.2)
        self.sampler = SyllabusBatchSampler(self.syllabus, data.sizes(), 2, ahead=4)
        self.loader = DataLoader(data, batch_sampler=self.sampler, collate_fn=TicketCollate())
        self.gain = Gain("pg", self.syllabus, self.model, loss)
        self.optimizer = torch.optim.SGD(self.model.parameters(), 1e-3)

    def outcome(self):
        return self.syllabus.rounds, self.syllabus.probabilities(), self.model.weight.item()


def by_hand(accumulate):
    """The same run in a plain loop."""
    desk, steps = Desk(), []
    for number, (ticket, batch) in enumerate(itertools.islice(desk.loader, BATCHES), start=1):
        steps.append(desk.gain.step(ticket, batch))
        steps[-1].begin()
        (loss(desk.model, batch) / accumulate).backward()
        if number % accumulate == 0:
            desk.optimizer.step()
            desk.optimizer.zero_grad()
            for step in steps:
                step.finish()
            steps = []
    return desk.outcome()


class LightningTrainer:
    """Stand-in: the documented order of events in an epoch, and checkpoints with the states of
    callbacks. `fit` fetches a batch early, as Lightning does."""

    def __init__(self, callback, accumulate):
        self.callback, self.accumulate, self.global_step = callback, accumulate, 0

    def fit(self, desk, batches, checkpoint=None):
        if checkpoint is not None:
            self.global_step = checkpoint["global_step"]
            desk.model.load_state_dict(checkpoint["state_dict"])
            self.callback.load_state_dict(checkpoint["callbacks"])
        fetched = iter(desk.loader)
        following = next(fetched)
        for number in range(batches):
            batch, following = following, next(fetched)
            self.callback.on_train_batch_start(self, None, batch, number)
            (loss(desk.model, batch[1]) / self.accumulate).backward()
            if (number + 1) % self.accumulate == 0:
                desk.optimizer.step()
                desk.optimizer.zero_grad()
                self.global_step += 1
            self.callback.on_train_batch_end(self, None, None, batch, number)
        return {
            "global_step": self.global_step,
            "state_dict": desk.model.state_dict(),
            "callbacks": self.callback.state_dict(),
        }


@pytest.mark.parametrize("accumulate", [1, 3])
def test_the_lightning_recipe_settles_and_resumes_as_a_plain_loop(accumulate):
    names = {"lightning": types.SimpleNamespace(Callback=object)}
    exec(code_of("docs/frameworks.md", "## Lightning"), names)
    saved = None
    for _ in range(2):
        desk = Desk()
        trainer = LightningTrainer(names["SyllabusCallback"](desk.gain, desk.sampler), accumulate)
        saved = trainer.fit(desk, BATCHES // 2, saved)
    assert desk.outcome() == by_hand(accumulate)


class Accelerator:
    """Stand-in: accumulation, checkpoints of registered objects, and a `stop` after some batches."""

    def __init__(self, accumulate, desk):
        self.every, self.desk, self.seen, self.registered = accumulate, desk, 0, []

    def register_for_checkpointing(self, *objects):
        assert all(hasattr(o, "state_dict") and hasattr(o, "load_state_dict") for o in objects)
        self.registered += objects

    def prepare(self, model, optimizer):
        plain = optimizer
        self.optimizer = types.SimpleNamespace(
            step=lambda: self.sync_gradients and plain.step(),
            zero_grad=lambda: self.sync_gradients and plain.zero_grad(),
        )
        return model, self.optimizer

    @contextlib.contextmanager
    def accumulate(self, model):
        self.seen += 1
        self.sync_gradients = self.seen % self.every == 0
        yield

    def backward(self, value):
        (value / self.every).backward()

    def save_state(self):
        return self.desk.model.state_dict(), [each.state_dict() for each in self.registered]

    def load_state(self, saved):
        self.desk.model.load_state_dict(saved[0])
        for each, state in zip(self.registered, saved[1]):
            each.load_state_dict(state)


@pytest.mark.parametrize("accumulate", [1, 3])
def test_the_accelerate_recipe_settles_and_resumes_as_a_plain_loop(accumulate):
    recipe = code_of("docs/frameworks.md", "## Accelerate")
    prepared, loop = recipe.split("steps = []\n", 1)
    saved = None
    for _ in range(2):
        desk = Desk()
        accelerator = Accelerator(accumulate, desk)
        names = {**vars(desk), "loss": loss, "accelerator": accelerator, "steps": []}
        exec(prepared, names)
        if saved is not None:
            accelerator.load_state(saved)
        names["loader"] = itertools.islice(desk.loader, BATCHES // 2)
        exec(loop, names)
        saved = accelerator.save_state()
    assert desk.outcome() == by_hand(accumulate)
