# SPDX-License-Identifier: Apache-2.0
"""Checks for saved states, which may be damaged or edited."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from gradus._core import InputError


@contextlib.contextmanager
def reading(what: str, state: Any) -> Iterator[None]:
    """Raises InputError if the block cannot read the state because something in it is missing or of
    another type."""
    if not isinstance(state, Mapping):
        raise InputError(f"saved {what} is {state!r}, expected a dict")
    try:
        yield
    except InputError:
        raise
    except KeyError as error:
        raise InputError(f"saved {what} is damaged: it has no {error}") from error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"saved {what} is damaged: {error}") from error


def at_least(name: str, value: Any, least: int) -> int:
    """Raises InputError unless the value is a whole number and not below `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} is {value!r}, expected a whole number, {least} or more")
    return value
