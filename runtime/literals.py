"""Literal delimiters: found with plain string search, no automaton needed."""

from __future__ import annotations

import re
from collections.abc import Iterable

WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters of `\\s`."""


def held_from(text: str, at: int, literal: str) -> int:
    """The first index from `at` on where the end of `text` may be the beginning of `literal`; else its length."""
    size = len(text)
    start = size - len(literal) + 1
    start = text.find(literal[0], start if start > at else at)
    while start >= 0 and not literal.startswith(text[start:]):
        start = text.find(literal[0], start + 1)
    return size if start < 0 else start


class Literals:
    """Literals none of which is part of another, looked for together: the first one found is decided.

    Args:
        literals: the literals.
        lead: characters that may stand in any number in front of those in `led`, and belong to them.
        led: the literals that they can belong to.

    Attributes:
        find: searches a text from an index on for a literal, or the beginning of one at the end of the text; the match
            of a beginning has a `lastindex`.
        rest: what is left of a literal, by the beginning of it.
    """

    __slots__ = ("_lead", "_led", "find", "rest")

    def __init__(self, *literals: str, lead: str = "", led: tuple[str, ...] = ()) -> None:
        self.find = re.compile(_begun(literals)).search
        self.rest = _rests(literals)
        self._lead = frozenset(lead)
        self._led = _rests(led).keys()
        for beginning in self._led & _rests(set(literals).difference(led)).keys():
            del self.rest[beginning]  # the run in front belongs to some literals only that begin so

    def search(self, text: str, at: int) -> re.Match[str] | None:
        """Searches for a literal only; modules of form 1 call it."""
        found = self.find(text, at)
        return None if found is None or found.lastindex else found

    def held_from(self, text: str, at: int) -> int:
        """The first index from `at` on where the end of `text` may be the beginning of a delimiter; else its length.

        There is no whole literal from `at` on. Modules of form 1 call it.
        """
        return self.hold(text, at, self.find(text, at))

    def hold(self, text: str, at: int, beginning: re.Match[str] | None) -> int:
        """The same, given what `find` found from `at` on: a beginning or nothing."""
        if beginning is None:
            return self.lead_from(text, at, len(text)) if self._lead else len(text)
        start = beginning.start()
        if self._lead and beginning[0] in self._led:
            return self.lead_from(text, at, start)
        return start

    def lead_from(self, text: str, at: int, start: int) -> int:
        """Where the run of `lead` before index `start` begins, but not before `at`."""
        lead = self._lead
        while start > at and text[start - 1] in lead:
            start -= 1
        return start


def _rests(literals: Iterable[str]) -> dict[str, str]:
    """What is left of literals, by their beginnings."""
    return {text[:end]: text[end:] for text in literals for end in range(1, len(text))}


def _begun(literals: Iterable[str]) -> str:
    """A pattern of the literals, and of their beginnings at the end of the text, which match a group."""
    behind: dict[str, list[str]] = {}
    for text in literals:
        behind.setdefault(text[0], []).append(text[1:])
    return "|".join(re.escape(first) + _continued(rests) for first, rests in behind.items())


def _continued(rests: list[str]) -> str:
    """The pattern of what may follow a character that literals have in common."""
    if rests == [""]:
        return ""
    if len(rests) > 1:
        return rf"(?:{_begun(rests)}|\Z())"
    return rf"(?:{re.escape(rests[0])}|{beginning_of(rests[0])}\Z())"


def beginning_of(text: str) -> str:
    """A pattern for as much of the text as there is, by halves: if the first is there, the second may begin."""
    if len(text) == 1:
        return re.escape(text) + "?"
    half = len(text) // 2
    return f"(?>{re.escape(text[:half])}{beginning_of(text[half:])}|{beginning_of(text[:half])})"
