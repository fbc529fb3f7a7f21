# SPDX-License-Identifier: Apache-2.0
"""What `gradus serve` costs.

    python3 benchmarks/serve.py cost build/release/gradus
    python3 benchmarks/serve.py load build/release/gradus \\
        --packages build/test/tests/web/package.json

cost: 16 runs, each of which evaluates about ten times per second, with and without a browser's
requests to a server that watches and compares all of them. Prints the processor time of the server
as a share of all processors, and the processor time that the runs need per step with and without
it. Times are processor times, because the machine may be busy with other things.

load: a thousand runs with a thousand evaluations each, 16 of them still training. Prints how long
the server needs for the list and for figures, its memory, and how smooth the page is in Chromium.
"""

import argparse
import http.client
import json
import math
import os
import pathlib
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time

RUNS = 16
SMALL = [
    "network.cells=32",
    "batch=16",
    "evaluation.sequences=1",
    "repeat_copy.max_length=6",
    "repeat_copy.max_repeats=6",
    "checkpoint.seconds=10",
]


class Server:
    def __init__(self, gradus, folder):
        self.process = subprocess.Popen(
            [gradus, "serve", folder, "--port", "0"], stdout=subprocess.PIPE, text=True
        )
        text = ""
        while "Ctrl-C" not in text:
            text += self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", text)[1])

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("GET", path)
        return connection.getresponse()

    def json(self, path):
        return json.loads(self.get(path).read())

    def events(self):
        for line in self.get("/api/events"):
            if line.startswith(b"data: "):
                yield json.loads(line[6:])

    def seconds(self):
        """Processor time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")")[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Browser(threading.Thread):
    """Asks for what the page asks for: events, and figures of all runs at most once per second."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.rows = {}
        self.documents = 0
        self.start()
        threading.Thread(target=self.compare, daemon=True).start()

    def run(self):
        try:
            for event in self.server.events():
                self.rows.update({row["name"]: row for row in event["runs"]})
        except OSError:
            pass  # the server has been stopped

    def compare(self):
        try:
            while True:
                start = time.monotonic()
                numbers = ",".join(str(row["n"]) for row in list(self.rows.values()))
                if numbers:
                    self.server.get(f"/api/report?runs={numbers}").read()
                    self.documents += 1
                time.sleep(max(1, 3 * (time.monotonic() - start)))
        except OSError:
            pass


def train(gradus, folder, steps, interval):
    """Trains the runs. Returns their processor time per step, and evaluations per second and run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    call = [gradus, "train", *SMALL, f"steps={steps}", f"evaluation.interval={interval}", "--quiet"]
    runs = [
        subprocess.Popen([*call, f"seed={seed}", "--out", folder / f"seed-{seed}"])
        for seed in range(RUNS)
    ]
    for run in runs:
        assert run.wait() == 0
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent / (RUNS * steps), steps / interval / seconds, seconds


def cost(options):
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        _, _, seconds = train(options.gradus, pathlib.Path(folder), 100_000, 10_000)
    rate = 100_000 / seconds  # steps per second and run
    interval = max(1, round(rate / 11))  # evaluations take time themselves
    steps = round(rate * options.seconds)
    print(f"{RUNS} runs, {rate:.0f} steps per second each, an evaluation every {interval} steps")
    alone, watched, shares = [], [], []
    for _ in range(options.pairs):
        with tempfile.TemporaryDirectory() as folder:
            spent, evaluations, _ = train(options.gradus, pathlib.Path(folder), steps, interval)
            alone.append(spent)
        with tempfile.TemporaryDirectory() as folder:
            server = Server(options.server or options.gradus, folder)
            browser = Browser(server)
            spent, evaluations, seconds = train(
                options.gradus, pathlib.Path(folder), steps, interval
            )
            watched.append(spent)
            shares.append(server.seconds() / seconds / cores)
            rows = [row for row in browser.rows.values() if row["status"] == "running"]
            seen = statistics.mean(row["steps"] / steps for row in rows) if rows else 1
            time.sleep(5)
            done = sum(row["status"] == "finished" for row in browser.rows.values())
            server.stop()
        print(
            f"server: {100 * shares[-1]:.2f}% of {cores} processors; {browser.documents} documents; "
            f"{evaluations:.1f} evaluations per second and run; at the end it had seen "
            f"{100 * seen:.0f}% of the steps of unfinished runs, 5 s later {done} finished runs",
            flush=True,
        )
    changes = [100 * (more / less - 1) for less, more in zip(alone, watched)]
    error = statistics.stdev(changes) / len(changes) ** 0.5 if len(changes) > 1 else math.nan
    print(
        f"processor time of the runs per step if watched: {statistics.mean(changes):+.2f}%, "
        f"standard error {error:.2f}%"
    )
    print(f"processor time of the server: {100 * statistics.mean(shares):.2f}% of all processors")


def add_evaluation(database, steps):
    with sqlite3.connect(database) as connection:
        last = connection.execute("SELECT max(steps) FROM metrics").fetchone()[0]
        for table in ["metrics", "task_metrics", "timing"]:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")][1:]
            names = ", ".join(columns)
            connection.execute(
                f"INSERT INTO {table} (steps, {names}) SELECT ?, {names} FROM {table}"
                " WHERE steps = ?",
                (steps, last),
            )
    connection.close()


def generate(gradus, folder, runs):
    """Copies of one real run of a thousand evaluations, with seeds of their own."""
    small = ["network.cells=4", "batch=1", "evaluation.sequences=1", "evaluation.all_tasks=true"]
    grid = ["repeat_copy.max_length=3", "repeat_copy.max_repeats=3", "repeat_copy.bits=2"]
    length = ["steps=100000", "evaluation.interval=100", "--quiet"]
    first = folder / "seed-0"
    subprocess.run([gradus, "train", *small, *grid, *length, "seed=0", "--out", first], check=True)
    for seed in range(1, runs):
        target = folder / f"seed-{seed}"
        target.mkdir()
        shutil.copy(first / "run.db", target)
        with sqlite3.connect(target / "run.db") as connection:
            gain = ["pg", "uniform", "gpg", "spg"][seed % 4]
            connection.execute("UPDATE settings SET value = ? WHERE key = 'seed'", (str(seed),))
            connection.execute("UPDATE settings SET value = ? WHERE key = 'gain'", (gain,))
        connection.close()


def timed(words, act):
    start = time.monotonic()
    result = act()
    print(f"{words}: {time.monotonic() - start:.2f} s", flush=True)
    return result


def load(options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        timed(f"making {options.runs} runs", lambda: generate(options.gradus, folder, options.runs))
        start = time.monotonic()
        server = Server(options.server or options.gradus, folder)
        rows = next(server.events())["runs"]
        print(f"start until the list of {len(rows)} runs: {time.monotonic() - start:.2f} s")
        some = "0-15"
        every = f"0-{options.runs - 1}"
        timed("figures of 16 runs", lambda: server.get(f"/api/report?runs={some}").read())
        timed(
            f"figures of {options.runs} runs",
            lambda: server.get(f"/api/report?runs={every}").read(),
        )
        size = len(server.get(f"/api/report?runs={every}").read())
        print(f"document of {options.runs} runs: {size / 1e6:.1f} MB")
        events = server.events()
        next(events)
        before, start = server.seconds(), time.monotonic()
        time.sleep(10)
        share = (server.seconds() - before) / (time.monotonic() - start)
        print(f"watching without changes: {100 * share:.2f}% of one processor")
        delays = []
        for i in range(10):
            start = time.monotonic()
            for seed in range(16):
                add_evaluation(folder / f"seed-{seed}" / "run.db", 200_000 + i)
            while all(row["steps"] != 200_000 + i for row in next(events)["runs"]):
                pass
            delays.append(time.monotonic() - start)
        print(f"16 new evaluations are on the page after {statistics.median(delays):.2f} s")
        print(f"memory: {server.megabytes():.0f} MB", flush=True)
        if options.packages:
            script = pathlib.Path(__file__).with_name("serve_page.mjs")
            address = f"http://127.0.0.1:{server.port}/"
            environment = os.environ | {"PACKAGES": os.path.abspath(options.packages)}
            subprocess.run(
                ["node", script, address, str(options.runs)], env=environment, check=True
            )
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("what", choices=["cost", "load"])
    parser.add_argument("gradus", help="path of the program gradus")
    parser.add_argument("--server", help="path of the program that serves, if another")
    parser.add_argument("--pairs", type=int, default=3, help="measurements of the cost")
    parser.add_argument("--seconds", type=float, default=30, help="length of one measurement")
    parser.add_argument(
        "--packages", help="package.json of the browser tests: load also measures the page"
    )
    parser.add_argument("--runs", type=int, default=1000, help="runs of the load")
    options = parser.parse_args()
    {"cost": cost, "load": load}[options.what](options)


if __name__ == "__main__":
    main()
