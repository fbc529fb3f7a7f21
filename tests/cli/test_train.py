# SPDX-License-Identifier: Apache-2.0
"""gradus train: its output, what it refuses, and how it ends."""

import itertools
import math
import re
from pathlib import Path

import pytest

from program import fail, one_line, refuse, run, succeed
from stored import metrics, rows

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=3000 evaluation.interval=1000 evaluation.sequences=8 optimiser.learning_rate=1e-3
""".split()

COLUMNS = """
steps rounds refused training_loss target_loss target_error mean_loss mean_error tasks_completed entropy
complexity raw_reward reward reward_low reward_high gradient_norm weight_norm
""".split()

FOLDERS = itertools.count()


def train(*args):
    """The metrics of a tiny run."""
    folder = f"run{next(FOLDERS)}"
    assert succeed("train", *TINY, *args, "--quiet", "--out", folder) == ""
    return metrics(folder)


def write(path, text):
    path.write_text(text)
    return path


def test_metrics_are_a_row_an_evaluation():
    table = train()
    assert list(table[0]) == COLUMNS
    steps = [row["steps"] for row in table]
    assert steps[0] == 0 and steps[-1] >= 3000
    assert [step // 1000 for step in steps] == [0, 1, 2, 3]
    rounds = [row["rounds"] for row in table]
    assert all(a < b for a, b in zip(rounds, rounds[1:]))
    for row in table:
        assert 0 <= row["target_error"] <= 1
        assert row["target_loss"] > 0
        assert 0 < row["entropy"] <= math.log(4) + 1e-12
        assert row["mean_loss"] is row["mean_error"] is row["tasks_completed"] is None
        assert row["complexity"] is None
        assert row["weight_norm"] > 0
        assert row["refused"] == 0
    first, *later = table
    for column in ["training_loss", "raw_reward", "reward", "reward_low", "gradient_norm"]:
        assert first[column] is None
    assert all(row["reward_low"] < row["reward_high"] for row in later)
    assert all(-1 <= row["reward"] <= 1 for row in later)
    assert all(row["gradient_norm"] > 0 for row in later)


def test_the_store_says_all_about_the_run():
    succeed("train", *TINY, "gain=gpg", "--quiet", "--out", "run")
    facts = {row["key"]: row["value"] for row in rows("run", "SELECT * FROM run")}
    assert facts["status"] == "finished" and facts["format"] == "1"
    assert facts["version"] in succeed("--version")
    settings = {row["key"]: row["value"] for row in rows("run", "SELECT * FROM settings")}
    assert settings["gain"] == "gpg" and settings["network.cells"] == "8"
    assert set(settings) == set(re.findall(r"^  (\S+) = ", succeed("train", "--help"), re.M))
    tasks = rows("run", "SELECT * FROM tasks ORDER BY task")
    assert [task["name"] for task in tasks] == ["1,1", "1,2", "2,1", "2,2"]
    assert [task["target"] for task in tasks] == [0, 0, 0, 1]
    kinds = [row["kind"] for row in rows("run", "SELECT * FROM events ORDER BY id")]
    assert kinds == ["started", "finished"]
    timing = rows("run", "SELECT * FROM timing ORDER BY steps")
    assert [row["steps"] for row in timing] == [row["steps"] for row in metrics("run")]
    assert all(a["seconds"] < b["seconds"] for a, b in zip(timing, timing[1:]))
    assert all(row["steps_per_second"] > 0 for row in timing[1:])


def test_the_store_has_every_task_at_every_evaluation():
    succeed("train", *TINY, "evaluation.all_tasks=true", "--quiet", "--out", "run")
    table = rows("run", "SELECT * FROM task_metrics ORDER BY steps, task")
    steps = [row["steps"] for row in metrics("run")]
    assert [(row["steps"], row["task"]) for row in table] == [
        (s, t) for s in steps for t in range(4)
    ]
    for row in metrics("run"):
        tasks = [task for task in table if task["steps"] == row["steps"]]
        assert sum(task["policy"] for task in tasks) == pytest.approx(1)
        entropy = -sum(task["policy"] * math.log(task["policy"]) for task in tasks)
        assert row["entropy"] == pytest.approx(entropy)
        assert row["mean_loss"] == pytest.approx(sum(task["loss"] for task in tasks) / 4)
        assert row["mean_error"] == pytest.approx(sum(task["error"] for task in tasks) / 4)
        assert row["tasks_completed"] == sum(task["error"] < 0.05 for task in tasks)
        assert row["target_loss"] == tasks[3]["loss"]


def test_every_task_may_be_evaluated_less_often():
    succeed(
        *["train", *TINY, "steps=5000", "evaluation.all_tasks=true"],
        *["evaluation.all_tasks_interval=2000", "--quiet", "--out", "run"],
    )
    with_mean = [row["mean_loss"] is not None for row in metrics("run")]
    assert with_mean == [True, False, True, False, True, True]  # the last evaluation has all tasks
    assert all(row["target_loss"] is not None for row in metrics("run"))


def test_the_config_of_a_run_makes_the_same_run():
    first = train("gain=gpg", "syllabus.eta=0.1", "seed=7")
    folder = f"run{next(FOLDERS) - 1}"
    assert succeed("train", f"{folder}/config.toml", "--quiet", "--out", "again") == ""
    assert metrics("again") == first


def test_without_a_name_a_run_gets_a_folder_of_its_own():
    code, _, err = run("train", *TINY, "seed=3")
    assert code == 0
    folder = "runs/repeat-copy-pg-3"
    first, eta = err.splitlines()[:2]
    assert first == f"run folder: {folder}"
    assert re.fullmatch(
        r"syllabus.eta is 0.05, chosen automatically for 4 tasks and about \d+ batches", eta
    )
    [started] = rows(folder, "SELECT message FROM events WHERE kind = 'started'")
    assert started["message"].endswith(f"; {eta}")
    assert err.endswith(f"\nsaved in {folder}; next: gradus report {folder} -o report.html\n")
    succeed("train", *TINY, "seed=3", "--quiet")
    assert metrics("runs/repeat-copy-pg-3") == metrics("runs/repeat-copy-pg-3.2")


def test_paths_among_the_settings_mean_the_same_everywhere(tmp_path):
    (tmp_path / "corpus.txt").write_text("the lamb and the lion " * 200)
    args = ["curriculum=ngram", "ngram.max_order=2", "ngram.characters=3000", "ngram.cache=none"]
    call = ["train", *args, *TINY, "ngram.corpus=corpus.txt", "--quiet", "--out", tmp_path / "run"]
    assert run(*call, cwd=tmp_path)[0] == 0
    settings = {
        row["key"]: row["value"] for row in rows(tmp_path / "run", "SELECT * FROM settings")
    }
    assert settings["ngram.corpus"] == str(tmp_path / "corpus.txt")
    assert settings["ngram.cache"] == "none" and settings["files.path"] == ""


def test_evaluating_every_task_adds_the_mean():
    row = train("evaluation.all_tasks=true")[-1]
    assert row["mean_loss"] > 0 and 0 <= row["mean_error"] <= 1


@pytest.mark.parametrize("objective", ["ml", "l2", "vi"])
def test_a_seed_gives_the_same_numbers_with_any_number_of_threads(objective):
    args = [f"objective={objective}", "batch=32", "--seed"]
    one = train(*args, 5, "--threads", 1)
    two = train(*args, 5, "--threads", 2)
    assert one == two
    assert one == train(*args, 5)
    assert one != train(*args, 6)


@pytest.mark.parametrize(
    "gain, objective",
    [(gain, "ml") for gain in ["pg", "gpg", "spg", "tpg", "mpg"]]
    + [(gain, "vi") for gain in ["pg", "gpg", "spg", "tpg", "mpg", "vcg", "gvcg"]]
    + [(gain, "l2") for gain in ["pg", "l2g", "gl2g"]],
)
def test_each_gain_with_its_objective(gain, objective):
    rows = train(f"gain={gain}", f"objective={objective}")
    assert all(math.isfinite(row["reward"]) for row in rows[1:])


def test_gains_are_not_all_the_same():
    lows = {
        train(f"gain={gain}", "steps=1000")[-1]["reward_low"]
        for gain in ["pg", "gpg", "spg", "tpg", "mpg"]
    }
    assert len(lows) == 5


@pytest.mark.parametrize("gain, objective", [("gvcg", "vi"), ("gl2g", "l2")])
def test_the_printed_sign_turns_the_gradient_complexity_gains(gain, objective):
    args = [f"gain={gain}", f"objective={objective}", "steps=1", "evaluation.interval=1"]
    derived = train(*args)[1]["reward_low"]
    printed = train(*args, "sign=printed")[1]["reward_low"]
    assert float(derived) == -float(printed) != 0


@pytest.mark.parametrize("gain, entropy", [("uniform", math.log(4)), ("target", 0)])
def test_baselines(gain, entropy):
    for row in train(f"gain={gain}"):
        assert row["entropy"] == pytest.approx(entropy)
        assert row["reward"] is row["reward_low"] is None


def test_a_config_is_read_and_overrides_win(tmp_path):
    config = write(
        tmp_path / "demo.toml",
        'gain = "gpg"\nsteps = 1e3\nseed = 3\n'
        "[evaluation]\ninterval = 500\n"
        "[syllabus]\neta = 0.1\n",
    )
    settings = ["gain=gpg", "steps=2000", "seed=4", "evaluation.interval=500", "syllabus.eta=0.1"]
    expected = train(*settings)
    tiny = [setting for setting in TINY if setting.split("=")[0] not in config.read_text()]
    tiny = [setting for setting in tiny if "interval" not in setting]
    args = [config, *tiny, "--seed", 4, "steps=2000", "--quiet", "--out", "b"]
    assert succeed("train", *args) == ""
    assert metrics("b") == expected


def test_a_config_may_be_a_pipe_or_have_a_key_in_its_path(tmp_path):
    tiny = [*TINY, "--quiet"]
    assert run("train", "/dev/stdin", *tiny, input='gain = "gpg"')[0] == 0
    assert "gian" in refuse("train", "/dev/stdin", *tiny, input='gian = "gpg"')
    folder = tmp_path / "eta=0.1"
    folder.mkdir()
    succeed("train", write(folder / "config.toml", 'gain = "gpg"'), *tiny)


@pytest.mark.parametrize(
    "gain, objective, needed",
    [
        ("vcg", "ml", "vi"),
        ("gvcg", "ml", "vi"),
        ("vcg", "l2", "vi"),
        ("gvcg", "l2", "vi"),
        ("l2g", "vi", "l2"),
        ("gl2g", "vi", "l2"),
    ],
)
def test_a_gain_that_the_objective_cannot_measure(gain, objective, needed):
    message = refuse("train", f"gain={gain}", f"objective={objective}")
    assert f"gain {gain} " in message
    assert f'objective "{needed}"' in message
    assert f'objective is "{objective}"' in message


@pytest.mark.parametrize("gain", ["l2g", "gl2g"])
def test_weight_gains_without_regularisation_warn_with_the_papers_words(gain):
    code, out, err = run("train", *TINY, f"gain={gain}", "--quiet")
    assert (code, out) == (0, "")
    message = one_line(err)
    assert message.startswith(f"warning: gain {gain} ")
    assert '"an unreliable signal, presumably because the network has no incentive' in message


@pytest.mark.parametrize(
    "argument, message",
    [
        ("gian=pg", 'unknown setting "gian"; did you mean "gain"?'),
        ("cells=8", 'unknown setting "cells"; did you mean "network.cells"?'),
        ("netwrok.cells=8", 'unknown setting "netwrok.cells"; did you mean "network.cells"?'),
        ("xyzzyxyzzy=1", 'unknown setting "xyzzyxyzzy"; gradus train --help lists all settings'),
        ("network=8", 'unknown setting "network"; gradus train --help lists all settings'),
        ("=8", '"=8" is not of the form key=value'),
        ("gain=pgg", 'unknown gain "pgg"; did you mean "pg"?'),
        ("policy=exp4", 'unknown policy "exp4"; did you mean "exp3"?'),
        ("objective=mll", 'unknown objective "mll"; did you mean "ml"?'),
        ("curriculum=repeat-cpoy", 'unknown curriculum "repeat-cpoy"; did you mean "repeat-copy"?'),
        ("sign=derivd", 'unknown sign "derivd"; did you mean "derived"?'),
        ("vi.prior=globl", 'unknown vi.prior "globl"; did you mean "global"?'),
        ("vi.evaluate=men", 'unknown vi.evaluate "men"; did you mean "mean"?'),
        ("syllabus.bad_reward=skp", 'unknown syllabus.bad_reward "skp"; did you mean "skip"?'),
        ("seed=-1", "seed is -1, expected a whole number from 0 to 9e+18"),
        ("seed=9223372036854775807", "seed is 9223372036854775807, expected a whole number"),
        ("steps=0", "steps is 0, expected a whole number from 1 to 9e+18"),
        ("steps=1e99", "steps is 1e+99, expected a whole number from 1 to 9e+18"),
        ("steps=99999999999999999999", "steps is '99999999999999999999', expected a whole number"),
        ("network.cells=1.5", "network.cells is 1.5, expected a whole number from 1 to 65536"),
        ("network.cells=", "network.cells is '', expected a whole number from 1 to 65536"),
        ("network.cells=many", "network.cells is 'many', expected a whole number from 1 to 65536"),
        ("network.cells=8\nseed=3", "network.cells is '"),
        ("syllabus.eta=1e9", 'syllabus.eta is 1e+09, expected a number from 0 to 100 or "auto"'),
        ("syllabus.eta=-1", "syllabus.eta is -1, expected a number from 0 to 100"),
        (
            "syllabus.eta=fast",
            "syllabus.eta is 'fast', expected a number from 0 to 100 or \"auto\"",
        ),
        ("syllabus.eta=nan", "syllabus.eta is nan, expected a number from 0"),
        ("syllabus.epsilon=1.5", "syllabus.epsilon is 1.5, expected a number from 0 to 1"),
        ("evaluation.all_tasks=1", "evaluation.all_tasks is 1, expected true or false"),
        (
            "syllabus.probabilities=1",
            "syllabus.probabilities is 1, expected a list of numbers from 0 to 1",
        ),
        ("repeat_copy.bits=31", "repeat_copy.bits is 31, expected a whole number from 1 to 30"),
    ],
)
def test_a_bad_override_is_named(argument, message):
    assert refuse("train", argument).startswith(message)


@pytest.mark.parametrize(
    "options, message",
    [
        ("--seed 2 seed=3", "seed is given twice, as seed=3 and as seed=2; expected one of them"),
        ("--seed abc", "seed is 'abc', expected a whole number from 0"),
        ("--seed -1", "seed is -1, expected a whole number from 0"),
        ("--threads 0", "threads is 0, expected 1..1024"),
        ("--threads 5000", "threads is 5000, expected 1..1024"),
        ("policy=fixed", "policy fixed has 0 probabilities, expected one for each of 4 tasks"),
        (
            "syllabus.low_quantile=0.9",
            "reward quantiles are 0.9 and 0.8, expected 0 <= low < high <= 1",
        ),
        ("demo.toml", '"demo.toml" is not of the form key=value; a config file must come first'),
    ],
)
def test_a_bad_option_is_named(options, message):
    assert refuse("train", *TINY, *options.split()).startswith(message)


@pytest.mark.parametrize(
    "text, line, message",
    [
        ('seed = 1\ngain = "pgg"\n', 2, 'unknown gain "pgg"; did you mean "pg"?'),
        ('[vi]\nprior = "globl"\n', 2, 'unknown vi.prior "globl"; did you mean "global"?'),
        ("seed = 1\n[netwrok]\n", 2, 'unknown table "netwrok"; did you mean "network"?'),
        ('seed = 1\ngian = "pg"\n', 2, 'unknown setting "gian"; did you mean "gain"?'),
        ("[network]\ncels = 8\n", 2, 'unknown setting "network.cels"; did you mean "network'),
        ("[network]\ncells = 0\n", 2, "network.cells is 0, expected a whole number from 1 to 6553"),
        ('\n[network]\n\ncells = "8"\n', 4, "network.cells is '8', expected a whole number"),
        ("gain = 3\n", 1, "gain is 3, expected a string"),
        ("optimiser.centred = 'yes'\n", 1, "optimiser.centred is 'yes', expected true or false"),
        ("syllabus.probabilities = [0.5, '']\n", 1, "syllabus.probabilities is ["),
        ("[[network]]\ncells = 8\n", 1, 'unknown setting "network"'),
        ('gain = "pg"\ngain = "gpg"\n', 2, ""),
        ("seed = \n", 1, ""),
        ('seed = 1\ngain = "pg\nsteps = 3\n', 2, ""),
        ("seed = 1\nsteps\n", 2, ""),
        ("[network\ncells = 8\n", 1, ""),
        ("seed = 1\ngain = \xff\n", 2, ""),
    ],
)
def test_a_bad_config_names_file_and_line(tmp_path, text, line, message):
    config = tmp_path / "demo.toml"
    config.write_bytes(text.encode("latin-1"))
    assert refuse("train", config).startswith(f"{config}:{line}: {message}")


def test_a_config_that_cannot_be_read(tmp_path):
    config = tmp_path / "nosuch.toml"
    expected = f"{config}: cannot be read: No such file or directory"
    assert refuse("train", config) == expected
    assert refuse("train", config, "gain=pg") == expected
    assert refuse("train", tmp_path) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_folder_that_cannot_be_the_runs(tmp_path):
    (tmp_path / "file").write_text("")
    message = refuse("train", *TINY, "--out", tmp_path)
    assert message == f"{tmp_path}: is not empty; a run needs a new or empty folder"
    message = refuse("train", *TINY, "--out", tmp_path / "file")
    assert message.startswith(f"{tmp_path}/file: cannot create the run folder: ")
    message = refuse("train", *TINY, "--out", tmp_path / "file" / "run")
    assert message.endswith("cannot create the run folder: Not a directory")
    succeed("train", *TINY, "--quiet", "--out", tmp_path / "run")
    message = refuse("train", *TINY, "--out", tmp_path / "run")
    assert message == f"{tmp_path}/run: already contains a run; gradus resume continues it"


def test_a_refused_run_leaves_nothing_behind():
    refuse("train", "gain=vcg", "--out", "run")
    assert not Path("run").exists()


def test_a_bad_reward_stops_the_run_or_is_counted():
    explode = [*TINY, "optimiser.epsilon=1e-80", "--quiet"]
    message = fail("train", *explode, "--out", "stopped")
    assert re.match(r"after \d+ steps: task \d \(\d,\d\): progress is -?(nan|inf), ", message)
    assert message.endswith("; set syllabus.bad_reward=skip to skip such rewards")
    assert rows("stopped", "SELECT value FROM run WHERE key = 'status'") == [{"value": "failed"}]
    [event] = rows("stopped", "SELECT message FROM events WHERE kind = 'failed'")
    assert event["message"] == message
    code, _, err = run("train", *explode, "syllabus.bad_reward=skip", "--out", "skipped")
    assert code == 0 and "warning: training has exploded" in one_line(err)
    assert metrics("skipped")[-1]["refused"] > 0
