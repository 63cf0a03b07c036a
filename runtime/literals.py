"""Literal delimiters: found with plain string search, no automaton needed."""

from __future__ import annotations

import re

WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters of `\\s`."""


def held_from(text: str, at: int, literal: str) -> int:
    """The first index from `at` on where the end of `text` may be the beginning of `literal`; else its length."""
    size = len(text)
    start = text.find(literal[0], max(at, size - len(literal) + 1))
    while start >= 0 and not literal.startswith(text[start:]):
        start = text.find(literal[0], start + 1)
    return size if start < 0 else start


class Literals:
    """Literals none of which is part of another, looked for together: the first one found is decided.

    Args:
        literals: the literals.
        lead: characters that may stand in any number in front of those in `led`, and belong to them.
        led: the literals that they can belong to.
    """

    __slots__ = ("_beginnings", "_first", "_lead", "_led", "_longest", "search")

    def __init__(self, *literals: str, lead: str = "", led: tuple[str, ...] = ()) -> None:
        self.search = re.compile("|".join(map(re.escape, literals))).search
        self._longest = max(map(len, literals))
        self._beginnings = beginnings(literals)
        self._first = re.compile("[" + "".join(sorted({re.escape(literal[0]) for literal in literals})) + "]").search
        self._lead = frozenset(lead)
        self._led = beginnings(led)

    def held_from(self, text: str, at: int) -> int:
        """The first index from `at` on where the end of `text` may be the beginning of a delimiter; else its length."""
        size = len(text)
        match = self._first(text, max(at, size - self._longest + 1))
        while match is not None:
            start = match.start()
            if text[start:] in self._beginnings:
                return self.lead_from(text, at, start) if self._lead and text[start:] in self._led else start
            match = self._first(text, match.end())
        return self.lead_from(text, at, size) if self._lead else size

    def lead_from(self, text: str, at: int, start: int) -> int:
        """Where the run of `lead` before index `start` begins, but not before `at`."""
        lead = self._lead
        while start > at and text[start - 1] in lead:
            start -= 1
        return start


def beginnings(literals: tuple[str, ...]) -> frozenset[str]:
    """All texts that a literal begins with, short of the literal itself."""
    return frozenset(literal[:end] for literal in literals for end in range(1, len(literal)))
