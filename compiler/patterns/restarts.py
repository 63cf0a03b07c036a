"""How often text is read again where matches only seem to begin in it.

A search that tries one start after the other is linear only if few of the starts that are tried read the same text. In
`<tool>[^<]*</tool>` another start ends what the first one reads. In `to=\\S+ [^<]*<message>` it does not: there the
later starts are skipped, which are read just as the first one is, so that they fail where it fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from untemplate.compiler.patterns.analysis import common, nullable
from untemplate.compiler.patterns.places import Places, Row, TooMuchError, Ways
from untemplate.runtime.pattern import Choice, Group, Node, Repeat, Sequence
from untemplate.runtime.program import Program

_MOST_WAYS = 8  # in which the same text is read, over all starts

NOTHING = Choice()
"""The pattern that never matches: nothing has to be skipped."""


def skipped(patterns: list[Node]) -> Node | None:
    """What to skip where none of the patterns matches, though one seemed to: from within it none has to be tried.

    Returns:
        A pattern that is a beginning of some of them, or `NOTHING`; `None` if text is read again and again all the
        same, from many starts or wherever more text comes.
    """
    try:
        if not _are_clear(patterns):
            return None
        if is_bounded(patterns):
            return NOTHING
        covered = [_covered_cuts(patterns, pattern) for pattern in patterns]
        for cuts in ([own[0] for own in covered if own], [cut for own in covered for cut in own]):
            if cuts and is_bounded(patterns, cuts):
                return Choice(*cuts)
        return None
    except TooMuchError:
        return None


def _covered_cuts(patterns: list[Node], pattern: Node) -> list[Node]:
    """The beginnings of a pattern within which nothing has to be tried, the longest first."""
    cuts = list(_up_to_loops(pattern))
    return [cut for cut in reversed(cuts) if not nullable(cut) and _covers(patterns, cut)]


def _up_to_loops(node: Node) -> Iterator[Node]:
    """The pattern up to each of its loops, that being the last of it, without groups."""
    match node:
        case Repeat(item, _, None):
            yield Repeat(_plain(item), node.least, None)
        case Repeat(item):
            for cut in _up_to_loops(item):
                yield Repeat(cut, node.least, node.most)
        case Sequence(items):
            for number, item in enumerate(items):
                for cut in _up_to_loops(item):
                    yield Sequence(*map(_plain, items[:number]), cut)
        case Choice(options):
            for option in options:
                yield from _up_to_loops(option)
        case Group(_, item):
            yield from _up_to_loops(item)


def _plain(node: Node) -> Node:
    """The pattern without its groups, and without laziness, which make no difference to where it can go on."""
    match node:
        case Group(_, item):
            return _plain(item)
        case Sequence(items):
            return Sequence(*map(_plain, items))
        case Choice(options):
            return Choice(*map(_plain, options))
        case Repeat(item, least, most):
            return Repeat(_plain(item), least, most)
    return node


def _are_clear(patterns: list[Node]) -> bool:
    """Whether each loop ends at a character that it can not take: all before is read once, however it comes."""
    places = _Search(patterns, []).places
    return not any(
        common(places.chars(at), places.chars(other)).ranges
        for at in places.loops()
        for other in places.following(at)
        if other != at
    )


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where the starts at some text stand: in how many ways in the patterns, and how far in what is skipped."""

    ways: Ways = ()
    skips: Row = ()

    def __or__(self, other: _Starts) -> _Starts:
        ways = dict(self.ways)
        for at, count in other.ways:
            ways[at] = ways.get(at, 0) + count
        return _Starts(tuple(sorted(ways.items())), tuple(sorted({*self.skips, *other.skips})))


class _Search:
    """The places of the patterns, and of what is skipped; `fresh` and `cut` are those at the start."""

    def __init__(self, patterns: list[Node], cuts: Iterable[Node]) -> None:
        program = Program([*patterns, *cuts])
        self.places = Places(program)
        entries = program.entries
        self.fresh: Row = tuple(
            dict.fromkeys(at for entry in entries[: len(patterns)] for at in self.places.after(entry))
        )
        self.cut: Row = tuple(
            dict.fromkeys(at for entry in entries[len(patterns) :] for at in self.places.after(entry))
        )

    def characters(self, *starts: _Starts) -> Iterator[str]:
        """One character of each kind that makes a difference to some of the starts."""
        return self.places.characters(at for one in starts for at in (*one.skips, *(place for place, _ in one.ways)))

    def step(self, starts: _Starts, char: str) -> _Starts | None:
        """Where the starts stand after `char`; `None`: too many of them at one place."""
        ways = self.places.ways(starts.ways, char, _MOST_WAYS)
        return None if ways is None else _Starts(ways, tuple(sorted(self.places.step(starts.skips, char))))


def _covers(patterns: list[Node], cut: Node) -> bool:
    """Whether what begins within `cut`, where all of that is there, matches only if the whole does from its start."""
    search = _Search(patterns, [cut])
    places = search.places
    first: tuple[Row, Row, Row] = (search.fresh, (), search.cut)
    known = {first}
    todo = [first]
    pairs: set[tuple[Row, Row]] = set()
    while todo:
        whole, later, skip = now = todo.pop()
        for char in places.characters((*whole, *later, *skip, *search.fresh)):
            skip_after = places.step(skip, char)
            if not skip_after:
                continue
            whole_after = places.step(whole, char)
            begun = [later, search.fresh] if now != first else [later]
            for one in begun:
                after = (whole_after, places.step(one, char), skip_after)
                if (places.matches(skip_after) or places.matches(after[1])) and after[1]:
                    pairs.add(after[:2])
                if after not in known and not places.matches(whole_after):
                    known.add(after)
                    todo.append(after)
    return all(_outlives(places, *pair) for pair in pairs)


def _outlives(places: Places, earlier: Row, later: Row) -> bool:
    """Whether the earlier start is a match wherever the later one is, or before."""
    known = {(earlier, later)}
    todo = [(earlier, later)]
    while todo:
        first, second = todo.pop()
        if places.matches(first):
            continue
        if not first or places.matches(second):
            return False
        for char in places.characters((*first, *second)):
            after = (places.step(first, char), places.step(second, char))
            if after[1] and after not in known:
                known.add(after)
                todo.append(after)
    return True


def is_bounded(patterns: list[Node], cuts: Iterable[Node] = ()) -> bool:
    """Whether few starts read the same text, though one is made at each place that is not skipped.

    Args:
        cuts: what is skipped where all of it is there.

    Raises:
        TooMuchError: there is too much to try.
    """
    search = _Search(patterns, cuts)
    fresh = _Starts(tuple((at, 1) for at in search.fresh), search.cut)
    first = _Starts(), _Starts()
    known = {first}
    todo = [first]
    while todo:
        tried, waiting = todo.pop()
        for char in search.characters(fresh, tried, waiting):
            if search.places.step(tried.skips, char):
                tried_after, waiting_after = search.step(tried, char), search.step(waiting | fresh, char)
            else:  # nothing was skipped from where these started
                tried_after, waiting_after = search.step(tried | waiting | fresh, char), _Starts()
            if tried_after is None or waiting_after is None:
                return False
            after = tried_after, _Starts() if search.places.matches(tried_after.skips) else waiting_after
            if after not in known:
                known.add(after)
                todo.append(after)
    return True
