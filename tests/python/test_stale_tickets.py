# SPDX-License-Identifier: Apache-2.0
"""A ticket that cannot be settled is an error of the caller, which a measured step must not hide."""

import pytest
import torch
from torch import nn

import gradus
from gradus.torch import Gain

TASKS = ["a", "b", "c"]


def losses(model, batch):
    return (model(batch) ** 2).squeeze(1)


def make(**options):
    syllabus = gradus.Syllabus(TASKS, seed=1)
    model = nn.Linear(1, 1)
    return syllabus, Gain("pg", syllabus, model, loss_per_sample=losses, **options)


def settled(syllabus):
    ticket = syllabus.draw()
    syllabus.reward(ticket, 1.0)
    return ticket


def dropped(syllabus):
    ticket = syllabus.draw()
    syllabus.drop(ticket)
    return ticket


def of_another_syllabus(syllabus):
    return gradus.Syllabus(TASKS, seed=1).draw()._replace(id=syllabus.issued + 9)


def changed(syllabus):
    return syllabus.draw()._replace(probability=0.9)


STALE = {
    settled: "has already been settled or dropped",
    dropped: "has already been settled or dropped",
    of_another_syllabus: "was never issued",
    changed: "was changed after it was drawn",
}


@pytest.mark.parametrize("refused", ["raise", "drop"])
@pytest.mark.parametrize("stale", STALE)
def test_a_step_with_a_stale_ticket_raises(stale, refused):
    syllabus, gain = make(refused=refused)
    with pytest.raises(gradus.InputError, match=STALE[stale]):
        with gain.step(stale(syllabus), torch.ones(2, 1)):
            pass
    assert gain.refusals == 0 and not gain.open_steps


@pytest.mark.parametrize("refused", ["raise", "drop"])
@pytest.mark.parametrize("stale", STALE)
def test_one_stale_ticket_refuses_a_mixed_batch_and_the_others_are_dropped(stale, refused):
    syllabus, gain = make(refused=refused)
    others = syllabus.draw(4)
    tickets = [*others[:2], stale(syllabus), *others[2:]]
    before = syllabus.rounds
    with pytest.raises(gradus.InputError, match=STALE[stale]):
        with gain.step(tickets, torch.ones(5, 1)) as step:
            pass
    assert syllabus.rounds == before and step.rewards == []
    assert not any(map(syllabus.is_outstanding, others))


def test_a_ticket_that_is_twice_in_a_batch_refuses_it_and_all_are_dropped():
    syllabus, gain = make()
    one, other = syllabus.draw(2)
    with pytest.raises(gradus.InputError, match="is given twice"):
        with gain.step([one, one, other], torch.ones(3, 1)):
            pass
    assert (syllabus.rounds, syllabus.outstanding) == (0, 0)


def test_only_the_tickets_of_removed_tasks_are_left_out_of_a_batch():
    syllabus, gain = make()
    tickets = [syllabus.ticket_for(task) for task in "abca"]
    with gain.step(tickets, torch.ones(4, 1)) as step:
        syllabus.remove("a")
    assert len(step.rewards) == 2 and (syllabus.rounds, syllabus.outstanding) == (2, 0)


def test_a_step_is_finished_once():
    syllabus, gain = make()
    step = gain.step(syllabus.draw(), torch.ones(1, 1))
    step.begin()
    step.finish()
    with pytest.raises(gradus.InputError, match="has already been settled"):
        step.finish()


def test_a_step_that_is_given_up_drops_its_tickets_and_lets_the_next_one_reuse_the_gradient():
    model, syllabus = nn.Linear(1, 1), gradus.Syllabus(TASKS)
    gain = Gain("gpg", syllabus, model, lambda m, b: losses(m, b).mean(), reuse=True)
    step = gain.step(syllabus.draw(), torch.ones(1, 1))
    step.begin()
    step.drop()
    step.drop()
    assert syllabus.outstanding == 0
    with gain.step(syllabus.draw(), torch.ones(1, 1)):
        losses(model, torch.ones(1, 1)).mean().backward()
    assert syllabus.rounds == 1
