# SPDX-License-Identifier: Apache-2.0
"""Records of finished runs, and sweeps that do only what is missing from a folder of them."""

import gzip
import json
import re
from pathlib import Path

import pytest

from program import refuse, run, succeed

# 70 evaluations, so that a record has fewer rows of tasks than its run.
SWEEP = """
curriculum = "repeat-copy"
steps = 7000
batch = 4

[repeat_copy]
max_length = 2
max_repeats = 2
bits = 2

[network]
cells = 4

[evaluation]
interval = 100
sequences = 2
all_tasks = true

[[sweep]]
gain = ["uniform", "pg"]
seed = [1, 2]
"""


@pytest.fixture(autouse=True)
def config():
    Path("sweep.toml").write_text(SWEEP)


def sweep(*args):
    code, _, err = run("sweep", "sweep.toml", "--quiet", "--results", "results", *args)
    assert code == 0, err
    return err


def records():
    return sorted(path.name.removesuffix(".jsonl.gz") for path in Path("results").glob("*"))


def page(*args):
    """The report's page, without the names of the folders that it was made from and without a
    setting that slices may differ in."""
    succeed("report", *args, "-o", "page.html")
    text, commands = re.subn(r'"command":"[^"]*"', "", Path("page.html").read_text())
    assert commands == 1
    return re.sub(r'"checkpoint.seconds":"[^"]*",', "", text)


def test_a_report_of_records_is_the_same_page():
    sweep("--out", "runs")
    assert page("results") == page("runs")
    succeed("export", "runs", "--format", "record", "--out", "again")
    for file in Path("results").glob("*"):
        assert file.read_bytes() == Path("again", file.name).read_bytes()


def test_a_record_is_readable_by_others():
    sweep("--out", "runs", "--only", "gain=pg", "--only", "seed=2")
    assert records() == ["gain=pg,seed=2"]
    text = gzip.open("results/gain=pg,seed=2.jsonl.gz", "rt").read()
    facts, *rows = map(json.loads, text.splitlines())
    assert facts["settings"]["seed"] == "2" and facts["tasks"] == ["1,1", "1,2", "2,1", "2,2"]
    assert len(rows) > 60 and 30 < sum("policy" in row for row in rows) <= 60
    assert "policy" in rows[0] and "policy" in rows[-1]


def test_slices_on_different_machines_add_up():
    # Each slice has a folder of its own, as on a machine that starts empty.
    assert "already" not in sweep("--out", "first", "--next", "1")
    assert records() == ["gain=uniform,seed=1"]
    assert "1 of 4 runs already have a record in results" in sweep("--out", "second", "--next", "2")
    assert records() == ["gain=pg,seed=1", "gain=uniform,seed=1", "gain=uniform,seed=2"]
    sweep("--out", "third", "device=cpu", "checkpoint.seconds=1")  # these change no result
    assert len(records()) == 4 and len(list(Path("third").glob("*/run.db"))) == 1
    assert "no run is missing" in sweep("--out", "fourth")
    code, _, err = run("sweep", "sweep.toml", "--quiet", "--out", "whole")
    assert code == 0, err
    assert page("whole") == page("results")


def test_a_finished_run_without_a_record_gets_one():
    code, _, err = run("sweep", "sweep.toml", "--quiet", "--out", "runs")
    assert code == 0, err
    before = {path: path.stat().st_mtime_ns for path in Path("runs").glob("*/run.db")}
    sweep("--out", "runs")
    assert len(records()) == 4
    assert before == {path: path.stat().st_mtime_ns for path in Path("runs").glob("*/run.db")}


def test_next_without_records_counts_runs_that_are_not_finished():
    for expected in (3, 4):
        code, _, err = run("sweep", "sweep.toml", "--quiet", "--out", "runs", "--next", "3")
        assert code == 0, err
        assert len(list(Path("runs").glob("*/run.db"))) == expected


def test_reproduce_does_what_is_missing_and_reports_all_records():
    tiny = """steps=700 network.cells=4 batch=4 evaluation.interval=100 evaluation.sequences=2
    evaluation.all_tasks_interval=0 repeat_copy.max_length=2 repeat_copy.max_repeats=2""".split()
    call = [
        "reproduce",
        "repeat-copy",
        "--scale",
        "paper",
        *tiny,
        "--quiet",
        "--results",
        "records",
    ]
    call += ["--only", "gain=uniform,pg", "--only", "objective=ml", "--only", "seed=1,2"]
    code, _, err = run(*call, "--next", "3", "--out", "first")
    assert code == 0 and err.startswith("4 runs of 700 steps each"), err
    code, out, err = run(*call, "--out", "second")
    assert code == 0 and "3 of 4 runs already have a record in records" in err
    assert len(list(Path("records").glob("*"))) == 4
    assert Path("second/report.html").exists() and "Report written to second/report.html" in out


def test_refusals():
    sweep("--out", "runs", "--next", "1")
    call = ["sweep", "sweep.toml", "--out", "other", "--results", "results"]
    assert refuse(*call, "network.cells=5") == (
        "results/gain=uniform,seed=1.jsonl.gz: is of a run with network.cells = 4, but the sweep has 5; "
        "choose another folder"
    )
    assert refuse(*call, "--only", "gain=tpg") == "no run of the sweep has gain=tpg"
    assert refuse(*call, "--only", "gian=pg").startswith('unknown setting "gian"')
    assert "is not of the form KEY=VALUE[,VALUE...]" in refuse(*call, "--only", "pg")
    assert "--next" in refuse(*call, "--next", "0")
    Path("results/gain=uniform,seed=1.jsonl.gz").write_bytes(b"no gzip")
    assert "is damaged, or is not a gzip file" in refuse(*call)
    assert "is damaged, or is not a gzip file" in refuse("report", "results")
