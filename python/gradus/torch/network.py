# SPDX-License-Identifier: Apache-2.0
"""The networks of the engine's own runs as PyTorch modules."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Optional, Union

import torch
from torch import nn

from gradus import _core


class Network(nn.LSTM):
    """A trained network: an LSTM and a linear layer, `output`, on top of it.

    Called with inputs (T, B, I) and optionally the LSTM's state, it returns logits (T, B, O) and
    the new state. Its state dict has the names of weights.safetensors.

    vocabulary   the text of every token, or [] if the network reads no tokens
    softmax      whether outputs are one of O tokens; otherwise they are O independent bits
    checkpoint   "best" or "last": which one this is
    steps        the input steps that it was trained on
    """

    def __init__(self, saved: dict[str, Any]) -> None:
        width = saved["tokens"] + saved["bits"] + saved["reals"]
        super().__init__(width, saved["cells"], saved["layers"])
        self.output = nn.Linear(saved["cells"], saved["outputs"])
        self.tokens: int = saved["tokens"]
        self.bits: int = saved["bits"]
        self.reals: int = saved["reals"]
        self.vocabulary: list[str] = saved["vocabulary"]
        self.softmax: bool = saved["softmax"]
        self.checkpoint: str = saved["checkpoint"]
        self.steps: int = saved["steps"]
        self.load_state_dict(
            {
                name: torch.frombuffer(bytearray(data), dtype=torch.float32).reshape(shape)
                for name, (shape, data) in saved["tensors"].items()
            }
        )
        self.eval()

    def forward(  # type: ignore[override]
        self, inputs: torch.Tensor, state: Optional[tuple[torch.Tensor, torch.Tensor]] = None
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        hidden, state = super().forward(inputs, state)
        return self.output(hidden), state

    def inputs(
        self,
        tokens: Optional[Sequence[int]] = None,
        bits: Optional[Sequence[Sequence[float]]] = None,
        reals: Optional[Sequence[Sequence[float]]] = None,
    ) -> torch.Tensor:
        """The inputs (T, 1, I) of one sequence: a one-hot token per step, -1 for none, then the
        bits, then the real channels. A field that is not given is zero."""
        given = [field for field in (tokens, bits, reals) if field is not None]
        if not given:
            raise _core.InputError("inputs: expected tokens, bits or reals")
        made = torch.zeros(len(given[0]), 1, self.input_size)
        for step, token in enumerate(tokens or ()):
            if token >= 0:
                made[step, 0, token] = 1
        if bits is not None:
            made[:, 0, self.tokens : self.tokens + self.bits] = torch.tensor(bits)
        if reals is not None:
            made[:, 0, self.tokens + self.bits :] = torch.tensor(reals)
        return made


def load_network(
    folder: Union[str, "os.PathLike[str]"], checkpoint: Optional[str] = None
) -> Network:
    """Loads the network of the run in `folder`, in evaluation mode.

    checkpoint   "best", the one with the lowest held-out loss, or "last". By default the best, or
                 the last if there is no best

    The logits are those of the engine up to rounding: both compute in single precision, but add in
    another order. With objective vi the weights are the means of the posterior.
    """
    return Network(_core.read_network(os.fspath(folder), checkpoint or ""))
