"""Delimiters that are decided by their own last character, found with the standard library's regular expressions.

At a place a text holds such a delimiter, or at its end a beginning of one, or neither. Two regular expressions tell
which: the delimiter's own, which a generated module holds, and one of its beginnings, which is made from it here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .literals import WHITE_SPACE, Literals, beginning_of

_SPELLED = {r"\s": f"[{WHITE_SPACE}]", r"\S": f"[^{WHITE_SPACE}]"}
_CONTROLS = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\v": "\v", r"\f": "\f"}

_ESCAPE = re.compile(r"\\.", re.DOTALL)
_SET_OR_ESCAPE = re.compile(r"\[(?:\\.|[^]\\])*\]|\\.", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<literal>(?:(?:\\.|[^\\[()|.*+?])(?![*+?]))+)"
    r"|(?P<one>\[(?:\\.|[^]\\])*\]|\\.|[^()|])(?P<count>[*+?]?)\??"
    r"|\(\?P<\w+>|\)\?\??|\(\?[:=]|.",
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
        end: no longer asked for; older modules give it.
        skip: what is skipped where a match only seemed to begin: within it begins none that could be another.
    """

    __slots__ = ("_begin", "_ends", "_find_begun", "_find_start", "_longest", "_match", "_rest", "_skip")

    def __init__(self, *patterns: str, starts: tuple[str, ...], end: str = "", skip: str = "") -> None:
        self._find_start = re.compile("|".join(map(re.escape, starts))).search
        literals = Literals(*starts)
        self._find_begun = literals.find
        self._rest = literals.rest
        self._longest = max(map(len, starts))
        known = [spelled(pattern) for pattern in patterns]
        self._match = re.compile("|".join(f"({pattern})" for pattern in known), re.DOTALL).match
        self._ends: list[More] = []
        self._begin = re.compile("|".join(_TOKEN.sub(self._begun, pattern) for pattern in known), re.DOTALL).match
        self._skip = re.compile(spelled(skip), re.DOTALL).match

    def _begun(self, found: re.Match[str]) -> str:
        """What a token becomes where the text may end in it: then a group is set, the first one where it ends."""
        literal, one, count = found["literal"], found["one"], found["count"]
        if literal:
            text = _characters(literal)
            self._ends.append(text)
            return rf"(?:{literal}|(?=.{{0,{len(text) - 1}}}+\Z)({beginning_of(text)})\Z)"
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

    def seek(self, text: str, at: int, is_last: bool = False) -> re.Match[str] | tuple[int, More]:
        """The next match from index `at` on.

        Args:
            is_last: whether no more text comes.

        Returns:
            The match. If none is whole yet: where one may start, which may be the text's end, and what may come next.
        """
        while (spot := self._find_start(text, at)) is not None:
            start = spot.start()
            if (found := self._match(text, start)) is not None:
                return found
            if not is_last and (begun := self._begin(text, start)) is not None:
                return start, self._more(begun)
            skipped = self._skip(text, start)
            at = max(start + 1, skipped.end() if skipped else 0)
        begun = self._find_begun(text, max(at, len(text) - self._longest + 1))
        return (len(text), "") if begun is None else (begun.start(), self._rest.get(begun[0], ""))

    def find(self, text: str, at: int, is_last: bool = False) -> tuple[int, re.Match[str] | None, More]:
        """The same, with all that can be told of it; older modules call it."""
        found = self.seek(text, at, is_last)
        return (found[0], None, found[1]) if isinstance(found, tuple) else (found.start(), found, "")

    def _more(self, begun: re.Match[str]) -> More:
        """What may come behind a beginning, by the token in which it ends."""
        for number, part in enumerate(begun.groups()):
            if part is not None:
                more = self._ends[number]
                return more[len(part) :] if isinstance(more, str) else more
        return ""


def _characters(literal: str) -> str:
    """The text of a literal of our notation."""
    return _ESCAPE.sub(lambda one: _CONTROLS.get(one[0], one[0][1]), literal)


def captured(found: re.Match[str], names: tuple[str, ...]) -> dict[str, str]:
    """The groups of a match by name, without those that took no part."""
    return {name: text for name in names if (text := found[name]) is not None}
