# SPDX-License-Identifier: Apache-2.0
"""gradus report: the file and the table, what it refuses, and runs that are still training."""

import math
import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import pytest

from program import command, fail, refuse, run, succeed
from stored import document, metrics

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=6000 evaluation.interval=1000 evaluation.sequences=8 optimiser.learning_rate=1e-3
""".split()


SEEDS = [1, 2, 3]


def train(folder, *settings):
    succeed("train", *TINY, *settings, "--quiet", "--out", folder)
    return folder


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """Two signals with three seeds each."""
    folder = tmp_path_factory.mktemp("sweep")
    for gain in ["pg", "uniform"]:
        for seed in SEEDS:
            train(folder / f"{gain}-{seed}", f"gain={gain}", f"seed={seed}")
    return folder


def steps_to(rows, threshold):
    """Steps at which the line between two evaluations crosses the threshold."""
    for before, after in zip(rows, rows[1:]):
        if before["target_loss"] > threshold >= after["target_loss"]:
            fall = before["target_loss"] - after["target_loss"]
            share = (before["target_loss"] - threshold) / fall
            return before["steps"] + share * (after["steps"] - before["steps"])
    return None


def reached_by_all(sweep):
    """The highest final loss."""
    return max(
        metrics(sweep / f"{gain}-{seed}")[-1]["target_loss"]
        for gain in ["pg", "uniform"]
        for seed in SEEDS
    )


def student(freedom):
    """The t for which 95% of Student's distribution lies in [-t, t], by numerical integration."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    scale /= math.sqrt(freedom * math.pi)
    inside, t, width = 0, 0, 1e-4
    while inside < 0.475:
        inside += width * scale * (1 + (t + width / 2) ** 2 / freedom) ** (-(freedom + 1) / 2)
        t += width
    return t


def welch(baseline, arm):
    """exp of the difference of means and of the ends of its Welch interval."""
    variances = [statistics.variance(logs) / len(logs) for logs in (baseline, arm)]
    freedom = sum(variances) ** 2 / sum(v * v / (len(SEEDS) - 1) for v in variances)
    middle = statistics.mean(baseline) - statistics.mean(arm)
    half = student(freedom) * math.sqrt(sum(variances))
    return [math.exp(value) for value in (middle - half, middle, middle + half)]


def test_help_lists_the_options():
    out = succeed("report", "--help")
    assert "Usage: gradus report" in out
    for option in ["DIR...", "-o,--out", "--title", "--measure", "--threshold", "--baseline"]:
        assert option in out


def test_the_table_is_what_the_databases_say(sweep):
    threshold = reached_by_all(sweep)
    out = succeed("report", sweep, "--threshold", threshold)
    report = document("report.html")
    assert [group["name"] for group in report["groups"]] == ["uniform", "pg"]
    logs = {}
    for group, row in zip(report["groups"], report["table"]):
        runs = [metrics(sweep / f"{group['name']}-{seed}") for seed in SEEDS]
        steps = [steps_to(run, threshold) for run in runs]
        last = [run[-1]["target_loss"] for run in runs]
        # Numbers in the document have five digits.
        assert row["reached"] == 3
        assert row["steps"]["mean"] == pytest.approx(statistics.mean(steps), rel=1e-4)
        assert row["steps"]["deviation"] == pytest.approx(statistics.stdev(steps), rel=1e-4)
        assert row["last"]["mean"] == pytest.approx(statistics.mean(last), rel=1e-4)
        assert row["last"]["deviation"] == pytest.approx(statistics.stdev(last), rel=1e-4)
        assert row["typical"] == pytest.approx(statistics.geometric_mean(steps), rel=1e-4)
        logs[group["name"]] = [math.log(value) for value in steps]
    speed_up = report["table"][1]["speedUp"]
    low, ratio, high = welch(logs["uniform"], logs["pg"])
    assert speed_up["ratio"] == pytest.approx(ratio, rel=1e-4)
    assert speed_up["interval"] == pytest.approx([low, high], rel=1e-3)

    lines = out.splitlines()
    assert re.match(r"signal +runs +steps to target_loss <= [\d.]+ +typical +speed-up", lines[0])
    assert re.match(r"uniform +3 +\S+ \+- \S+ +\S+ +baseline +", lines[1])
    interval = rf"{ratio:.3g}x \({low:.3g} to {high:.3g}\) "
    assert re.match(rf"pg +3 +\S+ \+- \S+ +\S+ +{interval}", lines[2])
    assert lines[-1] == "Report written to report.html"


def test_any_signal_can_be_the_baseline(sweep):
    succeed("report", sweep, "--threshold", reached_by_all(sweep))
    over_uniform = document("report.html")
    out = succeed("report", sweep, "--threshold", reached_by_all(sweep), "--baseline", "pg")
    over_pg = document("report.html")
    assert over_pg["baseline"] == "pg"
    forth, back = over_uniform["table"][1]["speedUp"], over_pg["table"][0]["speedUp"]
    assert back["ratio"] == pytest.approx(1 / forth["ratio"], rel=1e-3)
    assert back["interval"][0] == pytest.approx(1 / forth["interval"][1], rel=1e-3)
    assert "speed-up over pg (95%)" in out
    assert re.search(r"^pg +3 .* baseline ", out, re.MULTILINE)


def test_two_seeds_are_too_few_for_an_interval(sweep):
    folders = [sweep / f"{gain}-{seed}" for gain in ["pg", "uniform"] for seed in [1, 2]]
    out = succeed("report", *folders, "--threshold", reached_by_all(sweep))
    assert re.search(r"^pg +2 .*x \(too few seeds\) ", out, re.MULTILINE)
    assert "interval" not in document("report.html")["table"][1]["speedUp"]


def test_the_page_needs_nothing_beside_it(sweep):
    succeed("report", sweep, "-o", "page.html", "--title", "</script> & co")
    assert os.listdir() == ["page.html"]
    page = Path("page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert not re.search(r"<(script|link|img|iframe)[^>]*\b(src|href)=\"(?!data:)", page)
    assert document("page.html")["title"] == "</script> & co"


def test_a_link_to_the_file_stays_a_link(sweep):
    Path("real.html").write_text("the report of yesterday")
    os.symlink("real.html", "link.html")
    succeed("report", sweep, "-o", "link.html")
    assert os.path.islink("link.html") and document("real.html")["groups"]


def test_the_same_runs_give_the_same_file(sweep):
    succeed("report", sweep, "-o", "a.html")
    succeed("report", sweep / "uniform-2", sweep, "-o", "b.html")
    a, b = document("a.html"), document("b.html")
    assert a.pop("command") == f"gradus report {sweep}"
    assert b.pop("command") == f"gradus report {sweep / 'uniform-2'} {sweep}"
    assert a == b


def test_one_run_is_enough(sweep):
    out = succeed("report", sweep / "pg-1")
    assert re.search(r"^pg +1 .*no uniform runs", out, re.MULTILINE)


def test_a_run_that_is_going_on(sweep):
    settings = [*TINY, "gain=pg", "seed=4", "steps=1e12"]
    training = subprocess.Popen(command("train", *settings, "--quiet", "--out", "going-on"))
    try:
        for _ in range(600):
            if Path("going-on/run.db").exists() and run("report", "going-on")[0] == 0:
                if len(document("report.html")["curves"]["steps"]) > 2:
                    break
            time.sleep(0.1)
        succeed("report", "going-on", sweep)
    finally:
        training.kill()
        training.wait()
    report = document("report.html")
    assert report["groups"][1]["seeds"] == ["1", "2", "3", "4"]
    assert report["groups"][1]["status"] == {"finished": 3, "running": 1}
    assert report["groups"][1]["steps"][1] > 0


def test_a_copy_of_a_run_does_not_count_twice(sweep):
    shutil.copytree(sweep / "pg-1", "copy")
    code, out, err = run("report", sweep / "pg-1", "copy")
    assert code == 0
    assert re.search("^pg +1 ", out, re.MULTILINE)
    assert err.count("\n") == 1 and "has the same settings and seed" in err


def test_a_broken_run_gets_a_line_and_does_not_stop_the_report_or_the_export(sweep):
    shutil.copytree(sweep, "copy")
    Path("copy/pg-2/run.db").write_bytes(b"x" * 5000)
    Path("copy/pg-3/run.db").unlink()
    code, out, err = run("report", "copy")
    assert code == 0 and re.search(r"^pg +1 ", out, re.M) and re.search(r"^uniform +3 ", out, re.M)
    broken = "copy/pg-2/run.db: file is not a database"
    lost = "copy/pg-3: contains no run (no run.db, no record)"
    assert err == f"gradus: left out: {broken}\ngradus: left out: {lost}\n"
    assert document("report.html")["notes"] == [f"left out: {broken}", f"left out: {lost}"]
    code, out, err = run("export", "copy", "--format", "jsonl", "--out", "files")
    assert code == 0 and out.count("run.jsonl") == 4
    assert err == f"gradus: left out: {broken}\ngradus: left out: {lost}\n"
    for command in [["report"], ["export", "--format", "csv"]]:
        assert refuse(*command, "copy/pg-2") == broken


def test_what_cannot_be_in_one_report(sweep):
    other = train("other", "repeat_copy.max_length=3")
    assert "have different tasks" in refuse("report", sweep, other)
    babi = train("babi", "curriculum=babi", "steps=100")
    message = refuse("report", sweep, babi)
    assert "babi has the curriculum babi" in message and "repeat-copy" in message


def test_wrong_arguments(sweep):
    os.mkdir("empty")
    assert refuse("report", "empty") == "empty: contains no run (no run.db, no record)"
    assert "nowhere" in refuse("report", "nowhere")
    assert "required" in refuse("report")
    assert (
        refuse("report", sweep, "--tilte", "T")
        == 'unknown argument "--tilte"; did you mean "--title"?'
    )
    assert 'did you mean "target_loss"?' in refuse("report", sweep, "--measure", "taget_loss")
    assert "evaluation.all_tasks" in refuse("report", sweep, "--measure", "mean_loss")
    unknown = refuse("report", sweep, "--baseline", "pgg")
    assert unknown == 'unknown baseline "pgg"; expected one of: "pg" "uniform"'
    assert "--threshold" in refuse("report", sweep, "--threshold", "low")
    assert refuse("report", sweep, "-o", "empty").startswith("empty: is not a file")
    assert refuse("report", sweep, "-o", "/dev/null").startswith("/dev/null: is not a file")
    assert "no/such/place.html: cannot write" in refuse("report", sweep, "-o", "no/such/place.html")
    assert os.listdir() == ["empty"]


def test_a_full_disk_is_a_failure(sweep):
    with open("/dev/full", "w") as full:
        assert "No space left on device" in fail("report", sweep, stdout=full)
