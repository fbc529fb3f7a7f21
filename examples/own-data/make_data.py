#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the data of the example: four small texts and one set of input-target pairs.

usage: make_data.py [FOLDER]     default: data, next to this script

The seeds are fixed, so the files are the same on every machine.
"""

import json
import random
import sys
from pathlib import Path

SIZE = 60_000  # characters per text
PAIRS = 2_000


class Dice:
    """Uses only random(), whose sequence for a seed is the same in every Python version."""

    def __init__(self, seed):
        self._random = random.Random(seed).random

    def below(self, bound):
        return int(self._random() * bound)

    def pick(self, choices):
        return choices[self.below(len(choices))]


def counting(dice):
    """Numbers in order, from a random start."""
    start = dice.below(990)
    return " ".join(str(start + i) for i in range(8))


def brackets(dice):
    """Balanced brackets of three kinds."""
    line, still_open = "", []
    while len(line) + len(still_open) < 24:
        if still_open and dice.below(2):
            line += still_open.pop()
        else:
            left, right = dice.pick(["()", "[]", "{}"])
            line += left
            still_open.append(right)
    return line + "".join(reversed(still_open))


FOLLOWERS = {
    "the": ["old", "small", "sailor", "harbour", "wind", "lamp"],
    "old": ["sailor", "lamp", "boat"],
    "small": ["boat", "harbour", "lamp"],
    "sailor": ["watched", "left", "remembered"],
    "harbour": ["slept", "watched"],
    "wind": ["turned", "moved"],
    "lamp": ["burned", "moved"],
    "boat": ["left", "turned"],
    "watched": ["the"],
    "left": ["the", "at"],
    "remembered": ["the"],
    "moved": ["the", "at"],
    "turned": ["at", "."],
    "burned": ["at", "."],
    "slept": ["at", "."],
    "at": ["night", "dawn"],
    "night": ["."],
    "dawn": ["."],
}


def prose(dice):
    """A random walk over words: each word is drawn from the followers of the previous one."""
    words = ["the"]
    while words[-1] != "." and len(words) < 20:
        words.append(dice.pick(FOLLOWERS[words[-1]]))
    return " ".join(words)


def arithmetic(dice):
    """Sums of two numbers below a hundred."""
    a, b = dice.below(100), dice.below(100)
    return f"{a}+{b}={a + b}"


def text(line, dice):
    lines, size = [], 0
    while size < SIZE:
        lines.append(line(dice))
        size += len(lines[-1]) + 1
    return "".join(line + "\n" for line in lines)


def sorting(dice):
    """The input is some digits, a mark and blanks; the target is the digits in order."""
    digits = [dice.below(10) for _ in range(2 + dice.below(6))]
    return {"input": digits + [">"] + [None] * (len(digits) - 1), "target": sorted(digits)}


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "data"
    folder.mkdir(parents=True, exist_ok=True)
    for seed, line in enumerate([counting, brackets, prose, arithmetic]):
        (folder / f"{line.__name__}.txt").write_text(text(line, Dice(seed)), encoding="utf-8")
    dice = Dice(100)
    pairs = [json.dumps(sorting(dice)) + "\n" for _ in range(PAIRS)]
    (folder / "sorting.jsonl").write_text("".join(pairs), encoding="utf-8")


if __name__ == "__main__":
    main()
