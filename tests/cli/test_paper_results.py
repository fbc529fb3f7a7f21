# SPDX-License-Identifier: Apache-2.0
"""The records in results/: reports, verdicts and sizes."""

import functools
import gzip
import importlib.machinery
import importlib.util
import json
import math
import random
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from program import run, succeed
from stored import rows

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


@functools.cache
def report(experiment):
    """The table that the program prints, and the size of its page."""
    out = succeed("report", RESULTS / experiment, "-o", "page.html")
    return out, Path("page.html").stat().st_size


@pytest.mark.parametrize("experiment", [path.name for path in EXPERIMENTS])
def test_the_report_is_made_of_the_records_alone(experiment):
    out, size = report(experiment)
    assert "Report written" in out and size > 100_000


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
    verdicts = load_script("verdicts")
    found, _ = verdicts.speed_up(verdicts.Runs("repeat-copy"), "gvcg vi", "uniform vi", 0.1)
    out, _ = report("repeat-copy")
    (row,) = [line for line in out.splitlines() if line.startswith("gvcg, vi")]
    assert f"{found.ratio:.3g}x ({found.low:.3g} to {found.high:.3g})" in row


def test_every_claim_can_be_decided(tmp_path):
    """Decides all claims by made-up records, so that no rule fails when its runs are there."""
    succeed("train", "curriculum=babi", "steps=500", "network.cells=2", "--quiet", "--out", "babi")
    babi = [row["name"] for row in rows("babi", "SELECT name FROM tasks ORDER BY task")]
    tasks = {
        "ngram": [f"{n}-gram" for n in range(11)],
        "repeat-copy": [f"{i},{j}" for i in range(1, 14) for j in range(1, 14)],
        "babi": babi,
    }
    verdicts = load_script("verdicts")
    verdicts.ROOT = tmp_path
    draw = random.Random(1)
    for claim in verdicts.CLAIMS:
        folder = tmp_path / "results" / claim["experiment"]
        folder.mkdir(parents=True, exist_ok=True)
        for arm, seeds in claim["arms"].items():
            for seed in range(seeds):
                write_record(
                    folder / f"{arm} {seed}.jsonl.gz", arm, tasks[claim["experiment"]], draw
                )
    table, counts = verdicts.decide()
    assert len(table) == 13 and sum(counts.values()) == 13 and "not yet decided" not in counts


def write_record(file, arm, tasks, draw):
    gain, objective, *printed = arm.split()
    settings = {"gain": gain, "objective": objective, "sign": "printed" if printed else "derived"}
    with gzip.open(file, "wt") as out:
        print(json.dumps({"settings": settings, "tasks": tasks}), file=out)
        for i in range(28):
            row = {
                "steps": 20_000_000 * i,
                "target_loss": 6 * math.exp(-i * draw.uniform(0.1, 0.3)),
                "entropy": draw.uniform(1, 5),
                "complexity": draw.uniform(1, 2),
                "tasks_completed": i // 3,
                "policy": [round(1 / len(tasks), 3)] * len(tasks),
                "error": [draw.random() / (i + 1)] * len(tasks),
            }
            print(json.dumps(row), file=out)


def load_script(name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def test_records_are_compared_number_by_number():
    record = next((RESULTS / "repeat-copy").glob("*.gz"))
    shutil.copy(record, "same.jsonl.gz")
    assert call(ROOT / "scripts/compare-records", record, "same.jsonl.gz")[0] == 0
    lines = gzip.open(record, "rt").read().splitlines(keepends=True)
    with gzip.open("shorter.jsonl.gz", "wt") as out:
        out.writelines(lines[:-1])
    code, message = call(ROOT / "scripts/compare-records", record, "shorter.jsonl.gz")
    assert code == 1 and "evaluations; those that both have are the same" in message
    for stored, other in [
        ('"stop.after":"', '"stop.after":"9'),
        ('"store":"auto"', '"store":"local"'),
    ]:
        assert stored in lines[0]
        with gzip.open("free.jsonl.gz", "wt") as out:
            out.writelines([lines[0].replace(stored, other), *lines[1:]])
        assert call(ROOT / "scripts/compare-records", record, "free.jsonl.gz")[0] == 0
    with gzip.open("changed.jsonl.gz", "wt") as out:
        out.writelines([*lines[:-1], lines[-1].replace('"rounds":', '"rounds":1')])
    code, message = call(ROOT / "scripts/compare-records", record, "changed.jsonl.gz")
    assert code == 1 and ": rounds: " in message


def test_records_may_differ_in_the_settings_that_resume_may_change():
    succeed("train", "steps=500", "network.cells=2", "--quiet", "--out", "run")
    config = tomllib.loads(Path("run/config.toml").read_text())
    del config["steps"]  # records of different lengths are told apart by their evaluations
    settings = {}
    for name, value in config.items():
        table = value if isinstance(value, dict) else {"": value}
        settings.update({f"{name}.{key}".strip("."): entry for key, entry in table.items()})
    changeable = {key for key, value in settings.items() if resume_accepts(key, value)}
    assert changeable == load_script("compare-records").FREE_SETTINGS


def resume_accepts(key, value):
    """Whether a run may continue with another value of the setting."""
    code, _, err = run("resume", "run", f"{key}={another(value)}", "--quiet")
    if choices := re.search("expected one of: (.*)", err):
        other = next(choice for choice in choices[1].split() if choice != value)
        code, _, err = run("resume", "run", f"{key}={other}", "--quiet")
    is_refused = f"{key} is " in err and " and cannot change; " in err
    assert is_refused or code == 0 or "cuda" in err, err  # there may be no GPU
    return not is_refused


def another(value):
    """A value of the same type, unless the setting has a list of choices."""
    if isinstance(value, bool):
        return str(not value).lower()
    if isinstance(value, list):
        return "[0.5]"
    if isinstance(value, str):
        return "1" if value == "auto" else "other"
    return value + 1 if isinstance(value, int) else (value or 1) / 2
