# SPDX-License-Identifier: Apache-2.0
"""A model of one weight, and gains of its training steps."""

import torch
from torch import nn

import gradus
from gradus.torch import Gain


class Line(nn.Module):
    """y = w x."""

    def __init__(self, w=1.0):
        super().__init__()
        self.w = nn.Parameter(torch.tensor(w, dtype=torch.float64))

    def forward(self, x):
        return self.w * x


def squared(model, batch):
    x, y = batch
    return ((model(x) - y) ** 2).sum()


def batch(x, y):
    return torch.tensor([x], dtype=torch.float64), torch.tensor([y], dtype=torch.float64)


def make(name, model, loss=squared, tasks=("a", "b"), **options):
    syllabus = gradus.Syllabus(tasks, seed=1)
    return syllabus, Gain(name, syllabus, model, loss, **options)


def train(model, x, rate=0.1, loss=squared):
    """Takes a step of plain gradient descent."""
    model.zero_grad()
    value = loss(model, x)
    value.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= rate * p.grad
    return value
