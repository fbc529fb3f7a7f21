# SPDX-License-Identifier: Apache-2.0
"""Writes computed text into documents, between <!-- MARK --> and <!-- end of MARK -->."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def write_or_check(mark, texts, source, usage):
    """Does what the only argument of the script says. `texts` is {document: text}.

    --write   writes each text between the marks of its document
    --check   prints which documents differ from `source`

    Returns the exit code.
    """
    if sys.argv[1:] not in (["--write"], ["--check"]):
        print(usage, file=sys.stderr)
        return 2
    pattern = re.compile(f"(<!-- {mark} -->\n).*(<!-- end of {mark} -->)", re.S)
    code = 0
    for name, text in texts.items():
        old = (ROOT / name).read_text()
        new = pattern.sub(lambda match: match[1] + text + match[2], old)
        if sys.argv[1] == "--write":
            (ROOT / name).write_text(new)
        elif new != old:
            print(f"{name} differs from {source}; run {sys.argv[0]} --write", file=sys.stderr)
            code = 1
    return code
