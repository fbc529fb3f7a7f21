# SPDX-License-Identifier: Apache-2.0
"""gradus data: sample sequences in readable form."""

import re

import pytest

from program import refuse, succeed


def rows(text):
    """The steps of one printed sequence: (input, start, count, output or None, end)."""
    steps = []
    for number, line in enumerate(text.strip().splitlines()[2:]):
        fields = line.split()
        assert int(fields[0]) == number
        output, end = (None, None) if fields[4] == "-" else fields[4:6]
        steps.append((fields[1], fields[2], float(fields[3]), output, end))
    return steps


def test_a_task_reads_as_the_paper_says():
    out = succeed("data", "repeat-copy", "--task", "3,2")
    assert out.startswith("task 3,2: 3 vectors, 2 times\n")
    steps = rows(out)
    blank = "." * 8
    pattern = [step[0] for step in steps[1:4]]
    assert len(steps) == 1 + 3 + 1 + 3 * 2 + 1
    assert all(re.fullmatch("[.1]{8}", bits) for bits in pattern)
    assert [step[1] for step in steps] == ["1"] + ["."] * 11
    assert [step[0] for step in steps[:1] + steps[4:]] == [blank] * 9
    assert [step[3] for step in steps] == [None] * 5 + pattern * 2 + [blank]
    assert [step[4] for step in steps[5:]] == ["."] * 6 + ["1"]
    # Two repeats out of 1..13: mean 7, variance (13^2 - 1) / 12 = 14.
    assert steps[4][2] == pytest.approx(-5 / 14**0.5, abs=5e-4)
    assert [step[2] for step in steps[:4] + steps[5:]] == [0] * 11


def test_the_target_is_shown_by_default():
    out = succeed("data", "repeat-copy")
    assert out.startswith("task 13,13: 13 vectors, 13 times\n")
    assert out == succeed("data", "repeat-copy", "--task", "13,13", "--count", 1, "--seed", 1)


def test_count_gives_different_sequences_of_which_the_first_stay():
    args = ["data", "repeat-copy", "--task", "4,1"]
    three = succeed(*args, "--count", 3).split("\n\n")
    assert len({tuple(map(tuple, rows(text))) for text in three}) == 3
    assert succeed(*args, "--count", 2).split("\n\n") == [three[0], three[1] + "\n"]


def test_the_seed_decides():
    args = ["data", "repeat-copy", "--task", "5,1", "--count", 2, "--seed"]
    assert succeed(*args, 7) == succeed(*args, 7)
    assert succeed(*args, 7) != succeed(*args, 8)


@pytest.mark.parametrize("prefix", ["", "repeat_copy."])
def test_settings_with_and_without_their_table(prefix):
    settings = [prefix + "max_length=4", prefix + "max_repeats=2", prefix + "bits=3"]
    out = succeed("data", "repeat-copy", *settings)
    assert out.startswith("task 4,2: 4 vectors, 2 times\n")
    assert all(len(step[0]) == 3 for step in rows(out))


@pytest.mark.parametrize(
    "args, message",
    [
        (["--task", "14,1"], 'unknown task "14,1"; did you mean "1,1"?'),
        (["--task", "3,2", "max_length=2"], 'unknown task "3,2"; did you mean "1,2"?'),
        (["max_lenght=4"], 'unknown repeat_copy setting "max_lenght"; did you mean "max_length"?'),
        (["max_length"], '"max_length" is not of the form key=value'),
        (["max_length=0"], "repeat_copy.max_length is 0, expected a whole number from 1 to 1000"),
        (["bits=many"], "repeat_copy.bits is 'many', expected a whole number from 1 to 30"),
    ],
)
def test_mistakes_are_named(args, message):
    assert refuse("data", "repeat-copy", *args) == message


@pytest.mark.parametrize("setting", ["gain=pg", "network.cells=3", "ngram.max_order=3", "seed=3"])
def test_settings_of_something_else_are_refused(setting):
    message = refuse("data", "repeat-copy", setting)
    key = setting.split("=")[0]
    assert message.startswith(f'unknown repeat_copy setting "{key}"; ')
