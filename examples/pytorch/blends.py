# SPDX-License-Identifier: Apache-2.0
"""An adaptive mixture in loaders that do their own sampling. Each fixes its mixture when it is made,
so all three work in segments: the mixture of a segment is that of its start."""

from __future__ import annotations

import importlib
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

from gradus import Weights


def interleaved(
    weights: Weights, streams: Mapping[str, Any], segment: int, taken: dict[str, int]
) -> Iterator[tuple[int, Any]]:
    """Hugging Face datasets: yields (version, sample) from interleaved iterable datasets, each of
    which starts over when it ends. Every sample must have a column "task", for example from
    .map(lambda sample: {"task": "web"}). `taken` counts the samples of each task: save it, and pass
    it again to continue."""
    interleave = importlib.import_module("datasets").interleave_datasets
    while True:
        mixture = weights()
        mixed = interleave(
            [streams[task].repeat(None).skip(taken.get(task, 0)) for task in mixture],
            probabilities=list(mixture.values()),
            seed=sum(taken.values()),  # another one for each segment
        )
        for sample in mixed.take(segment):
            taken[sample["task"]] = taken.get(sample["task"], 0) + 1
            yield weights.version, sample


def streaming_segment(
    weights: Weights, locals_of: Mapping[str, str], segment: int, batch_size: int, number: int
) -> Any:
    """MosaicML Streaming: returns the StreamingDataset of the segment `number`, which must be another
    one each time: it is the seed by which the samples are chosen and shuffled."""
    streaming = importlib.import_module("streaming")
    mixture = weights()
    streams = [streaming.Stream(local=locals_of[task], proportion=p) for task, p in mixture.items()]
    return streaming.StreamingDataset(
        streams=streams,
        epoch_size=segment,
        batch_size=batch_size,
        shuffle=True,
        shuffle_seed=number,
    )


def megatron_blend(weights: Weights, prefixes: Mapping[str, str], path: pathlib.Path) -> None:
    """Megatron-LM: writes the file for --data-args-path, which has the text of --data-path: a
    weight and a path prefix for each data set."""
    mixture = weights()
    text = " ".join(f"{p:.6f} {prefixes[task]}" for task, p in mixture.items())
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(text + "\n")
    temporary.replace(path)
