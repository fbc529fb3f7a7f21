# SPDX-License-Identifier: Apache-2.0
"""gradus sweep: a grid of runs, several at a time, that can be interrupted and continued."""

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cluster import write_config
from program import SANITIZED, SMALL, command, fail, refuse, run, succeed, wait_for
from stored import results, rows

BASE = f"{SMALL}steps = 6000\nevaluation.interval = 2000\n"


def config(sweep, base=BASE):
    return write_config(base + sweep)


def statuses(folder):
    found = {}
    for path in sorted(Path(folder).glob("*/run.db")):
        [row] = rows(path.parent, "SELECT value FROM run WHERE key = 'status'")
        found[path.parent.name] = row["value"]
    return found


# 22 good runs, and two whose epsilon is 0 in single precision, so that they divide by 0.
GRID = """
[[sweep]]
gain = ["pg", "gpg", "uniform", "target"]
seed = [1, 2, 3, 4, 5]
[[sweep]]
gain = "pg"
seed = 9
optimiser.epsilon = [1e-80, 1e-4]
[[sweep]]
gain = "gpg"
seed = 9
optimiser.epsilon = [1e-80, 1e-4]
"""


def test_a_sweep_of_24_with_two_that_fail_on_purpose():
    call = ["sweep", config(GRID), "--out", "out", "--jobs", 2]
    code, out, err = run(*call)
    assert (code, out) == (1, "")
    *lines, last = err.splitlines()
    assert re.match(r"gradus: 2 of 24 runs failed; the first is gain=pg,seed=9,opt\S+1e-80: ", last)
    failed = [line for line in lines if ": FAILED: after " in line]
    assert len(failed) == 2
    got = statuses("out")
    assert len(got) == 24
    assert sorted(got.values()) == ["failed"] * 2 + ["finished"] * 22
    assert all("1e-80" in name for name, status in got.items() if status == "failed")
    # Running the same command again only trains what is missing.
    events = {name: rows(f"out/{name}", "SELECT * FROM events") for name in got}
    assert run(*call)[0] == 1
    for name, status in got.items():
        after = rows(f"out/{name}", "SELECT * FROM events")
        assert (after == events[name]) == (status == "finished")
    # Each run equals a run of gradus train with the same config.
    name = "gain=gpg,seed=3,optimiser.epsilon=1e-08"
    succeed("train", f"out/{name}/config.toml", "--quiet", "--out", "alone")
    assert results(Path("alone")) == results(Path(f"out/{name}"))


def test_a_stopped_sweep_goes_on_and_ends_with_the_same_bits():
    path = config('[sweep]\ngain = ["pg", "uniform"]\nseed = [1, 2]\n')
    steps = "steps=3e5" if SANITIZED else "steps=2e6"
    args = [steps, "evaluation.interval=50000", "--jobs", 2, "--quiet"]
    succeed("sweep", path, *args, "--out", "straight")
    program = subprocess.Popen(
        command("sweep", path, *args, "--out", "stopped"), stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: len(list(Path("stopped").glob("*/run.db"))) >= 2, "two runs")
    time.sleep(0.1)
    program.send_signal(signal.SIGTERM)
    _, err = program.communicate()
    assert program.returncode == 130
    waiting, saved = err.splitlines()
    assert waiting.startswith("gradus: interrupted; waiting for the current batch or evaluation of")
    assert saved == "gradus: interrupted; run the same command again to continue stopped"
    assert "stopped" in statuses("stopped").values()
    succeed("sweep", path, *args, "--out", "stopped")
    for name in statuses("straight"):
        assert results(Path(f"stopped/{name}")) == results(Path(f"straight/{name}"))


def test_names_tell_the_runs_apart():
    path = config('[sweep]\ngain = ["pg", "uniform"]\nsyllabus.eta = [1e-3, 0.1]\nseed = 4\n')
    succeed("sweep", path, "--quiet", "--out", "out")
    assert set(statuses("out")) == {
        f"gain={gain},syllabus.eta={eta}" for gain in ["pg", "uniform"] for eta in ["0.001", "0.1"]
    }
    [seed] = rows("out/gain=pg,syllabus.eta=0.1", "SELECT value FROM settings WHERE key = 'seed'")
    assert seed == {"value": "4"}


def test_an_override_takes_the_place_of_a_key_in_the_grid():
    path = config('[sweep]\ngain = ["pg", "uniform"]\nseed = [1, 2]\n')
    succeed("sweep", path, "gain=gpg", "steps=1000", "--quiet", "--out", "one")
    assert set(statuses("one")) == {"seed=1", "seed=2"}
    succeed("sweep", path, "seed=[7, 8, 8]", "steps=1000", "--quiet", "--out", "two")
    assert len(statuses("two")) == 4 and "gain=pg,seed=8" in statuses("two")
    succeed("sweep", path, "gain=gpg", "seed=3", "steps=1000", "--quiet", "--out", "single")
    assert statuses("single") == {"run": "finished"}


def test_another_sweep_in_the_same_folder_is_refused():
    path = config("[sweep]\nseed = [1, 2]\n")
    succeed("sweep", path, "--quiet", "--out", "out")
    message = refuse("sweep", path, "steps=7000", "--out", "out")
    assert message == (
        "out/seed=1: contains a run with steps = 6000, but the sweep has 7000; choose another folder"
    )


@pytest.mark.parametrize(
    "sweep, line, message",
    [
        ('[sweep]\ngain = ["pg", "pgg"]\n', 2, 'unknown gain "pgg"; did you mean "pg"?'),
        ("[sweep]\nsead = [1]\n", 2, 'unknown setting "sead"; did you mean "seed"?'),
        ("[sweep]\nseed = [1, -1]\n", 2, "seed is -1, expected a whole number from 0"),
        ("[sweep]\nseed = []\n", 2, "sweep.seed is an empty list"),
        ("[sweep]\n[sweep.network]\ncells = [0]\n", 3, "network.cells is 0, expected a whole"),
        ("[[sweep]]\nseed = 1\n[[sweep]]\nsead = 1\n", 4, 'unknown setting "sead"'),
    ],
)
def test_a_bad_grid_names_file_and_line(sweep, line, message):
    path = config(sweep)
    at = BASE.count("\n") + line
    assert refuse("sweep", path, "--out", "out").startswith(f"{path}:{at}: {message}")
    assert not Path("out").exists()


def test_other_bad_calls():
    path = config("[sweep]\nseed = [1]\n")
    assert "--out is required" in refuse("sweep", path)
    assert "expected a table" in refuse("sweep", config("", "sweep = 3\n"), "--out", "out")
    assert "needs a config file" in refuse("sweep", "seed=1", "--out", "out")
    Path("plain.toml").write_text("steps = 100\n")
    assert "plain.toml: has no [sweep] table" in refuse("sweep", "plain.toml", "--out", "out")
    assert "--jobs" in refuse("sweep", path, "--out", "out", "--jobs", 0)
    huge = "[sweep]\nseed = [" + ", ".join(map(str, range(400))) + "]\n"
    huge += "batch = [" + ", ".join(map(str, range(1, 400))) + "]\n"
    assert "more than 100000 runs" in refuse("sweep", config(huge), "--out", "out")
    Path("file").write_text("")
    message = fail("sweep", config("[sweep]\nseed = [1]\n"), "--quiet", "--out", "file/out")
    assert "cannot create the run folder" in message


def test_train_does_one_run_of_a_config_with_a_grid():
    path = config("[sweep]\nseed = [1, 2]\n")
    succeed("train", path, "--quiet", "--out", "run")
    [seed] = rows("run", "SELECT value FROM settings WHERE key = 'seed'")
    assert seed == {"value": "1"}


def test_resume_continues_a_sweep_given_its_folder():
    call = ["sweep", config('[sweep]\ngain = ["pg", "uniform"]\nsyllabus.eta = [0.1, "auto"]\n')]
    succeed(*call, "--quiet", "--out", "out", "--next", 1)
    assert list(statuses("out").values()) == ["finished"]
    Path("sweep.toml").unlink()  # sweep.json remembers the runs
    succeed("resume", "out", "--quiet")
    assert list(statuses("out").values()) == ["finished"] * 4
    code, _, err = run("resume", "out")
    assert code == 0 and len(statuses("out")) == 4
    config('[sweep]\ngain = ["pg", "uniform"]\nsyllabus.eta = [0.1, "auto"]\n')
    succeed(*call, "--quiet", "--out", "whole")
    for name in statuses("whole"):
        assert results(Path("out") / name) == results(Path("whole") / name)


def test_a_damaged_plan_of_a_sweep_is_refused():
    Path("out").mkdir()
    for text in ["", "{}", '{"results": "", "settings": {"x": "1"}, "runs": []}']:
        Path("out/sweep.json").write_text(text)
        assert "out/sweep.json: is not the plan of a sweep: " in refuse("resume", "out")
    plan = '{"results": "", "settings": {}, "runs": [{"name": "../a", "differs": {}}]}'
    Path("out/sweep.json").write_text(plan)
    assert '"../a" is not the name of a run' in refuse("resume", "out")
