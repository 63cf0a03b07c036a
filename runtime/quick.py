"""The alternatives of delimiters whose matches are decided by their own last character.

An ordinary regular expression finds such a match as well as the automaton does, where enough of the text is there, and
many times faster. Which alternatives are such, the compiler has found out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .pattern import Chars, Choice, Group, Literal, Node, Repeat, Sequence, char_class

_MOST_TAIL = 64


class Alternative:
    """One way to match delimiter number `index`: `core`, and behind it any number of the characters of `tail`.

    `whole` is both.
    """

    __slots__ = ("core", "index", "tail", "whole")

    def __init__(self, index: int, whole: Node, core: Node, tail: str = "") -> None:
        self.index = index
        self.whole = whole
        self.core = core
        self.tail = tail


def alternatives(patterns: Iterable[Node]) -> list[Alternative]:
    """All alternatives of all patterns, in order."""
    found = []
    for index, pattern in enumerate(patterns):
        for option in pattern.options if isinstance(pattern, Choice) else (pattern,):
            found.append(Alternative(index, option, *without_tail(option)))
    return found


def without_tail(node: Node) -> tuple[Node, str]:
    """The pattern without the run of a small set at its end, and the characters of that; "" if it has none."""
    match node:
        case Sequence((*items, Repeat(Chars(ranges), 0, None, False))) if items:
            if sum(last - first + 1 for first, last in ranges) <= _MOST_TAIL:
                core = Sequence(*items) if len(items) > 1 else items[0]
                return core, "".join(chr(code) for low, high in ranges for code in range(low, high + 1))
    return node, ""


class Found:
    """An alternative that matches, its end, and the ends of its captures by group name."""

    __slots__ = ("end", "one", "spans")

    def __init__(self, one: Alternative, end: int, spans: dict[str, tuple[int, int]]) -> None:
        self.one = one
        self.end = end
        self.spans = spans


class Quick:
    """Finds out whether one of several alternatives matches.

    Args:
        chosen: alternatives that are decided by their last character.

    Attributes:
        shortest: how many characters a match has at least.
    """

    __slots__ = ("_chosen", "_match", "shortest")

    def __init__(self, chosen: list[Alternative]) -> None:
        self._chosen: dict[int, tuple[Alternative, list[str]]] = {}
        sources = []
        number = 1
        for one in chosen:
            names: list[str] = []
            sources.append(f"({_source(one.core, names)})")
            self._chosen[number] = (one, names)
            number += 1 + len(names)
        self._match = re.compile("|".join(sources)).match
        self.shortest = min(_least(one.core) for one in chosen)

    def at(self, text: str, at: int) -> Found | None:
        """What matches at an index; if nothing does, more text may, or another alternative."""
        match = self._match(text, at)
        if match is None:
            return None
        number = match.lastindex or 0
        one, names = self._chosen[number]
        if not names:
            return Found(one, match.end(), {})
        spans = {name: match.span(group) for group, name in enumerate(names, number + 1)}
        return Found(one, match.end(), {name: span for name, span in spans.items() if span[0] >= 0})


def _source(node: Node, names: list[str]) -> str:
    """The text of a pattern for the standard library's `re`; the names of its groups are added to `names`."""
    match node:
        case Literal(text):
            return re.escape(text)
        case Chars():
            return char_class(node)
        case Sequence(items):
            return "".join(_source(item, names) for item in items)
        case Choice(options):
            return f"(?:{'|'.join(_source(option, names) for option in options)})" if options else "(?!)"
        case Repeat(item, least, most, lazy):
            return f"(?:{_source(item, names)}){{{least},{'' if most is None else most}}}{'?' if lazy else ''}"
        case Group(name, item):
            names.append(name)
            return f"({_source(item, names)})"
    raise TypeError(f"an alternative with {type(node).__name__} is never decided by its last character")


def _least(node: Node) -> int:
    """The length of the shortest match."""
    match node:
        case Literal(text):
            return len(text)
        case Chars():
            return 1
        case Sequence(items):
            return sum(map(_least, items))
        case Choice(options):
            return min(map(_least, options), default=0)
        case Repeat(item, least):
            return least * _least(item)
        case Group(_, item):
            return _least(item)
    return 0
