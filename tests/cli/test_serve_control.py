# SPDX-License-Identifier: Apache-2.0
"""gradus serve starts, stops and resumes runs, and refuses what it must not do."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from server import PATIENCE, serving

CONFIG = """
batch = 8
network.cells = 8
evaluation = {interval = 2000, sequences = 8}
repeat_copy = {max_length = 2, max_repeats = 2, bits = 2}
"""


@pytest.fixture()
def server():
    Path("runs").mkdir()
    with serving() as running:
        yield running


def wait_for(server, name, *statuses):
    """Follows the events until the run has one of the statuses."""
    with server.events() as events:
        for event in events:
            for row in event["runs"]:
                if row["name"] == name and row["status"] in statuses:
                    return row


def start(server, name, *settings, config=CONFIG):
    return server.post("/api/start", {"config": config, "settings": settings, "name": name})


def error(answer):
    status, body = answer
    assert status == 400
    return body["error"]


def test_a_run_is_started_stopped_and_resumed(server):
    assert start(server, "a/run", "steps=1e8", "seed=3") == (200, {})
    number = wait_for(server, "a/run", "running")["n"]
    assert "another process" in error(server.post("/api/resume", {"run": number}))
    for _ in range(2):
        assert server.post("/api/stop", {"runs": [number]}) == (200, {})
        assert wait_for(server, "a/run", "stopped")["seed"] == "3"
        assert "none of these runs" in error(server.post("/api/stop", {"runs": [number]}))
        if _ == 0:
            assert server.post("/api/resume", {"run": number}) == (200, {})
            wait_for(server, "a/run", "running")
    run = server.get(f"/api/run?n={number}")
    kinds = [event["kind"] for event in run["events"]]
    assert kinds == ["started", "stopped", "resumed", "stopped"]
    assert run["log"].count("interrupted after") == 2
    assert "seed = 3" in server.get(f"/api/configs?n={number}")["run"]


def test_a_run_may_be_stopped_while_it_is_being_resumed(server):
    assert start(server, "run", "steps=1e8") == (200, {})
    number = wait_for(server, "run", "running")["n"]
    assert server.post("/api/stop", {"runs": [number]}) == (200, {})
    wait_for(server, "run", "stopped")
    with ThreadPoolExecutor(1) as pool:
        # The server answers after a second, since a process that cannot resume ends at once.
        resumed = pool.submit(server.post, "/api/resume", {"run": number})
        wait_for(server, "run", "running")
        assert server.post("/api/stop", {"runs": [number]}) == (200, {})
        assert resumed.result() == (200, {})
    wait_for(server, "run", "stopped")


def test_killing_the_server_ends_no_run():
    Path("runs").mkdir()
    with serving("runs") as server:
        assert start(server, "run", "steps=1e8") == (200, {})
        wait_for(server, "run", "running")
        server.process.kill()
        server.process.wait(timeout=PATIENCE)
        process = int(Path("runs/run/lock").read_text())
        try:
            with serving("runs") as other:
                number = wait_for(other, "run", "running")["n"]
                assert other.post("/api/stop", {"runs": [number]}) == (200, {})
                wait_for(other, "run", "stopped")
                deadline = time.monotonic() + PATIENCE
                while Path(f"/proc/{process}/exe").exists() and time.monotonic() < deadline:
                    time.sleep(0.05)
                assert not Path(f"/proc/{process}/exe").exists()
        finally:
            if Path(f"/proc/{process}/exe").exists():
                os.kill(process, signal.SIGKILL)
        server.process.returncode = 0  # as serving() expects


def test_bad_configs_are_refused_with_the_reason_and_leave_nothing(server):
    assert "steeps" in error(start(server, "x", config="steeps = 3"))
    assert "config:2" in error(start(server, "x", config="steps = 3\nsteps ="))
    assert "sweep.gain" in error(start(server, "x", config="[sweep]\ngain = []"))
    assert "--out" in error(start(server, "x", "--out=elsewhere"))
    assert "twice" in error(start(server, "x", "steps=5", "steps=6"))
    assert "vocabulary" in error(start(server, "x", config='files = {vocabulary = "x"}'))
    assert os.listdir("runs") == []


def test_new_runs_stay_below_the_folder(server):
    Path("outside").mkdir()
    Path("runs/link").symlink_to(Path("outside").resolve())
    Path("runs/full").mkdir()
    Path("runs/full/file").write_text("")
    for name in ["", ".", "..", "../x", "a/../../x", "/tmp/x", "link/x", "link"]:
        assert "is not the name of a folder below" in error(start(server, name)), name
    assert "already exists" in error(start(server, "full"))
    assert "NUL" in error(start(server, "a\0b"))
    assert os.listdir("outside") == [] and sorted(os.listdir("runs")) == ["full", "link"]


def test_many_requests_at_once_are_all_answered(server):
    """A connection that ends, and a new one that gets the number of its socket, are not mixed up."""

    def ask_often(_):
        token = {"X-Gradus-Token": server.token}
        return {server.ask("/api/stop", "POST", b"7", token)[0] for _ in range(500)}

    with ThreadPoolExecutor(8) as pool:
        assert set.union(*pool.map(ask_often, range(8))) == {400}


def test_requests_that_are_not_the_pages_are_refused(server):
    token = {"X-Gradus-Token": server.token}
    for body in ["", "{", "[]", "7", '{"runs": 3}', '{"runs": ["a"]}', '{"config": 1}', "\xff"]:
        for path in ["/api/stop", "/api/resume", "/api/start"]:
            status, text = server.ask(path, "POST", body.encode("latin-1"), token)
            assert status == 400 and "error" in json.loads(text), (path, body)
    assert "no run with the number 7" in error(server.post("/api/stop", {"runs": [7]}))
    assert "no run with the number 7" in error(server.post("/api/resume", {"run": 7}))
