# SPDX-License-Identifier: Apache-2.0
"""The command `gradus` of an installed wheel, also `python3 -m gradus`."""

import os
import pathlib
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Replaces this process by the compiled program, which the wheel contains."""
    program = pathlib.Path(__file__).parent / "bin" / "gradus"
    # Python ignores this signal, and an ignored signal stays ignored. `gradus runs | head` needs it.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        os.execv(program, ["gradus", *sys.argv[1:]])
    except OSError as error:
        print(
            f"gradus: cannot start {program}: {error.strerror}; install the whole package again",
            file=sys.stderr,
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
