# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a real network file system: sshfs, by which each host mounts the folder of a server.
Locks do not reach the other hosts there."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cluster import CONFIG as LOCAL_CONFIG
from cluster import (
    STEPS,
    can_change_host,
    claims,
    on_host,
    runs,
    same_results,
    suspend_at_work,
    swept,
)
from program import SANITIZED, command, run, succeed, wait_for
from slurm_site import free_ports
from stored import rows

# A checkpoint is a dozen files and syncs, each of which goes to the server and back.
CONFIG = LOCAL_CONFIG.replace("checkpoint.seconds = 0.02", "checkpoint.seconds = 0.2")
SFTP = "/usr/lib/openssh/sftp-server"


def is_installed():
    programs = [shutil.which(name) for name in ["sshfs", "socat", "umount"]]
    return all(programs) and Path(SFTP).exists() and Path("/dev/fuse").exists()


pytestmark = [
    pytest.mark.skipif(
        not is_installed(), reason="needs sshfs, socat, openssh-sftp-server and /dev/fuse"
    ),
    pytest.mark.skipif(SANITIZED, reason="takes a minute; scripts/check runs it optimised"),
]


class Disk:
    """A folder of this machine, which hosts mount over TCP."""

    def __init__(self, folder):
        self.folder = folder
        [self.port] = free_ports(1)
        listen = f"TCP-LISTEN:{self.port},bind=127.0.0.1,fork,reuseaddr"
        self.server = subprocess.Popen(["socat", listen, f"EXEC:{SFTP}"])
        self.mounts = []

    def mount(self, name):
        """Mounts without a cache in sshfs, whose 20 seconds are longer than the leases here."""
        point = Path(name).absolute()
        point.mkdir()
        call = [
            "sshfs",
            "-o",
            f"directport={self.port},cache=no",
            f"localhost:{self.folder}",
            point,
        ]
        is_mounted = lambda: subprocess.run(call, stderr=subprocess.DEVNULL).returncode == 0
        wait_for(is_mounted, "mount by sshfs")
        self.mounts.append(point)
        return point

    def lose(self, point):
        """What becomes of the mount of a host that dies."""
        subprocess.run(["umount", "--lazy", "--force", point], check=False)
        self.mounts.remove(point)

    def close(self):
        for point in list(self.mounts):
            self.lose(point)
        self.server.kill()
        self.server.wait()


@pytest.fixture
def disk(tmp_path):
    if not can_change_host():
        pytest.skip("needs permission to change the host's name")
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "sweep.toml").write_text(CONFIG)
    disk = Disk(tmp_path / "export")
    yield disk
    disk.close()


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("straight"), CONFIG)


def start(name, point, *options):
    call = ["sweep", point / "sweep.toml", "--out", point / "out", "--lease", 3, *options]
    return subprocess.Popen(on_host(name, command(*call)), stderr=open(f"{name}.log", "w"))


def test_hosts_share_a_sweep_and_others_read_it_meanwhile(disk, straight):
    hosts = {name: disk.mount(name) for name in ["node1", "node2"]}
    reader = disk.mount("reader")
    workers = [start(name, point, "--jobs", 1) for name, point in hosts.items()]
    wait_for(lambda: (reader / "out" / "sweep.json").exists(), "plan")
    states = {}
    while any(worker.poll() is None for worker in workers):
        status = json.loads(succeed("sweep", "--status", reader / "out", "--json"))
        states |= {entry["status"]: entry.get("reason") for entry in status}
    for name, worker in zip(hosts, workers):
        assert worker.returncode == 0, Path(f"{name}.log").read_text()
    assert "running" in states and "broken" not in states, states
    assert same_results(disk.folder / "out", straight)
    # A host may look at a run that the other has just finished, and claim it, but not train it again.
    folders = runs(disk.folder / "out")
    assert {claims(folder)[0]["host"] for folder in folders} == {"node1", "node2"}
    for folder in folders:
        kinds = [event["kind"] for event in rows(folder, "SELECT kind FROM events ORDER BY id")]
        assert kinds == ["started", "finished"]
    assert not list(disk.folder.glob("out/*/run.db-*"))  # no write-ahead log


def test_a_host_that_dies_with_its_mount_is_replaced(disk, straight):
    dying, other = disk.mount("node1"), disk.mount("node2")
    worker = start("node1", dying, "--jobs", 2)
    checkpoints = lambda: list(other.glob("out/*/checkpoints/step-*"))
    wait_for(lambda: len(checkpoints()) >= 2, "checkpoints")
    held = suspend_at_work(worker, other / "out")
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    disk.lose(dying)
    assert start("node2", other, "--jobs", 2).wait(120) == 0
    assert same_results(disk.folder / "out", straight)
    for folder in held:
        assert [claim["host"] for claim in claims(folder)] == ["node1", "node2"]


def test_a_suspended_process_that_was_replaced_leaves_the_run_alone(disk, straight):
    slow, other = disk.mount("node1"), disk.mount("node2")
    suspended = start("node1", slow, "--jobs", 1)
    wait_for(lambda: list(other.glob("out/*/checkpoints/step-*")), "checkpoint")
    [held] = suspend_at_work(suspended, other / "out")
    assert start("node2", other, "--jobs", 1).wait(120) == 0
    assert len(claims(held)) == 2
    os.kill(suspended.pid, signal.SIGCONT)
    assert suspended.wait(120) == 0
    assert same_results(disk.folder / "out", straight)


def test_a_run_is_killed_again_and_again(disk):
    point = disk.mount("node1")
    settings = ["gain=pg", "seed=1", "evaluation.interval=777", "steps=60000"]
    (point / "run.toml").write_text(CONFIG.split("[sweep]")[0].replace(f"steps = {STEPS}", ""))
    succeed("train", point / "run.toml", *settings, "--out", "straight/run", "--quiet")
    call = ["train", point / "run.toml", *settings, "--out", point / "again/run", "--quiet"]
    for pause in [0.3, 0.6, 0.9, 1.2]:
        process = subprocess.Popen(command(*call), stderr=subprocess.DEVNULL)
        wait_for(lambda: (point / "again/run/config.toml").exists(), "run")
        time.sleep(pause)
        process.kill()
        process.wait()
        call = ["resume", point / "again/run", "--quiet"]
    assert run(*call)[0] == 0
    assert same_results(disk.folder / "again", "straight")
