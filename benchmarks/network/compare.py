#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares Gradus with PyTorch and, if the worker was built with it, oneDNN.

Times whole updates of the same shapes, interleaved, so that a temporary slowdown of the machine
affects all engines.

    python3 benchmarks/network/compare.py WORKER table|threads|cells [--rounds N] [--only NAME]

`share` is the useful operations (case.h) per second, divided by the multiply-add peak measured
alongside; both are the best of the rounds. `by processor` uses the median CPU time instead of the
wall-clock time, which other programs on the machine lengthen. `x` is PyTorch's or oneDNN's time
divided by ours. With two threads, `round trip` is that of a cache line between two processors, in
the best round and over all rounds. A virtual machine's processors may be placed anywhere: about
55 ns apart if they share a core (each then has half its peak), 100 if they share a cache, 330 if
they do not.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

REPEAT_COPY = dict(tokens=0, bits=9, reals=1, output="sigmoid", width=9, layers=1, sequences=32)
CASES = {
    "n-gram": dict(
        tokens=60,
        bits=0,
        reals=0,
        output="softmax",
        width=60,
        layers=2,
        cells=512,
        sequences=32,
        steps=150,
        inputs=150,
        scored=100,
    ),
    "repeat copy": dict(REPEAT_COPY, cells=512, steps=58, inputs=8, scored=50),
    "bAbI": dict(
        tokens=160,
        bits=1,
        reals=0,
        output="softmax",
        width=160,
        layers=2,
        cells=512,
        sequences=16,
        steps=100,
        inputs=100,
        scored=6,
    ),
    "128 cells": dict(REPEAT_COPY, cells=128, steps=58, inputs=8, scored=50),
    "demo": dict(REPEAT_COPY, cells=96, steps=23, inputs=5, scored=17),
}


class Worker:
    """A process that has prepared the network of a case."""

    def __init__(self, command, case):
        environment = {**os.environ, "OMP_NUM_THREADS": str(case["threads"])}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.about = json.loads(self.ask(json.dumps(case)))
        self.clock, self.processor = [], []

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def update(self):
        clock, processor = map(float, self.ask("update").split())
        self.clock.append(clock)
        self.processor.append(processor)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def measure(worker, case, rounds, others):
    """Returns one row of the table, from interleaved rounds."""
    ours = Worker([worker], {**case, "engine": "gradus"})
    engines = [Worker(command, {**case, "engine": name}) for name, command in others]
    present = [engine for engine in engines if engine.about]
    peaks, trips = [], []
    for _ in range(rounds):
        if case["threads"] > 1:
            time.sleep(0.02)  # by then idle threads of all engines have blocked
            trips.append(float(ours.ask("round trip")))
        peaks.append(float(ours.ask("peak")))
        for engine in [ours] + present:
            engine.update()
    best, peak = min(ours.clock), max(peaks)
    operations, threads = ours.about["operations"], case["threads"]
    row = (
        f"{1e3 * best:9.2f} {case['sequences'] * case['steps'] / best:9.0f}"
        f" {operations / best / peak:7.1%}"
        f" {operations * threads / statistics.median(ours.processor) / peak:9.1%}      "
    )
    for engine in engines:
        if engine.about:
            row += f" {1e3 * min(engine.clock):9.2f} {min(engine.clock) / best:5.2f}     "
        engine.close()
    ours.close()
    row += f"  peak {peak / 1e9:.0f} GFLOP/s {ours.about['simd']}"
    if trips:
        then = trips[ours.clock.index(best)]
        row += (
            f"  round trip {1e9 * then:.0f} ns, overall {1e9 * min(trips):.0f} to"
            f" {1e9 * max(trips):.0f}"
        )
    return row


def rows(options):
    """Yields (name, label, case)."""
    plain = dict(objective="ml", prediction_gain=True)
    if options.what == "table":
        for name, case in CASES.items():
            for objective, gain in (("ml", False), ("ml", True), ("vi", False), ("vi", True)):
                for threads in (1, 2):
                    label = f"{name:12} {objective} {'pg' if gain else '  '} {threads}"
                    yield name, label, dict(
                        case, objective=objective, prediction_gain=gain, threads=threads
                    )
    else:
        sizes = (128, 512) if options.what == "threads" else (32, 64, 96, 128, 256, 512, 1024)
        most = os.cpu_count() if options.what == "threads" else 1
        for cells in sizes:
            for threads in range(1, most + 1):
                yield str(cells), f"{cells:4} cells, {threads:2} threads", dict(
                    CASES["repeat copy"], threads=threads, **plain, cells=cells
                )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("worker", help="path of the program network_worker")
    parser.add_argument("what", choices=("table", "threads", "cells"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", help="measure only this case or number of cells")
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    others = (
        [
            ("torch", ["/usr/bin/python3", os.path.join(here, "torch_worker.py")]),
            ("onednn", [options.worker]),
        ]
        if options.what == "table"
        else []
    )
    print(
        "case           pg threads   ms   steps/s   share by processor    torch ms     x"
        "    onednn ms     x",
        flush=True,
    )
    for name, label, case in rows(options):
        if options.only in (None, name):
            print(label, measure(options.worker, case, options.rounds, others), flush=True)


if __name__ == "__main__":
    sys.exit(main())
