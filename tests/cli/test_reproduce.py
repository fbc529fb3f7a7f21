# SPDX-License-Identifier: Apache-2.0
"""gradus reproduce and the ready-made configs that it uses."""

import tomllib
from pathlib import Path

import pytest

from program import refuse, run
from stored import rows

CONFIGS = Path(__file__).parents[2] / "configs"
EXPERIMENTS = ["ngram", "repeat-copy", "babi"]
TINY = """
steps=2000 batch=4 network.cells=4 network.layers=1 evaluation.interval=1000 evaluation.sequences=2
evaluation.all_tasks_interval=0 ngram.characters=3000 ngram.max_order=2 ngram.cache=none
repeat_copy.max_length=2 repeat_copy.max_repeats=2
""".split()


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("the lamb and the lion lie down in peace\n" * 100)
    return f"ngram.corpus={path}"


@pytest.mark.parametrize("scale", ["demo", "paper"])
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_ends_with_a_report(experiment, scale, corpus):
    call = ["reproduce", experiment, "--scale", scale, *TINY, corpus, "seed=[1, 2]"]
    code, out, err = run(*call, "objective=ml", 'gain=["pg", "uniform"]', "--quiet", "--out", "out")
    assert code == 0, err
    assert err == "4 runs of 2000 steps each, in out\n"
    assert "pg" in out and "uniform" in out and out.endswith("Report written to out/report.html\n")
    assert Path("out/report.html").read_text().startswith("<!doctype html>")
    assert len(list(Path("out").glob("*/run.db"))) == 4


def test_all_experiments_are_one_sweep_with_a_report_and_records_each(corpus):
    arms = ["seed=1", "objective=ml", 'gain=["pg", "uniform"]', "--quiet"]
    every = ["reproduce", "all", *TINY, corpus, *arms, "--results", "records", "--out", "out"]
    code, out, err = run(*every, "--next", "3")
    assert code == 0, err
    assert err == "6 runs, in out\n"
    first = sorted(path.relative_to("records") for path in Path("records").rglob("*.jsonl.gz"))
    # Each experiment has one of the first three runs.
    assert sorted(path.parent.name for path in first) == sorted(EXPERIMENTS)
    assert [out.count(f"out/{experiment}/report.html") for experiment in EXPERIMENTS] == [1, 1, 1]
    code, out, err = run(*every)
    assert code == 0, err
    assert "3 of 6 runs already have a record in records\n" in err
    for experiment in EXPERIMENTS:
        records = {path.name for path in Path("records", experiment).iterdir()}
        assert records == {"gain=pg.jsonl.gz", "gain=uniform.jsonl.gz"}
        assert "uniform" in Path("out", experiment, "report.html").read_text()
        # The same records as those of the experiment alone, which has nothing left to train.
        alone = ["reproduce", experiment, *TINY, corpus, *arms, "--out", "other"]
        code, _, err = run(*alone, "--results", f"records/{experiment}")
        assert code == 0 and err.endswith("nothing to train\n")
        # Each experiment is a sweep of its own for the other commands.
        code, out, _ = run("sweep", "--status", f"out/{experiment}")
        assert code == 0 and out.endswith("2 finished\n")
        assert run("resume", f"out/{experiment}", "--quiet")[0] == 0


def test_all_experiments_refuse_one_table():
    assert "name one experiment" in refuse("reproduce", "all", "--json")


def test_the_arms_of_the_paper(corpus):
    call = ["reproduce", "repeat-copy", "--scale", "paper", *TINY, "seed=1", "--quiet"]
    code, _, err = run(*call, "--out", "out")
    assert code == 0, err
    arms = {path.parent.name for path in Path("out").glob("*/run.db")}
    ml = ["uniform", "target", "pg", "gpg", "spg", "tpg", "mpg"]
    assert arms == {
        *(f"gain={gain},objective=ml" for gain in ml),
        *(f"gain={gain},objective=l2" for gain in ["l2g", "gl2g"]),
        *(f"gain={gain},objective=vi" for gain in ["uniform", "vcg", "gvcg"]),
    }


def test_a_run_that_fails_does_not_keep_the_report_back():
    call = ["reproduce", "repeat-copy", *TINY, 'gain=["vcg", "uniform"]', "seed=1", "--quiet"]
    code, _, err = run(*call, "--out", "out")
    assert code == 1 and "1 of 2 runs failed" in err
    assert Path("out/report.html").exists()
    settings = {
        row["key"]: row["value"] for row in rows("out/gain=uniform", "SELECT * FROM settings")
    }
    assert settings["syllabus.eta"] == "auto"


# Sections 4, 4.1, 4.2 and 4.3 of the paper.
@pytest.mark.parametrize(
    "experiment, layers, batch, rate, steps",
    [
        ("ngram", 2, 32, 1e-5, 2e8),
        ("repeat-copy", 1, 32, 1e-5, 1.1e9),
        ("babi", 2, 16, 3e-5, 3.5e8),
    ],
)
def test_paper_configs_have_the_papers_numbers(experiment, layers, batch, rate, steps):
    config = tomllib.loads((CONFIGS / "paper" / f"{experiment}.toml").read_text())
    assert config["network"] == {"layers": layers, "cells": 512}
    assert (config["batch"], config["steps"]) == (batch, steps)
    assert config["optimiser"] == {"learning_rate": rate, "momentum": 0.9, "epsilon": 1e-4}
    assert config["syllabus"] == {"eta": 1e-3, "beta": 0, "epsilon": 0.05}
    assert config["l2"] == {"decay": 1e-4}
    assert all(grid["seed"] == list(range(1, 11)) for grid in config["sweep"])


def test_refusals():
    assert refuse("reproduce", "babbi") == 'unknown experiment "babbi"; did you mean "babi"?'
    message = refuse("reproduce", "babi", "--scale", "papr")
    assert message == 'unknown scale "papr"; did you mean "paper"?'
    assert refuse("reproduce", "babi", "gian=pg").startswith('unknown setting "gian"')
    assert "EXPERIMENT is required" in refuse("reproduce")
