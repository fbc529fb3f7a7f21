# SPDX-License-Identifier: Apache-2.0
"""Sweeps that several processes share, and the hosts that they run on."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from program import SANITIZED, SMALL, succeed
from stored import results, rows

# Enough runs for several workers, each with some evaluations and checkpoints, and each long enough to
# be suspended at work.
STEPS = 12000 if SANITIZED else 120000
CONFIG = f"""{SMALL}
steps = {STEPS}
evaluation.interval = {STEPS // 12}
checkpoint.seconds = 0.02

[sweep]
gain = ["pg", "uniform"]
seed = [1, 2, 3]
"""

# Runs a command on another host, as far as claims can tell: with another name and another kernel.
OTHER_HOST = [
    *["unshare", "--mount", "--uts", "bash", "-c"],
    'hostname "$0"; mount --bind "$0.boot" /proc/sys/kernel/random/boot_id; exec "$@"',
]


def write_config(text=CONFIG):
    Path("sweep.toml").write_text(text)
    return "sweep.toml"


def swept(folder, text):
    """Does the sweep of the config `text` by one process in `folder`. Returns where its runs are."""
    (folder / "sweep.toml").write_text(text)
    succeed("sweep", folder / "sweep.toml", "--out", folder / "out", "--quiet")
    return folder / "out"


def on_host(name, call):
    Path(f"{name}.boot").write_text(name + "\n")
    return [*OTHER_HOST, name, *call]


def can_change_host():
    return os.geteuid() == 0 and subprocess.run(on_host("probe", ["true"])).returncode == 0


def claims(run):
    """The claims on a run, in order."""
    files = [file for file in (run / "claims").iterdir() if file.name.isdecimal()]
    files.sort(key=lambda file: int(file.name))
    return [json.loads(file.read_text()) for file in files]


def runs(folder):
    return sorted(path.parent for path in Path(folder).glob("*/config.toml"))


def is_finished(run):
    query = "SELECT 1 FROM run WHERE key = 'status' AND value = 'finished'"
    return (run / "run.db").exists() and len(rows(run, query)) > 0


def suspend_at_work(process, folder):
    """Suspends a process in the middle of a run in `folder`, or of several. Returns these runs."""
    while True:
        os.kill(process.pid, signal.SIGSTOP)
        held = [run for run in runs(folder) if claims(run)[-1]["working"] and not is_finished(run)]
        if held:
            return held
        os.kill(process.pid, signal.SIGCONT)  # It was between two runs.
        assert process.poll() is None, "the sweep ended before it could be suspended"
        time.sleep(0.05)


def same_results(folder, straight):
    """Whether all runs have the same bits as those of an undisturbed sweep."""
    names = [run.name for run in runs(straight)]
    assert [run.name for run in runs(folder)] == names
    for name in names:
        assert results(Path(folder) / name) == results(Path(straight) / name), name
    return True
