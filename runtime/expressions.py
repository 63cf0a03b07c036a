"""Delimiters that are decided by their own last character, found with the standard library's regular expressions.

At a place a text holds such a delimiter, or at its end a beginning of one, or neither. Two regular expressions tell
which: the delimiter's own, which a generated module holds, and one of its beginnings, which is made from it here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .literals import WHITE_SPACE, Literals

_SPELLED = {r"\s": f"[{WHITE_SPACE}]", r"\S": f"[^{WHITE_SPACE}]"}
_CONTROLS = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\v": "\v", r"\f": "\f"}

_ESCAPE = re.compile(r"\\.", re.DOTALL)
_SET_OR_ESCAPE = re.compile(r"\[(?:\\.|[^]\\])*\]|\\.", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<literal>(?:(?:\\.|[^\\[()|.*+?])(?![*+?]))+)"
    r"|(?P<one>\[(?:\\.|[^]\\])*\]|\\.|[^()|])(?P<count>[*+?]?)\??"
    r"|\(\?P<\w+>|\)\?|\(\?[:=]|.",
    re.DOTALL,
)
"""A literal; or a set or a character, perhaps repeated; or what groups them."""


def spelled(pattern: str) -> str:
    """The pattern with `\\s` and `\\S` spelled out: white space is not the same set for `re`."""
    return _SET_OR_ESCAPE.sub(_spelled_out, pattern)


def _spelled_out(found: re.Match[str]) -> str:
    text = found[0]
    if text[0] == "[":
        return _ESCAPE.sub(lambda one: WHITE_SPACE if one[0] == r"\s" else one[0], text)
    return _SPELLED.get(text, text)


More = str | Callable[[str], object]
"""What may come next without deciding anything: what is left of a literal, or the test for more of a run."""


class Expressions:
    """Patterns each match of which is decided by its last character, looked for together.

    Args:
        patterns: each is a group of the matches.
        starts: literals with one of which every match starts; none of them is part of another.
        end: a literal that is there where a match is decided; "" if it is not always the same.
        skip: what is skipped where a match only seemed to begin: within it begins none that could be another.
    """

    __slots__ = ("_begin", "_end", "_ends", "_find_start", "_match", "_rest", "_skip")

    def __init__(self, *patterns: str, starts: tuple[str, ...], end: str = "", skip: str = "") -> None:
        literals = Literals(*starts)
        self._find_start = literals.find
        self._rest = literals.rest
        known = [spelled(pattern) for pattern in patterns]
        self._end = end
        self._match = re.compile("|".join(f"({pattern})" for pattern in known), re.DOTALL).match
        self._ends: list[More] = []
        self._begin = re.compile("|".join(_TOKEN.sub(self._begun, pattern) for pattern in known), re.DOTALL).match
        self._skip = re.compile(spelled(skip), re.DOTALL).match

    def _begun(self, found: re.Match[str]) -> str:
        """What a token becomes where the text may end in it: then a group is set, the first one where it ends."""
        literal, one, count = found["literal"], found["one"], found["count"]
        if literal:
            chars = _characters(literal)
            self._ends.append("".join(chars))
            return rf"(?:{literal}|(?=.{{0,{len(chars) - 1}}}+\Z)({_beginning_of(chars)})\Z)"
        if not one or count == "?":
            return "(?:" if found[0].startswith("(?P<") else found[0]
        if not count:
            self._ends.append("")
            return rf"(?:{one}|()\Z)"
        self._ends.append(re.compile(f"{one}*+", re.DOTALL).fullmatch)
        if count == "*":
            return rf"(?:{one}*+()\Z|{one}*)"
        self._ends.append("")
        return rf"(?:{one}++()\Z|{one}+|()\Z)"

    def find(self, text: str, at: int, is_last: bool = False) -> tuple[int, re.Match[str] | None, More]:
        """The next match from index `at` on.

        Args:
            is_last: whether no more text comes.

        Returns:
            Where the match starts, and the match. If it is not whole yet: where it may start, `None`, and what may
            come next. If there is none, the text's length and `None`.
        """
        end = text.find(self._end, at)
        while (spot := self._find_start(text, at)) is not None:
            start = spot.start()
            if spot.lastindex:
                return start, None, self._rest.get(spot[0], "")
            if 0 <= end < start:
                end = text.find(self._end, start)
            found = self._match(text, start) if end >= 0 else None
            if found is not None:
                return start, found, ""
            if not is_last and (begun := self._begin(text, start)) is not None:
                return start, None, self._more(begun)
            skipped = self._skip(text, start)
            at = max(start + 1, skipped.end() if skipped else 0)
        return len(text), None, ""

    def _more(self, begun: re.Match[str]) -> More:
        """What may come behind a beginning, by the token in which it ends."""
        for number, part in enumerate(begun.groups()):
            if part is not None:
                more = self._ends[number]
                return more[len(part) :] if isinstance(more, str) else more
        return ""


def _beginning_of(chars: list[str]) -> str:
    """A pattern for as many of the characters as there are, by halves: if the first is there, the second may begin."""
    if len(chars) == 1:
        return re.escape(chars[0]) + "?"
    half = len(chars) // 2
    first, second = chars[:half], chars[half:]
    return f"(?>{re.escape(''.join(first))}{_beginning_of(second)}|{_beginning_of(first)})"


def _characters(literal: str) -> list[str]:
    """The characters of a literal of our notation."""
    return [_CONTROLS.get(char, char[-1]) for char in re.findall(r"\\.|.", literal, re.DOTALL)]


def captured(found: re.Match[str], names: tuple[str, ...]) -> dict[str, str]:
    """The groups of a match by name, without those that took no part."""
    return {name: text for name in names if (text := found[name]) is not None}
