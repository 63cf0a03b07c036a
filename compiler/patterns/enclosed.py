"""Tag patterns that a backtracking engine finds in linear time, in a text that is complete.

Such a pattern has an opening, a value `.*?` that runs up to what closes it, and that:

    <parameter=(?P<key>[^<>\\n]+)>\\n?    (?P<value>.*?)    \\n?</parameter>|(?=\\n<parameter=[^<>\\n]+>)

Where an opening is not closed, nothing that begins behind it is: the value has tried all places. So the search may end
there, and no text is passed over twice. A pattern without such a value is as good if matches can not begin within each
other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untemplate.compiler.patterns.analysis import children, nullable, walk, width
from untemplate.compiler.patterns.build import choice, sequence
from untemplate.compiler.patterns.decisive import is_decided
from untemplate.compiler.patterns.notation import is_brief
from untemplate.compiler.patterns.places import Places, Row, TooMuchError
from untemplate.compiler.patterns.render import render
from untemplate.compiler.patterns.restarts import is_bounded
from untemplate.runtime.pattern import ANY, Ahead, Chars, Choice, Group, Literal, Node, Repeat, Sequence
from untemplate.runtime.program import Program

_LONGEST = 1_000  # characters of a pattern's text
_MOST_SLACK = 8  # characters between the first place where an opening can end, and the last

_VALUE = Repeat(ANY, lazy=True)


@dataclass(frozen=True, slots=True)
class Enclosed:
    """The text of a tag pattern: of what stands before the value `.*?` and behind it, or of the whole and ""."""

    head: str
    tail: str


def enclosed(pattern: Node) -> Enclosed | None:
    """The pattern in that form, or `None` if an automaton has to find it.

    Promised: a match is decided by the last character of what it takes and looks at, unless its head can end elsewhere
    in a way that is preferred.
    """
    if not width(pattern)[0] or not _is_simple(pattern):
        return None
    head, tail = _around_value(pattern)
    try:
        if not (_is_found(head, tail) if tail is not None else _is_found_whole(head)):
            return None
    except TooMuchError:
        return None
    found = Enclosed(as_item(head), as_item(tail) if tail is not None else "")
    text = found.head + found.tail
    return found if len(text) <= _LONGEST and text.isprintable() else None


def _is_found(head: Node, tail: Node) -> bool:
    read = read_through(tail)
    if read is None or not width(read)[0] or not is_decided(sequence([_VALUE, read])):
        return False
    openings = Openings(head)
    return openings.is_linear() and openings.slack() <= min(_MOST_SLACK, width(read)[0])


def _is_found_whole(pattern: Node) -> bool:
    read = read_through(pattern)
    return read is not None and is_decided(read) and Openings(read).is_linear()


def as_item(node: Node) -> str:
    """The text of a node that others stand beside."""
    return f"(?:{render(node)})" if isinstance(node, Choice) else render(node)


def _is_simple(pattern: Node) -> bool:
    """Whether the pattern has both groups in every match, and means the same for the standard library."""
    groups = [part.name for part in walk(pattern) if isinstance(part, Group)]
    outer = [part.name for part in children(pattern) if isinstance(part, Group)]
    return sorted(groups) == sorted(outer) == ["key", "value"] and all(map(_is_simple_part, walk(pattern)))


def _is_simple_part(node: Node) -> bool:
    match node:
        case Chars():
            return is_brief(node)
        case Choice(options):
            return bool(options)
        case Repeat(item):
            return not nullable(item) and not any(isinstance(part, Group | Ahead) for part in walk(item))
        case Ahead(_, negative):
            return not negative
    return isinstance(node, Literal | Sequence | Group)


def _around_value(pattern: Node) -> tuple[Node, Node | None]:
    """What stands before and behind the value, if that is `.*?` behind the key; else the whole and `None`."""
    items = children(pattern)
    value = Group("value", _VALUE)
    at = items.index(value) if value in items else 0
    if not any(isinstance(item, Group) for item in items[:at]):
        return pattern, None
    return sequence(items[:at]), sequence(items[at + 1 :])


def read_through(node: Node) -> Node | None:
    """The node with the look-aheads at its end as a part of it; `None` if there are others."""
    match node:
        case Ahead(item):
            return read_through(item)
        case Sequence(items) if items:
            last = read_through(items[-1])
            plain = not any(isinstance(part, Ahead) for item in items[:-1] for part in walk(item))
            return sequence([*items[:-1], last]) if last is not None and plain else None
        case Choice(options):
            made = [read_through(option) for option in options]
            return choice(option for option in made if option is not None) if None not in made else None
        case Group(name, item):
            inner = read_through(item)
            return None if inner is None else Group(name, inner)
    return node if not any(isinstance(part, Ahead) for part in walk(node)) else None


def completes_within(outer: Node, inner: Node) -> bool:
    """Whether there can be a match of `inner` in what `outer`, though it has not matched yet, may begin with.

    Raises:
        TooMuchError: that is not found out.
    """
    program = Program([outer, inner])
    places = Places(program)
    first, second = map(places.after, program.entries)
    return _completes_within(places, first, second, second)


def _completes_within(places: Places, outer: Row, inner: Row, begun: Row) -> bool:
    """The same of patterns that stand at places; `begun`: where the inner one stands to begin with."""
    first = outer, begun
    known = {first}
    todo = [first]
    while todo:
        now, within = todo.pop()
        for char in places.characters((*now, *within)):
            after = places.step(now, char)
            if not after or places.matches(after):
                continue
            then = places.step(within, char)
            if places.matches(then):
                return True
            pair = after, tuple(sorted({*then, *inner}))
            if pair not in known:
                known.add(pair)
                todo.append(pair)
    return False


class Openings:
    """Where a pattern can stand that may begin at every character of a text."""

    def __init__(self, pattern: Node) -> None:
        self._pattern = pattern
        program = Program([pattern])
        self._places = Places(program)
        self._entry = program.entries[0]
        self._first = self._places.after(self._entry)

    def is_linear(self) -> bool:
        """Whether looking for the pattern everywhere takes time in proportion, and no match lies within another."""
        return not self._places.is_doubled(self._entry) and is_bounded([self._pattern]) and not self._nests()

    def _nests(self) -> bool:
        """Whether a match can be complete that began behind another, which is still to be."""
        return _completes_within(self._places, self._first, self._first, ())

    def slack(self) -> int:
        """How many characters a match can be longer than the shortest that begins at the same place, up to a limit."""
        complete = {row for row in self._rows() if self._places.matches(row)}
        for count in range(_MOST_SLACK + 1):
            complete = {after for row in complete for after in self._rows_after(row)}
            if not complete:
                return count
        return _MOST_SLACK + 1

    def _rows(self) -> set[Row]:
        """All sets of places where the pattern can stand after some text that it begins with."""
        found = {self._first}
        todo = [self._first]
        while todo:
            new = set(self._rows_after(todo.pop())) - found
            found |= new
            todo += new
        return found

    def _rows_after(self, row: Row) -> Iterator[Row]:
        for char in self._places.characters(row):
            after = self._places.step(row, char)
            if after:
                yield after
