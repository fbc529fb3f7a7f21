# SPDX-License-Identifier: Apache-2.0
"""gradus list and gradus info."""

import re

import pytest

from program import succeed


@pytest.mark.parametrize(
    "kind, names",
    [
        (
            "gains",
            ["pg", "gpg", "spg", "tpg", "mpg", "vcg", "gvcg", "l2g", "gl2g"]
            + ["lsg", "alsg", "hsg", "hpg", "gspg", "gtpg", "gmpg", "xl", "lrn"],
        ),
        (
            "policies",
            ["exp3s", "exp3", "exp3ix", "tsallis", "boltzmann", "ducb", "swucb", "thompson"]
            + ["corral", "uniform", "fixed"],
        ),
        ("curricula", ["repeat-copy", "ngram", "babi", "files", "stress"]),
    ],
)
def test_list_gives_a_name_and_a_summary_a_line(kind, names):
    entries = [line.split(maxsplit=1) for line in succeed("list", kind).splitlines()]
    assert set(names) <= {name for name, _ in entries}
    assert all(len(summary) > 10 for _, summary in entries)


def test_info_shows_version_and_machine():
    out = succeed("info")
    version = succeed("--version").split()[1]
    assert re.match(rf"gradus +{re.escape(version)}\n", out)
    for what in ["compiler", "simd", "processors"]:
        assert f"\n{what} " in out
