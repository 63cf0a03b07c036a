"""Where in a text an automaton has to look at all."""

from __future__ import annotations

import re

from .pattern import Chars


class Spotter:
    """Finds the places where an automaton has to look, so that the text between them costs next to nothing.

    Args:
        first: the characters a match can start with, behind `lead`; `None` if it can start anywhere.
        lead: characters that may stand in any number in front of those, as white space in `\\s*<tool_call>`.
    """

    __slots__ = ("_find", "_first", "_lead", "everywhere")

    def __init__(self, first: Chars | str | None, lead: Chars | None = None) -> None:
        self.everywhere = first is None
        self._first = first if isinstance(first, str) else ""
        self._find = re.compile(char_class(first)).search if isinstance(first, Chars) else None
        self._lead = lead

    def spot(self, text: str, at: int) -> tuple[int, bool]:
        """Where to look next from index `at` on, and whether there is anything to look for.

        If there is not, the text from the returned index on is a run of `lead` characters: the next character decides.
        """
        if self.everywhere:
            return at, True
        if self._find is None:
            found = text.find(self._first, at)
        else:
            match = self._find(text, at)
            found = match.start() if match else -1
        hot = found >= 0
        start = found if hot else len(text)
        lead = self._lead
        if lead is not None:
            while start > at and text[start - 1] in lead:
                start -= 1
        return start, hot


def char_class(chars: Chars) -> str:
    """The set as a class of the standard library's `re`."""
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in chars.ranges) + "]"
