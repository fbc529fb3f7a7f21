# SPDX-License-Identifier: Apache-2.0
"""Reads safetensors files: 8 bytes of header length, a JSON header, then the tensor data."""

import json
import struct

import numpy

TYPES = {"F32": numpy.dtype("<f4"), "F64": numpy.dtype("<f8")}


def read(path):
    """Returns the tensors by name, and the metadata of the file."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    facts = header.pop("__metadata__", {})
    body = data[8 + length :]
    covered = 0
    tensors = {}
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        assert begin == covered, f"{name} does not follow the tensor before it"
        covered = end
        tensors[name] = numpy.frombuffer(body[begin:end], TYPES[entry["dtype"]]).reshape(
            entry["shape"]
        )
    assert covered == len(body)
    return tensors, facts
