"""Calls the program under test, which the environment variable GRADUS names."""

import os
import subprocess

GRADUS = os.environ["GRADUS"]


def command(*args):
    return [GRADUS, *map(str, args)]


def run(*args, **options):
    """Returns the exit code and what was written to stdout and stderr."""
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
    """The message on stderr, which must be a single line by the program."""
    assert err.startswith("gradus: ") and err.endswith("\n") and err.count("\n") == 1, err
    return err[len("gradus: ") : -1]


def succeed(*args):
    """What a good call prints."""
    code, out, err = run(*args)
    assert (code, err) == (0, "")
    return out


def refuse(*args, **options):
    """The complaint about a call that is the user's mistake."""
    code, _, err = run(*args, **options)
    assert code == 2, err
    return one_line(err)


def fail(*args, **options):
    """The complaint of a call that fails while running."""
    code, _, err = run(*args, **options)
    assert code == 1, err
    return one_line(err)
