# SPDX-License-Identifier: Apache-2.0
"""Batches drawn by a syllabus do not depend on workers and resume exactly, even after a kill."""

import copy
import itertools
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from torch.utils.data import DataLoader

import gradus
from gradus.torch import SyllabusBatchSampler, SyllabusDataset, TaskDataset, TicketCollate
from loaders import SIZES, make_loader, reward_of, run, samples


def consume(loader, syllabus, count, rewards=True):
    """Returns (ticket, samples) of `count` batches, settling each before fetching the next."""
    seen = []
    for ticket, batch in loader:
        seen.append((ticket, batch.tolist()))
        syllabus.reward(ticket, reward_of(ticket)) if rewards else syllabus.drop(ticket)
        if len(seen) == count:
            return seen
    return seen


KINDS = ["map", "stream"]
ALL_KINDS = [*KINDS, "stateful", "iterators"]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_batches_are_the_same_whatever_the_number_of_workers(kind):
    seen = []
    for workers in (0, 1, 3):
        syllabus, _, loader = make_loader(kind, workers)
        seen.append(consume(loader, syllabus, 60))
    assert seen[0] == seen[1] == seen[2]
    assert len({ticket.probability for ticket, _ in seen[0]}) > 20, "the policy must learn"
    for ticket, values in seen[0]:
        assert all(value // 1000 == ticket.task for value in values), "samples of another task"


def test_draws_are_those_of_a_syllabus_that_is_rewarded_eight_draws_later():
    """By hand: nine draws first, and then one draw per reward."""
    syllabus, _, loader = make_loader("map", 0)
    seen = [ticket for ticket, _ in consume(loader, syllabus, 60)]
    plain = make_loader("map", 0)[0]
    tickets = [plain.draw() for _ in range(9)]
    for number in range(60):
        assert seen[number] == tickets[number]
        plain.reward(tickets[number], reward_of(tickets[number]))
        tickets.append(plain.draw())


def test_every_pass_over_a_data_set_has_each_sample_once_in_another_order():
    syllabus = gradus.Syllabus(["only"])
    sampler = SyllabusBatchSampler(syllabus, {"only": 12}, 4, batches=9, ahead=9)
    places = [place for drawn in sampler for _, place in drawn]
    passes = [places[start : start + 12] for start in (0, 12, 24)]
    for order in passes:
        assert sorted(order) == list(range(12))
    assert passes[0] != passes[1] != passes[2]


def test_a_stream_is_read_in_order_pass_after_pass():
    syllabus = gradus.Syllabus(["only"])
    dataset = SyllabusDataset(syllabus, {"only": range(5)}, 2, collate=list, batches=5, ahead=5)
    assert [batch for _, batch in dataset] == [[0, 1], [2, 3], [4, 0], [1, 2], [3, 4]]


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_resumed_run_goes_on_as_if_nothing_had_happened(kind):
    """Two workers, then three, then none. Saves while batches are prefetched."""
    syllabus, _, loader = make_loader(kind, 0)
    whole = consume(loader, syllabus, 60)
    seen, saved = [], None
    for workers in (2, 3, 0):
        syllabus, sampler, loader = make_loader(kind, workers)
        if saved is not None:
            saved = json.loads(json.dumps(saved))
            syllabus.load_state_dict(saved[0])
            sampler.load_state_dict(saved[1])
        seen += consume(loader, syllabus, 20)
        saved = syllabus.state_dict(), sampler.state_dict()
    assert seen == whole


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_run_is_resumed_with_other_workers_and_no_draw_is_lost_or_doubled(kind, tmp_path):
    log, state = tmp_path / "log", tmp_path / "state"
    for workers, lines in ((2, 15), (3, 40)):
        command = [sys.executable, __file__, kind, str(workers), str(log), str(state)]
        with subprocess.Popen(command, start_new_session=True) as process:
            deadline = time.monotonic() + 200
            while len(log.read_text().splitlines() if log.exists() else []) < lines:
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
    batches = len(log.read_text().splitlines()) + 40  # on a busy machine, the kill may come late
    run(kind, 0, str(log), str(state), batches)
    syllabus, _, loader = make_loader(kind, 0)
    whole = [[*ticket, values] for ticket, values in consume(loader, syllabus, batches)]
    # After a kill between writing the line and saving the state, the same line is written again.
    seen = {line[3]: line for line in map(json.loads, log.read_text().splitlines())}
    assert [seen[number] for number in sorted(seen)] == whole


def test_leaving_a_loop_early_loses_no_batch():
    syllabus, _, loader = make_loader("map", 0)
    expected = consume(loader, syllabus, 30)
    syllabus, _, loader = make_loader("map", 2)
    seen = []
    for _ in range(6):
        seen += consume(loader, syllabus, 5)
    assert seen == expected


def test_a_finite_sampler_has_a_length_and_the_same_epochs_whatever_the_workers():
    seen = []
    for workers in (0, 2, 3):
        syllabus, sampler, loader = make_loader("map", workers, batches=10)
        assert len(loader) == 10
        seen.append([consume(loader, syllabus, 99) for _ in range(3)])
        assert [len(epoch) for epoch in seen[-1]] == [10, 10, 10]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("stop", [13, 20])
def test_a_finite_sampler_is_resumed_in_the_middle_of_its_epoch_or_at_its_end(stop):
    syllabus, _, loader = make_loader("map", 0, batches=10)
    epochs = [consume(loader, syllabus, 99) for _ in range(4)]
    syllabus, sampler, loader = make_loader("map", 2, batches=10)
    seen = consume(loader, syllabus, 10) + consume(loader, syllabus, stop - 10)
    saved = syllabus.state_dict(), sampler.state_dict()
    syllabus, sampler, loader = make_loader("map", 3, batches=10)
    syllabus.load_state_dict(saved[0])
    sampler.load_state_dict(saved[1])
    while len(seen) < 40:
        seen += consume(loader, syllabus, 99)
    assert seen == sum(epochs, [])


def test_ranks_share_the_samples_of_a_batch():
    parts = []
    for rank in range(3):
        syllabus = gradus.Syllabus(["only"])
        sampler = SyllabusBatchSampler(
            syllabus, {"only": 60}, 5, batches=4, rank=rank, world_size=3
        )
        parts.append([place for drawn in sampler for _, place in drawn])
    assert sorted(sum(parts, [])) == list(range(60))


def test_dropped_and_void_tickets_count_as_consumed():
    syllabus, sampler, loader = make_loader("map", 0)
    consume(loader, syllabus, 20, rewards=False)
    tickets = Counter(entry[1] for [entry] in sampler.state_dict()["drawn"])
    assert tickets.total() == sampler.ahead == 8
    syllabus.remove("b")
    names = {ticket.name for ticket, _ in consume(loader, syllabus, 30)}
    assert names == {"a", "c"}


def test_a_task_added_later_is_drawn_when_its_data_were_there():
    data = samples()
    syllabus = gradus.Syllabus(["a", "b"], "uniform")
    sampler = SyllabusBatchSampler(syllabus, SIZES, 2)
    loader = DataLoader(TaskDataset(data), batch_sampler=sampler, collate_fn=TicketCollate())
    consume(loader, syllabus, 5)
    syllabus.add("c")
    assert {ticket.name for ticket, _ in consume(loader, syllabus, 60)} == {"a", "b", "c"}


def test_tickets_that_are_never_settled_are_refused():
    syllabus, _, loader = make_loader("map", 0)
    with pytest.raises(gradus.InputError, match="9 batches were taken whose tickets are neither"):
        for _ in loader:
            pass


def test_more_workers_than_tickets_ahead_are_refused():
    _, _, loader = make_loader("map", 5)
    with pytest.raises(gradus.InputError, match="prefetch_factor"):
        next(iter(loader))


def test_a_state_without_its_syllabus_is_refused():
    syllabus, sampler, loader = make_loader("map", 0)
    consume(loader, syllabus, 5)
    other = make_loader("map", 0)[1]
    with pytest.raises(gradus.InputError):
        other.load_state_dict(sampler.state_dict())
    with pytest.raises(gradus.InputError, match="a different format: None, expected"):
        other.load_state_dict({})
    with pytest.raises(gradus.InputError, match="a different ahead: 8, expected 3"):
        make_loader("map", 0, ahead=3)[1].load_state_dict(sampler.state_dict())


def resumed_sampler(syllabus, **options):
    """A sampler over a copy of the syllabus."""
    arguments = {"sizes": SIZES, "batch_size": 3, "ahead": 8, **options}
    return SyllabusBatchSampler(copy.deepcopy(syllabus), **arguments)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(batch_size=4), "a different batch_size: 3, expected 4; reshard=True allows it"),
        (dict(world_size=2), "a different world_size: 1, expected 2; reshard=True allows it"),
        (dict(sizes={**SIZES, "b": 13}), 'data set for "b": 12 samples, expected 13'),
        (dict(sizes=None), 'data set for "a": 7 samples, expected none'),
        (dict(seeds=True), "a different seeds: False, expected True"),
    ],
)
def test_the_state_of_another_sampler_is_refused_with_both_values(options, message):
    syllabus, sampler, loader = make_loader("map", 0)
    consume(loader, syllabus, 5)
    with pytest.raises(gradus.InputError, match=re.escape(message)):
        resumed_sampler(syllabus, **options).load_state_dict(sampler.state_dict())


def without(key):
    return lambda state: state.pop(key)


DAMAGE = {
    **{f"no {key}": without(key) for key in ("drawn", "handed", "issued", "positions")},
    "no sizes": without("sizes"),
    "no consumed": without("consumed"),
    "sizes": lambda state: state.update(sizes=3),
    "text for batches": lambda state: state.update(drawn="x"),
    "a number for a batch": lambda state: state.update(drawn=[3]),
    "a short ticket": lambda state: state["drawn"][0][0].pop(),
    "text in a ticket": lambda state: state["drawn"][0][0].__setitem__(3, "x"),
    "a negative place": lambda state: state["drawn"][0][0].__setitem__(4, -3),
    "a negative position": lambda state: state["positions"].update(a=-3),
    "a position of text": lambda state: state["positions"].update(a="3"),
    "a fraction": lambda state: state["positions"].update(a=1.5),
    "positions": lambda state: state.update(positions=[1]),
    "negative counts": lambda state: state.update(handed=-1),
    "negative consumed": lambda state: state.update(consumed=-1),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_state_is_refused_and_changes_nothing(how):
    syllabus, sampler, loader = make_loader("map", 0)
    consume(loader, syllabus, 5)
    other = resumed_sampler(syllabus)
    before, state = other.state_dict(), copy.deepcopy(sampler.state_dict())
    DAMAGE[how](state)
    with pytest.raises(gradus.InputError, match="saved"):
        other.load_state_dict(state)
    assert other.state_dict() == before


def test_what_is_no_state_is_refused():
    for kind in ("map", "stateful"):
        _, sampler, _ = make_loader(kind, 0)
        for state in (None, [], "x"):
            with pytest.raises(gradus.InputError, match="saved sampler is .*, expected a dict"):
                sampler.load_state_dict(state)


@pytest.mark.parametrize("streams", [3, {"a": 3}, {"a": [-1, {}]}, {"a": ["x", {}]}])
def test_damaged_states_of_streams_are_refused_and_change_nothing(streams):
    syllabus, dataset, loader = make_loader("stateful", 0)
    consume(loader, syllabus, 5)
    saved = dataset.state_dict()
    with pytest.raises(gradus.InputError, match="saved"):
        dataset.load_state_dict({**saved, "streams": streams})
    assert dataset.state_dict() == saved


def test_a_resharded_run_gives_every_sample_of_a_pass_once():
    """One rank with batches of 3, then two ranks with batches of 2."""
    syllabus = gradus.Syllabus(["only"])
    sampler = SyllabusBatchSampler(syllabus, {"only": 60}, 3, ahead=4)
    places = []
    for drawn in itertools.islice(sampler, 4):
        places += [place for _, place in drawn]
        syllabus.drop(drawn[0][0])
    for rank in range(2):
        other = copy.deepcopy(syllabus)
        part = SyllabusBatchSampler(other, {"only": 60}, 2, ahead=4, rank=rank, world_size=2)
        part.load_state_dict(sampler.state_dict(), reshard=True)
        for drawn in itertools.islice(part, 12):
            places += [place for _, place in drawn]
            other.drop(drawn[0][0])
    assert sorted(places) == list(range(60))


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copied_sampler_goes_on_alike_with_its_own_syllabus(clone):
    syllabus, sampler, loader = make_loader("map", 0)
    consume(loader, syllabus, 20)
    other_syllabus, other = clone((syllabus, sampler))
    assert other.syllabus is other_syllabus is not syllabus
    data = TaskDataset(samples())
    loaders = [
        DataLoader(data, batch_sampler=s, collate_fn=TicketCollate()) for s in (sampler, other)
    ]
    assert consume(loaders[0], syllabus, 20) == consume(loaders[1], other_syllabus, 20)
    assert syllabus.state_dict() == other_syllabus.state_dict()


def test_more_than_four_workers_work_with_the_defaults():
    syllabus, data = gradus.Syllabus(SIZES), TaskDataset(samples())
    sampler = SyllabusBatchSampler(syllabus, data.sizes(), 3, batches=20)
    loader = DataLoader(data, batch_sampler=sampler, collate_fn=TicketCollate(), num_workers=6)
    assert len(consume(loader, syllabus, 20)) == 20


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(batch_size=0), "batch_size is 0"),
        (dict(batch_size=1.5), "batch_size is 1.5"),
        (dict(ahead=-1), "ahead is -1"),
        (dict(batches=0), "batches is 0"),
        (dict(rank=2, world_size=2), r"rank is 2, expected 0..1"),
        (dict(sizes={"a": 1}), 'sizes has no entry for "b"'),
    ],
)
def test_bad_arguments_are_named(change, message):
    with pytest.raises(gradus.InputError, match=message):
        SyllabusBatchSampler(
            gradus.Syllabus(["a", "b"]), **{"sizes": {"a": 1, "b": 1}, "batch_size": 1, **change}
        )


def test_an_empty_data_set_or_stream_is_refused():
    syllabus = gradus.Syllabus(["a"])
    with pytest.raises(gradus.InputError, match='data set of task "a" has 0 samples'):
        next(iter(SyllabusBatchSampler(syllabus, {"a": 0}, 1)))
    with pytest.raises(gradus.InputError, match='stream of task "a" is empty'):
        next(iter(SyllabusDataset(gradus.Syllabus(["a"]), {"a": []}, 1)))
    with pytest.raises(gradus.InputError, match='streams has no entry for "a"'):
        SyllabusDataset(syllabus, {"b": []}, 1)


def test_a_stream_dataset_draws_in_the_main_process_only():
    dataset = SyllabusDataset(gradus.Syllabus(["a"]), {"a": range(9)}, 2)
    assert next(iter(DataLoader(dataset, batch_size=None))).data.tolist() == [0, 1]
    with pytest.raises(gradus.InputError, match="draws in the main process"):
        next(iter(DataLoader(dataset, batch_size=None, num_workers=1)))


if __name__ == "__main__":
    run(sys.argv[1], int(sys.argv[2]), *sys.argv[3:], batches=10**6)
