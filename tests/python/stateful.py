# SPDX-License-Identifier: Apache-2.0
"""A stand-in for torchdata's StatefulDataLoader, which is not in Debian: torch's own DataLoader with
state_dict and load_state_dict as torchdata documents them. With workers, the sampler's state is that
of the moment at which a batch was sent to its worker, and the dataset's state is each worker's own.
"""

import collections
import copy

from torch.utils.data import DataLoader, get_worker_info
from torch.utils.data.dataloader import (
    _MultiProcessingDataLoaderIter,
    _SingleProcessDataLoaderIter,
)


def state_of(thing):
    return copy.deepcopy(thing.state_dict()) if hasattr(thing, "state_dict") else None


class SendStates:
    """In a worker: adds the dataset's state to each batch."""

    def __init__(self, collate):
        self.collate = collate

    def __call__(self, samples):
        worker = get_worker_info()
        return self.collate(samples), worker.id, state_of(worker.dataset)


class LoadStates:
    """In a new worker: loads the dataset's state of the worker with the same number."""

    def __init__(self, states):
        self.states = states

    def __call__(self, number):
        state = self.states.get(number)
        if state is not None:
            get_worker_info().dataset.load_state_dict(state)


class WorkersIter(_MultiProcessingDataLoaderIter):
    def __init__(self, loader, worker_states):
        self.sent = collections.deque()
        self.worker_states = dict(worker_states)
        super().__init__(loader)

    def _next_index(self):
        index = super()._next_index()
        self.sent.append(state_of(self._index_sampler))
        return index

    def __next__(self):
        data, worker, state = super().__next__()
        self.sampler_state = self.sent.popleft()
        self.worker_states[worker] = state
        return data


class StatefulDataLoader(DataLoader):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self._state = None
        self._current = None
        if self.num_workers:
            self.collate_fn = SendStates(self.collate_fn)

    def __iter__(self):
        state, self._state = self._state, None
        if state is not None:
            self.batch_sampler.load_state_dict(state["sampler"])
        if not self.num_workers:
            if state is not None and state["dataset"] is not None:
                self.dataset.load_state_dict(state["dataset"])
            self._current = _SingleProcessDataLoaderIter(self)
            return self._current
        states = {} if state is None else self._from_next(state["workers"], state["yielded"])
        self.worker_init_fn = LoadStates(states)
        self._current = WorkersIter(self, states)
        return self._current

    def _from_next(self, states, yielded):
        """The states by worker, numbered from the one whose turn is next."""
        return {(worker - yielded) % self.num_workers: state for worker, state in states.items()}

    def state_dict(self):
        if not self.num_workers:
            return {"sampler": state_of(self.batch_sampler), "dataset": state_of(self.dataset)}
        return {
            "sampler": self._current.sampler_state,
            "workers": copy.deepcopy(self._current.worker_states),
            "yielded": self._current._num_yielded,
        }

    def load_state_dict(self, state):
        self._state = state
