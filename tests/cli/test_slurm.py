# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a real Slurm: job arrays, time limits, killed workers and a killed node daemon."""

import json
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from cluster import CONFIG, claims, runs, same_results, write_config
from program import SANITIZED, command, succeed
from slurm_site import Site, is_installed

pytestmark = [
    pytest.mark.skipif(not is_installed(), reason="needs root and Debian's slurm-wlm and munge"),
    pytest.mark.skipif(SANITIZED, reason="takes minutes; scripts/check runs it optimised"),
]

# Long enough to be hit by what the tests do.
LONG = CONFIG.replace("steps = 12000", "steps = 1500000").replace(
    "interval = 1000", "interval = 50000"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("slurm"), largest_array=3)
    yield site
    site.close()


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    folder = tmp_path_factory.mktemp("straight")
    (folder / "sweep.toml").write_text(LONG)
    succeed("sweep", folder / "sweep.toml", "--out", folder / "out", "--quiet")
    return folder / "out"


def submit(site, folder, options=""):
    slurm = f"--slurm={options}" if options else "--slurm"
    call = command("sweep", write_config(LONG), "--out", folder, "--lease", 2, slurm)
    done = subprocess.run(call, env=site.environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def workers(folder):
    """The processes that work on runs now."""
    held = [claims(run)[-1] for run in runs(folder) if (run / "claims").exists()]
    return [claim["pid"] for claim in held if claim["working"]]


def finished(folder):
    status = json.loads(succeed("sweep", "--status", folder, "--json"))
    return all(run["status"] == "finished" for run in status)


def test_an_array_is_split_and_survives_killed_workers_and_a_killed_node_daemon(site, straight):
    out = submit(site, "out")
    # Six runs in arrays of at most three elements.
    assert re.findall(r"job \d+: (\d) elements", out) == ["3", "3"]
    moments = random.Random(1)
    for victim in ["worker", "slurmd", "worker"]:
        site.wait_for(lambda: workers("out") or finished("out"), "worker")
        time.sleep(moments.random())
        if victim == "slurmd":
            site.kill("slurmd")
            time.sleep(1)
            site.start_node()
        else:
            for worker in workers("out")[:1]:
                os.kill(worker, signal.SIGKILL)
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    if not finished("out"):  # every worker may have died
        submit(site, "out")
        site.wait_for(lambda: not site.jobs(), "end of the jobs")
    assert finished("out")
    assert same_results("out", straight)


# A signal to the batch script is what Slurm sends before the time limit, whose unit is a minute.
def test_a_warning_saves_and_requeues_and_a_cancelled_element_does_not_come_back(site, straight):
    submit(site, "out")
    site.wait_for(lambda: workers("out"), "worker")
    site.call("scancel", "--batch", "--signal=TERM", "-u", "root", check=False)
    site.wait_for(lambda: "PENDING" in site.jobs().values(), "requeued element")
    while site.jobs():
        site.start_now()
        time.sleep(0.5)
    assert finished("out")
    assert same_results("out", straight)
    logs = "".join(log.read_text() for log in Path("out/slurm").glob("*.log"))
    assert "interrupted" in logs

    submit(site, "cancelled")
    site.wait_for(lambda: workers("cancelled"), "worker")
    site.call("scancel", "-u", "root")
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    submit(site, "cancelled")
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    assert finished("cancelled") and same_results("cancelled", straight)
