# SPDX-License-Identifier: Apache-2.0
"""The setting `device`: what is refused, and, on a machine with a GPU, that a run uses it."""

import pytest

from program import refuse, succeed
from test_train import TINY

HAS_GPU = "\ncuda        none" not in succeed("info")


def test_unknown_names_are_refused():
    assert (
        refuse("train", *TINY, "--device", "cudo") == 'unknown device "cudo"; did you mean "cuda"?'
    )
    assert refuse("train", *TINY, "precision=fp8").startswith('unknown precision "fp8"')


@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
@pytest.mark.parametrize("choice", [["--device", "cuda"], ["device=cuda"]])
def test_cuda_without_a_gpu_is_refused_and_says_why(choice):
    message = refuse("train", *TINY, *choice)
    assert message.startswith('device is "cuda", but this ') and message.endswith(
        '; use device "cpu"'
    )


@pytest.mark.skipif(not HAS_GPU, reason="needs a GPU")
@pytest.mark.parametrize("precision", ["fp16", "fp32"])
def test_a_run_on_the_gpu_repeats_itself(tmp_path, precision):
    def train(name):
        path = tmp_path / name
        succeed(
            "train", *TINY, "--device", "cuda", f"precision={precision}", "--quiet", "--out", path
        )
        return [line.split(",")[:2] + line.split(",")[3:] for line in path.read_text().splitlines()]

    assert train("a.csv") == train("b.csv")
