"""Patterns without the groups that nobody asks for."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from untemplate.compiler.patterns.build import choice, sequence
from untemplate.runtime.pattern import Ahead, Behind, Choice, Group, Node, Repeat, Sequence


def without_groups(node: Node, kept: AbstractSet[str] = frozenset()) -> Node:
    """`node` with its named groups as plain ones, but for those that are kept."""

    def plain(part: Node) -> Node:
        return without_groups(part, kept)

    match node:
        case Group(name, item):
            return Group(name, plain(item)) if name in kept else plain(item)
        case Sequence(items):
            return sequence(map(plain, items))
        case Choice(options):
            return choice(map(plain, options))
        case Repeat(item, least, most, lazy):
            return Repeat(plain(item), least, most, lazy)
        case Ahead(item, negative):
            return Ahead(plain(item), negative)
        case Behind(item, negative):
            return Behind(plain(item), negative)
    return node
