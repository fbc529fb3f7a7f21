# SPDX-License-Identifier: Apache-2.0
"""gradus data babi: stories in the text format of the dataset."""

import pytest

from program import fail, refuse, succeed


def stories(text):
    """Each story as a list of (number, sentence, answer or None, support)."""
    found = []
    for line in text.splitlines():
        number, rest = line.split(" ", 1)
        sentence, *fields = rest.split("\t")
        answer, support = fields if fields else (None, "")
        if number == "1":
            found.append([])
        found[-1].append((int(number), sentence, answer, [int(n) for n in support.split()]))
    return found


@pytest.mark.parametrize("task", range(1, 21))
def test_every_task_is_written_line_by_line(task):
    text = succeed("data", "babi", "--task", task, "--count", 5)
    assert "\n\n" not in text and text.endswith("\n")
    found = stories(text)
    assert len(found) == 5
    for story in found:
        assert [line[0] for line in story] == list(range(1, len(story) + 1))
        for number, sentence, answer, support in story:
            assert sentence[-1] == ("?" if answer else ".")
            assert support == sorted(set(support)) and all(n < number for n in support)
        assert story[-1][2]


@pytest.mark.parametrize("name", ["19", "qa19", "Path Finding", "path-finding"])
def test_tasks_go_by_number_and_name(name):
    expected = succeed("data", "babi", "--task", 19, "--seed", 4)
    assert succeed("data", "babi", "--task", name, "--seed", 4) == expected


def test_the_first_stories_stay_when_more_are_asked_for():
    args = ["data", "babi", "--task", 3, "--seed", 9, "--count"]
    assert succeed(*args, 6).startswith(succeed(*args, 2))
    assert succeed(*args, 2) != succeed("data", "babi", "--task", 3, "--seed", 8, "--count", 2)


def test_the_variants_word_directions_differently():
    def sentences(text):
        return [line[1].replace("office", "") for story in stories(text) for line in story]

    args = ["data", "babi", "--task", 4, "--count", 20]
    assert succeed(*args) == succeed(*args, "variant=P")
    assert all(" of" in sentence for sentence in sentences(succeed(*args, "babi.variant=P")))
    assert not any(" of" in sentence for sentence in sentences(succeed(*args, "variant=H")))


def test_consistent_turns_the_text_of_path_finding_around():
    args = ["data", "babi", "--task", 19, "--count", 20]
    plain, mended = stories(succeed(*args)), stories(succeed(*args, "consistent=true"))
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
    for before, after in zip(plain, mended):
        assert before[-1] == after[-1]
        for (_, told, *_), (_, mirrored, *_) in zip(before[:-1], after[:-1]):
            words, others = told[:-1].split(), mirrored[:-1].split()
            # "The X is D of the Y": either the places are exchanged, or the direction is reversed.
            assert (others[1], others[3], others[6]) in [
                (words[6], words[3], words[1]),
                (words[1], opposite[words[3]], words[6]),
            ]


def test_official_files_are_shown_as_they_are(tmp_path):
    story = "1 Mary went back to the hall.\n2 Where is Mary?\thall\t1\n"
    for task in range(1, 21):
        for part in ["train", "test"]:
            (tmp_path / f"qa{task}_some-name_{part}.txt").write_text(story)
    assert succeed("data", "babi", "--task", 7, f"folder={tmp_path}") == story
    bad = tmp_path / "qa7_some-name_test.txt"
    bad.write_text("1 Mary went.\n2 Where is Mary?\n")
    assert refuse("data", "babi", f"folder={tmp_path}") == (
        f'{bad}, line 2: the question "Where is Mary?" has no answer'
    )
    bad.unlink()
    assert refuse("data", "babi", f"folder={tmp_path}").startswith(
        f"bAbI folder {tmp_path} has no qa7_*_test.txt; "
    )


@pytest.mark.parametrize(
    "args, message",
    [
        (
            ["--task", "path-findign"],
            'unknown bAbI task "path-findign"; did you mean path-finding?',
        ),
        (
            ["--task", "21"],
            'unknown bAbI task "21"; expected a number from 1 to 20 or a name such as path-finding',
        ),
        (["variant=Q"], 'unknown babi.variant "Q"; expected one of: P H'),
    ],
)
def test_mistakes_are_named(args, message):
    assert refuse("data", "babi", *args) == message


def test_a_full_disk_is_a_failure():
    with open("/dev/full", "w") as full:
        message = fail("data", "babi", stdout=full)
    assert message == "cannot write to standard output: No space left on device"
