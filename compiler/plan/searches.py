"""How a state finds its delimiters: the cheapest exact way."""

from __future__ import annotations

from collections.abc import Iterable

from untemplate.compiler.frontend.schema import Delimiter, LiteralDelimiter
from untemplate.compiler.patterns import behind_width, first, lead, looks_at_start
from untemplate.compiler.patterns.starts import starts
from untemplate.compiler.plan.nodes import ManyLiterals, OneLiteral, Scan, Search, Spot, ToEnd, Watched
from untemplate.runtime.pattern import Chars, Choice, Literal, Node, one_of

_MOST_LITERALS = 64  # more alternatives than that are slower to try one by one than an automaton is
_MOST_RESTARTS = 4  # how often a literal may hold its first character again, before looking again gets dear


def watched(field: str, key: str, opens: bool, delimiter: Delimiter, origin: str) -> Watched:
    """The delimiter as something to watch for."""
    if isinstance(delimiter, LiteralDelimiter):
        return Watched(field, opens, delimiter.literals, literal_tree(delimiter.literals), "", origin)
    return Watched(field, opens, (), delimiter.tree, delimiter.pattern, origin)


def literal_tree(literals: tuple[str, ...]) -> Node:
    """The literals as a pattern: the longest that matches is preferred."""
    if len(literals) == 1:
        return Literal(literals[0])
    return Choice(*(Literal(literal) for literal in sorted(literals, key=len, reverse=True)))


def search(delimiters: Iterable[Watched], constant: str) -> Search:
    """The way to find the first of the delimiters.

    Args:
        delimiters: in any order; equal matches prefer an open, then the field's name.
        constant: a name for what the module has to hold for it.
    """
    ordered = tuple(sorted(delimiters, key=lambda one: (not one.opens, one.field)))
    if not ordered:
        return ToEnd()
    literals: dict[str, Watched] = {}
    for one in ordered:
        for literal in one.literals:
            literals.setdefault(literal, one)
    if all(one.literals for one in ordered) and _are_plain(list(literals)):
        if len(literals) == 1:
            return OneLiteral(ordered[0], next(iter(literals)))
        return ManyLiterals(ordered, tuple(literals.items()), constant)
    return Scan(ordered, spot([one.tree for one in ordered]), context([one.tree for one in ordered]), constant)


def spot(trees: Iterable[Node]) -> Spot:
    """Where matches of any of the patterns can start."""
    heads: list[Node] = []
    leads: list[Chars] = []
    for tree in trees:
        led = lead(tree)
        heads.append(led[1] if led else tree)
        leads += [led[0]] if led else []
    space = one_of(*leads) if leads else None
    literals = starts(Choice(*heads))
    if literals is not None:
        return Spot(literals, None, space)
    firsts = [first(head) for head in heads]
    known = [one for one in firsts if one is not None]
    return Spot((), one_of(*known), space) if len(known) == len(firsts) else Spot((), None, None)


def context(trees: Iterable[Node]) -> int:
    """How many characters before a position the patterns can look at; the text start is one more."""
    return max((behind_width(tree) + looks_at_start(tree) for tree in trees), default=0)


def _are_plain(literals: list[str]) -> bool:
    """Whether each literal, once complete, is the delimiter: none is a part of another, so none can come in between."""
    if len(literals) > _MOST_LITERALS or any(one.count(one[0]) > _MOST_RESTARTS for one in literals):
        return False
    return not any(one in other for one in literals for other in literals if one is not other)
