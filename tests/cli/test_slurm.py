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

from cluster import CONFIG, STEPS, claims, runs, same_results, swept, write_config
from program import SANITIZED, command, succeed
from slurm_site import Site, is_installed
from stored import rows

pytestmark = [
    pytest.mark.skipif(not is_installed(), reason="needs root and Debian's slurm-wlm and munge"),
    pytest.mark.skipif(SANITIZED, reason="takes minutes; scripts/check runs it optimised"),
]

# Long enough to be hit by what the tests do.
LONG = CONFIG.replace(f"steps = {STEPS}", "steps = 1500000").replace(
    f"interval = {STEPS // 12}", "interval = 50000"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("slurm"), largest_array=3)
    yield site
    site.close()


@pytest.fixture(scope="module")
def straight(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("straight"), LONG)


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


def finish_requeued(site):
    while site.jobs():
        site.start_now()
        time.sleep(0.5)


def logs(folder):
    return "".join(log.read_text() for log in Path(folder, "slurm").glob("*.log"))


def test_a_warning_saves_and_requeues_and_a_cancelled_element_does_not_come_back(site, straight):
    submitted = submit(site, "out")
    site.wait_for(lambda: workers("out"), "worker")
    script = int(Path(f"/proc/{workers('out')[0]}/stat").read_text().split()[3])  # its parent
    os.kill(script, signal.SIGTERM)
    site.wait_for(lambda: site.restarts(submitted) > 0, "requeued element")
    finish_requeued(site)
    assert finished("out")
    assert same_results("out", straight)
    assert "interrupted" in logs("out")

    submit(site, "cancelled")
    site.wait_for(lambda: workers("cancelled"), "worker")
    site.call("scancel", "-u", "root")
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    assert not finished("cancelled")
    submit(site, "cancelled")
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    assert finished("cancelled") and same_results("cancelled", straight)


def until(folder, steps):
    """What a run has stored up to a number of steps."""
    return [
        rows(folder, f"SELECT * FROM {table} WHERE steps <= {steps} ORDER BY steps")
        for table in ["metrics", "task_metrics"]
    ]


# The shortest limit is a minute, and Slurm looks at limits about twice per minute.
def test_a_time_limit_strikes_and_the_element_comes_back(site):
    write_config(LONG.replace("1500000", "1_000_000_000_000"))  # longer than any limit
    one = ["sweep", "sweep.toml", "gain=pg", "seed=1", "--quiet"]
    straight = subprocess.Popen(command(*one, "--out", "straight"))
    options = "--slurm=--time=1 --signal=B:TERM@20"
    submitted = subprocess.run(
        command(*one, "--out", "out", "--elements", 1, options),
        env=site.environment,
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
    ).stdout
    site.wait_for(lambda: site.restarts(submitted) > 0, "requeued element")
    [run] = runs("out")
    [stop] = rows(run, "SELECT steps FROM events WHERE kind = 'stopped'")
    last = lambda folder: rows(folder, "SELECT max(steps) AS last FROM metrics")[0]["last"]

    def is_further():
        site.start_now()
        return last(run) > stop["steps"] + 500_000

    site.wait_for(is_further, "progress after the limit")
    site.call("scancel", "-u", "root")
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    straight.terminate()
    assert straight.wait() == 130
    [undisturbed] = runs("straight")
    both = min(last(run), last(undisturbed))
    assert both > stop["steps"]
    assert until(run, both) == until(undisturbed, both)


def test_a_printed_script_can_be_submitted_by_hand(site, straight):
    script = succeed("sweep", write_config(LONG), "--out", "out", "--slurm", "--print")
    Path("job.sh").write_text(script.replace("--array=0-5", "--array=0-1"))
    site.call("sbatch", "job.sh")
    site.wait_for(lambda: not site.jobs(), "end of the jobs")
    assert finished("out") and same_results("out", straight)


def test_fewer_elements_are_submitted_if_the_site_limits_jobs(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("small"), largest_array=100, most_jobs=5)
    try:
        out = submit(site, "out")
        assert re.findall(r"job \d+: (\d) elements", out) == ["4"]
        assert (
            "2 elements were not submitted because of the site's limit on jobs; the others train their runs"
            in out
        )
        site.wait_for(lambda: not site.jobs(), "end of the jobs")
        assert finished("out")
    finally:
        site.close()
