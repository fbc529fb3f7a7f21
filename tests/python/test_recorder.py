# SPDX-License-Identifier: Apache-2.0
"""Records runs of loops outside the engine, and reads them back with SQLite and the program."""

import csv
import json
import math
import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.request

import pytest

import gradus
from command import PROGRAM, program

TASKS = ["easy", "hard"]


def table(folder, query):
    with sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True) as database:
        return database.execute(query).fetchall()


def record(folder, syllabus, losses, **options):
    """A finished run with an evaluation every 10 steps; `hard` has the loss of the list."""
    with gradus.Recorder(folder, syllabus, settings={"lr": 0.1}, **options) as recorder:
        for number, loss in enumerate(losses):
            syllabus.reward(syllabus.draw(), progress=number)
            recorder.log(10 * number, {"easy": 0.5, "hard": loss}, training_loss=loss + 1)


def test_log_writes_the_documented_tables(tmp_path):
    syllabus = gradus.Syllabus(TASKS, seed=7, rounds=100)
    with gradus.Recorder(
        tmp_path / "run",
        syllabus,
        gain="pg",
        steps=1000,
        target="hard",
        curriculum="letters",
        settings={"lr": 1e-3, "model": {"layers": 2, "name": "gru"}, "amp": True},
    ) as recorder:
        assert gradus.read_run(tmp_path / "run")["status"] == "running"
        recorder.log(0, {"easy": 1, "hard": 3}, errors={"hard": 0.25})
        for progress in (1.0, 2.0, 4.0):
            syllabus.reward(syllabus.ticket_for("hard"), progress)
        recorder.log(64, {"hard": 2.0}, training_loss=1.5, gradient_norm=0.1)
        recorder.note("halved the learning rate")
        assert recorder.steps == 64
    expected = syllabus.probabilities()
    assert expected["hard"] > 0.5, "rewards moved the policy"

    query = "steps, rounds, training_loss, target_loss, mean_loss, mean_error, entropy"
    first, last = table(tmp_path / "run", f"SELECT {query} FROM metrics ORDER BY steps")
    assert first == (0, 0, None, 3, 2, 0.25, pytest.approx(math.log(2)))
    assert last == (64, 3, 1.5, 2, None, None, pytest.approx(syllabus.entropy()))
    low, high = syllabus.reward_range()
    assert table(tmp_path / "run", "SELECT reward_low, reward_high FROM metrics") == [
        (None, None),
        (low, high),
    ]
    rows = table(tmp_path / "run", "SELECT * FROM task_metrics ORDER BY steps, task")
    assert rows[:2] == [(0, 0, 0.5, 1, None), (0, 1, 0.5, 3, 0.25)]
    assert rows[2:] == [(64, 0, expected["easy"], None, None), (64, 1, expected["hard"], 2, None)]
    assert table(tmp_path / "run", "SELECT name, target FROM tasks") == [("easy", 0), ("hard", 1)]
    settings = dict(table(tmp_path / "run", "SELECT * FROM settings"))
    chosen = ("curriculum", "gain", "seed", "steps", "policy", "lr", "model.layers", "amp")
    assert [settings[key] for key in chosen] == [
        *["letters", "pg", "7", "1000", "exp3s", "0.001", "2", "true"]
    ]
    assert float(settings["syllabus.eta"]) == syllabus.settings["eta"]
    events = table(tmp_path / "run", "SELECT steps, kind, message FROM events")
    assert events[0][:2] == (0, "started") and gradus.__version__ in events[0][2]
    assert events[1:] == [(64, "note", "halved the learning rate"), (64, "finished", "")]
    run = gradus.read_run(tmp_path / "run")
    assert (run["status"], run["target"]) == ("finished", "hard")


@pytest.mark.program
def test_the_program_lists_shows_exports_and_reports_recorded_runs(tmp_path):
    for seed in (1, 2, 3):
        fast = [3 / (1 + seed * number) for number in range(8)]
        slow = [2 * loss for loss in fast]
        uniform = gradus.Syllabus(TASKS, "uniform", seed=seed)
        record(tmp_path / f"u{seed}", uniform, slow, target="hard")
        adaptive = gradus.Syllabus(TASKS, seed=seed)
        record(tmp_path / f"p{seed}", adaptive, fast, gain="mine", target="hard", steps=70)

    listed = {run["run"]: run for run in json.loads(program("runs", tmp_path, "--json"))}
    run = listed[str(tmp_path / "p2")]
    expected = ("finished", "own tasks", "mine", "2", 70, 70)
    keys = ("status", "curriculum", "gain", "seed", "steps", "total_steps")
    assert tuple(run[key] for key in keys) == expected
    assert "70 of 70 steps (100%)" in program("runs", tmp_path)
    shown = program("show", tmp_path / "u1")
    assert "how far  70 steps," in shown, "its length is not known"
    assert "  lr = 0.1\n" in shown and "next: gradus report" in shown

    program("export", tmp_path / "p1", "--format", "csv", "--out", tmp_path / "out")
    with open(tmp_path / "out" / "metrics.csv", newline="") as file:
        losses = [float(row["target_loss"]) for row in csv.DictReader(file)]
    assert losses == [3 / (1 + number) for number in range(8)]

    report = json.loads(program("report", tmp_path, "-o", tmp_path / "report.html", "--json"))
    assert "own tasks" in (tmp_path / "report.html").read_text()
    # By hand, between evaluations on a straight line: all runs of uniform reach 6 / 8, after 70,
    # 30 + 10 * 9/16 and 20 + 10 * 5/12 steps; those of mine after 30, 10 + 10 * 5/8 and 10.
    assert report["goal"]["threshold"] == 0.75
    means = {row["group"]: row["steps"]["mean"] for row in report["table"]}
    uniform = (70 + 35.625 + 24 + 1 / 6) / 3
    assert means == {"uniform": pytest.approx(uniform, rel=1e-4), "mine": 56.25 / 3}


@pytest.mark.program
def test_the_live_page_gets_a_run_while_it_grows(tmp_path):
    recorder = gradus.Recorder(tmp_path / "run", gradus.Syllabus(TASKS), resume=0)
    recorder.log(1, {"easy": 1, "hard": 2})
    command = [PROGRAM, "serve", str(tmp_path), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            port = next(re.search(r":(\d+)/", line)[1] for line in server.stdout if "http" in line)
            address = f"http://127.0.0.1:{port}/api/events"
            with urllib.request.urlopen(address, timeout=60) as events:
                rows = listed_runs(events)
                row = next(rows)
                assert (row["name"], row["status"], row["recorded"]) == ("run", "running", True)
                assert (row["steps"], row["total"], row["left"], row["mean"]) == (1, 0, None, 1.5)
                recorder.log(2, {"easy": 0, "hard": 1})
                recorder.finish()
                row = next(row for row in rows if row["status"] != "running")
                assert (row["status"], row["steps"], row["mean"]) == ("finished", 2, 0.5)
        finally:
            server.kill()


def listed_runs(events):
    for line in events:
        if line.startswith(b"data:"):
            yield from json.loads(line[5:])["runs"]


def test_a_run_goes_on_after_a_crash(tmp_path):
    """The process is killed after its checkpoint at 20 steps; what came later is logged again."""
    code = f"""
import gradus, os, signal
syllabus = gradus.Syllabus({TASKS!r})
recorder = gradus.Recorder({str(tmp_path / "run")!r}, syllabus, resume=0)
for steps in (10, 20, 30):
    recorder.log(steps, {{"easy": steps, "hard": steps}})
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", code], timeout=60)
    assert killed.returncode == -signal.SIGKILL
    run = gradus.read_run(tmp_path / "run")
    assert (run["status"], run["metrics"]["steps"]) == ("stopped", [10, 20, 30])

    with gradus.Recorder(tmp_path / "run", gradus.Syllabus(TASKS), resume=20) as recorder:
        assert recorder.steps == 20
        assert gradus.read_run(tmp_path / "run")["metrics"]["steps"] == [10, 20]
        recorder.log(25, {"easy": 1, "hard": 1})
    run = gradus.read_run(tmp_path / "run")
    assert (run["status"], run["metrics"]["steps"]) == ("finished", [10, 20, 25])
    assert run["metrics"]["seconds"] == sorted(run["metrics"]["seconds"])
    kinds = [kind for kind, in table(tmp_path / "run", "SELECT kind FROM events")]
    assert kinds == ["started", "resumed", "finished"]


@pytest.mark.parametrize(
    "error, status, message",
    [
        (RuntimeError("out of memory"), "failed", "RuntimeError: out of memory"),
        (KeyboardInterrupt(), "stopped", "KeyboardInterrupt"),
    ],
)
def test_the_status_says_how_the_loop_ended(tmp_path, error, status, message):
    with pytest.raises(type(error)):
        with gradus.Recorder(tmp_path, gradus.Syllabus(TASKS)) as recorder:
            raise error
    assert gradus.read_run(tmp_path)["status"] == status
    last = table(tmp_path, "SELECT kind, message FROM events ORDER BY id DESC LIMIT 1")
    assert last == [(status, message)]
    with pytest.raises(gradus.InputError, match="the recorder is closed"):
        recorder.log(1)


def test_mirrors_get_the_same_numbers(tmp_path):
    """A stand-in for SummaryWriter, with its documented add_scalar(tag, scalar_value, global_step).
    The callback has the positional arguments of wandb.log, mlflow.log_metrics and trackio.log."""

    class Writer:
        def __init__(self):
            self.scalars = {}

        def add_scalar(self, tag, scalar_value, global_step=None, walltime=None):
            self.scalars[tag, global_step] = scalar_value

    writer, calls = Writer(), []
    mirrors = [gradus.tensorboard(writer), lambda data, step=None: calls.append((data, step))]
    with gradus.Recorder(tmp_path, gradus.Syllabus(TASKS), mirrors=mirrors) as recorder:
        recorder.log(5, {"easy": 1.0}, training_loss=2)
    expected = {
        **{"training_loss": 2, "loss/easy": 1, "policy/easy": 0.5, "policy/hard": 0.5},
        "entropy": pytest.approx(math.log(2)),
    }
    assert calls == [(expected, 5)]
    assert writer.scalars == {(name, 5): value for name, value in expected.items()}


def test_mirror_to_the_tensorboard_of_torch(tmp_path):
    tensorboard = pytest.importorskip("torch.utils.tensorboard")
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    with tensorboard.SummaryWriter(tmp_path / "tb") as writer:
        mirrors = [gradus.tensorboard(writer)]
        with gradus.Recorder(tmp_path / "run", gradus.Syllabus(TASKS), mirrors=mirrors) as recorder:
            recorder.log(5, {"easy": 1.0})
    events = reader.EventAccumulator(str(tmp_path / "tb"))
    events.Reload()
    assert [(event.step, event.value) for event in events.Scalars("loss/easy")] == [(5, 1.0)]


def test_tensors_are_numbers_and_forked_workers_do_not_disturb(tmp_path):
    torch = pytest.importorskip("torch")
    loader = torch.utils.data.DataLoader([1, 2, 3], num_workers=2, persistent_workers=True)
    for resume in (None, 1):
        recorder = gradus.Recorder(tmp_path, gradus.Syllabus(TASKS), resume=resume)
        assert len(list(loader)) == 3  # the workers of the first pass outlive the recorder
        recorder.log(recorder.steps + 1, {"easy": torch.tensor(0.5, requires_grad=True)})
        recorder.finish()
    run = gradus.read_run(tmp_path)
    assert (run["status"], run["metrics"]["steps"]) == ("finished", [1, 2])
    assert run["task_metrics"]["loss"] == [[0.5, None]] * 2


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(steps=0), "steps is 0, expected a whole number, 1 or more"),
        (dict(seed="x"), "seed is 'x', expected a whole number"),
        (dict(resume=1.5), "resume is 1.5, expected a whole number, 0 or more"),
        (dict(resume=5), "contains no run that could continue at 5 steps"),
        (dict(target="hadr"), 'unknown target task "hadr"; did you mean "hard"'),
        (dict(measure="loss"), 'unknown metric "loss"'),
        (dict(gain=""), "gain is '', expected a text"),
        (dict(settings={"seed": 3}), "settings contains seed"),
        (dict(settings={"stop": {"after": 3}}), "settings contains stop.after"),
        (dict(settings={"net": object()}), "net is <object"),
        (dict(mirrors=["wandb"]), "mirrors contains 'wandb', expected functions"),
    ],
)
def test_a_recorder_with_wrong_arguments_makes_no_folder(tmp_path, options, message):
    with pytest.raises(gradus.InputError) as refusal:
        gradus.Recorder(tmp_path / "run", gradus.Syllabus(TASKS), **options)
    assert message in str(refusal.value)
    assert not (tmp_path / "run").exists()


def test_a_wrong_log_is_refused_and_stores_nothing(tmp_path):
    recorder = gradus.Recorder(tmp_path, gradus.Syllabus(TASKS))
    recorder.log(10)
    for arguments, options, message in (
        ((10,), {}, "steps is 10, expected more than the 10 of the last evaluation"),
        ((-1,), {}, "steps is -1, expected a whole number, 0 or more"),
        ((20.0,), {}, "steps is 20.0, expected a whole number"),
        ((20, {"hrad": 1}), {}, 'loss of an unknown task "hrad"; the tasks are easy, hard'),
        ((20, {"hard": math.nan}), {}, 'the loss of task "hard" is nan, expected a number'),
        ((20, {"hard": math.inf}), {}, 'the loss of task "hard" is inf, expected a finite number'),
        ((20,), dict(training_loss=-math.inf), "training_loss is -inf, expected a finite number"),
        (
            (20,),
            dict(errors={"easy": 1.5}),
            'the error of task "easy" is 1.5, expected a share from 0 to 1',
        ),
        ((20,), dict(target_error=-0.1), "target_error is -0.1, expected a share from 0 to 1"),
        ((20, {"hard": [1, 2]}), {}, 'the loss of task "hard" is [1, 2], expected a number'),
        (
            (20,),
            dict(trainig_loss=1),
            'unknown metric "trainig_loss"; did you mean "training_loss"',
        ),
        ((20,), dict(rounds=-1), "rounds is -1"),
    ):
        with pytest.raises(gradus.InputError) as refusal:
            recorder.log(*arguments, **options)
        assert message in str(refusal.value)
    assert gradus.read_run(tmp_path)["metrics"]["steps"] == [10]


def test_a_syllabus_may_gain_and_lose_tasks(tmp_path):
    syllabus = gradus.Syllabus(TASKS)
    with gradus.Recorder(tmp_path, syllabus) as recorder:
        recorder.log(1, {"easy": 1, "hard": 2})
        syllabus.add("new")
        syllabus.remove("easy")
        recorder.log(2, {"hard": 1, "new": 5})
    run = gradus.read_run(tmp_path)
    assert run["tasks"] == ["easy", "hard", "new"]
    assert run["task_metrics"]["loss"] == [[1, 2, None], [None, 1, 5]]
    assert [row[0] for row in run["task_metrics"]["policy"]] == [0.5, 0]
    assert run["metrics"]["mean_loss"] == [1.5, 3]


@pytest.mark.program
def test_the_example_is_reported(tmp_path):
    pytest.importorskip("torch")
    example = os.path.join(os.path.dirname(__file__), "../../examples/pytorch/recorded.py")
    command = [
        sys.executable,
        example,
        "--out",
        tmp_path / "runs",
        "--batches",
        "20",
        "--seeds",
        "1",
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    report = program("report", tmp_path / "runs", "-o", tmp_path / "report.html", "--json")
    assert [row["group"] for row in json.loads(report)["table"]] == ["uniform", "pg"]
