# SPDX-License-Identifier: Apache-2.0
"""gradus runs, show and check, --dry-run, and --json of every table."""

import json
import re
import shutil
from pathlib import Path

import pytest

from program import SMALL, refuse, run, succeed
from stored import metrics, rows

CONFIG = f"""{SMALL}
steps = 3000
evaluation.interval = 1000
[sweep]
gain = ["pg", "uniform"]
"""


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """A sweep of two runs, its folder, and what it printed."""
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "sweep.toml").write_text(CONFIG)
    code, out, err = run("sweep", "sweep.toml", "--out", "out", "--json", cwd=folder)
    assert code == 0
    return folder, json.loads(out), err


@pytest.fixture
def folder(sweep):
    """A copy of that sweep with another run that is broken, as the current directory."""
    shutil.copytree(sweep[0], ".", dirs_exist_ok=True)
    shutil.copytree("out/gain=pg", "out/broken")
    Path("out/broken/run.db").write_bytes(b"x" * 5000)
    return Path("out")


def test_a_sweep_ends_with_where_its_results_are_and_what_is_next(sweep):
    folder, table, err = sweep
    assert err.endswith("\nsaved in out; next: gradus report out -o report.html\n")
    assert [row["run"] for row in table] == ["out/gain=pg", "out/gain=uniform"]
    for row in table:
        assert row["status"] == "finished" and row["total_steps"] == 3000
        assert row["metrics"] == metrics(folder / row["run"])[-1]


def test_runs_says_what_is_where_how_far_and_how_well(folder):
    head, broken, pg, uniform = succeed("runs", folder).splitlines()
    assert head.split() == "run what status how far how well started (UTC)".split()
    assert re.fullmatch(r"out/broken +broken +out/broken/run.db: file is not a database", broken)
    loss = metrics("out/gain=pg")[-1]["target_loss"]
    assert re.fullmatch(
        rf"out/gain=pg +repeat-copy, pg, seed 1 +finished +3k of 3k steps \(100%\) +"
        rf"target loss {loss:.4f} +20\d\d-\d\d-\d\d \d\d:\d\d",
        pg,
    )
    assert uniform.startswith("out/gain=uniform ")
    first, *others = json.loads(succeed("runs", folder, "--json"))
    assert first == {
        "run": "out/broken",
        "status": "broken",
        "problem": "out/broken/run.db: file is not a database",
    }
    assert [row["gain"] for row in others] == ["pg", "uniform"]
    assert others[0]["metrics"] == metrics("out/gain=pg")[-1]
    Path("empty").mkdir()
    assert run("runs", "empty") == (0, "", "empty: contains no runs\n")
    assert succeed("runs", "empty", "--json") == "[]\n"
    assert refuse("runs") == "runs: is not a folder"


def test_show_tells_all_about_a_run(folder):
    out = succeed("show", "out/gain=pg")
    last = metrics("out/gain=pg")[-1]
    assert re.search(r"^what +repeat-copy, pg, seed 1$", out, re.M)
    assert re.search(r"^how far +3k of 3k steps \(100%\), 0:0\d of work$", out, re.M)
    assert re.search(rf"^  target_loss +{last['target_loss']:.5g} +nats per output", out, re.M)
    assert re.search(r"^  network.cells = 8$", out, re.M) and "  gain = " not in out
    assert re.search(r"^  20\S+Z +0 steps +started +Gradus \d", out, re.M)
    assert out.endswith("\nnext: gradus report out/gain=pg -o report.html\n")
    shown = json.loads(succeed("show", "out/gain=pg", "--json"))
    assert shown["settings"]["network.cells"] == "8" and shown["target"] == "2,2"
    tasks = rows("out/gain=pg", "SELECT policy FROM task_metrics ORDER BY steps, task")[-4:]
    assert [task["policy"] for task in shown["tasks"]] == [task["policy"] for task in tasks]
    assert [event["kind"] for event in shown["events"]] == ["started", "finished"]
    assert [shown["checkpoints"][-1]] == [f"step-{last['steps']:015}"]
    assert refuse("show", "out/broken", "--json").endswith("file is not a database")
    assert refuse("show", "out") == "out: contains no run (no run.db, no record)"


def test_a_dry_run_says_what_would_be_done_and_does_nothing(folder):
    shutil.rmtree("out/gain=uniform")
    out = succeed("sweep", "sweep.toml", "--out", "out", "--dry-run")
    first, pg, uniform = out.splitlines()
    assert first == "would train 1 of 2 runs in out: 3k steps"
    assert re.fullmatch(r"  gain=pg +finished  \d+k of 3k steps  4 tasks", pg)
    assert re.fullmatch(r"  gain=uniform +waiting +3k steps +4 tasks", uniform)
    plan = json.loads(succeed("sweep", "sweep.toml", "--out", "out", "--dry-run", "--json"))
    assert plan["steps_left"] == 3000 and [r["state"] for r in plan["runs"]] == [
        "finished",
        "waiting",
    ]
    out = succeed("train", "sweep.toml", "gain=gpg", "--dry-run")
    assert out.startswith("would train 1 of 1 run in runs/repeat-copy-gpg-1: 3k steps\n")
    out = succeed("reproduce", "repeat-copy", "--dry-run", "--only", "seed=1")
    assert out.startswith("would train 3 of 3 runs in runs/repeat-copy-demo: ")
    assert not Path("runs").exists() and not Path("out/gain=uniform").exists()


def test_check_finds_what_training_would_refuse(folder):
    out = succeed("check", "sweep.toml")
    assert out.startswith("would train 2 of 2 runs: 6k steps\n")
    assert out.endswith("\nsweep.toml: no errors\n")
    assert succeed("check", "sweep.toml", "gain=pg").startswith(
        "would train 1 of 1 run: 3k steps\n"
    )
    assert json.loads(succeed("check", "sweep.toml", "--json"))["steps_left"] == 6000
    assert "gain vcg " in refuse("check", "sweep.toml", "gain=vcg")
    assert "policy fixed has 0 probabilities" in refuse("check", "sweep.toml", "policy=fixed")
    assert refuse("check", "sweep.toml", "sead=3").startswith('unknown setting "sead"')
    assert refuse("check", "seed=3") == "check needs a config file before any key=value"
    code, out, err = run("check", "sweep.toml", "gain=l2g")
    assert code == 0 and err.startswith("gradus: warning: gain l2g ") and "1 of 1 run" in out


def test_every_table_is_also_json(folder):
    for kind, name in [("gains", "pg"), ("policies", "exp3s"), ("curricula", "babi")]:
        entries = json.loads(succeed("list", kind, "--json"))
        assert name in [entry["name"] for entry in entries]
    assert json.loads(succeed("info", "--json"))["gradus"] == succeed("--version").split()[1]
    shutil.rmtree("out/broken")
    report = json.loads(succeed("report", "out", "--json"))
    assert report["report"] == "report.html" and Path("report.html").exists()
    assert [row["group"] for row in report["table"]] == ["uniform", "pg"]
    assert report["table"][0]["last"]["mean"] == pytest.approx(
        metrics("out/gain=uniform")[-1]["target_loss"], rel=1e-4
    )
    assert report["finding"].startswith("Nothing can be concluded yet")


LONG = "x" * 300
EMPTY = "the name is empty, expected that of a file or folder"
DASH = '"-" is not supported, expected the name of a file or folder'
TOO_LONG = "the name xxxxxxxxxxxxxxxxxxxx... is too long, expected at most 255 bytes between"


@pytest.mark.parametrize(
    "line",
    ["train --out NAME", "sweep sweep.toml --out NAME", "export out --format csv --out NAME"]
    + ["reproduce babi --out NAME", "report out -o NAME", "sweep x.toml --out o --results NAME"]
    + ["resume NAME", "show NAME", "report NAME", "runs NAME", "export NAME --format csv"],
)
def test_a_name_that_cannot_be_meant_is_refused(line):
    names = [("", EMPTY), (LONG, TOO_LONG)]
    if line.startswith("export"):
        names += [("-", DASH), (f"a/{LONG}/b", "the name a/xxxxxxxxxxxxxxxxxx... is too long")]
    for name, message in names:
        said = refuse(*[name if word == "NAME" else word for word in line.split()])
        assert message in said and f"see gradus {line.split()[0]} --help" in said
    assert not list(Path().iterdir())


def test_an_empty_config_is_not_the_default():
    assert "is not of the form key=value" in refuse("train", "")
