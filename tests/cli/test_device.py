# SPDX-License-Identifier: Apache-2.0
"""The setting `device`: what is refused, and, on a machine with a GPU, that a run uses it."""

import pytest

from program import refuse, succeed

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=3000 evaluation.interval=1000 evaluation.sequences=8 optimiser.learning_rate=1e-3
""".split()

HAS_GPU = "\ncuda        none" not in succeed("info")


def test_unknown_names_are_refused():
    assert (
        refuse("train", *TINY, "--device", "cudo") == 'unknown device "cudo"; did you mean "cuda"?'
    )
    assert refuse("train", *TINY, "--device", "cuda:0,x") == (
        'device is "cuda:0,x", expected different numbers of GPUs after "cuda:", as in cuda:0,2'
    )
    assert refuse("train", *TINY, "precision=fp8").startswith('unknown precision "fp8"')


@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
@pytest.mark.parametrize("device", ["cuda", "cuda:0,2"])
def test_cuda_without_a_gpu_is_refused_and_says_why(device):
    for command in [["train", f"device={device}"], ["train", "--device", device]]:
        message = refuse(*command, *TINY)
        assert message.startswith(f'device is "{device}", but this '), message
        assert message.endswith('; use device "cpu"')


# Otherwise a host without GPUs would take one run after the other and fail each.
@pytest.mark.skipif(HAS_GPU, reason="there is a GPU")
def test_a_sweep_on_a_host_without_its_gpus_starts_no_run(tmp_path):
    (tmp_path / "sweep.toml").write_text("[sweep]\nseed = [1, 2]\n")
    out = tmp_path / "out"
    message = refuse("sweep", tmp_path / "sweep.toml", *TINY, "--out", out, "--device", "cuda")
    assert message.startswith('device is "cuda", but this ')
    assert not out.exists()
    succeed("sweep", tmp_path / "sweep.toml", *TINY, "--out", out, "steps=200", "--quiet")
    assert refuse("sweep", out, "--worker", "--device", "cuda:1") == (
        '--device is "cuda:1", but the sweep trains on "cpu"; a worker can only choose the GPUs'
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
