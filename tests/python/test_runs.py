# SPDX-License-Identifier: Apache-2.0
"""Checks training from Python against the run's database, and a resumed run against a whole one."""

import json
import math
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

import gradus

# Four tasks, a small network; four evaluations after the first.
SMALL = {
    "repeat_copy": {"max_length": 2, "max_repeats": 2},
    "network.cells": 8,
    "steps": 4000,
    "evaluation": {"interval": 1000, "sequences": 4, "all_tasks": True},
    "optimiser.learning_rate": 1e-3,
}


def table(folder, query):
    with sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True) as database:
        return database.execute(query).fetchall()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run and the metrics that it yielded."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    training = gradus.train(SMALL, folder=folder)
    assert not training.finished and training.folder == str(folder)
    yielded = list(training)
    assert training.finished
    return folder, yielded


def test_training_yields_the_metrics_of_every_evaluation_as_they_are_stored(finished):
    folder, yielded = finished
    assert len(yielded) == 5 and yielded[0]["steps"] == 0 and yielded[-1]["steps"] >= 4000
    assert json.loads(json.dumps(yielded)) == yielded, "plain types"
    columns = ("steps", "rounds", "training_loss", "target_loss", "entropy")
    stored = table(folder, f"SELECT {', '.join(columns)} FROM metrics ORDER BY steps")
    assert [tuple(row[name] for name in columns) for row in yielded] == stored
    assert yielded[0]["training_loss"] is None, "no batch comes before the first evaluation"


def test_a_run_is_read_back_in_columns(finished):
    folder, yielded = finished
    run = gradus.read_run(folder)
    assert (run["status"], run["version"]) == ("finished", gradus.__version__)
    assert run["tasks"] == ["1,1", "1,2", "2,1", "2,2"] and run["target"] == "2,2"
    assert run["settings"]["network.cells"] == "8"
    for name, values in run["metrics"].items():
        if name in yielded[0]:
            assert values == [row[name] for row in yielded], name
    assert len(run["metrics"]["seconds"]) == 5
    for row in run["task_metrics"]["policy"]:
        assert sum(row) == pytest.approx(1)
    assert json.loads(json.dumps(run)) == run, "plain types"


def test_a_run_is_a_pandas_frame_when_asked(finished):
    pytest.importorskip("pandas")
    run = gradus.read_run(finished[0])
    frame = run.frame()
    assert list(frame["steps"]) == run["metrics"]["steps"]
    assert math.isnan(frame["training_loss"][0]) and frame["training_loss"].dtype == float
    tasks = run.task_frame()
    assert len(tasks) == 5 * 4 and set(tasks["task"]) == set(run["tasks"])
    assert tasks.groupby("steps")["policy"].sum().tolist() == pytest.approx([1] * 5)


def test_runs_are_found_below_a_folder(finished):
    assert gradus.find_runs(finished[0].parent) == [str(finished[0])]


def test_a_stopped_run_goes_on_to_the_same_end(finished, tmp_path):
    training = gradus.train(SMALL, folder=tmp_path / "run")
    rows = [next(training), next(training)]
    training.stop()
    del training
    assert gradus.read_run(tmp_path / "run")["status"] == "stopped"
    rows += gradus.resume(tmp_path / "run")
    assert rows == finished[1]


def test_a_file_of_settings_and_what_goes_over_it(tmp_path):
    config = tmp_path / "small.toml"
    config.write_text('gain = "spg"\nsteps = 100\n[network]\ncells = 4\n')
    smaller = {"repeat_copy": SMALL["repeat_copy"], "gain": "pg"}
    run = gradus.train(config, smaller, folder=tmp_path / "run", threads=2)
    list(run)
    settings = gradus.read_run(tmp_path / "run")["settings"]
    chosen = [settings[key] for key in ("gain", "steps", "network.cells", "repeat_copy.max_length")]
    assert chosen == ["pg", "100", "4", "2"]


def test_overrides_replace_single_keys_of_nested_tables(tmp_path):
    network = {"cells": 4, "layers": 2}
    config = {"repeat_copy": SMALL["repeat_copy"], "network": network, "steps": 1}
    list(gradus.train(config, {"network.cells": 6}, folder=tmp_path / "run"))
    stored = gradus.read_run(tmp_path / "run")["settings"]
    assert [stored[key] for key in ("network.cells", "network.layers")] == ["6", "2"]


def test_a_curriculum_has_its_own_defaults_here_too(tmp_path):
    for power in (2, 3):
        text = " ".join(str(i**power) for i in range(400))
        (tmp_path / f"power-{power}.txt").write_text(text)
    settings = {"curriculum": "files", "files.path": str(tmp_path), "steps": 1}
    list(gradus.train(settings, {"optimiser.learning_rate": 1e-4}, folder=tmp_path / "run"))
    stored = gradus.read_run(tmp_path / "run")["settings"]
    assert [stored[key] for key in ("network.cells", "steps")] == ["128", "1"]
    assert float(stored["optimiser.learning_rate"]) == 1e-4


CODE = """
import gradus, sys
training = gradus.train({settings!r}, folder={folder!r})
try:
    for metrics in training:
        print(metrics["steps"], flush=True)
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_ctrl_c_saves_the_run_which_then_goes_on(tmp_path):
    folder = tmp_path / "run"
    code = CODE.format(settings={**SMALL, "steps": 10**9}, folder=str(folder))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdout.read()
    assert process.returncode == 7
    run = gradus.read_run(folder)
    assert run["status"] == "stopped" and len(run["metrics"]["steps"]) >= 3
    assert next(gradus.resume(folder))["steps"] > run["metrics"]["steps"][-1]


def test_a_run_that_is_let_go_of_is_saved(tmp_path):
    training = gradus.train({**SMALL, "steps": 10**9}, folder=tmp_path / "run")
    for _ in range(3):
        next(training)
    steps = training.steps
    del training
    assert gradus.read_run(tmp_path / "run")["status"] == "stopped"
    assert gradus.resume(tmp_path / "run").steps == steps > 0


def test_other_threads_run_during_training(tmp_path):
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    long = {**SMALL, "steps": 1_000_000, "evaluation": {"interval": 1_000_000}}  # almost a second
    training = gradus.train(long, folder=tmp_path / "run")
    next(training)
    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted[0]
        next(training)
        during = counted[0] - before
    finally:
        done.set()
        thread.join()
    assert during > 5, "if training held the GIL, the thread would run only before and after it"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(config={"gian": "pg"}), 'unknown setting "gian"; did you mean "gain"'),
        (dict(config={"gain": "pgg"}), '"pgg"'),
        (dict(config={"network": {"cells": "many"}}), "network.cells"),
        (dict(config={"network": {"cells": None}}), "network.cells is None, expected a string"),
        (dict(config="none.toml"), "none.toml"),
        (dict(config={}, threads=0), "threads is 0, expected 1 or more"),
    ],
)
def test_settings_that_are_wrong_are_named_and_no_folder_is_made(tmp_path, arguments, message):
    with pytest.raises(gradus.InputError) as refusal:
        gradus.train(**arguments, folder=tmp_path / "run")
    assert message in str(refusal.value)
    assert not (tmp_path / "run").exists()


def test_folders_without_a_run_are_refused(tmp_path):
    for use in (gradus.read_run, gradus.resume):
        with pytest.raises(gradus.InputError, match=str(tmp_path)):
            use(tmp_path)


def test_a_warning_of_the_engine_is_a_warning(tmp_path):
    with pytest.warns(UserWarning, match="l2g"):
        gradus.train({**SMALL, "gain": "l2g"}, folder=tmp_path / "run")
