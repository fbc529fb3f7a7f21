# SPDX-License-Identifier: Apache-2.0
"""The files curriculum from the command line: the user's own data, and messages for bad data."""

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

from program import one_line, refuse, run, succeed
from stored import metrics, rows

EXAMPLE = Path(__file__).parents[2] / "examples" / "own-data"
SMALL = ["steps=2000", "network.cells=4", "batch=4", "evaluation.interval=1000", "--quiet"]


@pytest.fixture
def folder(tmp_path):
    """A folder with a valid text task and a valid task of pairs."""
    (tmp_path / "squares.txt").write_text("".join(f"{i * i} " for i in range(400)))
    (tmp_path / "echo.jsonl").write_text(
        "".join(f'{{"input": "{i:02}", "target": "{i:02}"}}\n' for i in range(40))
    )
    return tmp_path


def test_data_shows_context_and_scored_text(folder):
    out = succeed(
        "data", "files", f"path={folder}", "--task", "squares", "sequence=20", "context=5"
    )
    header, context, scored = out.splitlines()
    assert header.startswith(f"task squares: {folder}/squares.txt, ")
    assert re.fullmatch(r'context "[0-9 ]{5}"', context)
    assert re.fullmatch(r'scored  "[0-9 ]{1,15}"', scored)


def test_data_shows_pairs_step_by_step(folder):
    out = succeed("data", "files", f"files.path={folder}", "--task", "echo", "--count", 3)
    for sample in out.split("\n\n"):
        _, reads, writes = sample.rstrip("\n").split("\n")
        assert reads.split()[1:] == writes.split()[1:]


def test_training_works_on_a_folder(folder):
    code, _, err = run("train", "curriculum=files", f"files.path={folder}", *SMALL)
    assert (code, err) == (0, "")


def test_signals_that_do_not_suit_the_tasks_are_refused(folder):
    call = ["train", "curriculum=files", f"files.path={folder}", *SMALL]
    text = 'task "squares" is a text'
    assert f"gain lrn needs answers that are right or wrong, but {text}" in refuse(
        *call, "gain=lrn"
    )
    message = refuse(*call, "gain=xl")
    assert 'curriculum files does not know for "echo"; set excess.floor' in message
    expected = "excess.floor has 3 numbers, expected one, or one for each of 2 tasks"
    assert expected in refuse(*call, "gain=xl", "excess.floor=[0, 1, 2]")
    for floor in ["[0.1]", "[0, 1.5]"]:
        assert run(*call, "gain=xl", f"excess.floor={floor}", "--out", floor)[0] == 0


def test_texts_are_told_in_bits_per_character(folder):
    (folder / "echo.jsonl").unlink()
    (folder / "cubes.txt").write_text("".join(f"{i**3} " for i in range(400)))
    call = ["train", "curriculum=files", f"files.path={folder}", *SMALL[:-1], "--out", "run"]
    code, _, err = run(*call)
    assert code == 0
    last = metrics("run")[-1]
    shown = float(re.findall(r"  mean (\d+\.\d{4}) bits/character  moved ", err)[-1])
    assert shown == pytest.approx(last["mean_loss"] / math.log(2), abs=1e-4)
    assert last["mean_error"] is last["tasks_completed"] is None
    assert "final mean_loss (bits per character)" in succeed("report", "run")


def test_the_defaults_suit_a_laptop_and_are_stored(folder):
    code, _, _ = run("train", "curriculum=files", f"files.path={folder}", "steps=1", "--out", "run")
    settings = {row["key"]: row["value"] for row in rows("run", "SELECT * FROM settings")}
    assert code == 0 and settings["network.cells"] == "128"
    assert settings["optimiser.learning_rate"] == "0.001"
    assert settings["evaluation.all_tasks"] == "true" and settings["steps"] == "1"
    assert "\ncells = 128\n" in Path("run/config.toml").read_text()
    assert "  network.cells = 512  (files: 128)  (stress: 32)\n" in succeed("train", "--help")


def test_one_task_is_nothing_to_choose_from(folder):
    (folder / "echo.jsonl").unlink()
    code, _, err = run("train", "curriculum=files", f"files.path={folder}", *SMALL)
    message = 'warning: there is only one task, "squares": the syllabus has nothing to choose from'
    assert code == 0 and one_line(err).startswith(message)


def test_the_worked_example_reads(tmp_path):
    subprocess.run([sys.executable, EXAMPLE / "make_data.py", tmp_path / "data"], check=True)
    (tmp_path / "tasks.toml").write_text((EXAMPLE / "tasks.toml").read_text())
    out = succeed("data", "files", f"path={tmp_path / 'tasks.toml'}")
    assert out.startswith("task arithmetic: ")
    assert " 0 of " in out and "symbols unknown" in out


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("bad.txt", b"", "1: the file is empty"),
        ("bad.jsonl", b"", "1: the file is empty"),
        ("bad.txt", b"one\ntwo\ncaf\xe9\n", "3: not UTF-8: byte 0xe9"),
        (
            "bad.jsonl",
            b'{"input": "ab", "target": "b"}\n{"input": "a", "target": "ab"}\n',
            '2: "target" has 2 tokens, expected at most 1, the length of "input"',
        ),
        ("bad.jsonl", b"\n\n", "2: the file has no sequence; a task needs two, one to train on"),
        ("bad.txt", b"short", "1: 5 characters in the file make no sequence of 150"),
        ("bad.jsonl", b'{"input": "a"\n', "1: not JSON at column "),
    ],
)
@pytest.mark.parametrize("command", [["train", "curriculum=files"], ["data", "files"]])
def test_bad_data_is_refused_by_file_line_and_reason(folder, command, name, content, message):
    (folder / name).write_bytes(content)
    complaint = refuse(*command, f"files.path={folder}")
    assert complaint.startswith(f"{folder / name}:{message}")


def test_a_bad_list_is_refused_by_line(tmp_path):
    tasks = tmp_path / "tasks.toml"
    tasks.write_text('[[task]]\npath = "a.txt"\nnmae = "b"\n')
    complaint = refuse("data", "files", f"path={tasks}")
    assert complaint == f'{tasks}:3: unknown key "nmae"; did you mean "name"?'


def test_a_path_is_needed():
    assert refuse("train", "curriculum=files").startswith("files.path is not set; ")
