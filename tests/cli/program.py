# SPDX-License-Identifier: Apache-2.0
"""Runs the program under test. The environment variable GRADUS is its path."""

import os
import re
import subprocess
import time

GRADUS = os.environ["GRADUS"]
SANITIZED = bool(os.environ.get("GRADUS_SANITIZE"))  # about ten times as slow
SETTING = re.compile(r"[a-z0-9_.]+=")

# The start of a config: training that is quick.
SMALL = """
batch = 8
repeat_copy = {max_length = 2, max_repeats = 2, bits = 2}
network.cells = 8
evaluation.sequences = 8
"""


def command(*args):
    """The call. Of several values of one setting the last counts: the program takes only one."""
    words = [str(arg) for arg in args]
    last = {word.split("=")[0]: i for i, word in enumerate(words) if SETTING.match(word)}
    kept = [w for i, w in enumerate(words) if not SETTING.match(w) or last[w.split("=")[0]] == i]
    return [GRADUS, *kept]


def run(*args, **options):
    """Returns the exit code, stdout and stderr."""
    done = subprocess.run(
        command(*args),
        stdout=options.pop("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        **options,
    )
    return done.returncode, done.stdout, done.stderr


def one_line(err):
    """The message on stderr, which must be a single line that starts with "gradus: "."""
    assert err.startswith("gradus: ") and err.endswith("\n") and err.count("\n") == 1, err
    return err[len("gradus: ") : -1]


def succeed(*args):
    """The stdout of a call that must succeed."""
    code, out, err = run(*args)
    assert (code, err) == (0, "")
    return out


def refuse(*args, **options):
    """The message of a call that must be refused as a user error (exit code 2)."""
    code, _, err = run(*args, **options)
    assert code == 2, err
    return one_line(err)


def fail(*args, **options):
    """The message of a call that must fail while running (exit code 1)."""
    code, _, err = run(*args, **options)
    assert code == 1, err
    return one_line(err)


def wait_for(condition, what):
    end = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < end, f"no {what} within 100 s"
        time.sleep(0.01)
