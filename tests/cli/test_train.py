"""gradus train: what it writes, what it refuses, how it ends."""

import csv
import math
import re

import pytest

from program import fail, one_line, refuse, run, succeed

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=3000 evaluation.interval=1000 evaluation.sequences=8 optimiser.learning_rate=1e-3
""".split()

COLUMNS = """
steps rounds seconds training_loss target_loss target_error mean_loss mean_error tasks_completed entropy reward
reward_low reward_high refused
""".split()


def read_csv(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(None not in row and None not in row.values() for row in rows)
    return rows


def train(path, *args):
    """The metrics of a tiny run, less what the clock decides."""
    assert succeed("train", *TINY, *args, "--quiet", "--out", path) == ""
    return [{k: v for k, v in row.items() if k != "seconds"} for row in read_csv(path)]


def write(path, text):
    path.write_text(text)
    return path


def test_metrics_are_a_row_an_evaluation(tmp_path):
    path = tmp_path / "metrics.csv"
    train(path)
    rows = read_csv(path)
    assert list(rows[0]) == COLUMNS
    steps = [int(row["steps"]) for row in rows]
    assert steps[0] == 0 and steps[-1] >= 3000
    assert [step // 1000 for step in steps] == [0, 1, 2, 3]
    for column in ["rounds", "seconds"]:
        values = [float(row[column]) for row in rows]
        assert all(a < b for a, b in zip(values, values[1:]))
    for row in rows:
        assert 0 <= float(row["target_error"]) <= 1
        assert float(row["target_loss"]) > 0
        assert 0 < float(row["entropy"]) <= math.log(4) + 1e-12
        assert row["mean_loss"] == row["mean_error"] == row["tasks_completed"] == ""
        assert row["refused"] == "0"
    assert rows[0]["training_loss"] == rows[0]["reward"] == rows[0]["reward_low"] == ""
    assert all(float(row["reward_low"]) < float(row["reward_high"]) for row in rows[1:])
    assert all(-1 <= float(row["reward"]) <= 1 for row in rows[1:])


def test_evaluating_every_task_adds_the_mean(tmp_path):
    row = train(tmp_path / "a.csv", "evaluation.all_tasks=true")[-1]
    assert float(row["mean_loss"]) > 0 and 0 <= float(row["mean_error"]) <= 1


@pytest.mark.parametrize("objective", ["ml", "l2", "vi"])
def test_a_seed_gives_the_same_numbers_with_any_number_of_threads(tmp_path, objective):
    args = [f"objective={objective}", "batch=32", "--seed"]
    one = train(tmp_path / "one.csv", *args, 5, "--threads", 1)
    two = train(tmp_path / "two.csv", *args, 5, "--threads", 2)
    assert one == two
    assert one == train(tmp_path / "again.csv", *args, 5)
    assert one != train(tmp_path / "other.csv", *args, 6)


@pytest.mark.parametrize(
    "gain, objective",
    [(gain, "ml") for gain in ["pg", "gpg", "spg", "tpg", "mpg"]]
    + [(gain, "vi") for gain in ["pg", "gpg", "spg", "tpg", "mpg", "vcg", "gvcg"]]
    + [(gain, "l2") for gain in ["pg", "l2g", "gl2g"]],
)
def test_each_gain_with_its_objective(tmp_path, gain, objective):
    rows = train(tmp_path / "a.csv", f"gain={gain}", f"objective={objective}")
    assert all(math.isfinite(float(row["reward"])) for row in rows[1:])


def test_gains_are_not_all_the_same(tmp_path):
    lows = {
        train(tmp_path / "a.csv", f"gain={gain}", "steps=1000")[-1]["reward_low"]
        for gain in ["pg", "gpg", "spg", "tpg", "mpg"]
    }
    assert len(lows) == 5


@pytest.mark.parametrize("gain, objective", [("gvcg", "vi"), ("gl2g", "l2")])
def test_the_printed_sign_turns_the_gradient_complexity_gains(tmp_path, gain, objective):
    args = [f"gain={gain}", f"objective={objective}", "steps=1", "evaluation.interval=1"]
    derived = train(tmp_path / "a.csv", *args)[1]["reward_low"]
    printed = train(tmp_path / "b.csv", *args, "sign=printed")[1]["reward_low"]
    assert float(derived) == -float(printed) != 0


@pytest.mark.parametrize("gain, entropy", [("uniform", math.log(4)), ("target", 0)])
def test_baselines(tmp_path, gain, entropy):
    for row in train(tmp_path / "a.csv", f"gain={gain}"):
        assert float(row["entropy"]) == pytest.approx(entropy)
        assert row["reward"] == row["reward_low"] == ""


def test_a_config_is_read_and_overrides_win(tmp_path):
    config = write(
        tmp_path / "demo.toml",
        'gain = "gpg"\nsteps = 1e3\nseed = 3\n'
        "[evaluation]\ninterval = 500\n"
        "[syllabus]\neta = 0.1\n",
    )
    settings = ["gain=gpg", "steps=2000", "seed=4", "evaluation.interval=500", "syllabus.eta=0.1"]
    expected = train(tmp_path / "a.csv", *settings)
    tiny = [setting for setting in TINY if setting.split("=")[0] not in config.read_text()]
    tiny = [setting for setting in tiny if "interval" not in setting]
    out = tmp_path / "b.csv"
    args = [config, *tiny, "steps=1500", "--seed", 4, "steps=2000", "--quiet", "--out", out]
    assert succeed("train", *args) == ""
    got = [{k: v for k, v in row.items() if k != "seconds"} for row in read_csv(out)]
    assert got == expected


def test_a_config_may_be_a_pipe_or_have_a_key_in_its_path(tmp_path):
    tiny = [*TINY, "--quiet", "--out", tmp_path / "a.csv"]
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
        ("xyzzyxyzzy=1", 'unknown setting "xyzzyxyzzy"; gradus train --help lists all'),
        ("network=8", 'unknown setting "network"; gradus train --help lists all'),
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
        ("syllabus.eta=-1", "syllabus.eta is -1, expected a number from 0"),
        ("syllabus.eta=nan", "syllabus.eta is nan, expected a number from 0"),
        ("syllabus.epsilon=1.5", "syllabus.epsilon is 1.5, expected a number from 0 to 1"),
        ("evaluation.all_tasks=1", "evaluation.all_tasks is 1, expected true or false"),
        ("syllabus.probabilities=1", "syllabus.probabilities is 1, expected a list of numbers"),
        ("repeat_copy.bits=31", "repeat_copy.bits is 31, expected a whole number from 1 to 30"),
    ],
)
def test_a_bad_override_is_named(argument, message):
    assert refuse("train", argument).startswith(message)


@pytest.mark.parametrize(
    "options, message",
    [
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
    expected = f"{config}: cannot read the config: No such file or directory"
    assert refuse("train", config) == expected
    assert refuse("train", config, "gain=pg") == expected
    assert refuse("train", tmp_path) == f"{tmp_path}: is a folder, expected a TOML file"


def test_metrics_that_cannot_be_written(tmp_path):
    path = tmp_path / "none" / "a.csv"
    message = f"{path}: cannot write: No such file or directory"
    assert refuse("train", *TINY, "--out", path) == message
    assert refuse("train", *TINY, "--out", tmp_path) == f"{tmp_path}: cannot write: Is a directory"
    message = fail("train", *TINY, "--quiet", "--out", "/dev/full")
    assert message == "/dev/full: cannot write: No space left on device"


def test_a_bad_reward_stops_the_run_or_is_counted(tmp_path):
    explode = [*TINY, "optimiser.learning_rate=1e37", "--quiet"]
    message = fail("train", *explode)
    assert re.match(r"after \d+ steps: task \d \(\d,\d\): progress is -?(nan|inf), ", message)
    assert message.endswith("; syllabus.bad_reward=skip would go on")
    path = tmp_path / "a.csv"
    succeed("train", *explode, "syllabus.bad_reward=skip", "--out", path)
    assert int(read_csv(path)[-1]["refused"]) > 0
