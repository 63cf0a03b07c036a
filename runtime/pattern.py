"""The syntax tree of a delimiter pattern, as generated modules write it.

A pattern such as ``<tool_call>\\s*<function=(?P<name>\\w+)>`` is read once, by the compiler. What a generated module
holds is this tree, spelled out with the constructors below, so that no pattern text is interpreted at run time.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Protocol

Range = tuple[int, int]


class CharSet(Protocol):
    """Something that holds characters: a `Chars`, a `frozenset`, or a string of them."""

    def __contains__(self, char: str, /) -> bool: ...


@dataclass(frozen=True, slots=True)
class Literal:
    """Exactly this text (never empty)."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set: sorted, disjoint, non-adjacent code point ranges, both ends included."""

    ranges: tuple[Range, ...]

    def __contains__(self, char: str, /) -> bool:
        code = ord(char)
        at = bisect_right(self.ranges, (code, 0x110000)) - 1
        return at >= 0 and code <= self.ranges[at][1]


@dataclass(frozen=True, slots=True, init=False)
class Sequence:
    """One node after the other; ``Sequence()`` matches the empty text."""

    items: tuple[Node, ...]

    def __init__(self, *items: Node) -> None:
        object.__setattr__(self, "items", items)


@dataclass(frozen=True, slots=True, init=False)
class Choice:
    """The first option that leads to a match; ``Choice()`` never matches."""

    options: tuple[Node, ...]

    def __init__(self, *options: Node) -> None:
        object.__setattr__(self, "options", options)


@dataclass(frozen=True, slots=True)
class Repeat:
    """From ``least`` to ``most`` times (``None``: without limit), as many as possible, or as few if ``lazy``."""

    item: Node
    least: int = 0
    most: int | None = None
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A named group: what ``item`` matched is the capture ``name``."""

    name: str
    item: Node


@dataclass(frozen=True, slots=True)
class Ahead:
    """Look-ahead: matches empty where ``item`` matches next, or, if ``negative``, where it does not."""

    item: Node
    negative: bool = False


@dataclass(frozen=True, slots=True)
class Behind:
    """Look-behind: matches empty where ``item`` matches up to here, or, if ``negative``, where it does not."""

    item: Node
    negative: bool = False


@dataclass(frozen=True, slots=True)
class TextStart:
    """``^``, ``\\A``: the start of the whole text."""


@dataclass(frozen=True, slots=True)
class TextEnd:
    """``\\Z``: the true end of the text."""


@dataclass(frozen=True, slots=True)
class WordEdge:
    """``\\b``, or if ``negative`` ``\\B``: between a word character and another one, or a text end."""

    negative: bool = False


Node = Literal | Chars | Sequence | Choice | Repeat | Group | Ahead | Behind | TextStart | TextEnd | WordEdge

Part = str | tuple[str, str] | Chars


def one_of(*parts: Part) -> Chars:
    """The set of all given parts: strings (each of their characters), ``(first, last)`` pairs, other sets."""
    ranges: list[Range] = []
    for part in parts:
        if isinstance(part, Chars):
            ranges += part.ranges
        elif isinstance(part, tuple):
            ranges.append((ord(part[0]), ord(part[1])))
        else:
            ranges += [(ord(char), ord(char)) for char in part]
    return Chars(_normal(ranges))


def none_of(*parts: Part) -> Chars:
    """Every character that ``one_of`` the same parts does not hold."""
    ranges: list[Range] = []
    free = 0
    for first, last in one_of(*parts).ranges:
        if first > free:
            ranges.append((free, first - 1))
        free = last + 1
    if free <= 0x10FFFF:
        ranges.append((free, 0x10FFFF))
    return Chars(tuple(ranges))


def _normal(ranges: list[Range]) -> tuple[Range, ...]:
    """Sorted, with overlapping and adjacent ranges joined."""
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


ANY = Chars(((0, 0x10FFFF),))
"""``.``: any character, line ends too."""


def char_class(chars: Chars) -> str:
    """The set as a class of the standard library's `re`; of an empty set, what never matches."""
    if not chars.ranges:
        return "(?!)"
    return "[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in chars.ranges) + "]"
