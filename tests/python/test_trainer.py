# SPDX-License-Identifier: Apache-2.0
"""Runs the callback for Hugging Face's Trainer in a small loop that calls it as the Trainer's
documentation says, so transformers itself is not needed."""

import json
import sys
import types

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader

import gradus
from gradus.torch import (
    Gain,
    SyllabusBatchSampler,
    TaskDataset,
    TicketCollate,
    TicketFeed,
    trainer_callback,
)


class TrainerCallback:
    """The documented base class, in which every event does nothing."""

    def on_train_begin(self, args, state, control, **kwargs):
        ...

    def on_step_begin(self, args, state, control, **kwargs):
        ...

    def on_substep_end(self, args, state, control, **kwargs):
        ...

    def on_step_end(self, args, state, control, **kwargs):
        ...

    def on_save(self, args, state, control, **kwargs):
        ...


@pytest.fixture(autouse=True)
def transformers(monkeypatch):
    module = types.ModuleType("transformers")
    module.TrainerCallback = TrainerCallback
    monkeypatch.setitem(sys.modules, "transformers", module)


def loss(model, batch):
    return ((model(batch) - 1) ** 2).mean()


class Desk:
    """Everything that a user creates."""

    def __init__(self, batches=12, workers=0):
        torch.manual_seed(0)
        self.model = nn.Linear(1, 1).double()
        data = TaskDataset({t: torch.arange(20.0).double().view(-1, 1) for t in ("a", "b")})
        self.syllabus = gradus.Syllabus(["a", "b"], eta=0.2)
        self.sampler = SyllabusBatchSampler(self.syllabus, data.sizes(), 2, batches=batches)
        loader = DataLoader(
            data, batch_sampler=self.sampler, collate_fn=TicketCollate(), num_workers=workers
        )
        self.feed = TicketFeed(loader)
        gain = Gain("pg", self.syllabus, self.model, loss)
        self.callback = trainer_callback(gain, self.feed, self.sampler)
        assert isinstance(self.callback, TrainerCallback)

    def train(self, folder, accumulate=1, pull_together=False, save_at=None, resume=None, **given):
        """The Trainer's inner loop. Newer versions fetch all batches of an update at once. `resume`
        is a checkpoint, from which the Trainer itself loads its state, model and optimizer."""
        args = types.SimpleNamespace(
            output_dir=str(folder), gradient_accumulation_steps=accumulate, ignore_data_skip=True
        )
        vars(args).update(given)
        state = types.SimpleNamespace(global_step=0, log_history=[], is_world_process_zero=True)
        if resume is not None:
            vars(state).update(json.loads((resume / "trainer_state.json").read_text()))
            self.model.load_state_dict(torch.load(resume / "model.pt"))
        self.callback.on_train_begin(args, state, None, model=self.model)
        optimizer = torch.optim.SGD(self.model.parameters(), 1e-3)
        pulled, source, done = [], iter(self.feed), 0
        while True:
            for _ in range(accumulate if pull_together else 1):
                pulled += [x for x in [next(source, None)] if x is not None]
            if not pulled:
                return
            while pulled:
                batch = pulled.pop(0)
                if done % accumulate == 0:
                    self.callback.on_step_begin(args, state, None, model=self.model)
                (loss(self.model, batch) / accumulate).backward()
                done += 1
                if done % accumulate and done < len(self.feed):
                    self.callback.on_substep_end(args, state, None)
                    continue
                optimizer.step()
                optimizer.zero_grad()
                state.global_step += 1
                self.callback.on_step_end(args, state, None)
                state.log_history.append({"loss": float(self.model.weight)})
                if state.global_step == save_at:
                    self.save(folder, state)
                    self.callback.on_save(args, state, None)

    def save(self, folder, state):
        """The part of a checkpoint that the Trainer writes before the event."""
        checkpoint = folder / f"checkpoint-{state.global_step}"
        checkpoint.mkdir(parents=True)
        saved = {key: vars(state)[key] for key in ("global_step", "log_history")}
        (checkpoint / "trainer_state.json").write_text(json.dumps(saved))
        torch.save(self.model.state_dict(), checkpoint / "model.pt")


def settled(desk):
    return desk.syllabus.rounds, desk.syllabus.probabilities()


def by_hand(accumulate, batches=12):
    """The same run in a plain loop."""
    desk = Desk(batches)
    gain = Gain("pg", desk.syllabus, desk.model, loss)
    optimizer = torch.optim.SGD(desk.model.parameters(), 1e-3)
    steps = []
    for number, (ticket, batch) in enumerate(desk.feed.loader, start=1):
        steps.append(gain.step(ticket, batch))
        steps[-1].begin()
        (loss(desk.model, batch) / accumulate).backward()
        if number % accumulate == 0 or number == batches:
            optimizer.step()
            optimizer.zero_grad()
            for step in steps:
                step.finish()
            steps = []
    return settled(desk)


@pytest.mark.parametrize("pull_together", [False, True])
@pytest.mark.parametrize("accumulate", [1, 3, 5])
def test_tickets_are_settled_as_in_a_plain_loop(tmp_path, accumulate, pull_together):
    desk = Desk()
    desk.train(tmp_path, accumulate, pull_together)
    assert settled(desk)[0] == 12
    assert settled(desk) == by_hand(accumulate)


def test_workers_change_nothing(tmp_path):
    desk = Desk(workers=2)
    desk.train(tmp_path)
    assert settled(desk) == by_hand(1)


def test_a_checkpoint_has_the_syllabus_and_a_new_run_goes_on_from_it(tmp_path):
    whole = Desk()
    whole.train(tmp_path, save_at=6)
    resumed = Desk()
    resumed.callback.load(str(tmp_path / "checkpoint-6"))
    assert resumed.syllabus.rounds == 6
    first = next(iter(resumed.feed.loader)).ticket
    assert first.id == 6, "expected the first batch that was not consumed"
    with pytest.raises(gradus.InputError, match="gradus.json: no such file"):
        resumed.callback.load(str(tmp_path))


def test_resume_from_checkpoint_loads_the_syllabus_by_itself(tmp_path):
    whole = Desk()
    whole.train(tmp_path, save_at=6)
    resumed = Desk()
    resumed.train(tmp_path, resume=tmp_path / "checkpoint-6")
    assert settled(resumed) == settled(whole)
    assert torch.equal(resumed.model.weight, whole.model.weight)


def test_resuming_from_another_folder_needs_load_and_skipping_data_is_refused(tmp_path):
    Desk().train(tmp_path / "one", save_at=6)
    elsewhere = tmp_path / "one" / "checkpoint-6"
    with pytest.raises(gradus.InputError, match="but not from .*two/checkpoint-6: call callback"):
        Desk().train(tmp_path / "two", resume=elsewhere)
    Desk(batches=9).train(tmp_path / "two", accumulate=1, save_at=6)
    other = tmp_path / "two" / "checkpoint-6" / "trainer_state.json"
    other.write_text(other.read_text().replace("0.", "1."))
    with pytest.raises(gradus.InputError, match="call callback.load"):
        Desk().train(tmp_path / "two", resume=elsewhere)
    with pytest.raises(gradus.InputError, match="ignore_data_skip is False"):
        Desk().train(tmp_path / "one", resume=elsewhere, ignore_data_skip=False)
    desk = Desk()
    desk.callback.load(elsewhere)
    desk.train(tmp_path / "two", resume=elsewhere)
    assert desk.syllabus.rounds == 12


class Interrupt(Exception):
    ...


def interrupted(function, after):
    """The function, which fails after some calls."""
    left = [after]

    def failing(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise Interrupt
        return function(*arguments)

    return failing


def test_a_train_after_one_that_failed_settles_a_ticket_per_step(tmp_path, monkeypatch):
    desk = Desk()
    whole = globals()["loss"]
    monkeypatch.setitem(globals(), "loss", interrupted(whole, after=3))
    with pytest.raises(Interrupt):
        desk.train(tmp_path)
    monkeypatch.setitem(globals(), "loss", whole)
    assert len(desk.callback._open) == 1 and desk.syllabus.rounds == 3
    finished = []
    end = desk.callback.on_step_end

    def on_step_end(*arguments):
        finished.append(len(desk.callback._open))
        end(*arguments)

    desk.callback.on_step_end = on_step_end
    desk.train(tmp_path)
    assert set(finished) == {1} and desk.syllabus.outstanding == 0


def test_a_failed_train_is_resumed_from_its_checkpoint_again_and_again(tmp_path, monkeypatch):
    whole = Desk()
    whole.train(tmp_path, save_at=6)
    desk, plain = Desk(), globals()["loss"]
    for load in (False, True, False):
        monkeypatch.setitem(globals(), "loss", interrupted(plain, after=2))
        if load:
            desk.callback.load(tmp_path / "checkpoint-6")
        with pytest.raises(Interrupt):
            desk.train(tmp_path, resume=tmp_path / "checkpoint-6")
    monkeypatch.setitem(globals(), "loss", plain)
    desk.train(tmp_path, resume=tmp_path / "checkpoint-6")
    assert settled(desk) == settled(whole)
    assert torch.equal(desk.model.weight, whole.model.weight)


def test_nothing_of_transformers_is_imported_before_it_is_used(monkeypatch):
    monkeypatch.delitem(sys.modules, "transformers")
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ImportError):
        Desk()
