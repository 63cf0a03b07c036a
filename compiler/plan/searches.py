"""How a state finds its delimiters: the cheapest exact way."""

from __future__ import annotations

from collections.abc import Iterable

from untemplate.compiler.frontend.schema import Delimiter, LiteralDelimiter
from untemplate.compiler.patterns import behind_width, first, lead, looks_at_start
from untemplate.compiler.patterns.decisive import decisive
from untemplate.compiler.patterns.groups import without_groups
from untemplate.compiler.patterns.padded import Padded, padded
from untemplate.compiler.patterns.sets import count, members
from untemplate.compiler.patterns.starts import starts
from untemplate.compiler.plan.expressions import expressions
from untemplate.compiler.plan.nodes import (
    ManyLiterals,
    Marker,
    OneLiteral,
    Scan,
    Search,
    Spot,
    StatePlan,
    ToEnd,
    Watched,
)
from untemplate.runtime.pattern import Chars, Choice, Literal, Node, one_of
from untemplate.runtime.quick import alternatives

_MOST_LITERALS = 64  # more alternatives than that are slower to try one by one than an automaton is
_LONGEST = 64  # characters of each of several literals: how deep the pattern is nested that finds them
_MOST_PADDING = 64  # characters of a run that is told by its members

_MOST_RESTARTS = 1_000  # how often a literal may hold its first character again, before looking again gets dear


def watched(
    field: str, delimiter: Delimiter, asked: frozenset[str], origin: str, behind: StatePlan | None = None
) -> Watched:
    """The delimiter as something to watch for.

    Args:
        asked: the captures that the field's transform asks for.
        behind: the state that an open leads to; `None` for a close.
    """
    if isinstance(delimiter, LiteralDelimiter):
        tree = literal_tree(delimiter.literals)
        return Watched(field, behind is not None, delimiter.literals, tree, "", origin, behind)
    tree = without_groups(delimiter.tree, asked)
    return Watched(field, behind is not None, (), tree, delimiter.pattern, origin, behind)


def literal_tree(literals: tuple[str, ...]) -> Node:
    """The literals as a pattern: the longest that matches is preferred."""
    if len(literals) == 1:
        return Literal(literals[0])
    return Choice(*(Literal(literal) for literal in sorted(literals, key=len, reverse=True)))


def search(delimiters: Iterable[Watched], constant: str, is_inside: bool, drops: bool = False) -> Search:
    """The way to find the first of the delimiters.

    Args:
        delimiters: in any order; equal matches prefer an open, then the field's name.
        constant: a name for what the module has to hold for it.
        is_inside: whether a region is open for certain.
        drops: whether text is for nobody, so that it does not matter where the delimiter starts.
    """
    ordered = tuple(sorted(delimiters, key=lambda one: (not one.opens, one.field)))
    if not ordered:
        return ToEnd()
    plain = _literals(ordered, constant)
    if plain is not None:
        return plain
    found = expressions(ordered, constant, is_inside, drops)
    if found is not None:
        return found
    trees = [one.tree for one in ordered]
    return Scan(ordered, spot(trees), context(trees), decisive(alternatives(trees)), constant)


def _literals(ordered: tuple[Watched, ...], constant: str) -> Search | None:
    """A search for literals alone, if that is exact."""
    markers: dict[str, Marker] = {}
    leads: set[Chars] = set()
    for one in ordered:
        form = Padded(one.literals, None, None) if one.literals else padded(one.tree)
        if form is None or count(form.lead) > _MOST_PADDING or count(form.tail) > _MOST_PADDING:
            return None
        leads |= {form.lead} if form.lead is not None else set()
        for text in form.literals:
            marker = markers.setdefault(text, Marker(text, one, form.lead is not None, members(form.tail)))
            if (marker.led, marker.tail) != (form.lead is not None, members(form.tail)):
                return None
    if len(leads) > 1 or not _are_plain(list(markers)):
        return None
    if any(text[0] in lead for lead in leads for text in markers):
        return None  # such a literal can stand in the run that leads to another, which starts before it
    if len(markers) == 1 and not leads:
        return OneLiteral(next(iter(markers.values())))
    if any(len(text) > _LONGEST for text in markers):
        return None
    return ManyLiterals(tuple(markers.values()), members(next(iter(leads), None)), constant)


def spot(trees: Iterable[Node]) -> Spot:
    """Where matches of any of the patterns can start."""
    heads: list[Node] = []
    leads: list[Chars] = []
    trees = list(trees)
    for tree in trees:
        led = lead(tree)
        heads.append(led[1] if led else tree)
        leads += [led[0]] if led else []
    space = one_of(*leads) if leads else None
    mixed = len(set(leads)) > 1
    wary = mixed or context(trees) > 0
    literals = starts(Choice(*heads))
    if literals is not None:
        return Spot(literals, None, space, wary, mixed)
    firsts = [first(head) for head in heads]
    known = [one for one in firsts if one is not None]
    if len(known) < len(firsts):
        return Spot((), None, None)
    return Spot((), one_of(*known), space, wary, mixed)


def context(trees: Iterable[Node]) -> int:
    """How many characters before a position the patterns can look at; the text start is one more."""
    return max((behind_width(tree) + looks_at_start(tree) for tree in trees), default=0)


def _are_plain(literals: list[str]) -> bool:
    """Whether each literal, once complete, is the delimiter: none is a part of another, so none can come in between."""
    if len(literals) > _MOST_LITERALS or any(one.count(one[0]) > _MOST_RESTARTS for one in literals):
        return False
    return not any(one in other for one in literals for other in literals if one is not other)
