# SPDX-License-Identifier: Apache-2.0
"""Progress of long runs, and how they end when interrupted."""

import fcntl
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

from program import command, fail, run, wait_for
from stored import evaluations, rows

SMALL = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
syllabus.eta=0.1 evaluation.interval=500 evaluation.sequences=8 --out run
""".split()

LINE = re.compile(
    r"\S+/\S+ steps  \S+ steps/s(  [\d:]+ left  training loss \d+\.\d{4})?"
    r"  target loss \d+\.\d{4}  moved \d+%"
    r"(  favours \d,\d \(\d+%\))?"
)
WAITING = (
    "gradus: interrupted; waiting for the current batch or evaluation, and for a checkpoint; "
    "Ctrl-C again quits at once\n"
)
NEXT = "saved in run; next: gradus report run -o report.html"


def read_terminal(master):
    try:
        return os.read(master, 4096)
    except OSError:  # on Linux: the other end is closed
        return b""


def on_terminal(columns, *args, stop_after=None):
    """Runs the program on a terminal of that width; returns its exit code and output.

    Sends Ctrl-C once the line has been written `stop_after` times.
    """
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    program = subprocess.Popen(
        command(*args),
        **dict.fromkeys(["stdin", "stdout", "stderr"], slave),
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
    )
    os.close(slave)
    seen = b""
    with program:
        for block in iter(lambda: read_terminal(master), b""):
            seen += block
            if stop_after and seen.count(b"\r") >= stop_after:
                os.write(master, b"\x03")
                stop_after = None
    os.close(master)
    return program.returncode, seen.decode()


def lines_of(shown):
    """The successive states of the progress line, which the line with the next step follows."""
    line, below, end = shown.split("\r\n")
    assert line.startswith("\r") and (below, end) == (NEXT, "")
    states = line[1:].split("\r")
    assert all(state.endswith("\x1b[K") for state in states)
    return [state[: -len("\x1b[K")] for state in states]


def test_a_terminal_gets_one_line_that_is_rewritten():
    code, shown = on_terminal(140, "train", *SMALL, "steps=3000", "syllabus.eta=0.1")
    assert code == 0
    lines = lines_of(shown)
    assert len(lines) >= 2
    assert all(LINE.fullmatch(line) and len(line) < 140 for line in lines)
    assert lines[0].startswith("0/3k steps ") and "favours" not in lines[0]
    assert lines[-1].startswith("3k/3k steps ") and "  0:00 left  training loss " in lines[-1]


def test_the_line_says_which_task_the_policy_prefers():
    _, _, err = run("train", *SMALL, "steps=3000", "syllabus.eta=0.3")
    task, percent = re.findall(r"favours (\S+) \((\d+)%\)$", err, re.MULTILINE)[-1]
    query = "SELECT name, policy FROM task_metrics JOIN tasks USING (task) ORDER BY steps, policy"
    best = rows("run", query)[-1]
    assert best["name"] == task and abs(100 * best["policy"] - int(percent)) <= 0.5
    _, _, err = run("train", *SMALL[:-1], "even", "steps=3000", "gain=uniform")
    assert "favours" not in err


def test_the_line_moves_between_evaluations_until_ctrl_c():
    args = [*SMALL, "steps=1e15", "evaluation.interval=1e15"]
    code, shown = on_terminal(80, "train", *args, stop_after=4)
    assert code == 130
    assert len(set(re.findall(r"\r(\S+)/1000000G steps ", shown))) >= 3
    assert re.search(
        r"\rgradus: interrupted; waiting for .*; Ctrl-C again quits at once\x1b\[K\r\n"
        r"gradus: interrupted after \d+ of 1000000000000000 steps; continue with: gradus resume run\r\n$",
        shown,
    )


@pytest.mark.parametrize(
    "steps, shown",
    [("900", "900"), ("3e5", "300k"), ("1e7", "10.0M"), ("588e6", "588M"), ("2e9", "2.00G")],
)
def test_steps_are_shown_short(steps, shown):
    _, seen = on_terminal(80, "train", *SMALL, f"steps={steps}", stop_after=1)
    assert seen.startswith(f"\r0/{shown} steps ")


def test_a_narrow_terminal_does_not_wrap():
    code, shown = on_terminal(30, "train", *SMALL, "steps=1000")
    assert code == 0
    assert all(len(line) < 30 for line in lines_of(shown))


def test_a_failure_starts_on_a_line_of_its_own():
    explode = ["steps=3000", "optimiser.epsilon=1e-80"]
    code, shown = on_terminal(80, "train", *SMALL, *explode)
    assert code == 1
    assert "\r\ngradus: after " in shown


def test_without_a_terminal_there_are_plain_lines():
    code, out, err = run("train", *SMALL, "steps=3000")
    assert (code, out) == (0, "")
    *lines, last = err.splitlines()
    assert len(lines) >= 2 and last == NEXT
    assert all(LINE.fullmatch(line) for line in lines)


def test_quiet_shows_nothing():
    small = [word for word in SMALL[:-2] if "eta" not in word]  # eta=auto prints a note
    assert run("train", *small, "steps=1000", "--quiet") == (0, "", "")
    assert on_terminal(80, "train", *small, "steps=1000", "--quiet") == (0, "")


@pytest.mark.parametrize(
    "number, times", [(signal.SIGINT, 1), (signal.SIGTERM, 1), (signal.SIGINT, 9)]
)
def test_an_interrupted_run_is_saved_and_says_how_to_go_on(number, times):
    # timeout(1) and batch systems signal a process and its group: two signals in quick succession
    # count as one.
    call = command("train", *SMALL, "steps=1e15", "--quiet")
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as program:
        wait_for(lambda: evaluations("run") >= 4, "metrics")
        for _ in range(times):
            program.send_signal(number)
            time.sleep(0.001)
        err = program.stderr.read()
    assert program.returncode == 130
    shape = r"gradus: interrupted after (\d+) of 1000000000000000 steps; continue with: gradus resume run\n"
    steps = int(re.fullmatch(re.escape(WAITING) + shape, err).group(1))
    assert Path(f"run/checkpoints/step-{steps:015}").is_dir()


def test_a_signal_that_was_ignored_at_the_start_stays_ignored():
    call = command("train", *SMALL, "steps=1e15", "--quiet")
    ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True, preexec_fn=ignore) as program:
        wait_for(lambda: evaluations("run") >= 1, "metrics")
        program.send_signal(signal.SIGINT)
        seen = evaluations("run")
        wait_for(lambda: evaluations("run") >= seen + 3, "more metrics")
        program.send_signal(signal.SIGTERM)
        assert "gradus: interrupted after" in program.stderr.read()
    assert program.returncode == 130


@pytest.mark.skipif(
    "address" in os.environ.get("GRADUS_SANITIZE", ""),
    reason="the address sanitizer reserves more address space than the test allows",
)
def test_too_many_threads_for_the_system_are_a_failure():
    room = 2**30
    message = fail(
        *["train", *SMALL, "--threads", 1000, "--quiet"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room)),
    )
    assert re.match(r"the system allows \d+ of 1000 threads: ", message)


def test_an_exploding_loss_is_reported_once():
    wild = ["optimiser.learning_rate=10", "network.derivative_limit=0", "steps=6000"]
    _, _, err = run("train", *SMALL, *wild, "gain=uniform", "--quiet")
    [warning] = rows("run", "SELECT message FROM events WHERE kind = 'warning'")
    assert re.match("training has exploded: the (training|target) loss is ", warning["message"])
    assert err == f"gradus: warning: {warning['message']}\n"


def test_a_sweep_shows_the_time_left_for_all_runs_and_draws_below_the_message_about_ctrl_c():
    Path("sweep.toml").write_text("[sweep]\nseed = [1, 2, 3]\n")
    args = ["sweep.toml", *SMALL[:-2], "steps=1e12", "--out", "sweep"]
    code, shown = on_terminal(120, "sweep", *args, stop_after=20)
    assert code == 130
    before, after = re.split(r"\rgradus: interrupted; waiting for [^\r]*", shown)
    assert re.search(r"\r\d running, \d waiting; \S+ steps/s and [\d:]+ left in all", before)
    assert before.count("\x1b[4A") >= 1 and after.startswith("\r\n\rseed=1 ")
    assert after.endswith("run the same command again to continue sweep\r\n")
