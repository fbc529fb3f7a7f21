# SPDX-License-Identifier: Apache-2.0
"""Runs survive kills at any moment, damaged checkpoints, full disks, and competing processes."""

import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from program import SANITIZED, command, fail, one_line, refuse, run, succeed, wait_for
from stored import best_network, evaluations, last_weights, metrics, results, rows

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
evaluation.interval=1000 evaluation.sequences=8 optimiser.learning_rate=1e-3
""".split()
ENDLESS = [*TINY, "steps=1e15", "--quiet"]


def status(folder):
    return rows(folder, "SELECT value FROM run WHERE key = 'status'")[0]["value"]


def checkpoints(folder):
    return sorted((Path(folder) / "checkpoints").glob("step-*"))


def start_endless(folder, *args):
    """Starts a run that trains until it is stopped; returns once it has two checkpoints."""
    program = subprocess.Popen(
        command("train", *ENDLESS, "checkpoint.seconds=0.01", *args, "--out", folder),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: len(checkpoints(folder)) >= 2, "checkpoint")
    return program


def kill(program):
    program.kill()
    program.communicate()


# Each has different state: probes, weight noise, cached norms, occasional evaluation of all tasks,
# losses that a gain remembers, no policy and a store for shared disks.
RUNS = {
    "pg": ["gain=pg", "syllabus.log=true"],
    "vi": ["gain=vcg", "objective=vi", "vi.evaluate=sample"],
    "probe": ["gain=mpg", "objective=l2", "--threads", "2"],
    "l2": [
        "gain=l2g",
        "objective=l2",
        "evaluation.all_tasks=true",
        "evaluation.all_tasks_interval=2500",
    ],
    "signals": ["gain=hsg:pg:hpg", "policy=corral"],
    "slope": ["gain=hsg", "slope.window=7", "policy=boltzmann"],
    "shared disk": ["gain=uniform", "evaluation.interval=777", "store=shared"],
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_killed_again_and_again_ends_with_the_same_bits(name):
    settings = [*TINY, "steps=3000" if SANITIZED else "steps=20000", *RUNS[name]]
    start = time.monotonic()
    succeed("train", *settings, "--quiet", "--out", "straight")
    took = time.monotonic() - start
    moments = random.Random(name)
    kills = 0
    # If every batch is followed by a save, most kills hit the writing of a checkpoint.
    for interval in ["0", "0.003"]:
        folder = Path(f"killed-{interval}")
        call = ["train", *settings, f"checkpoint.seconds={interval}", "--quiet", "--out", folder]
        for attempt in itertools.count():
            program = subprocess.Popen(command(*call), stderr=subprocess.PIPE, text=True)
            # The first three kills come before the run can end, the others at any time.
            longest = 0.1 if attempt < 3 else moments.choice([0.1, 0.3, 1, 3])
            try:
                program.wait(longest * moments.random() * took)
            except subprocess.TimeoutExpired:
                kill(program)
                kills += 1
            else:
                assert program.returncode == 0, program.stderr.read()
                break
            threads = settings[-2:] if "--threads" in settings else []
            if (folder / "config.toml").exists():
                call = ["resume", folder, "--quiet", *threads]
        assert status(folder) == "finished"
        assert results(folder) == results(Path("straight"))
        assert best_network(folder) == best_network(Path("straight"))
        assert len(checkpoints(folder)) <= 2
        assert not list((folder / "checkpoints").glob(".*"))
    assert kills >= 6


def test_a_stopped_run_goes_on_with_the_same_bits():
    settings = [*TINY, "steps=5e4" if SANITIZED else "steps=1e6", "gain=spg"]
    succeed("train", *settings, "--quiet", "--out", "straight")
    program = subprocess.Popen(
        command("train", *settings, "--quiet", "--out", "stopped"),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: evaluations("stopped") > 1, "metrics")
    program.send_signal(signal.SIGINT)
    _, err = program.communicate()
    assert program.returncode == 130, err
    assert status("stopped") == "stopped"
    assert succeed("resume", "stopped", "--quiet") == ""
    assert results(Path("stopped")) == results(Path("straight"))
    kinds = [row["kind"] for row in rows("stopped", "SELECT kind FROM events ORDER BY id")]
    assert kinds == ["started", "stopped", "resumed", "finished"]


def test_a_finished_run_stays_as_it_is():
    succeed("train", *TINY, "steps=3000", "--quiet", "--out", "run")
    before = results(Path("run"))
    code, out, err = run("resume", "run")
    next_step = "saved in run; next: gradus report run -o report.html"
    assert (code, out, err) == (0, "", f"gradus: the run has already finished, {next_step}\n")
    assert results(Path("run")) == before


def truncate(path):
    path.write_bytes(path.read_bytes()[:-7])


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


@pytest.fixture(scope="module")
def saved_often(tmp_path_factory):
    """A finished run that was saved after every batch."""
    folder = tmp_path_factory.mktemp("saved") / "run"
    succeed("train", *TINY, "steps=3000", "checkpoint.seconds=0", "--quiet", "--out", folder)
    return folder


@pytest.mark.parametrize(
    "file", ["weights.safetensors", "training.safetensors", "state.json", "SHA256SUMS"]
)
@pytest.mark.parametrize("damage", [truncate, flip, Path.unlink])
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(file, damage, saved_often):
    shutil.copytree(saved_often, "run")
    before, last = checkpoints("run")
    damage(last / file)
    code, out, err = run("resume", "run", "--quiet")
    assert (code, out) == (0, "")
    message = one_line(err)
    assert message.startswith(f"warning: checkpoint {last} is damaged (")
    assert message.endswith("); falling back to the one before it")
    assert results(Path("run")) == results(saved_often)
    assert best_network(Path("run")) == best_network(saved_often)
    [event] = rows("run", "SELECT message FROM events WHERE kind = 'damage'")
    assert f"warning: {event['message']}" == message


def test_checksums_are_those_of_sha256sum():
    succeed("train", *TINY, "steps=3000", "--quiet", "--out", "run")
    [checkpoint] = checkpoints("run")
    subprocess.run(["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=checkpoint, check=True)


def test_a_second_process_is_refused_and_the_first_is_not_disturbed():
    program = start_endless("run")
    message = refuse("resume", "run")
    assert message == f"run: another process ({program.pid}) is working on this run"
    assert "already contains a run" in refuse("train", *ENDLESS, "--out", "run")
    seen = metrics("run")[-1]["steps"]
    wait_for(lambda: metrics("run")[-1]["steps"] > seen, "more metrics")
    program.send_signal(signal.SIGTERM)
    _, err = program.communicate()
    assert program.returncode == 130 and "continue with: gradus resume run" in err


def full_disk_message(message, folder):
    shape = (
        r'(.*); the run stopped; "gradus resume (\S+)" continues from the checkpoint at (\d+) steps'
    )
    why, named, steps = re.fullmatch(shape, message).groups()
    assert named == str(folder)
    assert (Path(folder) / "checkpoints" / f"step-{int(steps):015}").is_dir()
    return why


# Limits the file size; the learner's state in the checkpoint is the first to exceed it.
def test_a_checkpoint_that_cannot_be_written_stops_the_run_and_the_last_one_is_whole():
    steps = "steps=2e4" if SANITIZED else "steps=2e5"
    settings = [*TINY, steps, "network.cells=80", "evaluation.interval=5000"]
    succeed("train", *settings, "--quiet", "--out", "straight")
    program = subprocess.Popen(
        command("train", *settings, "checkpoint.seconds=0.01", "--quiet", "--out", "run")
    )
    wait_for(lambda: len(checkpoints("run")) >= 1, "checkpoint")
    kill(program)
    [*_, last] = checkpoints("run")
    state = (last / "training.safetensors").read_bytes()
    room = len(state) - 100
    message = fail(
        *["resume", "run", "--quiet"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert full_disk_message(message, "run").endswith("training.safetensors: File too large")
    assert (last / "training.safetensors").read_bytes() == state
    assert not list(Path("run/checkpoints").glob(".*"))
    succeed("resume", "run", "--quiet")
    assert results(Path("run")) == results(Path("straight"))


def test_metrics_that_cannot_be_written_stop_the_run():
    kill(start_endless("run", "evaluation.interval=100"))
    room = max(file.stat().st_size for file in Path("run").rglob("*")) + 16 * 1024
    message = fail(
        *["resume", "run", "--quiet"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )
    assert full_disk_message(message, "run").startswith("run/run.db: ")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 512 KB, if this user may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("needs permission to mount a disk")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_full_disk_stops_the_run_and_room_lets_it_go_on(small_disk):
    folder = small_disk / "run"
    steps = "steps=1e5" if SANITIZED else "steps=1e6"
    settings = [*TINY, steps, "evaluation.interval=100", "checkpoint.seconds=0.002"]
    message = fail("train", *settings, "--quiet", "--out", folder)
    why = full_disk_message(message, folder)
    assert re.search("No space left on device|database or disk is full", why), why
    shutil.copytree(folder, "copy")
    config = Path("copy/config.toml")
    config.write_text(config.read_text().replace("seconds = 0.002", "seconds = 60.0"))
    succeed("train", *settings, "checkpoint.seconds=60", "--quiet", "--out", "straight")
    succeed("resume", "copy", "--quiet")
    assert results(Path("copy")) == results(Path("straight"))


def test_metrics_are_read_while_they_are_written():
    program = start_endless("run", "evaluation.interval=100")
    counts = set()
    for _ in range(50):
        table = metrics("run")
        tasks = rows("run", "SELECT steps, count(*) AS tasks FROM task_metrics GROUP BY steps")
        assert all(row["tasks"] == 4 for row in tasks)
        assert [row["steps"] for row in table] == sorted(row["steps"] for row in table)
        counts.add(len(table))
        time.sleep(0.002)
    kill(program)
    assert len(counts) > 5


def test_weights_are_safetensors_that_another_reader_understands():
    numpy = pytest.importorskip("numpy")
    succeed("train", *TINY, "steps=3000", "objective=vi", "gain=vcg", "--quiet", "--out", "run")
    from safetensors_reader import read  # an independent reader

    tensors, facts = read(last_weights(Path("run")))
    assert facts["writer"] == "gradus" and json.loads(facts["vocabulary"]) == []
    assert json.loads(facts["data"]) == {
        "input": {"tokens": 0, "bits": 3, "reals": 1},
        "output": {"kind": "sigmoid", "width": 3},
    }
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    assert shapes == {
        "weight_ih_l0": (32, 4),
        "weight_hh_l0": (32, 8),
        "bias_ih_l0": (32,),
        "bias_hh_l0": (32,),
        "output.weight": (3, 8),
        "output.bias": (3,),
    }
    assert all(tensor.dtype == numpy.float32 for tensor in tensors.values())
    norm = numpy.sqrt(sum((tensor.astype(float) ** 2).sum() for tensor in tensors.values()))
    assert norm == pytest.approx(metrics("run")[-1]["weight_norm"], rel=1e-6)
    others, _ = read(last_weights(Path("run")).with_name("training.safetensors"))
    assert others["width.lstm0.recurrent"].shape == (8, 32) and others["prior.mean"].shape == (1, 1)
    assert others["optimiser.variance.mean.output.bias"].shape == (1, 3)


@pytest.mark.parametrize("folder", ["nosuch", "."])
def test_a_folder_without_a_run(folder):
    assert refuse("resume", folder) == f"{folder}: contains no run (there is no config.toml)"


def test_a_config_that_somebody_broke():
    succeed("train", *TINY, "steps=3000", "--quiet", "--out", "run")
    config = Path("run/config.toml")
    config.write_text(config.read_text().replace("cells = 8", "cells = 9"))
    assert "saved weights: lstm0.input is 4 x 32, expected 4 x 36" in refuse("resume", "run")
    config.write_text("gian = 'pg'\n")
    assert refuse("resume", "run").startswith('run/config.toml:1: unknown setting "gian"')
