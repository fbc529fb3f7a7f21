# SPDX-License-Identifier: Apache-2.0
"""The records in results/: reports, verdicts and sizes."""

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from program import succeed

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
EXPERIMENTS = sorted(path for path in RESULTS.iterdir() if path.is_dir())

sys.path.insert(0, str(ROOT / "scripts"))
import welch  # noqa: E402


def call(*args):
    done = subprocess.run(
        [sys.executable, *map(str, args)], capture_output=True, text=True, timeout=100
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda path: path.name)
def test_the_report_is_made_of_the_records_alone(experiment):
    out = succeed("report", experiment, "-o", "page.html")
    assert "Report written" in out and Path("page.html").stat().st_size > 100_000


def test_the_records_are_small():
    assert sum(path.stat().st_size for path in RESULTS.rglob("*")) < 25e6


def test_docs_have_the_verdicts_of_the_records():
    code, out = call(ROOT / "scripts/verdicts", "--check")
    assert code == 0, out


# Tables of Student's distribution.
@pytest.mark.parametrize(
    "freedom, limit", [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (120, 1.980)]
)
def test_students_limits(freedom, limit):
    assert welch.student_limit(freedom) == pytest.approx(limit, abs=5e-4)


def test_the_verdicts_and_the_report_compute_the_same_interval():
    arms = {}
    for path in (RESULTS / "repeat-copy").glob("*objective=vi*"):
        gain = path.name.split(",")[0].removeprefix("gain=")
        shutil.copy(path, path.name)
        arms.setdefault(gain, []).append(path)
    code, out = call(
        "-c",
        "import importlib.machinery, importlib.util, sys\n"
        f"loader = importlib.machinery.SourceFileLoader('verdicts', '{ROOT}/scripts/verdicts')\n"
        "verdicts = importlib.util.module_from_spec(importlib.util.spec_from_loader('verdicts', loader))\n"
        "loader.exec_module(verdicts)\n"
        "runs = verdicts.Runs('repeat-copy')\n"
        "found, _ = verdicts.speed_up(runs, 'gvcg vi', 'uniform vi', 0.1)\n"
        "print(f'{found.ratio:.3g}x ({found.low:.3g} to {found.high:.3g})')",
    )
    assert code == 0, out
    (row,) = [
        line
        for line in succeed("report", ".", "-o", "page.html").splitlines()
        if line.startswith("gvcg")
    ]
    assert out.strip() in row


def test_records_are_compared_number_by_number():
    record = next((RESULTS / "repeat-copy").glob("*.gz"))
    shutil.copy(record, "same.jsonl.gz")
    assert call(ROOT / "scripts/compare-records", record, "same.jsonl.gz")[0] == 0
    lines = gzip.open(record, "rt").read().splitlines(keepends=True)
    with gzip.open("shorter.jsonl.gz", "wt") as out:
        out.writelines(lines[:-1])
    code, message = call(ROOT / "scripts/compare-records", record, "shorter.jsonl.gz")
    assert code == 1 and "evaluations; those that both have are the same" in message
    with gzip.open("changed.jsonl.gz", "wt") as out:
        out.writelines([*lines[:-1], lines[-1].replace('"rounds":', '"rounds":1')])
    code, message = call(ROOT / "scripts/compare-records", record, "changed.jsonl.gz")
    assert code == 1 and ": rounds: " in message
