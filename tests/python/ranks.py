# SPDX-License-Identifier: Apache-2.0
"""Functions that the processes of the distributed tests run. Each returns plain values."""

import math
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import gradus
from gradus.torch import (
    DistributedSyllabus,
    Gain,
    RanksDiverged,
    SyllabusBatchSampler,
    SyllabusDataset,
)
from gradus.torch.prompts import PromptSampler
from loaders import SIZES, StatefulStreams

ROUNDS = 30


def make():
    return gradus.Syllabus(SIZES, seed=5, eta=0.3)


def progress_of(ticket, rank):
    """Differs from rank to rank."""
    return math.sin(ticket.id + 2 * rank) - ticket.task


def mean_progress(ticket, world):
    return sum(progress_of(ticket, rank) for rank in range(world)) / world


def train(rank, world, state):
    """Draws tickets and settles them, starting from a saved state if there is one."""
    syllabus = DistributedSyllabus(make())
    sampler = SyllabusBatchSampler(syllabus, SIZES, 2, ahead=8)
    if state is not None:
        syllabus.load_state_dict(state[0])
        sampler.load_state_dict(state[1], reshard=True)
    seen = []
    for drawn in sampler:
        ticket = drawn[0][0]
        reward = syllabus.reward(ticket, progress_of(ticket, rank), cost=1 + rank)
        seen.append((ticket, [place for _, place in drawn], reward))
        if len(seen) == ROUNDS:
            return seen, (syllabus.state_dict(), sampler.state_dict())


def read_streams(rank, world, state):
    """Reads ten batches of two streams with states. Returns the samples by task, the number of
    samples read, and the states."""
    syllabus = DistributedSyllabus(gradus.Syllabus(["a", "b"], "uniform"))
    streams = {task: StatefulStreams(range(1000)) for task in "ab"}
    dataset = SyllabusDataset(syllabus, streams, 2, ahead=3)
    if state is not None:
        syllabus.load_state_dict(state[0])
        dataset.load_state_dict(state[1], reshard=True)
    StatefulStreams.reads.value = 0
    seen = {"a": [], "b": []}
    for _, (ticket, batch) in zip(range(10), dataset):
        seen[ticket.name] += batch.tolist()
        syllabus.reward(ticket, 1.0)
    return seen, StatefulStreams.reads.value, (syllabus.state_dict(), dataset.state_dict())


def draw_prompts(rank, world, _):
    """Draws batches of prompts. Every rank scores its part of the attempts, and gathers the rest.
    Returns the prompts and the syllabus's fingerprint."""
    tasks = ["abc"[place % 3] for place in range(30)]
    sampler = PromptSampler(gradus.Syllabus(["a", "b", "c"], eta=0.3), tasks, 6, each=2)
    seen = []
    for places in zip(*[iter(sampler)] * 12):
        parts = torch.tensor([float((place + k) % 2) for k, place in enumerate(places)])
        if world > 1:
            mine = parts.chunk(world)[rank].contiguous()
            gathered = [torch.empty_like(mine) for _ in range(world)]
            dist.all_gather(gathered, mine)
            parts = torch.cat(gathered)
        sampler.reward_attempts(parts.tolist(), "advantage")
        seen.append(places)
    return seen, sampler.syllabus.fingerprint()


def diverge(rank, world, how):
    """Rank 1 differs, by its seed or in round 3. Returns the round and the error on this rank."""
    syllabus = make() if (how, rank) != ("seed", 1) else gradus.Syllabus(SIZES, seed=6, eta=0.3)
    shared = DistributedSyllabus(syllabus)
    try:
        for number in range(6):
            ticket = shared.draw()
            odd = rank == 1 and number == 3
            if odd and how == "drop":
                shared.drop(ticket)
                ticket = shared.draw()
            if odd and how == "batch":
                shared.reward_batch([ticket], 1.0)
            if odd and how == "limit":
                syllabus.limit("a", floor=0.5)
            shared.reward(ticket, 1.0)
        shared.check()
    except RanksDiverged as error:
        return number, str(error)
    return None


def settle_together(rank, world, _):
    """Settles a batch of tickets and then all tasks. Returns the rewards and the state."""
    shared = DistributedSyllabus(make())
    tickets = shared.draw(4, quotas=True)
    rewards = shared.reward_batch(tickets, [progress_of(t, rank) for t in tickets], 1 + rank)
    progress = {task: rank + place for place, task in enumerate(shared.tasks)}
    rewards += shared.reward_all(progress, dict.fromkeys(shared.tasks, 2)).values()
    return rewards, shared.state_dict()


def report_mixture(rank, world, _):
    """Reports progress on samples of a loader's own. Returns the rewards and the state."""
    shared = DistributedSyllabus(make())
    weights = gradus.Weights(shared)
    weights()
    rewards = weights.reward({"a": rank, "b": 2 * rank}, {"a": 3, "b": 1}, 0, 1 + rank)
    return rewards, shared.state_dict()


def make_master():
    return gradus.Syllabus(SIZES, policy="corral", bases="exp3s,exp3s", seed=5)


def settle_signals(rank, world, _):
    """Settles tickets by two signals. Returns the rewards and the state."""
    shared = DistributedSyllabus(make_master())
    rewards = []
    for _ in range(5):
        ticket = shared.draw()
        rewards.append(shared.reward(ticket, [rank + ticket.id, rank - ticket.task], 1 + rank))
    return rewards, shared.state_dict()


def refuse(rank, world, _):
    """Rank 1 reports NaN. Returns the error on this rank and whether its state is unchanged."""
    shared = DistributedSyllabus(make())
    ticket = shared.draw()
    before = shared.state_dict()
    try:
        shared.reward(ticket, math.nan if rank == 1 else 1.0)
    except gradus.InputError as error:
        shared.check()
        return str(error), before == shared.state_dict()
    return None


WRONG = {
    "unknown task": ({"a": 1, "b": 2, "c": 3, "z": 4}, 1.0),
    "missing task": ({"a": 1, "b": 2}, 1.0),
    "unknown cost": ({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 1, "c": 1, "z": 1}),
    "missing cost": ({"a": 1, "b": 2, "c": 3}, {"a": 1}),
    "text": ({"a": 1, "b": "x", "c": 3}, 1.0),
    "list": ([1, 2, 3], 1.0),
    "nan": ({"a": 1, "b": math.nan, "c": 3}, 1.0),
}


def refuse_all(rank, world, everywhere):
    """Passes wrong arguments to reward_all, on every rank or on rank 1 only. Returns the errors, and
    whether the state is unchanged."""
    shared, errors = DistributedSyllabus(make()), []
    before = shared.state_dict()
    for progress, cost in WRONG.values():
        right = ({"a": 1, "b": 2, "c": 3}, 1.0)
        try:
            shared.reward_all(*((progress, cost) if everywhere or rank == 1 else right))
        except gradus.InputError as error:
            errors.append(str(error))
    return errors, shared.state_dict() == before


def refuse_stale(rank, world, _):
    """Steps with a ticket that was settled before. Returns the errors and the state."""
    shared = DistributedSyllabus(make())
    model = torch.nn.Linear(1, 1)
    losses = lambda model, batch: (model(batch) ** 2).squeeze(1)
    gain = Gain("pg", shared, model, loss_per_sample=losses)
    stale, *others = shared.draw(4)
    shared.reward(stale, 1.0)
    errors = []
    for tickets in (stale, [*others, stale]):
        try:
            with gain.step(tickets, torch.ones(len(tickets), 1)):
                pass
        except gradus.InputError as error:
            errors.append(str(error))
    shared.check()
    return errors, shared.outstanding, shared.state_dict()


def _child(rank, world, store, jobs, results, backend):
    dist.init_process_group(backend, init_method=f"file://{store}", rank=rank, world_size=world)
    results.put((rank, [work(rank, world, argument) for work, argument in jobs]))
    dist.barrier()
    dist.destroy_process_group()


def on_ranks(world, jobs, backend="gloo"):
    """Runs `jobs`, pairs of a function and its argument, on every rank. Returns, for each job, its
    results by rank. All jobs share the processes, since starting them takes most of the time."""
    context = mp.get_context("spawn")
    results = context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        arguments = (world, f"{folder}/store", jobs, results, backend)
        children = [
            context.Process(target=_child, args=(rank, *arguments)) for rank in range(world)
        ]
        for child in children:
            child.start()
        try:
            found = dict(results.get(timeout=120) for _ in children)
            for child in children:
                child.join(timeout=30)
                assert child.exitcode == 0
        finally:
            for child in children:
                child.kill()
    return list(zip(*(found[rank] for rank in range(world))))
