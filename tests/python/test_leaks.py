# SPDX-License-Identifier: Apache-2.0
"""What is done many times in a training run leaves neither memory nor tickets behind."""

import copy
import gc
import pathlib
import resource

import pytest
import torch
from torch import nn

import gradus
from gradus.torch import Gain, SyllabusBatchSampler

TASKS = [f"task {number}" for number in range(20)]
PAGE = resource.getpagesize()


def resident():
    """Bytes of memory that this process uses now."""
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * PAGE


def growth(work, times):
    """Bytes by which memory has grown after `times` calls, not counting those to warm up."""
    for _ in range(times // 4):
        work()
    before = resident()
    for _ in range(times):
        work()
    return resident() - before


def refuse(syllabus):
    ticket = syllabus.draw()
    with pytest.raises(gradus.InputError):
        syllabus.reward(ticket, None)
    syllabus.drop(ticket)


def report(syllabus):
    weights = gradus.Weights(syllabus)
    weights()
    weights.reward({TASKS[0]: 1.0, TASKS[1]: 0.5}, {TASKS[0]: 3, TASKS[1]: 2}, 0)


# 80 bytes per call, such as a ticket that is left, would be 3 MB.
WORK = {
    "reward": lambda syllabus: syllabus.reward(syllabus.draw(), 1.0),
    "drop": lambda syllabus: syllabus.drop(syllabus.draw()),
    "batch": lambda syllabus: syllabus.reward_batch(syllabus.draw(8, quotas=True), [1.0] * 8),
    "all": lambda syllabus: syllabus.reward_all(dict.fromkeys(TASKS, 1.0)),
}
# These are slow, and each call uses some kilobytes.
SLOW = {
    "refuse": refuse,
    "state": lambda syllabus: gradus.Syllabus.from_state_dict(syllabus.state_dict()),
    "copy": copy.deepcopy,
    "weights": report,
}


@pytest.mark.parametrize("name", [*WORK, *SLOW])
def test_a_syllabus_does_not_grow(name):
    syllabus = gradus.Syllabus(TASKS, reservoir=100)
    work, times = (WORK[name], 40_000) if name in WORK else (SLOW[name], 2000)
    assert growth(lambda: work(syllabus), times) < 2e6
    assert syllabus.outstanding == 0


@pytest.mark.parametrize("name", ["pg", "l2g", "gpg", "gl2g", "hsg", "gspg"])
def test_steps_keep_no_tensor(name):
    """A copy of the weights is 0.4 MB, so one per step would be 40 MB. Every third step fails."""
    syllabus = gradus.Syllabus(TASKS)
    sampler = iter(SyllabusBatchSampler(syllabus, dict.fromkeys(TASKS, 100), 4))
    model = nn.Linear(1000, 100)
    loss = lambda model, batch: (model(batch) ** 2).mean()
    gain = Gain(name, syllabus, model, loss, probe=lambda task: torch.ones(4, 1000))
    steps = 0

    def step():
        nonlocal steps
        steps += 1
        try:
            with gain.step(next(sampler)[0][0], torch.ones(4, 1000)):
                model.zero_grad()
                loss(model, torch.ones(4, 1000)).backward()
                if steps % 3 == 0:
                    raise MemoryError
        except MemoryError:
            pass

    assert growth(step, 100) < 10e6
    assert syllabus.outstanding <= 33, "those that the sampler drew ahead"
