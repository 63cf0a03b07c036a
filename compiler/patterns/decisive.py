"""Patterns whose matches are decided by their last character, and that a backtracking engine matches in linear time.

Such a match is what it is whatever follows, so that an ordinary regular expression finds it as well as the automaton
does, where enough of the text is there, and many times faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import inf

from untemplate.compiler.patterns.analysis import group_names, looks_ahead, walk, width
from untemplate.compiler.patterns.places import Places, Row, TooMuchError
from untemplate.runtime.pattern import Ahead, Behind, Group, Node, TextEnd, TextStart, WordEdge
from untemplate.runtime.program import Program
from untemplate.runtime.quick import Alternative

_MOST_WAYS = 8  # in which the same text may be read up to the same place


def decisive(alternatives: list[Alternative]) -> tuple[int, ...]:
    """The numbers of the alternatives whose cores are decided by their last character (perhaps not of all of them).

    Where such a core ends, nothing that begins with its text can match instead: no other alternative, nor itself. And
    no alternative that its own pattern prefers has matched before.

    Args:
        alternatives: of all patterns that are watched at once, in order.
    """
    cores = [one.core for one in alternatives]
    chosen = {number for number, core in enumerate(cores) if width(core)[0] and _is_plain(core)}
    program = Program([*cores, *(one.whole for one in alternatives)])
    try:
        places = Places(program)
        undecided = _undecided(places, program.entries, chosen, [one.index for one in alternatives])
        return tuple(
            number for number in sorted(chosen - undecided) if not _can_multiply(places, program.entries[number])
        )
    except TooMuchError:
        return ()


def is_decided(pattern: Node) -> bool:
    """Whether all matches of a pattern that is looked for alone are decided by their last character."""
    return bool(decisive([Alternative(0, pattern, pattern)]))


def can_overlap(patterns: list[Node]) -> bool:
    """Whether a text that one of the patterns matches can be one that a match of another begins with.

    What they look at is taken to be as they want it, and true is also the answer where there is too much to try.
    """
    if len(patterns) < 2:
        return False
    program = Program(patterns)
    try:
        places = Places(program, most=inf)
        rows = tuple(map(places.after, program.entries))
        known = {rows}
        todo = [rows]
        while todo:
            rows = todo.pop()
            if len(rows) > 1 and any(map(places.matches, rows)):
                return True
            for char in places.characters(at for row in rows for at in row):
                after = tuple(filter(None, (places.step(row, char) for row in rows)))
                if len(after) > 1 and after not in known:
                    known.add(after)
                    todo.append(after)
    except TooMuchError:
        return True
    return False


def can_contain(pattern: Node) -> bool:
    """Whether a match can come up in what may still become another match, that starts before it.

    True is also the answer where the pattern looks ahead, and where there is too much to try.
    """
    program = Program([pattern])
    places = Places(program, most=inf)
    entry = places.after(program.entries[0])
    if looks_ahead(pattern) or places.matches(entry):
        return True
    rows: tuple[Row, Row] = (entry, ())  # of what starts first, and of all that starts behind
    known = {rows}
    todo = [rows]
    try:
        while todo:
            first, behind = todo.pop()
            for char in places.characters({*first, *behind}):
                after = places.step(first, char, ends=True), places.step(behind, char)
                if not after[0] or places.matches(after[0]):
                    continue
                if places.matches(after[1]):
                    return True
                after = after[0], tuple(sorted({*after[1], *entry}))
                if after not in known:
                    known.add(after)
                    todo.append(after)
    except TooMuchError:
        return True
    return False


def can_lead_to(pattern: Node, patterns: list[Node]) -> bool:
    """Whether some match of `pattern` is surely followed by one of the others: by any character not itself part of it.

    What they look at is taken to be as they want it, and true is also the answer where there is too much to try.
    """
    program = Program([pattern, *patterns])
    places = Places(program, most=inf)
    entry, *behind = map(places.after, program.entries)
    others = tuple(dict.fromkeys(chain(*behind)))
    known = {entry}
    todo = [entry]
    try:
        while todo:
            row = todo.pop()
            characters = {"\0", *places.characters((*row, *others))}
            steps = {char: places.step(row, char) for char in characters}
            ends = (char for char, after in steps.items() if not places.matches(after))
            if places.matches(row) and all(places.matches(places.step(others, char)) for char in ends):
                return True
            fresh = set(filter(None, steps.values())) - known
            known |= fresh
            todo += fresh
    except TooMuchError:
        return True
    return False


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


def _undecided(places: Places, entries: list[int], chosen: set[int], owners: list[int]) -> set[int]:
    """The chosen cores of which some match is not decided when it is complete.

    Args:
        entries: of all cores, and behind them of the same with their tails.
        owners: the patterns that the cores belong to.
    """
    found: set[int] = set()
    rows = [places.after(entry) for entry in entries]
    first = _Progress(tuple(rows[: len(owners)]), tuple(rows[len(owners) :]), frozenset())
    known = {first}
    todo = [first]
    while todo:
        now = todo.pop()
        for number in chosen - found:
            if places.matches(now.cores[number]) and not _is_decided(now, number, owners):
                found.add(number)
        matched = now.matched | {number for number, row in enumerate(now.wholes) if places.matches(row)}
        for char in places.characters(at for row in (*now.cores, *now.wholes) for at in row):
            cores = tuple(places.step(row, char, ends=True) for row in now.cores)
            after = _Progress(cores, tuple(places.step(row, char) for row in now.wholes), matched)
            if any(cores) and after not in known:
                known.add(after)
                todo.append(after)
    return found


def _is_decided(now: _Progress, number: int, owners: list[int]) -> bool:
    """Whether a core that is complete is the match, whatever follows."""
    others = any(row for other, row in enumerate(now.wholes) if other != number)
    preferred = any(other < number and owners[other] == owners[number] for other in now.matched)
    return len(now.cores[number]) == 1 and not others and not preferred


def _can_multiply(places: Places, entry: int) -> bool:
    """Whether there can be many ways to read the beginning of a text as a core, so that trying all takes long."""
    if places.is_doubled(entry):
        return True
    first = tuple((place, 1) for place in sorted(places.after(entry)))
    known = {first}
    todo = [first]
    while todo:
        now = todo.pop()
        for char in places.characters(place for place, _ in now):
            after = places.ways(now, char, _MOST_WAYS)
            if after is None:
                return True
            if after and after not in known:
                known.add(after)
                todo.append(after)
    return False
