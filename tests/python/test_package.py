# SPDX-License-Identifier: Apache-2.0
"""Checks the installed package as a whole."""

import ast
import importlib.metadata
import inspect
import pathlib
import pydoc
import re
import signal
import subprocess
import sys

import pytest

import gradus
import gradus.__main__
from command import PROGRAM, program

ROOT = pathlib.Path(__file__).parents[2]


def test_the_installed_wheel_is_what_is_tested():
    assert ROOT / "python" not in pathlib.Path(gradus.__file__).parents


def test_the_version_is_that_of_the_program():
    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert gradus.__version__ == importlib.metadata.version("gradus") == version


def test_the_wheel_has_types_and_one_extension_without_cuda():
    folder = pathlib.Path(gradus.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_core.pyi").exists()
    [extension] = folder.glob("_core*.so")
    libraries = subprocess.run(["ldd", extension], capture_output=True, text=True).stdout
    assert "libsqlite3" in libraries
    for absent in ["not found", "cuda", "openblas"]:
        assert absent not in libraries


@pytest.mark.program
def test_the_command_is_the_compiled_program_with_its_exit_codes():
    assert program("--version") == f"gradus {gradus.__version__}\n"
    assert "prediction gain" in program("list", "gains")
    module = subprocess.run([sys.executable, "-m", "gradus", "report"], capture_output=True)
    assert module.returncode == 2 and b"folders is required" in module.stderr
    refused = subprocess.run([PROGRAM, "show", "nowhere"], capture_output=True, text=True)
    assert refused.returncode == 2 and refused.stderr.startswith("gradus: ")


@pytest.mark.program
def test_the_command_ends_quietly_if_nobody_reads_its_output():
    with subprocess.Popen(
        [PROGRAM, "data", "ngram", "--help"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as shown:
        shown.stdout.close()
        assert shown.stderr.read() == b""
    assert shown.returncode == -signal.SIGPIPE


def test_a_wheel_without_its_program_says_so(tmp_path):
    source = pathlib.Path(gradus.__main__.__file__)
    (tmp_path / "main.py").write_text(source.read_text())
    done = subprocess.run([sys.executable, tmp_path / "main.py"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("gradus: cannot start ") and done.stderr.count("\n") == 1


def test_everything_public_has_a_docstring():
    import gradus.torch

    for module in (gradus, gradus.torch):
        for name in module.__all__:
            assert getattr(module, name).__doc__, name


def test_stubs_and_extension_have_the_same_names():
    stub = (ROOT / "python" / "gradus" / "_core.pyi").read_text()
    for name, body in re.findall(r"^class (\w+).*?:\n((?:    .*\n|\n)+)", stub, re.MULTILINE):
        if not hasattr(gradus._core, name):
            continue  # exists only in the stub
        declared = set(re.findall(r"def (\w+)\(", body)) - {
            "__init__",
            "__iter__",
            "__len__",
            "__next__",
        }
        present = {n for n in vars(getattr(gradus._core, name)) if not n.startswith("_")}
        assert declared == present, name
    functions = set(re.findall(r"^def (\w+)\(", stub, re.MULTILINE))
    assert all(callable(getattr(gradus._core, name)) for name in functions)


def test_help_shows_signatures_and_docstrings_that_agree_with_the_stubs():
    stub = ast.parse((ROOT / "python" / "gradus" / "_core.pyi").read_text())
    for node in stub.body:
        kind = getattr(gradus, getattr(node, "name", ""), None)
        if isinstance(node, ast.FunctionDef) and kind is not None:
            check_signature(kind, node)
        if not isinstance(node, ast.ClassDef) or kind is None or node.name == "InputError":
            continue
        shown = pydoc.render_doc(kind, renderer=pydoc.plaintext)
        for method in node.body:
            if not isinstance(method, ast.FunctionDef):
                continue
            if method.name == "__init__":
                check_signature(kind, method)
            elif not method.name.startswith("__"):
                assert getattr(kind, method.name).__doc__, f"{node.name}.{method.name}"
                if not any(
                    getattr(d, "id", "") in ("property", "overload") for d in method.decorator_list
                ):
                    check_signature(getattr(kind, method.name), method)
                    assert f"{method.name}(" in shown
    bound = inspect.signature(gradus.Syllabus(["a"]).draw)
    assert list(bound.parameters) == ["n", "quotas"]
    assert "draw(self, n=None, *, quotas=False)" in pydoc.plain(pydoc.render_doc(gradus.Syllabus))


def check_signature(function, node):
    """Compares the arguments with those of the stub, which spells **settings out."""
    assert function.__doc__, node.name
    declared = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
    shown = list(inspect.signature(function).parameters)
    if "settings" in shown:
        assert set(shown) - {"settings"} <= set(declared), node.name
    else:
        declared = [name for name in declared if name != "self" or "self" in shown]
        assert shown == declared, node.name


def run_example(name, *arguments):
    """Returns the lines that an example prints."""
    command = [sys.executable, ROOT / "examples" / "pytorch" / name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_example_runs_and_compares():
    lines = run_example("four_tasks.py", "--batches", "20", "--seeds", "2")
    assert lines[0].split() == ["last", "sort", "reverse", "add"]
    for name, losses, batches in (("uniform", lines[1], lines[2]), ("pg", lines[3], lines[4])):
        assert losses.split()[0] == name and len(losses.split()) == 5
        assert sum(map(float, batches.split()[1:])) == pytest.approx(20, abs=2)  # rounded means
    compared = [line.split()[0] for line in lines if "+-" in line]
    assert compared == ["uniform", "pg", "uniform", "pg"]


def test_the_comparisons_over_seeds_run():
    for name, length, arms in [
        ("locks.py", "--updates", ["uniform", "p(1-p)"]),
        ("noise.py", "--batches", ["uniform", "pg", "hpg", "hsg"]),
    ]:
        lines = run_example(name, length, "5", "--seeds", "2")
        assert [line.split()[0] for line in lines[1 : len(arms) + 1]] == arms
        assert all(line.count("+-") == 2 for line in lines[2 : len(arms) + 1])
