# SPDX-License-Identifier: Apache-2.0
"""Four tasks on strings of digits, from easy to hard, as sequences of tokens."""

from __future__ import annotations

import random

import torch
from torch import Tensor

Sequence = tuple[Tensor, Tensor]

DIGITS = 10
END, BLANK = DIGITS, DIGITS + 1
TASKS = {"last": DIGITS + 2, "sort": DIGITS + 3, "reverse": DIGITS + 4, "add": DIGITS + 5}
TOKENS = DIGITS + 2 + len(TASKS)
LONGEST = 6


def answer(task: str, digits: list[int]) -> list[int]:
    """The tokens that the network must write after the digits. `add` splits the digits into two
    numbers of equal length and writes their sum, lowest digit first."""
    if task == "last":
        return digits[-1:]
    if task == "sort":
        return sorted(digits)
    if task == "reverse":
        return digits[::-1]
    half = len(digits) // 2
    numbers = [int("".join(map(str, part))) for part in (digits[:half], digits[half:])]
    return [int(digit) for digit in reversed(str(sum(numbers)))]


def sequence(task: str, draw: random.Random) -> Sequence:
    """Inputs and targets of one sequence: the digits, the mark of the task, and the answer token by
    token. Targets equal to BLANK are not scored."""
    length = 2 * draw.randint(1, LONGEST // 2)
    digits = [draw.randrange(DIGITS) for _ in range(length)]
    said = [*answer(task, digits), END]
    inputs = [*digits, TASKS[task], *said[:-1]]
    targets = [BLANK] * length + said
    return torch.tensor(inputs), torch.tensor(targets)


def data_set(task: str, count: int, seed: str) -> list[Sequence]:
    """`count` sequences of a task; the same seed gives the same sequences."""
    draw = random.Random(f"{task} {seed}")
    return [sequence(task, draw) for _ in range(count)]


def collate(sequences: list[Sequence]) -> Sequence:
    """Inputs and targets of shape (T, B), padded with BLANK."""
    inputs, targets = zip(*sequences)
    pad = torch.nn.utils.rnn.pad_sequence
    return pad(list(inputs), padding_value=BLANK), pad(list(targets), padding_value=BLANK)
