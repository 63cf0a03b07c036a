"""Patterns whose matches are decided by their last character, and that a backtracking engine matches in linear time.

Such a match is what it is whatever follows, so that an ordinary regular expression finds it as well as the automaton
does, where enough of the text is there, and many times faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untemplate.compiler.patterns.analysis import group_names, walk, width
from untemplate.runtime.pattern import Ahead, Behind, Chars, Group, Node, TextEnd, TextStart, WordEdge, one_of
from untemplate.runtime.program import CHAR, MATCH, SPLIT, Program
from untemplate.runtime.quick import Alternative

_MOST_STEPS = 20_000  # of what is tried before a pattern is left to the automaton
_MOST_PLACES = 400
_MOST_WAYS = 8  # in which the same text may be read up to the same place

Row = tuple[int, ...]
"""Where a pattern can stand after some text, the preferred place first: instructions that read, or match."""


class _TooMuch(Exception):
    """The patterns are too large to be looked into."""


def decisive(alternatives: list[Alternative]) -> tuple[int, ...]:
    """The numbers of the alternatives whose cores are decided by their last character (perhaps not of all of them).

    Where such a core ends, nothing that begins with its text can match instead: no other alternative, nor itself. And
    no alternative that its own pattern prefers has matched before.

    Args:
        alternatives: of all patterns that are watched at once, in order.
    """
    cores = [one.core for one in alternatives]
    chosen = {number for number, core in enumerate(cores) if width(core)[0] and _is_plain(core)}
    try:
        places = _Places(Program([*cores, *(one.whole for one in alternatives)]), len(cores))
        undecided = places.undecided(chosen, [one.index for one in alternatives])
        return tuple(sorted(number for number in chosen - undecided if not places.can_multiply(number)))
    except _TooMuch:
        return ()


def _is_plain(pattern: Node) -> bool:
    """Whether the pattern looks at nothing but the characters it takes, and has each of its groups once."""
    nodes = list(walk(pattern))
    names = [node.name for node in nodes if isinstance(node, Group)]
    looks = any(isinstance(node, Ahead | Behind | TextEnd | TextStart | WordEdge) for node in nodes)
    return not looks and len(names) == len(group_names(pattern))


@dataclass(frozen=True)
class _Progress:
    """Where all patterns can stand after some text, and which of them have matched on the way."""

    cores: tuple[Row, ...]
    wholes: tuple[Row, ...]
    matched: frozenset[int]


class _Places:
    """The instructions of a program at which text is read, and what each leads to.

    What patterns look at is taken to be as they want it: they may seem to match where they do not.

    Args:
        program: of all cores, and behind them of the same with their tails.
        count: how many there are of each.
    """

    def __init__(self, program: Program, count: int) -> None:
        self._code = program.code
        self._entries = program.entries
        self._count = count
        self._behind: dict[int, Row] = {}
        self._doubled: set[int] = set()
        self._chars = {
            at: one.chars if isinstance(one.chars, Chars) else one_of(str(one.chars))
            for at, one in enumerate(self._code)
            if one.op == CHAR
        }
        if len(self._chars) > _MOST_PLACES:
            raise _TooMuch
        self._steps = 0

    def undecided(self, chosen: set[int], owners: list[int]) -> set[int]:
        """The chosen cores of which some match is not decided when it is complete; `owners` are their patterns."""
        found: set[int] = set()
        rows = [self._after(entry) for entry in self._entries]
        first = _Progress(tuple(rows[: self._count]), tuple(rows[self._count :]), frozenset())
        known = {first}
        todo = [first]
        while todo:
            now = todo.pop()
            for number in chosen - found:
                if self._has_match(now.cores[number]) and not self._is_decided(now, number, owners):
                    found.add(number)
            matched = now.matched | {number for number, row in enumerate(now.wholes) if self._has_match(row)}
            for char in self._characters((*now.cores, *now.wholes)):
                cores = tuple(self._step(row, char, ends=True) for row in now.cores)
                after = _Progress(cores, tuple(self._step(row, char) for row in now.wholes), matched)
                if any(cores) and after not in known:
                    known.add(after)
                    todo.append(after)
        return found

    def _is_decided(self, now: _Progress, number: int, owners: list[int]) -> bool:
        """Whether a core that is complete is the match, whatever follows."""
        others = any(row for other, row in enumerate(now.wholes) if other != number)
        preferred = any(other < number and owners[other] == owners[number] for other in now.matched)
        return len(now.cores[number]) == 1 and not others and not preferred

    def _has_match(self, row: Row) -> bool:
        return any(self._code[at].op == MATCH for at in row)

    def _after(self, at: int) -> Row:
        """The places that are reached from instruction `at` without reading, the preferred first."""
        if at not in self._behind:
            found: list[int] = []
            todo = [at]
            seen: set[int] = set()
            while todo:
                place = todo.pop()
                if place in seen:
                    self._doubled.add(at)
                    continue
                seen.add(place)
                one = self._code[place]
                if one.op in (CHAR, MATCH):
                    found.append(place)
                elif one.op == SPLIT:
                    todo += [one.other, one.next]
                elif one.next >= 0:
                    todo.append(one.next)
            self._behind[at] = tuple(found)
        return self._behind[at]

    def _step(self, row: Row, char: str, ends: bool = False) -> Row:
        """Where a pattern can stand after `char`; `ends`: behind the first match nothing counts."""
        self._tick()
        found: dict[int, None] = {}
        for at in row:
            if at in self._chars and char in self._chars[at]:
                for place in self._after(self._code[at].next):
                    found[place] = None
                    if ends and self._code[place].op == MATCH:
                        return tuple(found)
        return tuple(found)

    def _characters(self, rows: tuple[Row, ...]) -> Iterator[str]:
        """One character of each kind that makes a difference."""
        bounds = {
            bound
            for row in rows
            for at in row
            if at in self._chars
            for first, last in self._chars[at].ranges
            for bound in (first, last + 1)
            if bound <= 0x10FFFF
        }
        return map(chr, sorted(bounds))

    def can_multiply(self, number: int) -> bool:
        """Whether there can be many ways to read the beginning of a text as a core, so that trying all takes long."""
        entry = self._entries[number]
        if entry in self._doubled:
            return True
        first = tuple((place, 1) for place in self._after(entry))
        known = {first}
        todo = [first]
        while todo:
            now = todo.pop()
            for char in self._characters((tuple(place for place, _ in now),)):
                after = self._ways_after(now, char)
                if after is None:
                    return True
                if after and after not in known:
                    known.add(after)
                    todo.append(after)
        return False

    def _ways_after(self, now: tuple[tuple[int, int], ...], char: str) -> tuple[tuple[int, int], ...] | None:
        """In how many ways each place is reached by `char`; `None`: in too many."""
        self._tick()
        ways: dict[int, int] = {}
        for at, count in now:
            if at in self._chars and char in self._chars[at]:
                target = self._code[at].next
                for place in self._after(target):
                    ways[place] = ways.get(place, 0) + count
                if target in self._doubled:
                    return None
        return tuple(sorted(ways.items())) if max(ways.values(), default=0) <= _MOST_WAYS else None

    def _tick(self) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise _TooMuch
