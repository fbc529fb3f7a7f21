# SPDX-License-Identifier: Apache-2.0
"""The command `gradus` of the installed wheel."""

import pathlib
import subprocess
import sys

PROGRAM = str(pathlib.Path(sys.executable).with_name("gradus"))


def program(*arguments, text=None):
    """Returns the standard output of the command, which must succeed."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
