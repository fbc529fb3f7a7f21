# SPDX-License-Identifier: Apache-2.0
"""Finds what a saved sampler has left to give, also if its state is older than the syllabus's."""

from __future__ import annotations

from typing import Any, NamedTuple

from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus._states import at_least
from gradus._tuples import State, Ticket


class Drawn(NamedTuple):
    """A ticket of a batch, and the number of samples of its task that were given to all ranks
    together before."""

    ticket: Ticket
    position: int


Batch = list[Drawn]


class Unconsumed(NamedTuple):
    """The batches of the saved state that are not consumed, the tickets drawn after it was taken,
    and the number of its batches that were consumed since."""

    batches: list[Batch]
    later: list[Ticket]
    consumed: int


def unconsumed(state: State, syllabus: SyllabusLike) -> Unconsumed:
    """Compares a sampler's state with the loaded syllabus.

    A StatefulDataLoader with workers takes the sampler's state when it sends a batch to a worker,
    and hands it out when that batch arrives. By then the syllabus has settled tickets, and the
    sampler has drawn more, in order. All of them are outstanding, because none was handed out.
    """
    batches = [[_read_drawn(entry) for entry in batch] for batch in state["drawn"]]
    handed, issued = (at_least(f"saved {key}", state[key], 0) for key in ("handed", "issued"))
    left = [batch for batch in batches if _is_left(batch, syllabus)]
    for batch in batches[handed:]:
        if batch not in left and not all(syllabus.is_void(drawn.ticket) for drawn in batch):
            raise _out_of_step(batch[0].ticket.id)
    return Unconsumed(left, _later(issued, syllabus), len(batches) - len(left))


def _read_drawn(entry: Any) -> Drawn:
    *fields, position = entry
    ticket = Ticket(*fields)
    return Drawn(ticket, at_least(f"saved position of ticket {ticket.id}", position, 0))


def _is_left(batch: Batch, syllabus: SyllabusLike) -> bool:
    try:
        return any(syllabus.is_outstanding(drawn.ticket) for drawn in batch)
    except InputError as error:
        raise _out_of_step(batch[0].ticket.id) from error


def _later(issued: int, syllabus: SyllabusLike) -> list[Ticket]:
    """The outstanding tickets from the number `issued` on."""
    saved = syllabus.state_dict()
    void = {entry["id"] for entry in saved["void"]}
    found = {
        entry["id"]: Ticket(
            entry["drawn_as"], syllabus.tasks[entry["task"]], entry["probability"], entry["id"]
        )
        for entry in saved["outstanding"]
    }
    numbers = [number for number in range(issued, saved["issued"]) if number not in void]
    for number in numbers:
        if number not in found:
            raise _out_of_step(number)
    return [found[number] for number in numbers]


def _out_of_step(number: int) -> InputError:
    return InputError(
        f"saved sampler does not fit the syllabus: ticket {number} is not outstanding. First load "
        "the syllabus state that was saved at the same time; a StatefulDataLoader must keep "
        "snapshot_every_n_steps=1"
    )
