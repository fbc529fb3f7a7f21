# SPDX-License-Identifier: Apache-2.0
"""The man page and the bash completion, which are made from the help texts."""

import os
import pty
import re
import shutil
import subprocess

import pytest

from program import succeed

COMMANDS = """
train resume sweep arena reproduce check runs show eval sample answer report serve export replay data
list bench info help
""".split()


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


def complete(*words, folder=None):
    """What bash offers for the last word. As in bash, `=` separates words."""
    words = [part for word in words for part in re.split("(=)", word) if part or not word]
    script = (
        f"{succeed('print', 'bash-completion')}\n"
        "compopt() { :; }\n"  # works only while bash completes
        'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gradus; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-uc", script, "bash", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def test_completion_offers_commands_and_options():
    assert sorted(complete("gradus", "")) == sorted([*COMMANDS, "-h", "--help", "--version"])
    assert complete("gradus", "re") == ["resume", "reproduce", "report", "replay"]
    assert complete("gradus", "list", "p") == ["policies"]
    assert complete("gradus", "help", "s") == ["sweep", "show", "sample", "serve"]
    assert complete("gradus", "resume", "run", "ste") == ["steps="]
    assert complete("gradus", "data", "ngram", "--se") == ["--seed"]
    assert complete("gradus", "train", "demo.toml", "--th") == ["--threads"]


def test_completion_offers_the_keys_of_settings():
    layers_and_cells = ["network.layers=", "network.cells="]
    for command in [["train"], ["train", "demo.toml"], ["sweep", "demo.toml"], ["bench"]]:
        assert complete("gradus", *command, "network.")[:2] == layers_and_cells
    assert complete("gradus", "train", "gain=pg", "--seed", "1", "pol") == ["policy="]
    assert complete("gradus", "data", "babi", "v") == ["variant="]
    assert complete("gradus", "report", "network.") == []
    help_text = succeed("train", "--help")
    for key in re.findall(r"^  ([a-z_0-9.]+) = ", help_text, re.MULTILINE):
        assert f"{key}=" in complete("gradus", "train", key)


def test_completion_offers_the_values_of_settings_that_are_choices():
    gains = [line.split()[0] for line in succeed("list", "gains").splitlines()]
    assert sorted(complete("gradus", "train", "gain=")) == sorted(
        [*gains, "uniform", "target", "frontier"]
    )
    assert complete("gradus", "sweep", "demo.toml", "gain=gv") == ["gvcg"]
    assert complete("gradus", "train", "optimiser.centred=") == ["true", "false"]
    assert complete("gradus", "train", "syllabus.eta=a") == ["auto"]
    assert complete("gradus", "data", "babi", "variant=") == ["P", "H"]
    assert complete("gradus", "data", "babi", "babi.variant=H") == ["H"]
    assert complete("gradus", "train", "steps=") == []


def test_completion_offers_configs_and_leaves_other_files_to_bash(tmp_path):
    for name in ["network.toml", "two words.toml", "notes.txt"]:
        (tmp_path / name).write_text("")
    (tmp_path / "networks").mkdir()
    offered = complete("gradus", "train", "netw", folder=tmp_path)
    assert set(offered) > {"network.toml", "networks/", "network.cells="}
    assert complete("gradus", "sweep", "two", folder=tmp_path) == ["two\\ words.toml"]
    assert complete("gradus", "train", "not", folder=tmp_path) == []
    assert complete("gradus", "train", "list", "xg", folder=tmp_path) == []
    assert complete("gradus", "train", "--out", "netw", folder=tmp_path) == []


def typed(keys, folder):
    """The command line after `keys` are typed in bash with the completion."""
    script = folder / "completion"
    script.write_text(succeed("print", "bash-completion"))
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update({"TERM": "dumb", "PS1": "$ ", "INPUTRC": "/dev/null"})
        os.chdir(folder)
        os.execlp("bash", "bash", "--norc", "--noprofile", "-i")
    os.write(terminal, b". ./completion; gradus() { printf '<%s>' \"$@\"; echo; exit; }\n")
    os.write(terminal, keys.encode() + b"\n")
    shown = b""
    try:
        while block := os.read(terminal, 4096):
            shown += block
    except OSError:  # the end, on Linux
        pass
    os.waitpid(child, 0)
    return re.findall(r"^<(.*)>\r", shown.decode(), re.MULTILINE)[-1].split("><")


@pytest.mark.parametrize("breaks", ["", "COMP_WORDBREAKS=${COMP_WORDBREAKS/=}; "])
def test_completion_works_at_the_keyboard(tmp_path, breaks):
    """Also if the user has taken `=` out of the characters that separate words."""
    line = "gradus tr\tnetwork.ce\t64 vi.pr\t=gl\t optimiser.ce\tt\t--qu\t"
    expected = ["train", "network.cells=64", "vi.prior=global", "optimiser.centred=true", "--quiet"]
    assert typed(breaks + line, tmp_path) == expected


def test_the_command_that_prints_them_is_not_in_the_help():
    assert not re.search(r"^  print", succeed("--help"), re.MULTILINE)
