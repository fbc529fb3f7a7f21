"""The man page and the completion of bash, which are made from the help texts."""

import re
import shutil
import subprocess

import pytest

from program import succeed

COMMANDS = "train resume sweep reproduce report export replay data list bench info".split()


def rendered(page):
    done = subprocess.run(
        ["man", "--warnings", "--local-file", "-"],
        input=page,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not installed")
def test_the_man_page_has_every_option_and_setting_of_the_help():
    page = rendered(succeed("print", "man-page"))
    assert "gradus - automated curriculum learning" in page
    for name in COMMANDS:
        assert re.search(rf"^ *gradus {name}$", page, re.MULTILINE), name
        for option in re.findall(r"^  .*?(--[a-z-]+)", succeed(name, "--help"), re.MULTILINE):
            assert option in page, (name, option)
    for line in ["gradus list gains", "  optimiser.learning_rate = 1e-05  (files: 0.001)"]:
        assert line in page
    words = " ".join(page.split())  # man justifies lines with extra spaces
    assert words.count("Exit codes: 0 done") == 1
    assert "man-page" not in page


def complete(*words):
    """What bash offers for the last word."""
    script = (
        f"{succeed('print', 'bash-completion')}\n"
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gradus; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-euc", script, "bash", *words], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_completion_offers_commands_and_options():
    assert sorted(complete("gradus", "")) == sorted([*COMMANDS, "-h", "--help", "--version"])
    assert complete("gradus", "re") == ["resume", "reproduce", "report", "replay"]
    assert complete("gradus", "list", "p") == ["policies"]
    assert complete("gradus", "data", "ngram", "--se") == ["--seed"]
    assert complete("gradus", "train", "demo.toml", "--th") == ["--threads"]


def test_completion_leaves_file_names_to_bash():
    assert complete("gradus", "train", "conf") == []
    assert complete("gradus", "train", "list", "g") == []


def test_the_command_that_prints_them_is_not_in_the_help():
    assert not re.search(r"^  print", succeed("--help"), re.MULTILINE)
