# SPDX-License-Identifier: Apache-2.0
"""eval, sample and answer from outside. tests/python/test_network.py compares their numbers with
PyTorch's."""

import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from program import command, one_line, refuse, run, succeed
from stored import metrics

SMALL = ["network.cells=6", "batch=4", "evaluation.interval=500", "evaluation.sequences=8"]
SMALL += ["optimiser.learning_rate=1e-3", "--quiet"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A finished run of every curriculum. The data of those that read some are gone."""
    folder = tmp_path_factory.mktemp("runs")
    data = folder / "data"
    data.mkdir()
    (data / "squares.txt").write_text("".join(f"{i * i} " for i in range(400)))
    pairs = [{"input": [i, "a", None], "target": [i, "b"]} for i in range(10)]
    (data / "echo.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    (folder / "pairs").mkdir()
    (folder / "pairs/echo.jsonl").write_text((data / "echo.jsonl").read_text())
    (folder / "text").mkdir()
    (folder / "text/words.txt").write_text("the cat sat on the mat . " * 40)
    (folder / "corpus.txt").write_text("In the beginning was the word. " * 20)
    cases = {
        "files": ["curriculum=files", f"files.path={data}", "steps=3000"],
        "echo": ["curriculum=files", f"files.path={folder}/pairs", "steps=500"],
        "words": ["curriculum=files", f"files.path={folder}/text", "files.unit=word", "steps=500"],
        "ngram": ["curriculum=ngram", f"ngram.corpus={folder}/corpus.txt", "ngram.cache=none"]
        + ["ngram.characters=1000", "ngram.max_order=2", "steps=500"],
        "babi": ["curriculum=babi", "steps=500"],
        "copy": ["repeat_copy.max_length=2", "repeat_copy.max_repeats=2", "steps=3000"],
    }
    for name, settings in cases.items():
        code, _, err = run("train", *settings, *SMALL, "--out", folder / name)
        assert code == 0, err
    return folder


def test_eval_prints_a_table_and_the_same_as_json(runs):
    out = succeed("eval", runs / "files", "--sequences", 20)
    first, header, *rows = out.splitlines()
    assert re.fullmatch(r"best checkpoint, \d+ steps; 20 held-out sequences per task", first)
    assert header.split() == ["task", "loss", "(nats)", "bits/character", "error"]
    table = {row.split()[0]: row.split()[1:] for row in rows}
    shown = json.loads(succeed("eval", runs / "files", "--sequences", 20, "--json"))
    assert [row["task"] for row in shown["results"]] == ["echo", "squares"]
    for row in [*shown["results"], {"task": "mean", **shown["mean"]}]:
        values = [row["loss"], row["bits_per_character"], row["error"]]
        assert table[row["task"]] == ["-" if v is None else f"{v:.4f}" for v in values]
    echo, squares = shown["results"]
    assert echo["bits_per_character"] is None and 0 <= echo["error"] <= 1
    assert squares["error"] is None
    assert squares["bits_per_character"] == pytest.approx(squares["loss"] / math.log(2))
    assert shown["mean"]["loss"] == pytest.approx((echo["loss"] + squares["loss"]) / 2)
    one = json.loads(
        succeed(
            "eval", runs / "files", "--sequences", 20, "--json", "--task", "echo", "--threads", 2
        )
    )
    assert one["results"] == [echo], "a task's numbers do not depend on the others, nor on threads"


def test_eval_agrees_with_the_metrics_of_the_run(runs):
    """Other held-out sequences of the same distribution: the means of many are close."""
    stored = metrics(runs / "copy")
    for which, row in [
        ("last", stored[-1]),
        ("best", min(stored, key=lambda row: row["target_loss"])),
    ]:
        call = ["eval", runs / "copy", "--task", "2,2", "--sequences", 1000, "--json"]
        shown = json.loads(succeed(*call, "--checkpoint", which))
        assert (shown["checkpoint"], shown["steps"]) == (which, row["steps"])
        assert shown["results"][0]["loss"] == pytest.approx(row["target_loss"], rel=0.1)


def test_eval_reads_a_file_without_the_data_of_the_run(runs):
    shutil.copytree(runs / "files", "alone")
    Path("alone/config.toml").write_text(
        Path("alone/config.toml").read_text().replace(str(runs), "/nowhere")
    )
    Path("mine.txt").write_text("".join(f"{i * i} " for i in range(30, 90)) + "xyz")
    code, out, err = run("eval", "alone", "--file", "mine.txt", "--json")
    shown = json.loads(out)
    assert code == 0 and (shown["unknown"], shown["symbols"]) == (3, 301)
    assert one_line(err) == (
        "warning: 3 symbols are not in the vocabulary of the run and are read as <unk>"
    )
    assert shown["results"][0]["file"] == "mine.txt"
    assert refuse("eval", "alone").startswith("/nowhere/data: cannot be read")
    Path("mine.jsonl").write_text('{"input": [3, "a", null], "target": [3, "b"]}\n')
    table = succeed("eval", "alone", "--file", "mine.jsonl")
    assert re.fullmatch(
        r"best checkpoint, \d+ steps; 1 sequence\n"
        r"file +loss \(nats\)  error\nmine.jsonl +\d\.\d{4} +[01]\.0000\n",
        table,
    )


def test_eval_reads_texts_and_stories_as_the_other_curricula_do(runs):
    Path("mine.txt").write_text("the word was in the beginning" * 9)
    assert "bits/character" in succeed("eval", runs / "ngram", "--file", "mine.txt")
    Path("story.txt").write_text("1 Mary went to the kitchen.\n2 Where is Mary?\tkitchen\t1\n")
    assert "bits" not in succeed("eval", runs / "babi", "--file", "story.txt")
    Path("story.txt").write_text("1 Zoe went to the kitchen.\n2 Where is Zoe?\tkitchen\t1\n")
    assert refuse("eval", runs / "babi", "--file", "story.txt") == (
        'story.txt, story 1: the word "zoe" is not in the vocabulary of 144 words'
    )
    assert "generates all its data" in refuse("eval", runs / "copy", "--file", "mine.txt")


def test_sample_continues_a_prompt_and_depends_on_its_seed_only(runs):
    call = ["sample", runs / "files", "--prompt", "16 25 ", "--length", 40]
    text = succeed(*call)
    assert text.startswith("16 25 ") and text == succeed(*call)
    assert text != succeed(*call, "--seed", 2)
    greedy = succeed(*call, "--temperature", 0)
    assert greedy == succeed(*call, "--temperature", 0, "--seed", 2)
    assert len(succeed("sample", runs / "ngram", "--length", 30)) == 30
    words = succeed("sample", runs / "words", "--prompt", "the cat", "--length", 5)
    assert words.startswith("the cat ") and len(words.split()) == 7
    code, out, err = run("sample", runs / "files", "--prompt", "é", "--length", 1)
    assert (
        code == 0 and out.startswith("é") and "1 symbol is not in the vocabulary" in one_line(err)
    )


def test_sample_writes_as_it_goes(runs):
    """A reader that has seen enough may leave: the program must not write the whole first."""
    endless = command("sample", runs / "ngram", "--length", 10**12)
    with subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        assert len(program.stdout.read(100)) == 100
        program.kill()


def ask(run_folder, text, **options):
    return run("answer", run_folder, input=text, **options)


def test_answer_prints_a_line_for_each_question(runs):
    lines = [{"input": [3, "a", None], "target": [3, "b"]}, {"input": [3, "a", None]}]
    lines += [{"input": [3, "a"], "target": 1}, {"input": "1a", "target": 2}]
    code, out, err = ask(runs / "echo", "".join(json.dumps(line) + "\n" for line in lines))
    assert (code, err) == (0, "")
    answers = out.splitlines()
    assert [len(answer.split()) for answer in answers] == [2, 2, 1, 1]
    assert answers[0] == answers[1], "a target says only where the answer is due"
    story = "1 Mary went to the kitchen.\n2 Where is Mary?\n3 Where is Mary? \tn,w\t1\n"
    code, out, err = ask(runs / "babi", story)
    assert (code, err) == (0, "")
    assert [len(answer.split(",")) for answer in out.splitlines()] == [1, 2]


@pytest.mark.parametrize(
    "name, text, message",
    [
        ("files", "{\n", "standard input:1: not JSON at column 2, "),
        ("files", '{"input": ""}\n', 'standard input:1: "input" is empty'),
        ("files", "", "standard input:1: the file is empty"),
        ("babi", "", "standard input: is empty, expected stories"),
        ("babi", "2 Where is Mary?\n", "standard input, line 1: is numbered 2, expected 1"),
        ("babi", "1 Where is Zoe?\n", 'standard input, story 1: the word "zoe" is not in the '),
        ("ngram", "text", "the network predicts text and answers no questions; gradus sample "),
        ("copy", "text", "curriculum repeat-copy generates all its data: its networks read no "),
    ],
)
def test_questions_that_cannot_be_read(runs, name, text, message):
    code, out, err = ask(runs / name, text)
    assert (code, out) == (2, "") and one_line(err).startswith(message)


@pytest.mark.parametrize(
    "call, message",
    [
        (["eval", "nosuch"], "nosuch: contains no run (there is no config.toml)"),
        (["eval", "files", "--task", "sqares"], 'unknown task "sqares"; did you mean "squares"?'),
        (["eval", "files", "--file", "nosuch.txt"], "nosuch.txt: cannot be read: No such file or "),
        (
            ["eval", "files", "--checkpoint", "first"],
            '--checkpoint is "first", expected "best" or ',
        ),
        (["eval", "files", "--task", "echo", "--file", "f"], "--task excludes --file; see "),
        (["eval", "files", "--sequences", "0"], "--sequences: Value 0 not in range "),
        (["sample", "echo"], "no task of the run is a text, "),
        (["sample", "babi"], "no task of the run is a text, "),
        (["sample", "copy"], "curriculum repeat-copy generates all its data"),
        (
            ["sample", "ngram", "--prompt", "q"],
            'the prompt, line 1: the character "q" (U+0071) is ',
        ),
        (["sample", "files", "--prompt", b"\xff"], "the prompt:1: not UTF-8: byte 0xff"),
        (["sample", "files", "--temperature", "-1"], "--temperature is -1, expected 0 to 1000"),
        (["sample", "files", "--length", "0"], "--length: Value 0 not in range "),
        (["sample", "files", "--seed", "-1"], "--seed: "),
    ],
)
def test_bad_arguments(runs, monkeypatch, call, message):
    monkeypatch.chdir(runs)
    if b"\xff" in call:
        call = [arg.decode(errors="surrogateescape") if arg == b"\xff" else arg for arg in call]
    assert refuse(*call).startswith(message)


def test_a_damaged_best_is_told_and_the_last_is_used_unless_the_best_is_wanted(runs):
    shutil.copytree(runs / "copy", "run")
    [best] = Path("run/checkpoints").glob("best-*")
    (best / "weights.safetensors").write_bytes(b"damaged")
    code, out, err = run("eval", "run", "--task", "1,1")
    assert code == 0 and out.startswith("last checkpoint, ")
    assert one_line(err) == (
        f"warning: checkpoint {best} cannot be used (its weights do not match SHA256SUMS); using "
        "the one before it"
    )
    assert "cannot be used" in refuse("eval", "run", "--checkpoint", "best")
    shutil.rmtree("run/checkpoints")
    assert refuse("eval", "run").startswith("run/checkpoints: has no checkpoint; ")


def test_data_that_changed_are_told_and_another_vocabulary_is_refused(runs):
    shutil.copytree(runs, "copy")
    config = Path("copy/files/config.toml")
    config.write_text(config.read_text().replace(str(runs), str(Path("copy").absolute())))
    squares = Path("copy/data/squares.txt")
    squares.write_text(squares.read_text()[:-2] + " ")
    code, _, err = run("eval", "copy/files", "--task", "echo")
    assert code == 0 and "(squares has changed)" in one_line(err)
    squares.write_text(squares.read_text() + "new symbols")
    assert "the vocabulary of the data is not the one" in refuse("eval", "copy/files")
