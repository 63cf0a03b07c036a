"""Literal delimiters: found with plain string search, no automaton needed."""

from __future__ import annotations

import re


def held_from(text: str, at: int, literal: str) -> int:
    """The first index from `at` on where the end of `text` may be the beginning of `literal`; else its length."""
    size = len(text)
    start = text.find(literal[0], max(at, size - len(literal) + 1))
    while start >= 0 and not literal.startswith(text[start:]):
        start = text.find(literal[0], start + 1)
    return size if start < 0 else start


class Literals:
    """Literals none of which is the beginning of another, looked for together.

    Args:
        literals: the literals; where two can start at one place they are equal, so that a match is never ambiguous.
    """

    __slots__ = ("_beginnings", "_first", "_longest", "search")

    def __init__(self, *literals: str) -> None:
        self.search = re.compile("|".join(map(re.escape, literals))).search
        self._longest = max(map(len, literals))
        self._beginnings = frozenset(literal[:end] for literal in literals for end in range(1, len(literal)))
        self._first = re.compile("[" + "".join(sorted({re.escape(literal[0]) for literal in literals})) + "]").search

    def held_from(self, text: str, at: int) -> int:
        """The first index from `at` on where the end of `text` may be the beginning of a literal; else its length."""
        size = len(text)
        match = self._first(text, max(at, size - self._longest + 1))
        while match is not None:
            if text[match.start() :] in self._beginnings:
                return match.start()
            match = self._first(text, match.end())
        return size
