# SPDX-License-Identifier: Apache-2.0
"""The mixture for other loaders. Those of the examples are not installed here, so they are replaced
by small stand-ins of their documented interfaces."""

import collections
import importlib.util
import itertools
import json
import pathlib
import random
import sys
import types

import pytest

import gradus

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "pytorch" / "blends.py"


def make(**options):
    return gradus.Syllabus(["web", "code"], eta=0.2, epsilon=0.1, **options)


def test_a_mixture_is_published_when_it_changes_and_the_file_is_replaced(tmp_path):
    syllabus = make(prior={"web": 3, "code": 1})
    weights = gradus.Weights(syllabus, tmp_path / "mixture.json")
    assert weights() == pytest.approx({"web": 0.75, "code": 0.25}) and weights.version == 0
    assert weights() == syllabus.probabilities() and weights.version == 0
    for progress in range(5):
        weights.reward({"code": progress}, {"code": 1}, weights.version)
        mixture, version = weights(), weights.version
        written = json.loads((tmp_path / "mixture.json").read_text())
        assert written == {"format": "gradus-mixture", "version": version, "weights": mixture}
    assert mixture["code"] > 0.25 and version >= 3
    assert [path.name for path in tmp_path.iterdir()] == ["mixture.json"]


def test_a_late_reward_is_weighted_by_the_mixture_of_its_samples():
    """Compares with tickets that have the probabilities of the first version."""
    late, plain = make(), make()
    weights = gradus.Weights(late)
    first = weights()
    for syllabus in (late, plain):
        for progress in (1, 2, 3, 4):
            syllabus.reward(syllabus.ticket_for("web"), progress)
    assert weights() != first and weights.version == 1
    rewards = weights.reward({"code": 4, "web": 1}, {"code": 2, "web": 1}, 0, {"code": 2, "web": 1})
    for task, progress, cost in (("code", 4, 2), ("code", 4, 2), ("web", 1, 1)):
        last = plain.reward(plain.ticket_for(task, probability=first[task]), progress, cost)
    assert rewards["web"] == last
    assert late.state_dict() == plain.state_dict()


def test_a_reward_that_is_too_late_is_counted_and_changes_nothing():
    syllabus = make()
    weights = gradus.Weights(syllabus, keep=2)
    while weights.version < 2:
        syllabus.reward(syllabus.draw(), syllabus.rounds)
        weights()
    before = syllabus.state_dict()
    assert weights.reward({"web": 1, "code": 2}, {"web": 3, "code": 1}, 0) == {}
    assert weights.stale == 2 and syllabus.state_dict() == before
    for progress, counts, version, message in [
        ({"web": 1}, {"web": 1}, 3, "version is 3, expected one from 0 to 2"),
        ({"web": 1}, {"code": 1}, 2, "expected the same"),
        ({"maths": 1}, {"maths": 1}, 2, 'task "maths" was not in the mixture of version 2'),
        ({"web": float("nan")}, {"web": 1}, 2, "progress is nan"),
    ]:
        with pytest.raises(gradus.InputError, match=message):
            weights.reward(progress, counts, version)
    with pytest.raises(gradus.InputError, match="and cost .'code'., expected the same"):
        weights.reward({"web": 1}, {"web": 1}, 2, {"code": 1})
    with pytest.raises(gradus.InputError, match='counts has -1 for "web", expected 0 or more'):
        weights.reward({"web": 1}, {"web": -1}, 2)
    assert syllabus.outstanding == 0


def test_a_task_that_was_removed_since_then_earns_nothing_and_the_others_do():
    """A loader still delivers samples of it, which were drawn before."""
    syllabus = make()
    weights = gradus.Weights(syllabus)
    weights()
    syllabus.remove("code")
    assert set(weights.reward({"web": 1, "code": 2}, {"web": 3, "code": 4}, 0)) == {"web"}
    assert (syllabus.rounds, syllabus.outstanding) == (3, 0)


def test_saved_weights_continue_exactly(tmp_path):
    one, other = make(), make()
    weights = gradus.Weights(one)
    weights()
    one.reward(one.draw(), 1)
    weights()
    again = gradus.Weights(other, tmp_path / "mixture.json")
    other.load_state_dict(one.state_dict())
    again.load_state_dict(json.loads(json.dumps(weights.state_dict())))
    assert json.loads((tmp_path / "mixture.json").read_text())["version"] == weights.version
    for each in (weights, again):
        each.reward({"web": 2}, {"web": 3}, 0)
    assert again() == weights() and again.version == weights.version
    with pytest.raises(gradus.InputError, match="a different format"):
        again.load_state_dict(one.state_dict())


@pytest.mark.parametrize(
    "change",
    [
        {"version": None},
        {"version": "1"},
        {"version": -2},
        {"version": 5},
        {"stale": -1},
        {"stale": 0.5},
        {"published": 3},
        {"published": [[0]]},
        {"published": [[0, None]]},
        {"published": [[0, {"web": "x"}]]},
        {"published": [[0, {"web": -0.5}]]},
        {"published": []},
    ],
)
def test_damaged_saved_weights_are_refused_and_change_nothing(change):
    weights = gradus.Weights(make())
    weights()
    saved = weights.state_dict()
    with pytest.raises(gradus.InputError, match="saved"):
        weights.load_state_dict({**saved, **change})
    lacking = {key: value for key, value in saved.items() if key not in change}
    for damaged in (lacking, None, []):
        with pytest.raises(gradus.InputError, match="saved weights"):
            weights.load_state_dict(damaged)
    assert weights.state_dict() == saved


class Iterable:
    """datasets.IterableDataset: iteration, repeat, skip and take."""

    def __init__(self, samples):
        self.samples = samples

    def __iter__(self):
        return iter(self.samples())

    def repeat(self, num_times):
        assert num_times is None
        return Iterable(
            lambda: itertools.chain.from_iterable(self.samples() for _ in itertools.count())
        )

    def skip(self, n):
        return Iterable(lambda: itertools.islice(self.samples(), n, None))

    def take(self, n):
        return Iterable(lambda: itertools.islice(self.samples(), n))


def interleave_datasets(datasets, probabilities, seed):
    """Ends with the first dataset that ends, the default of the package."""
    assert sum(probabilities) == pytest.approx(1)

    def samples():
        draw, sources = random.Random(seed), [iter(dataset) for dataset in datasets]
        while True:
            try:
                yield next(draw.choices(sources, probabilities)[0])
            except StopIteration:
                return

    return Iterable(samples)


class Recorded:
    """streaming.Stream and streaming.StreamingDataset keep their keyword arguments."""

    def __init__(self, **arguments):
        self.__dict__.update(arguments)


@pytest.fixture
def blends(monkeypatch):
    datasets, streaming = types.ModuleType("datasets"), types.ModuleType("streaming")
    datasets.interleave_datasets = interleave_datasets
    streaming.Stream = streaming.StreamingDataset = Recorded
    monkeypatch.setitem(sys.modules, "datasets", datasets)
    monkeypatch.setitem(sys.modules, "streaming", streaming)
    spec = importlib.util.spec_from_file_location("blends", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stream(task, length=sys.maxsize):
    return Iterable(lambda: ({"task": task, "number": k} for k in range(length)))


def test_interleaved_datasets_go_on_where_they_were_and_follow_the_mixture(blends):
    syllabus = gradus.Syllabus(["web", "code"], eta=0.01, prior={"web": 9, "code": 1})
    weights = gradus.Weights(syllabus)
    numbers, shares = collections.defaultdict(list), []
    loader = blends.interleaved(weights, {"web": stream("web"), "code": stream("code")}, 50, {})
    for _ in range(20):
        counts = collections.Counter()
        for version, sample in itertools.islice(loader, 50):
            numbers[sample["task"]].append(sample["number"])
            counts[sample["task"]] += 1
        shares.append(counts["code"] / 50)
        weights.reward({task: task == "code" for task in counts}, counts, version)
    for seen in numbers.values():
        assert seen == list(range(len(seen))), "no sample may be lost or come twice"
    assert weights.version >= 18 and sum(shares[-5:]) > sum(shares[:5]) + 1


def test_interleaved_datasets_start_over_when_they_end_and_resume(blends):
    """The mixture never changes here, but every segment has draws of its own."""
    streams = {"web": stream("web", 30), "code": stream("code", 7)}
    syllabus = gradus.Syllabus(streams, "uniform")

    def samples(count, taken):
        loader = blends.interleaved(gradus.Weights(syllabus), streams, 50, taken)
        return [sample for _, sample in itertools.islice(loader, count)]

    whole = samples(300, {})
    for task, length in (("web", 30), ("code", 7)):
        seen = [sample["number"] for sample in whole if sample["task"] == task]
        assert seen == [k % length for k in range(len(seen))] and len(seen) > 100
    tasks = [sample["task"] for sample in whole]
    assert len({tuple(tasks[start : start + 50]) for start in range(0, 300, 50)}) == 6
    taken = {}
    assert samples(100, taken) + samples(200, taken) == whole


def test_streaming_and_megatron_get_the_current_mixture(blends, tmp_path):
    syllabus = gradus.Syllabus(["web", "code"], prior={"web": 3, "code": 1})
    weights = gradus.Weights(syllabus)
    segment = blends.streaming_segment(weights, {"web": "/w", "code": "/c"}, 1000, 8, 5)
    assert [stream.local for stream in segment.streams] == ["/w", "/c"]
    assert [stream.proportion for stream in segment.streams] == pytest.approx([0.75, 0.25])
    assert (segment.epoch_size, segment.batch_size, segment.shuffle_seed) == (1000, 8, 5)
    blends.megatron_blend(weights, {"web": "/w/text", "code": "/c/text"}, tmp_path / "blend")
    assert (tmp_path / "blend").read_text() == "0.750000 /w/text 0.250000 /c/text\n"
