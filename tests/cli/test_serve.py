# SPDX-License-Identifier: Apache-2.0
"""gradus serve: what it lists and compares, and what it refuses. test_serve_control.py starts and
stops runs."""

import json
import os
import shutil
import socket
import sqlite3
import time
from pathlib import Path

import pytest

from program import refuse, succeed
from server import PATIENCE, everything, serving
from stored import document, metrics, rows

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=3000 evaluation.interval=500 evaluation.sequences=8 evaluation.all_tasks=true
""".split()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A sweep of four runs, and a single one."""
    folder = tmp_path_factory.mktemp("trained")
    config = folder / "sweep.toml"
    config.write_text('[sweep]\ngain = ["pg", "uniform"]\nseed = [1, 2]\n')
    succeed("sweep", config, *TINY, "--quiet", "--out", folder / "sweep")
    succeed("train", *TINY, "steps=1000", "--quiet", "--out", folder / "single")
    return folder


@pytest.fixture(scope="module")
def server(trained):
    with serving(trained) as running:
        yield running


def add_evaluation(folder, steps, loss):
    """Writes what a run would, by the documented schema."""
    with sqlite3.connect(folder / "run.db") as connection:
        connection.execute(
            "INSERT INTO metrics (steps, rounds, refused, target_loss, mean_loss)"
            " VALUES (?, 1, 0, ?, ?)",
            (steps, loss, loss),
        )
        connection.executemany(
            "INSERT INTO task_metrics VALUES (?, ?, 0.25, ?, 0.5)",
            [(steps, task, loss) for task in range(4)],
        )
        connection.execute("INSERT INTO timing VALUES (?, 1, 100)", (steps,))
    connection.close()


def test_the_listing_is_what_the_databases_say(trained, server):
    runs = server.runs()
    assert sorted(runs) == ["single"] + [
        f"sweep/gain={gain},seed={seed}" for gain in ["pg", "uniform"] for seed in [1, 2]
    ]
    for name, row in runs.items():
        last = metrics(trained / name)[-1]
        timing = rows(trained / name, "SELECT * FROM timing ORDER BY steps")[-1]
        assert row["status"] == "finished"
        assert row["steps"] == last["steps"]
        assert row["total"] == (1000 if name == "single" else 3000)
        assert row["rate"] == pytest.approx(timing["steps_per_second"], rel=1e-4)
        for key in ["training", "target", "mean"]:
            assert row[key] == pytest.approx(last[f"{key}_loss"], rel=1e-4)


def test_the_figures_are_those_of_the_report(trained, server):
    sweep = [row["n"] for name, row in server.runs().items() if name.startswith("sweep/")]
    answer = server.get(f"/api/report?runs={min(sweep)}-{max(sweep)}")
    succeed("report", trained / "sweep")
    report = document("report.html")
    del report["command"], answer["document"]["command"]
    assert answer == {"current": True, "document": report}


def test_a_run_shows_its_settings_events_and_tasks(trained, server):
    run = server.get(f"/api/run?n={server.runs()['single']['n']}")
    assert run["settings"]["gain"] == "pg" and run["settings"]["steps"] == "1000"
    assert [event["kind"] for event in run["events"]] == ["started", "finished"]
    tasks = run["tasks"]
    assert tasks["names"] == ["1,1", "1,2", "2,1", "2,2"]
    assert [axis["name"] for axis in tasks["axes"]] == ["pattern length", "repeats"]
    last = rows(trained / "single", "SELECT * FROM task_metrics ORDER BY steps, task")[-4:]
    for kind in ["policy", "loss", "error"]:
        assert tasks[kind] == pytest.approx([row[kind] for row in last], rel=1e-4)


def test_new_evaluations_and_runs_arrive_as_events(trained):
    folder = Path("live")
    shutil.copytree(trained / "single", folder / "a")
    with serving(folder) as server, server.events() as events:
        first = next(events)
        assert [row["name"] for row in first["runs"]] == ["a"]
        number = first["runs"][0]["n"]
        before = server.get(f"/api/report?runs={number}")["document"]["curves"]["steps"][-1]
        add_evaluation(folder / "a", 9000, 0.5)
        event = next(events)
        assert [(row["name"], row["steps"], row["target"]) for row in event["runs"]] == [
            ("a", 9000, 0.5)
        ]
        shutil.copytree(trained / "single", folder / "more" / "b")
        event = next(events)
        assert [row["name"] for row in event["runs"]] == ["more/b"]
        shutil.rmtree(folder / "more")
        gone = []
        while not gone:  # it may be unreadable for a moment before
            gone = next(events)["gone"]
        assert gone == [1]
        # The figure grows: its runs end at their own steps, and so at 1000.
        run = server.get(f"/api/run?n={number}")
        assert run["tasks"]["steps"] == 9000 and run["tasks"]["loss"] == [0.5] * 4
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = server.get(f"/api/report?runs={number}")
            if answer["current"] or time.monotonic() > deadline:
                break
        curve = answer["document"]["table"][0]["last"]["mean"]
        assert before > 0 and curve == 0.5


def test_a_broken_run_is_listed_with_the_reason_and_stops_nothing(trained):
    shutil.copytree(trained / "single", "runs/good")
    Path("runs/broken").mkdir(parents=True)
    Path("runs/broken/run.db").write_bytes(b"SQLite format 3\0 and then nonsense" * 40)
    with serving() as server:  # the default folder is runs
        runs = server.runs()
        assert runs["good"]["status"] == "finished"
        assert runs["broken"]["status"] == "broken" and "run.db" in runs["broken"]["problem"]
        numbers = ",".join(str(row["n"]) for row in runs.values())
        report = server.get(f"/api/report?runs={numbers}")["document"]
        assert len(report["groups"]) == 1 and "run.db" in report["notes"][0]


def test_runs_that_cannot_be_compared_are_refused_with_the_reason(trained, server):
    status, text = server.ask("/api/report?runs=")
    assert (status, json.loads(text)["error"]) == (400, "no run is selected")
    status, text = server.ask("/api/report?runs=0-99999999")
    assert status == 400 and "more than 10000 runs" in text
    for wrong in ["x", "1,,2", "-3", "9999", "1e3"]:
        status, text = server.ask(f"/api/report?runs={wrong}")
        assert status == 400 and "error" in json.loads(text), wrong


def test_only_its_own_names_are_accepted_as_host(server):
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]:
        assert server.ask("/", headers={"Host": f"{host}:{server.port}"})[0] == 200, host
    for host in ["evil.example", "127.0.0.1.evil.example", "localhost", "0.0.0.0", "", "[", "]:"]:
        wrong = host if host in ["localhost", ""] else f"{host}:{server.port}"
        assert server.ask("/", headers={"Host": wrong})[0] == 403, host
    assert b" 403 " in server.raw(b"GET / HTTP/1.1\r\n\r\n")
    two = f"Host: 127.0.0.1:{server.port}\r\n" * 2
    assert b" 403 " in server.raw(b"GET / HTTP/1.1\r\n" + two.encode() + b"\r\n")


def test_changes_need_the_token_in_a_header(server):
    for headers in [{}, {"X-Gradus-Token": ""}, {"X-Gradus-Token": "0" * 32}]:
        for path in ["/api/stop", "/api/resume", "/api/start", "/nothing"]:
            status, text = server.ask(path, "POST", '{"n": 0}', headers)
            assert status == 401 and "token" in json.loads(text)["error"]
    status, _ = server.ask(f"/api/stop?token={server.token}", "POST", '{"n": 0}')
    assert status == 401  # another site could make a browser send this
    assert server.post("/nothing", {})[0] == 404


def test_other_addresses_need_the_token_for_everything(trained):
    with serving(trained, "--host", "0.0.0.0") as server:
        for path in ["/api/events", "/api/run?n=0", "/api/report?runs=0"]:
            assert server.ask(path)[0] == 401
        status, text = server.ask("/")
        assert status == 401 and 'name="token"' in text  # asks for it
        assert server.ask(f"/?token={server.token}")[0] == 200
        token = {"X-Gradus-Token": server.token}
        assert server.ask("/api/run?n=0", headers=token)[0] == 200
        own = {**token, "Host": f"{socket.gethostname()}:{server.port}"}
        assert server.ask("/api/run?n=0", headers=own)[0] == 200
        evil = {**token, "Host": f"evil.example:{server.port}"}
        assert server.ask("/api/run?n=0", headers=evil)[0] == 403


def test_nothing_outside_the_folders_is_read(trained):
    shutil.copytree(trained / "single", "outside/run")
    Path("outside/log.txt").write_text("secret log")
    Path("inside").mkdir()
    Path("inside/link").symlink_to(Path("outside/run").resolve())
    Path("inside/half").mkdir()
    Path("inside/half/run.db").symlink_to(Path("outside/run/run.db").resolve())
    shutil.copytree("outside/run", "inside/logged")
    Path("inside/logged/log.txt").symlink_to(Path("outside/log.txt").resolve())
    with serving("inside") as server:
        runs = server.runs()
        assert list(runs) == ["logged"]
        assert server.get(f"/api/run?n={runs['logged']['n']}")["log"] == ""
        for path in [
            "/../outside/log.txt",
            "/%2e%2e/%2e%2e/etc/passwd",
            "//etc/passwd",
            "/inside/logged/run.db",
            "/api/../../outside/log.txt",
        ]:
            assert server.ask(path)[0] == 404, path
        for number in ["../outside/run", "outside/run", "7", "-1", "", "0%00"]:
            assert server.ask(f"/api/run?n={number}")[0] == 400, number
    # A folder that is a run itself does not show the log of its parent.
    with serving("outside/run") as server:
        run = server.get("/api/run?n=0")
        assert run["log"] == "" and list(server.runs()) == ["run"]


def test_oversized_requests_are_refused(server):
    host = f"Host: 127.0.0.1:{server.port}\r\n".encode()
    for start in [
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + host + b"\r\n",
        b"GET / HTTP/1.1\r\n" + host + b"X: " + b"a" * 300_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + host + b"X: y\r\n" * 100_000 + b"\r\n",
        b"POST /api/start HTTP/1.1\r\n" + host + b"Content-Length: 99999999999\r\n\r\n" + b"a" * 99,
        b"POST /api/start HTTP/1.1\r\n"
        + host
        + b"Transfer-Encoding: chunked\r\n\r\n"
        + b"10000\r\n"
        + b"a" * 65536
        + b"\r\n" * 9,
        b"GET / HTTP/1.1\r\n" + host + b"Range: bytes=" + b"0-,0-," * 2000 + b"0-\r\n\r\n",
        b"\0" * 1000 + b"\r\n\r\n",
    ]:
        answer = server.raw(start)
        assert b" 200 " not in answer.split(b"\r\n")[0], answer[:80]
    assert server.ask("/")[0] == 200
    assert server.ask("/", "DELETE")[0] == 405


def test_slow_requests_are_ended_and_delay_nobody(server):
    slow = [socket.create_connection(("127.0.0.1", server.port), timeout=1) for _ in range(40)]
    silent, trickling = slow[:20], slow[20:]
    open_ones = set(trickling)
    deadline = time.monotonic() + PATIENCE
    while open_ones and time.monotonic() < deadline:
        assert server.ask("/")[0] == 200  # others are served meanwhile
        for connection in list(open_ones):
            try:
                connection.sendall(b"GET / HTTP/1.1\r\n"[:1] if connection in trickling else b"")
                connection.settimeout(0.001)
                if connection.recv(100) == b"":
                    open_ones.discard(connection)
            except TimeoutError:
                pass
            except OSError:
                open_ones.discard(connection)
        time.sleep(0.2)
    assert not open_ones
    for connection in silent:
        connection.settimeout(PATIENCE)
        assert everything(connection).startswith(b"HTTP/1.1 408 ")
    for connection in slow:
        connection.close()


def test_more_connections_than_it_has_room_for_are_turned_away(trained):
    with serving(trained) as server:
        held = [
            socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            for _ in range(120)
        ]
        answers = [everything(connection) for connection in held]
        assert any(answer.startswith(b"HTTP/1.1 503 ") for answer in answers)
        assert all(answer[:12] in [b"HTTP/1.1 503", b"HTTP/1.1 408", b""] for answer in answers)
        for connection in held:
            connection.close()
        assert server.ask("/")[0] == 200


def test_the_page_loads_nothing_and_may_not_be_framed(server):
    status, page = server.ask("/")
    assert status == 200 and page.startswith("<!doctype html>")
    assert "http://" not in page.replace("http://www.w3.org/", "")
    answer = server.raw(f"HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    for header in [
        b"default-src 'none'",
        b"frame-ancestors 'none'",
        b"X-Content-Type-Options: nosniff",
        b"Referrer-Policy: no-referrer",
    ]:
        assert header in answer


def test_bad_arguments():
    assert "nowhere: is not a folder" in refuse("serve", "nowhere")
    with serving(".") as server:
        assert "choose another --port" in refuse("serve", ".", "--port", server.port)
    assert "cannot listen on nonsense" in refuse("serve", ".", "--host", "nonsense.invalid")
    assert os.listdir() == []
