# SPDX-License-Identifier: Apache-2.0
"""A Slurm of its own on this machine: controller, one node and authentication, as root, on free
ports and in a folder of its own."""

import os
import re
import shutil
import socket
import subprocess
import time

CONFIG = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdParameters=config_overrides
MaxArraySize={largest_array}
MaxJobCount={most_jobs}
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def is_installed():
    programs = ["munged", "slurmctld", "slurmd", "sbatch"]
    return os.geteuid() == 0 and all(shutil.which(program) for program in programs)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Site:
    def __init__(self, folder, largest_array, most_jobs=10_000):
        self.folder = folder
        self.pending_since = {}
        folder.chmod(0o755)
        for name in ["state", "spool"]:
            (folder / name).mkdir()
        self.config = folder / "slurm.conf"
        self.config.write_text(
            CONFIG.format(
                host=socket.gethostname().split(".")[0],
                ports=free_ports(2),
                folder=folder,
                largest_array=largest_array,
                most_jobs=most_jobs,
            )
        )
        self.environment = {**os.environ, "SLURM_CONF": str(self.config)}
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        names = {"key-file": "key", "socket": "socket", "pid-file": "pid", "seed-file": "seed"}
        options = [f"--{option}={folder}/munge.{name}" for option, name in names.items()]
        self.call("munged", "--force", f"--log-file={folder}/munge.log", *options)
        self.call("slurmctld", "-f", self.config)
        self.start_node()

    def call(self, *words, check=True):
        words = [str(word) for word in words]
        done = subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=60
        )
        assert not check or done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def start_node(self):
        self.call("slurmd", "-f", self.config)
        self.wait_for(lambda: "idle" in self.call("sinfo", "-h", "-o", "%T", check=False), "node")

    def kill(self, daemon):
        pid = int((self.folder / f"{daemon}.pid").read_text())
        os.kill(pid, 9)

    def jobs(self):
        """The states of the jobs that have not ended, by id."""
        lines = self.call("squeue", "-h", "-r", "-o", "%i %T").split("\n")
        return dict(line.split() for line in lines if line)

    def restarts(self, submitted):
        """How often elements of the arrays of `gradus sweep --slurm` were requeued, in all."""
        shown = [
            self.call("scontrol", "show", "job", job, check=False)
            for job in re.findall(r"job (\d+):", submitted)
        ]
        return sum(int(count) for count in re.findall(r"Restarts=(\d+)", "".join(shown)))

    def wait_for(self, condition, what, seconds=150):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"no {what} within {seconds} s: {self.jobs()}"
            time.sleep(0.2)

    def start_now(self):
        """Slurm lets a requeued job wait for two minutes. Calling this again and again starts it
        after three seconds: it would be killed if it started in the second of its requeue."""
        now = time.monotonic()
        pending = [job for job, state in self.jobs().items() if state == "PENDING"]
        self.pending_since = {job: self.pending_since.get(job, now) for job in pending}
        for job, since in self.pending_since.items():
            if now - since > 3:
                self.call("scontrol", "update", f"JobId={job}", "StartTime=now", check=False)

    def close(self):
        self.call("scancel", "-u", "root", check=False)
        for name in ["slurmd", "slurmctld", "munge"]:
            try:
                os.kill(int((self.folder / f"{name}.pid").read_text()), 15)
            except (OSError, ValueError):
                pass
