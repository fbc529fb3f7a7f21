# SPDX-License-Identifier: Apache-2.0
"""What a measured training step is: measurements before and after, and tickets to settle."""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Optional, TypeVar

from gradus._core import InputError
from gradus._protocols import SyllabusLike
from gradus._tuples import Ticket

Self = TypeVar("Self", bound="MeasuredStep")


class MeasuredStep(abc.ABC):
    """A training step, as a context manager or by begin() and finish(). Its tickets are dropped if
    the step or a measurement raises an exception."""

    def __init__(self, syllabus: SyllabusLike, tickets: Sequence[Ticket]) -> None:
        self._syllabus = syllabus
        self._tickets = tickets

    @abc.abstractmethod
    def _measure_before(self) -> None:
        ...

    @abc.abstractmethod
    def _measure_after(self) -> None:
        ...

    @abc.abstractmethod
    def _settle(self) -> None:
        ...

    def __enter__(self: Self) -> Self:
        self.begin()
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self.finish()
        else:
            self.drop()

    def begin(self) -> None:
        """Takes the measurements that are due before the update. If one fails, the tickets are
        dropped."""
        with self._dropped_on_error():
            self._measure_before()

    def finish(self) -> None:
        """Takes the measurements that are due after the update and settles the tickets. If one
        fails, the tickets are dropped."""
        with self._dropped_on_error():
            self._measure_after()
            self._settle()

    def drop(self) -> None:
        """Gives the step up, for example if its update failed: drops the tickets that are still
        outstanding."""
        for ticket in self._tickets:
            if self._is_outstanding(ticket):
                self._syllabus.drop(ticket)

    def _left(self) -> list[Ticket]:
        """The tickets without those whose tasks were removed, which earn nothing."""
        return [ticket for ticket in self._tickets if not self._syllabus.is_void(ticket)]

    def _is_outstanding(self, ticket: Ticket) -> bool:
        try:
            return self._syllabus.is_outstanding(ticket)
        except InputError:  # a ticket of another syllabus
            return False

    @contextlib.contextmanager
    def _dropped_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.drop()
            raise
