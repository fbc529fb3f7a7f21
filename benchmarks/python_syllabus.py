# SPDX-License-Identifier: Apache-2.0
"""CPU time of a draw and its reward from Python, in microseconds: the best of five."""

import random
import time

import gradus

ROUNDS = 100_000


def cost(tasks: int) -> float:
    syllabus = gradus.Syllabus([str(i) for i in range(tasks)])
    draw = random.Random(1)
    progress = [draw.gauss(0, 1) for _ in range(ROUNDS)]
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for value in progress:
            syllabus.reward(syllabus.draw(), value, 58)
        best = min(best, time.process_time() - start)
    return best / ROUNDS * 1e6


for count in (4, 20, 169):
    print(f"{count:4} tasks  {cost(count):.2f}")
