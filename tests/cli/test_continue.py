# SPDX-License-Identifier: Apache-2.0
"""gradus resume with other settings, what it refuses to continue, and --restart."""

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from program import one_line, refuse, run, succeed
from stored import metrics, results, rows

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=3000 evaluation.interval=1000 evaluation.sequences=8 optimiser.learning_rate=1e-3
""".split()
ADVICE = "; restore it from a copy, or start over with: gradus resume run --restart"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run with two checkpoints, a best network and a log of its rewards."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    often = ["checkpoint.seconds=0", "syllabus.log=true"]
    succeed("train", *TINY, *often, "--quiet", "--out", folder)
    return folder


def checkpoints():
    return sorted(Path("run/checkpoints").glob("step-*"))


def contents():
    """The files of the run, except those that a reader of the database or the folder leaves."""
    readers = ["claims", "lock", "run.db-shm", "run.db-wal"]
    files = [
        path
        for path in Path("run").rglob("*")
        if path.is_file() and not {path.name, path.parent.name} & set(readers)
    ]
    return {path: path.read_bytes() for path in files}


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def damage_all():
    for checkpoint in checkpoints():
        flip(checkpoint / "state.json")
    return (
        f"no undamaged checkpoint is left: checkpoint {checkpoints()[0]} is damaged "
        "(its files do not match SHA256SUMS)"
    )


def remove_all():
    steps = int(checkpoints()[-1].name[5:])
    shutil.rmtree("run/checkpoints")
    return f"its checkpoint at {steps} steps is gone"


def lose_metrics():
    Path("run/run.db").unlink()
    return "its metrics (run.db) are gone"


def break_metrics():
    Path("run/run.db").write_bytes(b"x" * 5000)
    return "its metrics cannot be read (run/run.db: file is not a database)"


def lose_a_row():
    steps = int(checkpoints()[-1].name[5:])
    with sqlite3.connect("run/run.db") as database:
        database.execute("DELETE FROM metrics WHERE steps BETWEEN 1 AND 1999")
    database.close()
    return f"run.db has 3 of the 4 evaluations before the checkpoint at {steps} steps"


@pytest.mark.parametrize(
    "loss",
    [damage_all, remove_all, lose_metrics, break_metrics, lose_a_row],
    ids=lambda f: f.__name__,
)
def test_what_is_lost_is_named_and_only_restart_starts_over(loss, finished):
    shutil.copytree(finished, "run")
    problem = loss()
    before = contents()
    assert refuse("resume", "run", "--quiet") == f"run: {problem}{ADVICE}"
    assert contents() == before
    removed = [
        text
        for text, there in [
            ("3 checkpoints", Path("run/checkpoints").exists()),
            ("run.db", Path("run/run.db").exists()),
            ("rewards.csv", True),
        ]
        if there
    ]
    code, _, err = run("resume", "run", "--restart", "--quiet")
    assert code == 0
    assert one_line(err) == f"warning: starting over: removed {', '.join(removed)}"
    assert results(Path("run")) == results(finished)


def test_a_run_that_was_never_saved_may_start_again(finished):
    shutil.copytree(finished, "run")
    shutil.rmtree("run/checkpoints")
    for name in ["run.db", "rewards.csv"]:
        Path("run", name).unlink()
    code, _, err = run("resume", "run", "--quiet")
    assert code == 0
    assert one_line(err) == "warning: there is no checkpoint yet: starting at step 0"
    assert results(Path("run")) == results(finished)


# The evaluation at the end of the first part is an extra one, one that was due, one that measured
# more tasks than it would have, and one of a network with weight noise.
PARTS = {
    "extra": ["evaluation.interval=1300", "syllabus.log=true"],
    "due": ["evaluation.interval=10"],
    "all tasks": ["evaluation.interval=10", "evaluation.all_tasks=true"]
    + ["evaluation.all_tasks_interval=5000", "gain=l2g", "objective=l2"],
    "vi": ["gain=mpg", "objective=vi", "evaluation.interval=900"],
}


@pytest.mark.parametrize("name", PARTS)
def test_a_run_that_trains_longer_equals_one_that_was_started_so(name):
    settings = [*TINY, *PARTS[name], "syllabus.eta=0.1"]
    succeed("train", *settings, "steps=4000", "--quiet", "--out", "straight")
    succeed("train", *settings, "steps=1500", "--quiet", "--out", "longer")
    succeed("resume", "longer", "steps=2500", "--quiet")
    succeed("resume", "longer", "steps=4e3", "--quiet")
    assert results(Path("longer")) == results(Path("straight"))
    assert Path("longer/config.toml").read_bytes() == Path("straight/config.toml").read_bytes()
    [steps] = rows("longer", "SELECT value FROM settings WHERE key = 'steps'")
    assert steps == {"value": "4000"}


def test_an_automatic_eta_stays_and_the_config_says_so():
    succeed("train", *TINY, "steps=6e5", "batch=512", "--quiet", "--out", "longer")
    code, _, err = run("resume", "longer", "steps=9e5", "--quiet")
    assert code == 0
    shape = r"warning: syllabus.eta stays (0\.\d+), as chosen for 600000 steps"
    eta = re.fullmatch(shape, one_line(err)).group(1)
    [started] = rows("longer", "SELECT message FROM events WHERE kind = 'started'")
    assert f"syllabus.eta is {float(eta):.3g}, chosen" in started["message"]
    succeed("train", "longer/config.toml", "--quiet", "--out", "straight")
    assert results(Path("longer")) == results(Path("straight"))


def test_what_may_not_change_is_refused_with_the_reason(finished):
    shutil.copytree(finished, "run")
    before = contents()
    for change, was in [("gain=spg", "'pg'"), ("evaluation.interval=500", 1000), ("seed=2", 1)]:
        message = refuse("resume", "run", change)
        assert message == (
            f"{change.split('=')[0]} is {was} and cannot change; gradus train starts a new run. Only "
            "steps, device, store, checkpoint.seconds and the paths of data may change"
        )
    last = metrics("run")[-1]["steps"]
    assert refuse("resume", "run", "steps=2999") == (
        f"steps is 2999, but the run has trained {last} steps; expected more"
    )
    assert "did you mean" in refuse("resume", "run", "stesp=4000")
    assert "not of the form key=value" in refuse("resume", "run", "4000")
    assert contents() == before
    assert run("resume", "run", "gain=pg", "checkpoint.seconds=7")[0] == 0
    assert "seconds = 7.0" in Path("run/config.toml").read_text()


def test_a_solved_run_does_not_train_longer():
    early = ["stop.target_loss=100", "stop.after=500"]
    succeed("train", *TINY, *early, "--quiet", "--out", "run")
    message = refuse("resume", "run", "steps=9000")
    assert re.fullmatch(r"the run ended after \d+ steps because .* more steps do not .*", message)
    assert "steps = 3000" in Path("run/config.toml").read_text()
