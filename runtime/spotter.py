"""Where in a text an automaton has to look at all."""

from __future__ import annotations

import re
from collections.abc import Container

from .literals import Literals
from .pattern import Chars


class Spotter:
    """Finds the places where an automaton has to look, so that the text between them costs next to nothing.

    Args:
        starts: literals with one of which every match starts, behind `lead`; none of them is part of another.
        first: if there are no such: the characters that every match starts with; `None` if it can start anywhere.
        lead: characters that may stand in any number in front of those, as white space in `\\s*<tool_call>`.
    """

    __slots__ = ("_find", "_lead", "_literals", "everywhere")

    def __init__(self, starts: tuple[str, ...] = (), first: Chars | None = None, lead: str | Chars = "") -> None:
        self.everywhere = first is None and not starts
        self._literals = Literals(*starts) if starts else None
        self._find = re.compile(char_class(first)).search if first is not None else None
        self._lead: Container[str] = frozenset(lead) if isinstance(lead, str) else lead

    def spot(self, text: str, at: int) -> tuple[int, bool]:
        """Where to look next from index `at` on, and whether there is anything to look for yet.

        If there is not, the text from the returned index on may be the beginning of a match, but is no more than
        `lead` and the beginning of a start: the automaton is not needed to see whether that goes on.
        """
        if self.everywhere:
            return at, True
        if self._literals is not None:
            match = self._literals.search(text, at)
            hot = match is not None
            start = match.start() if match is not None else self._literals.held_from(text, at)
        else:
            assert self._find is not None
            match = self._find(text, at)
            hot = match is not None
            start = match.start() if match is not None else len(text)
        lead = self._lead
        if lead:
            while start > at and text[start - 1] in lead:
                start -= 1
        return start, hot


def char_class(chars: Chars) -> str:
    """The set as a class of the standard library's `re`."""
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in chars.ranges) + "]"
