# SPDX-License-Identifier: Apache-2.0
"""The recipe for checkpoints of docs/python.md continues a run bit for bit."""

import torch
from torch import nn
from torch.utils.data import DataLoader

import gradus
from documents import code_of
from gradus.torch import Gain, SyllabusBatchSampler, TaskDataset, TicketCollate

RECIPE = code_of("docs/python.md", "### Checkpoints")
RESTORED = 'torch.set_rng_state(saved["random"])'


def loss(model, batch):
    return ((model(batch) - batch.sum(1, keepdim=True)) ** 2).mean()


def make_run(recipe=RECIPE):
    """The objects that the recipe names, and its functions."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
    data = TaskDataset({task: torch.rand(40, 4) for task in "abc"})
    syllabus = gradus.Syllabus(["a", "b", "c"], eta=0.3)
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), 4, ahead=4)
    names = {
        "torch": torch,
        "model": model,
        "optimizer": torch.optim.Adam(model.parameters(), 0.01),
        "syllabus": syllabus,
        "sampler": sampler,
        "gain": Gain("lsg", syllabus, model, loss, window=4),
        "loader": DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate()),
    }
    exec(recipe, names)
    return names


def train(names, batches, count):
    for _, (ticket, batch) in zip(range(count), batches):
        with names["gain"].step(ticket, batch):
            names["optimizer"].zero_grad()
            loss(names["model"], batch).backward()
            names["optimizer"].step()


def outcome(names):
    weights = torch.cat([p.detach().flatten() for p in names["model"].parameters()])
    return weights.tolist(), names["syllabus"].probabilities()


def test_the_recipe_of_the_document_continues_bit_for_bit(tmp_path):
    whole = make_run()
    batches = iter(whole["loader"])
    train(whole, batches, 15)
    whole["save"](tmp_path / "checkpoint")
    train(whole, batches, 15)

    resumed = make_run()
    train(resumed, resumed["resume"](tmp_path / "checkpoint"), 15)
    assert outcome(resumed) == outcome(whole)

    loaded = "saved = torch.load(path)"
    early = RECIPE.replace(RESTORED, "pass").replace(loaded, f"{loaded}; {RESTORED}")
    wrong = make_run(early)
    train(wrong, wrong["resume"](tmp_path / "checkpoint"), 15)
    assert outcome(wrong) != outcome(whole), "the generator must be restored after iter(loader)"
