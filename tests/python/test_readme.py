# SPDX-License-Identifier: Apache-2.0
"""The README's example does what it says."""

import pathlib

import torch
from torch import nn

README = pathlib.Path(__file__).parents[2] / "README.md"


def test_the_ten_lines_of_the_readme_train_and_settle_every_batch():
    section = README.read_text().split("## In your PyTorch loop")[1].split("\n## ")[0]
    blocks = section.split("\n\n")
    code = "\n".join(
        line[4:] for block in blocks[2:] for line in block.splitlines() if line[:4] == "    "
    )
    assert "import gradus" in code and "optimizer.step()" in code
    torch.manual_seed(0)
    model = nn.Linear(1, 1)
    names = {
        "datasets": {"small": torch.rand(40, 1), "large": 3 * torch.rand(60, 1)},
        "model": model,
        "optimizer": torch.optim.SGD(model.parameters(), 0.01),
        "loss": lambda model, x: ((model(x) - 2 * x) ** 2).mean(),
        "held_out": lambda task: {"small": 1, "large": 3}[task] * torch.rand(8, 1),
    }
    before = float(names["loss"](model, torch.ones(1, 1)))
    exec(code, names)
    assert names["syllabus"].rounds == 1000 and names["syllabus"].outstanding == 0
    assert float(names["loss"](model, torch.ones(1, 1))) < before / 10
