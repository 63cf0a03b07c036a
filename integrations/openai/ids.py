"""The ids of calls and of whole answers."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex

NewId = Callable[[], str]


def new_call_id() -> str:
    """A random id for a call."""
    return f"call_{token_hex(12)}"


def numbered(prefix: str = "call_") -> NewId:
    """A factory of ids that count from 0: for tests, and wherever the same reply is to give the same bytes."""
    count = 0

    def new_id() -> str:
        nonlocal count
        count += 1
        return f"{prefix}{count - 1}"

    return new_id
