# SPDX-License-Identifier: Apache-2.0
"""Speed-up of `gradus sweep` by a second core: the time of two runs one after the other, on one
core each (--jobs 1), divided by the time of both at once on two cores (--jobs 2).

    python3 benchmarks/jobs.py build/dev/gradus
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

CONFIG = pathlib.Path(__file__).parent.parent / "configs/paper/repeat-copy.toml"
SMALL = ["repeat_copy.max_length=6", "repeat_copy.max_repeats=6"]
CASES = {
    "128 cells, 6 x 6 tasks": ["network.cells=128", *SMALL, "steps=1.6e6"],
    "512 cells, 6 x 6 tasks": ["network.cells=512", *SMALL, "steps=1.2e5"],
    "512 cells, 13 x 13 tasks": ["network.cells=512", "steps=1.2e5"],
}
COMMON = ["gain=pg", "objective=ml", "evaluation.all_tasks=false"]


def seconds(gradus, cores, jobs, seeds, settings):
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "taskset",
            "-c",
            cores,
            gradus,
            "sweep",
            CONFIG,
            *settings,
            *COMMON,
            f"seed={seeds}",
        ]
        start = time.monotonic()
        subprocess.run(
            [*command, "--quiet", "--jobs", str(jobs), "--out", folder],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("gradus", help="path of the program gradus")
    parser.add_argument("--pairs", type=int, default=5, help="measurements per case")
    options = parser.parse_args()
    ratios = {name: [] for name in CASES}
    for _ in range(options.pairs):
        for name, settings in CASES.items():
            # Measure both runs together in between, so that a machine that slows down favours
            # neither side.
            first = seconds(options.gradus, "0", 1, [1], settings)
            both = seconds(options.gradus, "0,1", 2, [1, 2], settings)
            second = seconds(options.gradus, "1", 1, [2], settings)
            ratios[name].append((first + second) / both)
            print(
                f"{name}: ({first:.1f} + {second:.1f}) / {both:.1f} s = {ratios[name][-1]:.2f}",
                flush=True,
            )
    for name, of_pairs in ratios.items():
        print(
            f"{name}: mean {statistics.mean(of_pairs):.2f}, {min(of_pairs):.2f} to {max(of_pairs):.2f}"
        )


if __name__ == "__main__":
    main()
