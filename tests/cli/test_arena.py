# SPDX-License-Identifier: Apache-2.0
"""gradus arena: signals and policies on many curricula, in one table and one page."""

import json
import subprocess
import sys
from pathlib import Path

from program import refuse, run

TINY = """
steps=3000 batch=4 network.cells=4 evaluation.interval=500 evaluation.sequences=4
stop.target_loss=0 repeat_copy.max_length=2 repeat_copy.max_repeats=2
""".split()
SMALL = [*TINY, "seed=[1, 2, 3]", "--quiet", "--out", "out"]
COLUMNS = [
    "--only",
    "curriculum=repeat-copy,stress",
    "--only",
    "stress.scenario=fresh-noise,lengths",
]
ARMS = ["--arm", "pg+exp3s", "--arm", "pg+boltzmann,syllabus.temperature=0.5"]


def test_an_arena_is_a_sweep_that_ends_with_a_table_and_a_page():
    call = ["arena", *SMALL, *COLUMNS, *ARMS]
    code, out, err = run(*call, "--next", 5)
    assert code == 0, err
    assert err.startswith("30 runs, in out\n")  # 3 columns of 3 arms, and frontier, with 3 seeds
    assert len(list(Path("out").glob("*/run.db"))) == 5

    code, out, err = run(*call)
    assert code == 0, err
    assert len(list(Path("out").glob("*/run.db"))) == 30
    head, *lines = out.splitlines()
    assert head.split() == [
        "arm",
        "repeat-copy",
        "fresh-noise",
        "lengths",
        "worst",
        "passes",
        "time",
    ]
    arms = {line.split()[0] for line in lines[:3]}
    assert arms == {"pg+exp3s", "pg+boltzmann,syllabus.temperature=0.5", "frontier"}
    assert out.endswith("Page written to out/arena.html\n")
    page = Path("out/arena.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "gradus arena --scale demo --arm pg+exp3s" in page

    shown = json.loads(run(*call, "--json")[1])
    assert [column["name"] for column in shown["columns"]] == [
        "repeat-copy",
        "fresh-noise",
        "lengths",
    ]
    rows = {row["arm"]: row for row in shown["rows"]}
    assert [cell is None for cell in rows["frontier"]["cells"]] == [False, True, True]
    assert rows["pg+exp3s"]["passes"] == 1 and rows["frontier"]["passes"] == 0
    assert all(cell["runs"] == 3 for cell in rows["pg+exp3s"]["cells"])


def test_the_papers_arena_has_the_same_columns():
    code, out, err = run(
        *["arena", "--scale", "paper", *SMALL, *COLUMNS, "--arm", "pg+exp3s", "network.layers=1"]
    )
    assert code == 0, err
    assert out.splitlines()[0].split()[1:4] == ["repeat-copy", "fresh-noise", "lengths"]


def test_refusals():
    assert refuse("arena", "--arm", "pg") == (
        'arm "pg" is not of the form GAIN+POLICY[,key=value...]'
    )
    assert refuse("arena", "--arm", "pgg+exp3s") == ('unknown gain "pgg"; did you mean "pg"?')
    assert refuse("arena", "--scale", "papr") == 'unknown scale "papr"; did you mean "paper"?'
    assert "two runs uniform,repeat-copy,seed=1;" in refuse("arena", "seed=1", "batch=[8, 16]")
    assert refuse("arena", "gain=pg").startswith("gain is given twice")


def test_docs_have_the_table_of_the_stored_arena():
    script = Path(__file__).parents[2] / "scripts/arena-table"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
