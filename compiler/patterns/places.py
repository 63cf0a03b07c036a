"""Where patterns can stand after some text: what is asked of all texts at once, a place at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from untemplate.runtime.pattern import Chars, one_of
from untemplate.runtime.program import CHAR, MATCH, SPLIT, Program

_MOST_STEPS = 100_000  # that are tried, a place at a time, before patterns are left to the automaton
_MOST_STEPS_EACH = 50  # more for each place
_MOST_PLACES = 400

Row = tuple[int, ...]
"""Where a pattern can stand after some text, the preferred place first: instructions that read, or match."""

Ways = tuple[tuple[int, int], ...]
"""In how many ways each place is reached, in the order of places."""

_alone = lru_cache(maxsize=1_000)(one_of)  # large patterns ask for the same few characters again and again


class TooMuchError(Exception):
    """The patterns are too large to be looked into."""


class Places:
    """The instructions of a program at which text is read, and what each leads to.

    What patterns look at is taken to be as they want it: they may seem to match where they do not.

    Args:
        most: how many places there may be.

    Raises:
        TooMuchError: there are too many, here and in all methods.
    """

    def __init__(self, program: Program, most: float = _MOST_PLACES) -> None:
        self._code = program.code
        self._behind: dict[int, Row] = {}
        self._doubled: set[int] = set()
        self._chars = {
            at: one.chars if isinstance(one.chars, Chars) else _alone(str(one.chars))
            for at, one in enumerate(self._code)
            if one.op == CHAR
        }
        if len(self._chars) > most:
            raise TooMuchError
        self._steps = _MOST_STEPS + _MOST_STEPS_EACH * len(self._chars)  # that are left

    def matches(self, row: Iterable[int]) -> bool:
        """Whether one of the places is behind all of a pattern."""
        return any(self._code[at].op == MATCH for at in row)

    def after(self, at: int) -> Row:
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

    def following(self, at: int) -> Row:
        """The places that are reached by reading a character at one."""
        return self.after(self._code[at].next)

    def loops(self) -> Iterator[int]:
        """The places that are reached from themselves by one character."""
        return (at for at in self._chars if at in self.following(at))

    def chars(self, at: int) -> Chars:
        """The characters that are read at a place; none behind a pattern."""
        return self._chars.get(at, Chars(()))

    def is_doubled(self, at: int) -> bool:
        """Whether some place is reached from instruction `at` in several ways, without reading."""
        self.after(at)
        return at in self._doubled

    def step(self, row: Row, char: str, ends: bool = False) -> Row:
        """Where a pattern can stand after `char`; `ends`: behind the first match nothing counts."""
        self._tick(len(row))
        found: dict[int, None] = {}
        for at in row:
            if at in self._chars and char in self._chars[at]:
                for place in self.after(self._code[at].next):
                    found[place] = None
                    if ends and self._code[place].op == MATCH:
                        return tuple(found)
        return tuple(found)

    def ways(self, now: Ways, char: str, most: int) -> Ways | None:
        """In how many ways each place is reached by `char`; `None`: one of them in more than `most`."""
        self._tick(len(now))
        ways: dict[int, int] = {}
        for at, count in now:
            if at in self._chars and char in self._chars[at]:
                target = self._code[at].next
                for place in self.after(target):
                    ways[place] = ways.get(place, 0) + count
                if target in self._doubled:
                    return None
        return tuple(sorted(ways.items())) if max(ways.values(), default=0) <= most else None

    def characters(self, places: Iterable[int]) -> Iterator[str]:
        """One character of each kind that makes a difference at some of the places."""
        bounds = {
            bound
            for at in places
            if at in self._chars
            for first, last in self._chars[at].ranges
            for bound in (first, last + 1)
            if bound <= 0x10FFFF
        }
        return map(chr, sorted(bounds))

    def _tick(self, count: int) -> None:
        self._steps -= count
        if self._steps < 0:
            raise TooMuchError
