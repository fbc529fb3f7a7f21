# SPDX-License-Identifier: Apache-2.0
"""Finds the code in the documents, so that the tests run it as it is printed."""

import pathlib
import textwrap

ROOT = pathlib.Path(__file__).parents[2]


def code_of(document, heading, contains=""):
    """The indented lines of the section with this heading, without the blocks that do not contain
    the given text. A block ends before the next line that is not indented."""
    section = (ROOT / document).read_text().split(f"\n{heading}\n")[1].split("\n#")[0]
    blocks, block = [], []
    for line in [*section.splitlines(), "end"]:
        if line.startswith("    ") or (block and not line):
            block.append(line)
        elif block:
            blocks.append(textwrap.dedent("\n".join(block)))
            block = []
    return "\n".join(block for block in blocks if contains in block)
