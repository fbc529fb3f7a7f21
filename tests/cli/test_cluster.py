# SPDX-License-Identifier: Apache-2.0
"""Sweeps that several processes share, on one host or on several."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from cluster import (
    CONFIG,
    can_change_host,
    claims,
    on_host,
    runs,
    same_results,
    suspend_at_work,
    swept,
    write_config,
)
from program import command, refuse, run, succeed, wait_for
from stored import results


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    """The sweep, done by one process."""
    return swept(tmp_path_factory.mktemp("straight"), CONFIG)


def test_processes_that_do_the_same_sweep_share_its_runs(straight):
    call = ["sweep", write_config(), "--out", "out", "--jobs", 1]
    begun = lambda: len(list(Path("out").glob("*/claims/1")))
    first = subprocess.Popen(command(*call), stderr=subprocess.DEVNULL)
    wait_for(lambda: list(Path("out").glob("*/checkpoints/step-*")), "checkpoint")
    os.kill(first.pid, signal.SIGSTOP)  # leaves the others something to do on any machine
    by_first = begun()
    others = [
        subprocess.Popen(command(*call), stderr=subprocess.DEVNULL),
        subprocess.Popen(command("sweep", "out", "--worker"), stderr=subprocess.DEVNULL),
    ]
    wait_for(lambda: begun() > by_first, "run of another process")
    os.kill(first.pid, signal.SIGCONT)
    assert [worker.wait(120) for worker in [first, *others]] == [0, 0, 0]
    succeed("sweep", "out", "--worker", "--quiet")  # nothing is left
    assert same_results("out", straight)
    for folder in runs("out"):
        trained = claims(folder)
        assert len(trained) == 1 and not trained[0]["working"], folder
    assert len({claim["pid"] for folder in runs("out") for claim in claims(folder)}) > 1


def test_a_dead_host_is_replaced_after_its_lease(straight):
    if not can_change_host():
        pytest.skip("needs permission to change the host's name")
    call = ["sweep", write_config(), "--out", "out", "--jobs", 2, "--lease", 1]
    dying = subprocess.Popen(on_host("node1", command(*call)), stderr=subprocess.DEVNULL)
    wait_for(lambda: len(list(Path("out").glob("*/checkpoints/step-*"))) >= 2, "checkpoints")
    held = suspend_at_work(dying, "out")
    os.kill(dying.pid, signal.SIGKILL)
    dying.wait()
    # A single run is watched before it is taken over, too.
    first, *_ = held
    code, _, err = run("resume", first, "--quiet")
    assert code == 0, err
    assert re.search(r"process \d+ on node1 was working on .*; waiting 1 s for a sign of life", err)
    worker = on_host("node2", command("sweep", "out", "--worker", "--jobs", 2))
    assert subprocess.run(worker, stderr=subprocess.DEVNULL, timeout=120).returncode == 0
    assert same_results("out", straight)
    hosts = {folder: [claim["host"] for claim in claims(folder)] for folder in runs("out")}
    assert all(hosts[folder][0] == "node1" and len(hosts[folder]) == 2 for folder in held)
    status = json.loads(succeed("sweep", "--status", "out", "--json"))
    assert {entry["status"] for entry in status} == {"finished"}
    taken_over = {entry["name"]: entry["host"] for entry in status}
    assert all(taken_over[folder.name] == hosts[folder][-1] for folder in held)


def test_a_suspended_process_that_was_replaced_leaves_the_run_alone(straight):
    if not can_change_host():
        pytest.skip("needs permission to change the host's name")
    shared = 'store = "shared"\n' + CONFIG
    call = ["sweep", write_config(shared), "--out", "out", "--jobs", 1, "--lease", 1]
    slow = subprocess.Popen(on_host("node1", command(*call)), stderr=subprocess.PIPE, text=True)
    wait_for(lambda: len(list(Path("out").glob("*/checkpoints/step-*"))) >= 1, "checkpoint")
    [held] = suspend_at_work(slow, "out")
    (held / "lock").unlink()  # as if locks did not reach other hosts
    assert run("sweep", "out", "--worker", "--quiet")[0] == 0
    assert len(claims(held)) == 2
    os.kill(slow.pid, signal.SIGCONT)
    _, words = slow.communicate(timeout=120)
    assert slow.returncode == 0, words
    assert same_results("out", straight)


def test_the_status_names_what_failed_and_why():
    text = (
        Path(write_config())
        .read_text()
        .replace("seed = [1, 2, 3]", "optimiser.epsilon = [1e-4, 1e-80]")
    )
    Path("sweep.toml").write_text(text.replace('["pg", "uniform"]', '["pg"]'))
    assert run("sweep", "sweep.toml", "--out", "out", "--quiet")[0] == 1
    table = succeed("sweep", "--status", "out")
    assert re.search(r"1e-80 +failed .*progress is -?(nan|inf)", table), table
    assert table.endswith("1 failed, 1 finished\n")


def test_the_status_names_a_host_that_seems_to_be_dead(straight):
    shutil.copytree(straight, "out")
    held = runs("out")[0]
    with sqlite3.connect(held / "run.db") as database:
        database.execute("UPDATE run SET value = 'running' WHERE key = 'status'")
    claim = held / "claims/1"
    note = json.loads(claim.read_text())
    claim.write_text(json.dumps({**note, "host": "node9", "boot": "other", "working": True}))
    silence = lambda: json.loads(succeed("sweep", "--status", "out", "--json"))[0]["reason"]
    assert silence() == ""
    os.utime(claim, (time.time() - 3600, time.time() - 3600))
    expected = (
        "no sign of life for 60 minutes; gradus sweep --worker or gradus resume takes it over"
    )
    assert silence() == expected


def test_a_job_script_is_printed_and_wrong_calls_are_refused():
    config = write_config()
    script = succeed(
        *["sweep", config, "--out", "my out", "--slurm=--partition=gpu -c 4", "--print"]
    )
    # What the script needs is there, so that it can be submitted.
    assert Path("my out/sweep.json").exists() and Path("my out/slurm").is_dir()
    assert "#SBATCH --array=0-5\n" in script  # six runs, and one at a time for certain
    assert "#SBATCH --partition=gpu -c 4\n" in script
    assert f"sweep '{Path.cwd()}/my out' --worker" in script
    assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
    nothing = {**os.environ, "PATH": "/nonexistent"}
    assert "there is no scontrol" in refuse("sweep", config, "--out", "o", "--slurm", env=nothing)
    assert 'unknown argument "--partition=gpu"' in refuse(
        "sweep", config, "--out", "o", "--partition=gpu"
    )
    assert "--out is required" in refuse("sweep", config)
    assert "sweep.json" in refuse("sweep", "--status", ".")
    assert "need the folder of a sweep" in refuse("sweep", "--worker", config, "--out", "o")


def test_a_run_that_another_process_finished_while_this_one_read_its_data_is_left_alone():
    data = Path("data.txt")
    os.mkfifo(data)
    call = ["train", "curriculum=ngram", "ngram.corpus=data.txt", "steps=500", "batch=2"]
    small = ["network.cells=4", "ngram.max_order=2", "ngram.characters=2000", "ngram.cache="]
    call = command(*call, *small, "--out", "run", "--quiet")
    slow = subprocess.Popen(call, stderr=subprocess.PIPE, text=True)
    with open(data, "w") as pipe:  # opens when the process reads
        text = "to be or not to be\n" * 200
        Path("text").write_text(text)
        os.replace("text", data)
        subprocess.run(call, check=True, timeout=120)
        before = results(Path("run"))
        pipe.write(text)
    assert "already contains a run" in slow.communicate(timeout=120)[1]
    assert slow.returncode == 2
    assert results(Path("run")) == before
