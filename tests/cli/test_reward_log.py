# SPDX-License-Identifier: Apache-2.0
"""syllabus.log: the log of a run's rewards, and gradus replay of it."""

from pathlib import Path

import pytest

from program import refuse, run, succeed
from stored import metrics, rows

TINY = [
    *["repeat_copy.max_length=2", "repeat_copy.max_repeats=2", "network.cells=8", "batch=4"],
    *["steps=4000", "evaluation.interval=500", "evaluation.sequences=4", "syllabus.log=true"],
]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def train(folder, *settings):
    succeed("train", *TINY, *settings, "--quiet", "--out", folder)


def replayed(*args):
    """The policy after each round, by round."""
    lines = [line.split(",") for line in succeed("replay", *args).splitlines()[1:]]
    return {int(line[0]): [float(p) for p in line[3:]] for line in lines}


def recorded(folder):
    """The policy of each evaluation after the first, by round."""
    policies = {}
    for row in metrics(folder)[1:]:
        tasks = f"SELECT policy FROM task_metrics WHERE steps = {row['steps']} ORDER BY task"
        policies[row["rounds"]] = [task["policy"] for task in rows(folder, tasks)]
    return policies


@pytest.mark.parametrize(
    "settings",
    [
        [],
        ["policy=exp3", "seed=7"],
        ["syllabus.eta=0.05", "syllabus.beta=0.01", "syllabus.epsilon=0.2"],
        ["syllabus.reservoir=10", "syllabus.low_quantile=0.1", "syllabus.high_quantile=0.7"],
    ],
)
def test_the_log_replays_to_the_policies_of_the_run(settings):
    train("run", *settings)
    policies = replayed("run")
    expected = recorded("run")
    assert len(expected) > 5 and len({tuple(policy) for policy in expected.values()}) > 5
    assert {round: policies[round] for round in expected} == expected
    assert len(policies) == max(expected)


def test_the_log_is_a_file_for_replay_with_any_policy():
    settings = ["syllabus.eta=0.05", "seed=3", "syllabus.low_quantile=0.1", "syllabus.reservoir=20"]
    train("run", *settings)
    options = "--tasks 4 --eta 0.05 --seed 3 --low 0.1 --reservoir 20".split()
    assert replayed("run/rewards.csv", *options) == replayed("run")
    uniform = replayed("run/rewards.csv", "--tasks", 4, "--policy", "uniform")
    assert uniform[1] == [0.25] * 4


def test_each_row_is_a_batch_whose_cost_is_the_length_of_its_sequences():
    train("run")
    header, *lines = Path("run/rewards.csv").read_text().splitlines()
    assert header == "task,progress,cost"
    assert len(lines) == metrics("run")[-1]["rounds"]
    # A sequence of length L with R repeats has L + L R + 3 steps.
    for task, _, cost in (line.split(",") for line in lines):
        assert float(cost) == [5, 6, 7, 9][int(task)]


def test_a_run_without_a_log_says_how_to_get_one():
    for folder, setting in [("off", "syllabus.log=false"), ("baseline", "gain=uniform")]:
        train(folder, setting)
        assert not Path(folder, "rewards.csv").exists()
        message = refuse("replay", folder)
        assert message.startswith(
            f"{folder}: the run has no rewards.csv; runs with syllabus.log=true"
        )


def test_a_run_is_replayed_with_its_own_settings_alone():
    train("run")
    message = refuse("replay", "run", "--policy", "exp3")
    assert message.startswith("--policy cannot be given with a run's folder")
    assert "run/rewards.csv" in message
    assert "--tasks is required" in refuse("replay", "run/rewards.csv")


def test_a_log_that_lost_rows_is_not_continued():
    train("run", "checkpoint.seconds=0")
    log = Path("run/rewards.csv")
    rounds = len(log.read_text().splitlines()) - 1
    log.write_text("task,progress,cost\n0,1,5\n0,1")  # the last row is cut off
    message = refuse("resume", "run")
    assert f"rewards.csv: has 1 rewards, but the checkpoint comes after {rounds}" in message
    config = Path("run/config.toml")
    config.write_text(config.read_text().replace("\nlog = true", "\nlog = false"))
    assert run("resume", "run")[0] == 0


@pytest.mark.parametrize(
    "settings, message",
    [
        (["policy=exp3", "syllabus.epsilon=0.1"], "policy exp3 has no setting epsilon"),
        (["policy=uniform", "syllabus.eta=0.1"], "policy uniform has no setting eta"),
        (["syllabus.probabilities=[1.0]"], "policy exp3s has no setting probabilities"),
        (["gain=uniform", "policy=exp3", "syllabus.beta=0.1"], "policy exp3 has no setting beta"),
    ],
)
def test_a_setting_that_the_policy_does_not_have_is_refused(settings, message):
    assert refuse("train", *TINY, *settings, "--out", "run") == message
