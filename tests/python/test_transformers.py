# SPDX-License-Identifier: Apache-2.0
"""The callback in the real Trainer. Skipped if transformers is not installed."""

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

transformers = pytest.importorskip("transformers")


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.line = nn.Linear(1, 1)

    def forward(self, x, labels):
        return {"loss": ((self.line(x) - labels) ** 2).mean()}


def loss(model, batch):
    device = next(model.parameters()).device
    return model(**{key: value.to(device) for key, value in batch.items()})["loss"]


def run(folder, accumulate, stop=None, load=None):
    """Trains for an epoch of twelve batches. Returns the syllabus."""
    torch.manual_seed(0)
    samples = [{"x": torch.tensor([i / 9]), "labels": torch.tensor([1.0])} for i in range(9)]
    data = TaskDataset({"a": samples, "b": samples})
    syllabus = gradus.Syllabus(["a", "b"], eta=0.2)
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), 2, batches=12)
    feed = TicketFeed(DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate()))
    model = Model()
    callback = trainer_callback(Gain("pg", syllabus, model, loss), feed, sampler)

    class SyllabusTrainer(transformers.Trainer):
        def get_train_dataloader(self):
            return feed

    args = transformers.TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=1,
        gradient_accumulation_steps=accumulate,
        per_device_train_batch_size=2,
        use_cpu=True,
        report_to=[],
        disable_tqdm=True,
        save_strategy="steps",
        save_steps=2,
        ignore_data_skip=True,
        learning_rate=1e-2,
        max_grad_norm=0,
        lr_scheduler_type="constant",
        max_steps=stop or -1,
    )
    SyllabusTrainer(model=model, args=args, callbacks=[callback]).train(resume_from_checkpoint=load)
    return syllabus


@pytest.mark.parametrize("accumulate", [1, 3, 5])
def test_every_batch_of_an_epoch_is_settled(tmp_path, accumulate):
    syllabus = run(tmp_path, accumulate)
    assert (syllabus.rounds, syllabus.outstanding) == (12, 0)


def test_a_run_resumed_from_a_checkpoint_ends_like_the_whole_one(tmp_path):
    whole = run(tmp_path / "whole", 1)
    run(tmp_path / "half", 1, stop=6)
    resumed = run(tmp_path / "half", 1, load=str(tmp_path / "half" / "checkpoint-6"))
    assert resumed.rounds == 12
    assert resumed.probabilities() == whole.probabilities()
