# SPDX-License-Identifier: Apache-2.0
"""Builds the extension by CMake, into build/python; pyproject.toml has the rest."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    """CMakeLists.txt is the one place that has it."""
    return re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = ROOT / "build" / "python"
        output = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        # The package needs no program. scripts/test has one in this folder, and keeps it.
        configured = (folder / "CMakeCache.txt").exists()
        # CUDAARCHS is CMake's variable for the GPU architectures; without it, those of cmake/cuda.cmake.
        gpus = os.environ.get("CUDAARCHS")
        configure = [
            *["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja"],
            *["-DCMAKE_BUILD_TYPE=Release", "-DGRADUS_PYTHON_MODULE=ON"],
            *([] if configured else ["-DGRADUS_CLI=OFF"]),
            f"-DCMAKE_CUDA_ARCHITECTURES={gpus}" if gpus else "-UCMAKE_CUDA_ARCHITECTURES",
            *[
                f"-DPython_EXECUTABLE={sys.executable}",
                f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={output}",
            ],
        ]
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "_core", "-j", jobs], check=True)


setup(
    version=version(),
    ext_modules=[Extension("gradus._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
