# SPDX-License-Identifier: Apache-2.0
"""The source distribution and the wheels of scripts/wheel, which GRADUS_DIST names, in a root file
system that has Python and nothing else. Needs root, debootstrap and a Debian mirror."""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import zipfile

import pytest

DIST = pathlib.Path(os.environ["GRADUS_DIST"])
[BANDIT] = DIST.glob("gradus-*+bandit-*.whl")
[WHEEL] = set(DIST.glob("gradus-*.whl")) - {BANDIT}
[SOURCES] = DIST.glob("gradus-*.tar.gz")
VERSION = WHEEL.name.split("-")[1]
# What PEP 600 lets a wheel expect of the system.
SYSTEM = {
    *("libc.so.6", "libm.so.6", "libmvec.so.1", "libstdc++.so.6", "libgcc_s.so.1"),
    "ld-linux-x86-64.so.2",
}


def succeed(*command):
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_source_distribution_has_the_pages_and_nothing_that_is_built():
    with tarfile.open(SOURCES) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}
    assert {"CMakeLists.txt", "setup.py", "gradus/core/teacher.cc"} <= names
    assert {"web/bundled/report.html", "web/bundled/serve.html"} <= names
    assert not [name for name in names if re.search(r"node_modules|\.so$|\.pyc$|^build", name)]


def test_the_wheel_was_built_from_it_without_npm():
    [tree] = (DIST.parent / "sdist").glob("gradus-*/build/python*")
    assert (tree / "CMakeCache.txt").exists() and not (tree / "web" / "node_modules").exists()


def test_the_wheel_of_the_bandit_is_below_one_megabyte_and_has_no_program():
    assert BANDIT.stat().st_size < 1_000_000
    names = zipfile.ZipFile(BANDIT).namelist()
    assert not [name for name in names if "/bin/" in name or "entry_points" in name]


@pytest.mark.parametrize("wheel", [WHEEL, BANDIT], ids=["whole", "bandit"])
def test_wheels_need_only_what_they_contain_and_what_every_system_has(wheel, tmp_path):
    assert re.search(r"-manylinux_2_\d+_x86_64\.whl$", wheel.name)
    zipfile.ZipFile(wheel).extractall(tmp_path)
    [info] = tmp_path.glob("*.dist-info/WHEEL")
    assert f"Tag: {wheel.stem.split('-', 2)[2]}\n" in info.read_text()
    contained = {path.name for path in tmp_path.glob("gradus.libs/*")}
    objects = [*tmp_path.glob("gradus/_core*.so"), *tmp_path.glob("gradus/bin/*")]
    for path in [*objects, *tmp_path.glob("gradus.libs/*")]:
        listed = succeed("readelf", "--dynamic", path)
        needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", listed))
        assert needed <= contained | SYSTEM, path
        for place in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", listed):
            assert place.startswith("$ORIGIN"), path
        glibc = re.search(r"manylinux_2_(\d+)", wheel.name)[1]
        versions = re.findall(r"GLIBC_2\.(\d+)", succeed("readelf", "--version-info", path))
        assert max(map(int, versions)) <= int(glibc), path


@pytest.fixture(scope="session")
def root(tmp_path_factory):
    """A root file system, without the libraries that Debian's Python shares with the wheel."""
    folder = tmp_path_factory.mktemp("bare") / "root"
    release = pathlib.Path("/etc/os-release").read_text()
    suite = re.search(r"VERSION_CODENAME=(\w+)", release)[1]
    succeed("debootstrap", "--variant=minbase", "--include=python3", suite, folder)
    for wheel in (WHEEL, BANDIT, *pathlib.Path("/usr/share/python-wheels").glob("pip-*.whl")):
        shutil.copy(wheel, folder / "root")
    for name, wheel in (("whole", WHEEL), ("bandit", BANDIT)):
        install(folder, name, wheel)
    for name in ("libsqlite3", "libssl", "libcrypto"):
        found = list((folder / "usr/lib").rglob(f"{name}.so*"))
        assert found
        for path in found:
            path.unlink()
    return folder


def install(root, name, wheel):
    bare(root, "python3", "-m", "venv", "--without-pip", f"/{name}")
    pip = next((root / "root").glob("pip-*.whl")).name
    bare(
        *(root, "env", f"PYTHONPATH=/root/{pip}", f"/{name}/bin/python", "-m", "pip", "install"),
        *("--no-index", "--no-deps", f"/root/{wheel.name}"),
    )


def bare(root, *command):
    """Runs a command in the root file system, where /proc is mounted for as long as it runs."""
    place = ["unshare", "--pid", "--fork", f"--mount-proc={root}/proc", "chroot", root]
    return succeed("env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *place, *command)


def test_the_bare_system_has_no_compiler_and_none_of_the_libraries(root):
    for absent in ("usr/bin/cc", "usr/bin/cmake", "usr/bin/node", "usr/bin/pip"):
        assert not (root / absent).exists()
    for absent in ("libfmt", "libhwy", "libcpp-httplib", "libcrypto", "libsqlite3"):
        assert not list((root / "usr/lib").rglob(f"{absent}.so*"))


def test_the_program_trains_and_reports_in_the_bare_system(root):
    gradus = "/whole/bin/gradus"
    assert bare(root, gradus, "--version") == f"gradus {VERSION}\n"
    settings = ["repeat_copy.max_length=2", "repeat_copy.max_repeats=2", "network.cells=8"]
    for gain in ("pg", "uniform"):
        command = [gradus, "train", *settings, "steps=20000", f"gain={gain}"]
        bare(root, *command, "--out", f"/runs/{gain}", "--quiet")
    assert "finished" in bare(root, gradus, "runs", "/runs")
    assert "pg" in bare(root, gradus, "report", "/runs", "-o", "/report.html")
    assert "echarts" in (root / "report.html").read_text()
    bare(root, gradus, "export", "/runs/pg", "--format", "csv", "--out", "/csv")
    assert list((root / "csv").iterdir())


SERVE = """
import re, subprocess, urllib.request
with subprocess.Popen(["/whole/bin/gradus", "serve", "/runs", "--port", "0"],
                      stdout=subprocess.PIPE, text=True) as server:
    url = next(re.search(r"http\\S+", line) for line in server.stdout if "http" in line)[0]
    print(urllib.request.urlopen(url, timeout=60).read().decode())
    server.terminate()
"""


def test_the_live_page_is_served_in_the_bare_system(root):
    assert "<script" in bare(root, "/whole/bin/python", "-c", SERVE)


RECORD = """
import gradus
syllabus = gradus.Syllabus(["easy", "hard"], seed=1)
with gradus.Recorder("/runs/mine", syllabus) as recorder:
    for step in range(3):
        syllabus.reward(syllabus.draw(), progress=step)
        recorder.log(step, {"easy": 1.0, "hard": 2.0})
print(gradus.read_run("/runs/mine")["status"])
print(sorted(gradus.find_runs("/runs"))[0])
print([metrics["steps"] for metrics in gradus.train(
    {"repeat_copy.max_length": 2, "repeat_copy.max_repeats": 1, "network.cells": 4, "steps": 2000},
    folder="/runs/small")][-1] >= 2000)
"""


def test_the_package_records_and_trains_in_the_bare_system(root):
    lines = bare(root, "/whole/bin/python", "-c", RECORD).splitlines()
    assert lines == ["finished", "/runs/mine", "True"]


BANDIT_ALONE = """
import gradus
syllabus = gradus.Syllabus(["easy", "hard"], seed=1, rounds=100)
for _ in range(100):
    ticket = syllabus.draw()
    syllabus.reward(ticket, float(ticket.name == "hard"))
print(syllabus.probabilities()["hard"] > 0.6, gradus.__version__)
try:
    gradus.train()
except AttributeError as error:
    print(error)
"""


def test_the_bandit_alone_draws_and_says_what_it_lacks(root):
    lines = bare(root, "/bandit/bin/python", "-c", BANDIT_ALONE).splitlines()
    assert lines[0] == f"True {VERSION}+bandit"
    assert lines[1].startswith('"train" is not in this build of gradus')
