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
        search: searches for a literal only; modules of form 1 ask for it.
        rest: what is left of a literal, by the beginning of it.
    """

    __slots__ = ("_lead", "_led", "find", "rest", "search")

    def __init__(self, *literals: str, lead: str = "", led: tuple[str, ...] = ()) -> None:
        whole = "|".join(map(re.escape, literals))
        self.search = re.compile(whole).search
        self.find = re.compile(rf"{whole}|(?:{_beginning(literals)})\Z()").search
        self.rest = {text[:end]: text[end:] for text in literals for end in range(1, len(text))}
        if lead:  # not where the run in front belongs to some literals only that begin so
            for text in set(literals) - set(led):
                for end in range(1, len(text)):
                    if any(one.startswith(text[:end]) for one in led):
                        self.rest.pop(text[:end], None)
        self._lead = frozenset(lead)
        self._led = frozenset(text[:end] for text in led for end in range(1, len(text)))

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


def _beginning(literals: Iterable[str]) -> str:
    """A pattern of what the literals begin with, as much as there is."""
    behind: dict[str, set[str]] = {}
    for text in literals:
        behind.setdefault(text[0], set()).add(text[1:])
    options = []
    for first, rest in sorted(behind.items()):
        more = sorted(rest - {""})
        options.append(re.escape(first) + (f"(?:{_beginning(more)})?" if more else ""))
    return "|".join(options)
