# SPDX-License-Identifier: Apache-2.0
"""gradus export, checked with independent readers."""

import json
import math
import subprocess
from pathlib import Path

import pytest

from program import command, refuse, succeed
from stored import metrics, rows

TINY = """
repeat_copy.max_length=2 repeat_copy.max_repeats=2 repeat_copy.bits=2 network.cells=8 batch=8
steps=3000 evaluation.interval=1000 evaluation.sequences=8 evaluation.all_tasks=true
""".split()


@pytest.fixture
def run_folder():
    succeed("train", *TINY, "--quiet", "--out", "run")
    return Path("run")


def test_csv_in_pandas(run_folder):
    pandas = pytest.importorskip("pandas")
    out = succeed("export", run_folder, "--format", "csv")
    assert out == "run/csv/metrics.csv\nrun/csv/tasks.csv\n"
    table = pandas.read_csv("run/csv/metrics.csv", float_precision="round_trip")
    stored = metrics(run_folder)
    for column in stored[0]:
        for got, expected in zip(table[column], [row[column] for row in stored], strict=True):
            assert got == expected or (expected is None and math.isnan(got))
    assert list(table["seconds"]) == [
        r["seconds"] for r in rows(run_folder, "SELECT * FROM timing")
    ]
    tasks = pandas.read_csv("run/csv/tasks.csv", float_precision="round_trip")
    expected = rows(run_folder, "SELECT * FROM task_metrics ORDER BY steps, task")
    assert list(tasks["policy"]) == [row["policy"] for row in expected]
    assert list(tasks["loss"]) == [row["loss"] for row in expected]
    assert list(tasks["name"][:4]) == ["1,1", "1,2", "2,1", "2,2"]


def test_json_lines(run_folder):
    succeed("export", run_folder, "--format", "jsonl", "--out", "json")
    facts, *lines = map(json.loads, Path("json/run.jsonl").read_text().splitlines())
    assert facts["type"] == "run" and facts["tasks"] == ["1,1", "1,2", "2,1", "2,2"]
    assert facts["settings"]["gain"] == "pg" and facts["target"] == 3
    stored = metrics(run_folder)
    assert [{key: line[key] for key in stored[0]} for line in lines] == stored
    tasks = rows(run_folder, "SELECT * FROM task_metrics ORDER BY steps, task")
    assert [p for line in lines for p in line["policy"]] == [row["policy"] for row in tasks]
    assert [e for line in lines for e in line["error"]] == [row["error"] for row in tasks]


def events_of(path):
    """The events of a TensorBoard file, read with protobuf and an independent CRC-32C."""
    crc32c = pytest.importorskip("crc32c").crc32c
    descriptor_pb2 = pytest.importorskip("google.protobuf.descriptor_pb2")
    from google.protobuf import descriptor_pool, message_factory

    def masked(data):
        crc = crc32c(data)
        return ((crc >> 15 | crc << 17) + 0xA282EAD8 & 0xFFFFFFFF).to_bytes(4, "little")

    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="check", syntax="proto3")
    kind = descriptor_pb2.FieldDescriptorProto
    optional, repeated = kind.LABEL_OPTIONAL, kind.LABEL_REPEATED
    for name, fields in {
        "Value": [
            ("tag", 1, kind.TYPE_STRING, optional),
            ("simple_value", 2, kind.TYPE_FLOAT, optional),
        ],
        "Summary": [("value", 1, ".check.Value", repeated)],
        "Event": [
            ("wall_time", 1, kind.TYPE_DOUBLE, optional),
            ("step", 2, kind.TYPE_INT64, optional),
            ("file_version", 3, kind.TYPE_STRING, optional),
            ("summary", 5, ".check.Summary", optional),
        ],
    }.items():
        message = file.message_type.add(name=name)
        for field, number, of, label in fields:
            entry = message.field.add(name=field, number=number, label=label)
            if isinstance(of, str):
                entry.type, entry.type_name = kind.TYPE_MESSAGE, of
            else:
                entry.type = of
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    factory = message_factory.MessageFactory(pool)
    event = factory.GetPrototype(pool.FindMessageTypeByName("check.Event"))

    data = path.read_bytes()
    while data:
        length = int.from_bytes(data[:8], "little")
        assert data[8:12] == masked(data[:8])
        body, check, data = (
            data[12 : 12 + length],
            data[12 + length : 16 + length],
            data[16 + length :],
        )
        assert check == masked(body)
        yield event.FromString(body)


def test_tensorboard_events(run_folder):
    name = succeed("export", run_folder, "--format", "tensorboard").strip()
    assert Path(name).name.startswith("events.out.tfevents.")
    first, *events = events_of(Path(name))
    assert first.file_version == "brain.Event:2"
    stored = metrics(run_folder)
    assert [event.step for event in events] == [row["steps"] for row in stored]
    for event, row in zip(events, stored):
        values = {value.tag: value.simple_value for value in event.summary.value}
        for column in ["target_loss", "entropy", "reward", "gradient_norm", "complexity"]:
            assert (column in values) == (row[column] is not None)
            if column in values:
                assert values[column] == pytest.approx(row[column], rel=1e-6)
        policy = [values[f"policy/{task}"] for task in ["1,1", "1,2", "2,1", "2,2"]]
        assert sum(policy) == pytest.approx(1, rel=1e-6)
    times = [event.wall_time for event in events]
    assert times == sorted(times) and times[0] >= first.wall_time > 1.7e9


def test_a_sweep_gives_each_run_a_folder():
    Path("sweep.toml").write_text("[sweep]\nseed = [1, 2]\n")
    succeed("sweep", "sweep.toml", *TINY, "--quiet", "--out", "out")
    assert succeed("export", "out", "--format", "jsonl", "--out", "there").splitlines() == [
        "there/seed=1/run.jsonl",
        "there/seed=2/run.jsonl",
    ]


def test_a_run_that_is_still_training():
    call = command("train", *TINY, "steps=1e15", "--quiet", "--out", "run")
    with subprocess.Popen(call) as program:
        while not Path("run/run.db").exists() or not metrics_or_nothing():
            assert program.poll() is None
        succeed("export", "run", "--format", "csv")
        program.kill()
    assert Path("run/csv/metrics.csv").read_text().count("\n") >= 2


def metrics_or_nothing():
    try:
        return metrics("run")
    except Exception:  # the tables do not exist yet
        return []


def test_refusals(run_folder):
    assert (
        refuse("export", run_folder, "--format", "cvs")
        == 'unknown format "cvs"; did you mean "csv"?'
    )
    assert refuse("export", "nosuch", "--format", "csv") == "nosuch: is not a folder"
    Path("empty").mkdir()
    assert refuse("export", "empty", "--format", "csv").startswith("empty: contains no run")
    Path("file").write_text("")
    message = refuse("export", run_folder, "--format", "csv", "--out", "file/x")
    assert message.startswith("file/x: cannot write: ")
