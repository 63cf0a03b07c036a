"""Threads: the ways in which watched patterns can still match, and where they hold positions."""

from __future__ import annotations

from .program import MATCH, Instruction

# Where a position comes from: a register (0 and up), or one of these.
UNSET = -1
NOW = -2  # the present position; stored in a register only if the thread survives the next character
BEFORE = -3  # while stepping: the position before the character just read

Obligation = tuple[bool, frozenset["Way"]]
"""A look-ahead that is not decided yet: whether it is negative, and its own threads."""

Way = tuple[int, frozenset[Obligation]]
"""A thread of a look-ahead: the instruction it stands at, and what it waits for itself."""

Thread = tuple[int, int, tuple[int, ...], frozenset[Obligation]]
"""The instruction, the start, the slots (the end, then those of captures), and the obligations."""

Context = tuple[tuple[frozenset[int], ...], bool, bool]
"""What is known of the text before: look-behinds under way; whether a word character is last; whether there is none."""

NOTHING: frozenset[Obligation] = frozenset()


def is_final(thread: Thread, code: list[Instruction]) -> bool:
    return not thread[3] and code[thread[0]].op == MATCH


def order_of(thread: Thread) -> int:
    """Where a thread starts, as a number that orders starts."""
    start = thread[1]
    return start if start >= 0 else 1 << 30 if start == BEFORE else 1 << 31
