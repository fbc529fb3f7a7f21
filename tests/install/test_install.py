# SPDX-License-Identifier: Apache-2.0
"""The installed library, used from outside. The environment variable GRADUS_BUILD is the build that
is installed, and GRADUS_CXX its compiler."""

import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BANDIT = ["core", "policies", "rewards", "gains", "bandit"]
# What the bandit must not need.
OTHERS = ["OpenSSL", "tomlplusplus", "fmt", "SQLite3", "hwy", "CLI11", "CUDAToolkit"]


def run(*command):
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode, done.stdout


def succeed(*command):
    code, out = run(*command)
    assert code == 0, out
    return out


def configure(source, build, *options):
    compiler = f"-DCMAKE_CXX_COMPILER={os.environ['GRADUS_CXX']}"
    absent = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in OTHERS]
    return run("cmake", "-S", source, "-B", build, "-G", "Ninja", compiler, *absent, *options)


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("prefix")
    for component in BANDIT:
        command = ["cmake", "--install", os.environ["GRADUS_BUILD"], "--prefix", folder]
        succeed(*command, "--component", component)
    return folder


def test_the_bandit_alone_is_configured_without_the_packages_of_the_rest(tmp_path):
    code, out = configure(SOURCE, tmp_path, "-DGRADUS_CURRICULA=OFF")
    assert code == 0, out
    assert "GRADUS_NPM" not in (tmp_path / "CMakeCache.txt").read_text()


def test_contradictory_options_are_refused(tmp_path):
    code, out = configure(SOURCE, tmp_path, "-DGRADUS_NETWORKS=OFF", "-DGRADUS_CLI=ON")
    assert code != 0
    assert "GRADUS_CLI is ON and needs GRADUS_NETWORKS, which is OFF" in " ".join(out.split())


def test_flags_of_the_build_are_not_exported(prefix):
    for file in prefix.glob("lib*/**/gradus-*.cmake"):
        text = file.read_text()
        assert not re.search(r"-W|-march|-fsanitize|gradus_options", text), file
        assert str(SOURCE) not in text, file


def test_installed_headers_need_no_others(prefix, tmp_path):
    include = prefix / "include"
    headers = sorted(str(header.relative_to(include)) for header in include.rglob("*.h"))
    assert "gradus/gradus.h" in headers
    source = tmp_path / "headers.cc"
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    command = [os.environ["GRADUS_CXX"], "-std=c++20", "-Wall", "-Wextra", "-Werror"]
    succeed(*command, "-fsyntax-only", f"-I{include}", source)


def numbers(line):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", line)]


def test_the_examples_learn(prefix, tmp_path):
    code, out = configure(SOURCE / "examples/cpp", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}")
    assert code == 0, out
    succeed("cmake", "--build", tmp_path)

    signal, noise = map(numbers, succeed(tmp_path / "own_loop").splitlines())
    assert signal[0] > 2.5  # more than half of the way from 0 to the mean, 5
    assert signal[1] > 0.6  # the bandit prefers the stream that can be learned
    assert signal[1] + noise[1] == pytest.approx(1, abs=0.011)

    lines = succeed(tmp_path / "own_learner").splitlines()
    assert [line.split(":")[0] for line in lines] == ["forwards", "backwards", "random"]
    (forwards, share), (backwards, other_share), (random, random_share) = map(numbers, lines)
    assert forwards < 0.3 and backwards < 0.3
    assert random == pytest.approx(2.485, abs=0.01)  # ln 12
    assert random_share < 30 < min(share, other_share)

    code, out = run(tmp_path / "own_learner", "vcg")
    assert (code, out[:13]) == (2, "own_learner: ")


def find_package(tmp_path, prefix, arguments):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\n"
        "project(outside LANGUAGES CXX)\n"
        f"find_package(gradus {arguments})\n"
        "get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)\n"
        'message(STATUS "found=${gradus_FOUND} ${targets}")\n'
    )
    code, out = configure(tmp_path, tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    return code, " ".join(out.split())


def test_a_component_brings_only_what_it_links(prefix, tmp_path):
    code, out = find_package(tmp_path, prefix, "REQUIRED COMPONENTS gains")
    assert code == 0, out
    assert "gradus::gains" in out and "gradus::core" in out and "gradus::policies" not in out


def test_without_components_all_that_are_installed_are_found(prefix, tmp_path):
    code, out = find_package(tmp_path, prefix, "REQUIRED")
    assert code == 0, out
    for component in BANDIT:
        assert f"gradus::{component}" in out


def test_a_missing_component_is_named(prefix, tmp_path):
    code, out = find_package(tmp_path, prefix, "REQUIRED COMPONENTS core nn")
    assert code != 0
    assert 'component "nn" is not installed in' in out
    assert "Installed are: bandit, core, gains, policies, rewards." in out


def test_a_missing_optional_component_is_not_an_error(prefix, tmp_path):
    code, out = find_package(tmp_path, prefix, "COMPONENTS core OPTIONAL_COMPONENTS nn")
    assert code == 0, out
    assert "found=1" in out and "gradus::nn" not in out


def test_another_minor_version_is_refused(prefix, tmp_path):
    code, out = find_package(tmp_path, prefix, "0.999 REQUIRED")
    assert code != 0
    assert 'compatible with requested version "0.999"' in out
