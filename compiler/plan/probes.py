"""Whether something may be certain before delimiters are, as far as their patterns tell, and what they tell apart.

What follows can be certain before it is decided which delimiter matches, or where it ends: two delimiters may do the
same where one matches and the other still can, and behind one whose end is open another may match whatever comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise

from untemplate.compiler.patterns.analysis import looks_ahead, nullable, walk, width
from untemplate.compiler.patterns.decisive import can_overlap
from untemplate.compiler.plan.nodes import Scan, StatePlan
from untemplate.runtime.pattern import (
    Ahead,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    WordEdge,
    one_of,
)
from untemplate.runtime.unicode import WORD


def may_be_certain(outside: StatePlan, insides: Iterable[StatePlan], drops: bool) -> bool:
    """Whether what follows may be certain in some state before the delimiter is, as far as the patterns tell.

    Args:
        drops: whether text outside of all regions is dropped, so that nothing tells it from none.
    """
    scans = [state.search for state in (outside, *insides) if isinstance(state.search, Scan)]
    first = [one.tree for one in outside.search.watched] if isinstance(outside.search, Scan) else []
    return any(drops and nullable(tree) for tree in first) or any(
        any(_matches_anywhere(one.tree) or _ends_by_what_comes(one.tree) for one in scan.watched)
        or any(_leaves_text(one.tree) for one in scan.watched if not one.opens and len(scan.watched) > 1)
        or any(can_overlap(one.tree, other.tree) for one, other in combinations(scan.watched, 2))
        for scan in scans
    )


def _matches_anywhere(tree: Node) -> bool:
    """Whether the pattern may match nothing, whatever text comes."""
    return nullable(_without_wishes(tree))


def _without_wishes(node: Node) -> Node:
    """The pattern without the ways that want something to come."""
    match node:
        case Ahead(negative=False) | TextEnd():
            return Choice()
        case Sequence(items):
            return Sequence(*map(_without_wishes, items))
        case Choice(options):
            return Choice(*map(_without_wishes, options))
        case Repeat(item, least, most, lazy):
            return Repeat(_without_wishes(item), least, most, lazy)
        case Group(name, item):
            return Group(name, _without_wishes(item))
        case _:
            return node


def _leaves_text(tree: Node) -> bool:
    """Whether the pattern may match something only because of the text behind it."""
    options = tree.options if isinstance(tree, Choice) else (tree,)
    return any(looks_ahead(option) and width(option)[1] != 0 for option in options)


def _ends_by_what_comes(tree: Node) -> bool:
    """Whether what comes may choose between two ends that are both behind already."""
    for node in walk(tree):
        match node:
            case Repeat(item, least, most) if least != most and looks_ahead(item) and width(item)[1] != 0:
                return True
            case Choice(options) if any(map(looks_ahead, options)) and len(set(map(width, options))) > 1:
                return True
    return False


def kinds(trees: Iterable[Node]) -> tuple[str, ...]:
    """Characters of every kind that the patterns tell apart, two of each that has more than one.

    Those that are in none of their sets come first.
    """
    sets: set[Chars] = set()
    for tree in trees:
        for node in walk(tree):
            match node:
                case Literal(text):
                    sets |= {one_of(char) for char in text}
                case Chars():
                    sets.add(node)
                case WordEdge():
                    sets.add(WORD)
    ordered = sorted(sets, key=lambda chars: chars.ranges)
    bounds = sorted({0, 0x110000} | {bound for one in ordered for low, high in one.ranges for bound in (low, high + 1)})
    found: dict[tuple[bool, ...], str] = {}
    for bound, after in pairwise(bounds):
        kind = tuple(chr(bound) in chars for chars in ordered)
        found[kind] = (found.get(kind, "") + "".join(map(chr, range(bound, min(bound + 2, after)))))[:2]
    return tuple(found[kind] for kind in sorted(found))
