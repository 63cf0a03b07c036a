"""Whether something may be certain before delimiters are, as far as their patterns tell, and what they tell apart.

What follows can be certain before it is decided which delimiter matches, or where it ends: two delimiters may do the
same where one matches and the other still can, and behind one whose end is open another may match whatever comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from untemplate.compiler.patterns.analysis import group_names, looks_ahead, looks_back, nullable, walk
from untemplate.compiler.patterns.decisive import can_contain, can_lead_to, can_overlap
from untemplate.compiler.plan.nodes import Scan, StatePlan, Watched
from untemplate.runtime.pattern import (
    Chars,
    Literal,
    Node,
    Sequence,
    WordEdge,
    one_of,
)
from untemplate.runtime.unicode import WORD

_EMPTY = Sequence()


def may_be_certain(states: Iterable[StatePlan]) -> bool:
    """Whether what follows may be certain in some state before the delimiter is, as far as the patterns tell."""
    states = tuple(states)
    opens = ((one.tree, one.behind) for state in states for one in state.delimiters if one.behind is not None)
    return any(can_lead_to(tree, [one.tree for one in inside.delimiters]) for tree, inside in opens) or any(
        _may_be_certain(state.search, state.drops) for state in states if isinstance(state.search, Scan)
    )


def _may_be_certain(scan: Scan, drops: bool) -> bool:
    """The same for one state.

    Args:
        drops: whether text in it is for nobody, so that it does not matter where the next delimiter starts.
    """
    trees = [one.tree for one in scan.watched]
    sees = any(looks_ahead(tree) or looks_back(tree) or nullable(tree) for tree in trees)
    if sees or any(map(_captures, scan.watched)):
        return True
    return can_lead_to(_EMPTY, trees) or can_overlap(trees) or (drops and any(map(can_contain, trees)))


def _captures(delimiter: Watched) -> bool:
    """Whether it closes a region with captures: before they are whole it may be certain what they are going to be."""
    return not delimiter.opens and bool(group_names(delimiter.tree))


def kinds(trees: Iterable[Node]) -> tuple[str, ...]:
    """Characters of every kind that the patterns tell apart, two of each that has more than one.

    Those that are in none of their sets come first.
    """
    sets: set[Chars] = set()
    letters: set[str] = set()
    for tree in trees:
        for node in walk(tree):
            match node:
                case Literal(text):
                    letters |= set(text)
                case Chars():
                    sets.add(node)
                case WordEdge():
                    sets.add(WORD)
    sets |= set(map(one_of, letters))
    ordered = sorted(sets, key=lambda chars: chars.ranges)
    bounds = sorted({0, 0x110000} | {bound for one in ordered for low, high in one.ranges for bound in (low, high + 1)})
    found: dict[tuple[bool, ...], str] = {}
    for bound, after in pairwise(bounds):
        kind = tuple(chr(bound) in chars for chars in ordered)
        found[kind] = (found.get(kind, "") + "".join(map(chr, range(bound, min(bound + 2, after)))))[:2]
    return tuple(found[kind] for kind in sorted(found))
