"""Where in a text an automaton has to look at all."""

from __future__ import annotations

import re

from .literals import Literals
from .pattern import ANY, Chars, CharSet, char_class


class Spotter:
    """Finds the places where an automaton has to look, so that the text between them costs next to nothing.

    Args:
        starts: literals with one of which every match starts, behind `lead`; none of them is part of another.
        first: if there are no such: the characters that every match starts with; `None` if it can start anywhere.
        lead: characters that may stand in any number in front of those, as white space in `\\s*<tool_call>`.
        wary: the end of a text may only look like the beginning of a match, so that it is always worth a look.

    Attributes:
        rest: what is left of a start, by the beginning of it.
    """

    __slots__ = ("_find", "_lead", "_plain", "_wary", "everywhere", "rest")

    def __init__(
        self, starts: tuple[str, ...] = (), first: Chars | None = None, lead: str | Chars = "", wary: bool = False
    ) -> None:
        self.everywhere = first is None and not starts
        literals = Literals(*starts) if starts else None
        self._find = literals.find if literals else re.compile(char_class(first or ANY)).search
        self.rest = literals.rest if literals else {}
        self._lead: CharSet = frozenset(lead) if isinstance(lead, str) else lead
        self._wary = wary
        self._plain = not (lead or wary)

    def spot(self, text: str, at: int) -> tuple[int, bool]:
        """Where to look next from index `at` on, and whether there is anything to look for yet.

        If there is not, the text from the returned index on is a run of `lead`, or the beginning of a start: no
        automaton is needed to see whether that goes on.
        """
        if self.everywhere:
            return at, True
        match = self._find(text, at)
        start = len(text) if match is None else match.start()
        if self._plain:
            return start, match is not None and not match.lastindex
        hot = match is not None
        lead = self._lead
        while start > at and text[start - 1] in lead:
            start -= 1
        return start, hot or (self._wary and start < len(text))
