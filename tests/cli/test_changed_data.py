# SPDX-License-Identifier: Apache-2.0
"""A run is not resumed on other data than it started with."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from program import refuse, run, succeed

SMALL = ["steps=500", "network.cells=4", "batch=4", "evaluation.interval=500", "--quiet"]
STORY = "1 Mary went to the kitchen.\n2 Where is Mary?\tkitchen\t1\n"


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A finished run in the folder run, on the tasks of the list data/tasks.toml."""
    folder = tmp_path_factory.mktemp("trained")
    data = folder / "data"
    data.mkdir()
    (data / "squares.txt").write_text("".join(f"{i * i} " for i in range(400)))
    (data / "echo.jsonl").write_text(
        '{"input": "ab", "target": "ab"}\n{"input": "b", "target": "b"}\n'
    )
    (data / "tasks.toml").write_text(
        '[[task]]\npath = "squares.txt"\n[[task]]\npath = "echo.jsonl"\n'
    )
    list_file = f"files.path={data / 'tasks.toml'}"
    succeed("train", "curriculum=files", list_file, *SMALL, "--out", folder / "run")
    return folder


@pytest.fixture
def copied(trained, tmp_path):
    """The same with its data at a new place, which the run's config names."""
    shutil.copytree(trained, tmp_path / "copy")
    config = tmp_path / "copy/run/config.toml"
    config.write_text(config.read_text().replace(str(trained), str(tmp_path / "copy")))
    return tmp_path / "copy"


def add_a_task(data):
    (data / "cubes.txt").write_text("".join(f"{i ** 3} " for i in range(400)))
    with (data / "tasks.toml").open("a") as tasks:
        tasks.write('[[task]]\npath = "cubes.txt"\n')


def remove_a_task(data):
    (data / "tasks.toml").write_text('[[task]]\npath = "squares.txt"\n')


def swap_two_symbols(data):
    text = (data / "squares.txt").read_text()
    (data / "squares.txt").write_text(text[:10] + text[11] + text[10] + text[12:])


def choose_a_target(data):
    tasks = (data / "tasks.toml").read_text()
    (data / "tasks.toml").write_text('target = "echo"\n' + tasks)


def cap_the_vocabulary(data):
    config = data.parent / "run/config.toml"
    config.write_text(config.read_text().replace("vocabulary = 10000", "vocabulary = 5"))


@pytest.mark.parametrize(
    "change, told",
    [
        (swap_two_symbols, "squares has changed"),
        (choose_a_target, "tasks.toml has changed"),
        (add_a_task, "tasks.toml has changed, the vocabulary has changed, cubes is new"),
        (remove_a_task, "tasks.toml has changed, echo is missing, the vocabulary has changed"),
        (cap_the_vocabulary, "the vocabulary has changed"),
    ],
)
def test_changed_files_are_named_and_nothing_is_touched(copied, change, told):
    change(copied / "data")
    kept = [path for path in (copied / "run").rglob("*") if path.is_file() and path.name != "lock"]
    before = {path: path.read_bytes() for path in kept}
    assert refuse("resume", copied / "run").startswith(
        f"{copied / 'run'}: the data are not those that the run started with ({told}); "
    )
    for path, content in before.items():
        assert path.read_bytes() == content, path


def test_data_that_only_moved_are_the_same(copied):
    code, _, err = run("resume", copied / "run")
    assert code == 0 and "already finished" in err


def test_a_run_of_an_earlier_version_is_not_checked(copied):
    with sqlite3.connect(copied / "run/run.db") as database:
        database.execute("DELETE FROM run WHERE key = 'data'")
    swap_two_symbols(copied / "data")
    assert run("resume", copied / "run")[0] == 0


def test_a_changed_corpus_is_named():
    corpus = Path("corpus.txt")
    corpus.write_text("In the beginning was the word. " * 20)
    settings = ["ngram.corpus=corpus.txt", "ngram.cache=none", "ngram.characters=1000"]
    succeed("train", "curriculum=ngram", "ngram.max_order=2", *settings, *SMALL, "--out", "run")
    corpus.write_text("In the beginning was the sword. " * 20)
    assert "(corpus.txt has changed)" in refuse("resume", "run")


def test_a_changed_story_is_named():
    stories = Path("stories")
    stories.mkdir()
    for task in range(1, 21):
        for part in ["train", "test"]:
            (stories / f"qa{task}_some_{part}.txt").write_text(STORY)
    folder = ["curriculum=babi", f"babi.folder={stories}"]
    succeed("train", *folder, *SMALL, "--out", "run")
    (stories / "qa3_some_train.txt").write_text(STORY + STORY)
    assert "(qa3_some_train.txt has changed)" in refuse("resume", "run")
