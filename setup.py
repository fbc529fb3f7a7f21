# SPDX-License-Identifier: Apache-2.0
"""Builds the extension and the program by CMake, into build/python; pyproject.toml has the rest.

Environment variables:
  CMAKE_ARGS       options for CMake. With -DGRADUS_CURRICULA=OFF the wheel is the bandit alone
  GRADUS_PROGRAM   a program that is built already, to be packed instead of building one
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.install import install
from setuptools.command.sdist import sdist

ROOT = pathlib.Path(__file__).resolve().parent
CMAKE_ARGS = shlex.split(os.environ.get("CMAKE_ARGS", ""))
IS_BANDIT_ALONE = any(
    re.match(r"-DGRADUS_(CURRICULA|NETWORKS)(:BOOL)?=(OFF|NO|FALSE|0)$", word, re.IGNORECASE)
    for word in CMAKE_ARGS
)
PAGES = ("report", "serve")


def version():
    """CMakeLists.txt is the one place that has it."""
    number = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
    return number + ("+bandit" if IS_BANDIT_ALONE else "")


def run(*command, **options):
    subprocess.run(list(map(str, command)), check=True, **options)


def has_pages():
    """Whether the pages of `gradus report` and `gradus serve` are there or can be bundled."""
    return (ROOT / "web" / "bundled").exists() or (shutil.which("npm") and shutil.which("node"))


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = ROOT / "build" / ("python-bandit" if IS_BANDIT_ALONE else "python")
        output = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        program = os.environ.get("GRADUS_PROGRAM")
        # CUDAARCHS is CMake's variable for the GPU architectures; without it, those of cmake/cuda.cmake.
        gpus = os.environ.get("CUDAARCHS")
        run(
            *["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"],
            *["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DGRADUS_PYTHON_MODULE=ON"],
            # scripts/test has a build without reports in this folder, and has its own program.
            *([] if program else self.parts()),
            f"-DCMAKE_CUDA_ARCHITECTURES={gpus}" if gpus else "-UCMAKE_CUDA_ARCHITECTURES",
            f"-DPython_EXECUTABLE={sys.executable}",
            f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={output}",
            *CMAKE_ARGS,
        )
        wanted = ["_core"] if program or IS_BANDIT_ALONE else ["_core", "gradus"]
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        run("cmake", "--build", folder, "-j", jobs, "--target", *wanted)
        if not IS_BANDIT_ALONE:
            (output / "bin").mkdir(exist_ok=True)
            run("strip", "-o", output / "bin" / "gradus", program or folder / "gradus")

    def parts(self):
        """Options that undo those of an earlier build in the same folder."""
        names = ["CURRICULA", "NETWORKS", "CLI", "REPORT", "SERVE", "TESTS", "CUDA", "NATIVE"]
        options = [f"-UGRADUS_{name}" for name in names]
        if not has_pages():
            self.warn(
                "npm and node were not found: the program `gradus` of this build will have no "
                "report, reproduce, arena and serve"
            )
            options.append("-DGRADUS_REPORT=OFF")
        return options


class Install(install):
    """Has what Debian's setuptools expects of the command `install` of Debian's own Python only."""

    install_layout = None
    prefix_option = True


class SourceDistribution(sdist):
    """Adds the bundled pages, so that building from it takes neither npm nor a network."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        web, folder = ROOT / "web", ROOT / "build" / "pages"
        bundled = pathlib.Path(base_dir).resolve() / "web" / "bundled"
        if (web / "bundled").exists():
            shutil.copytree(web / "bundled", bundled)
            return
        folder.mkdir(parents=True, exist_ok=True)
        bundled.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copy(web / name, folder)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
        for page in PAGES:
            run(
                "node", web / "bundle.mjs", web / page / "src", bundled / f"{page}.html", cwd=folder
            )


setup(
    version=version(),
    ext_modules=[Extension("gradus._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild, "install": Install, "sdist": SourceDistribution},
    entry_points={} if IS_BANDIT_ALONE else {"console_scripts": ["gradus=gradus.__main__:main"]},
)
