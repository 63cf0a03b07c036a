"""Atomic groups and possessive repeats, left out or rewritten with look-aheads where that says exactly the same.

An atomic group keeps the first way in which its content matches and never goes back into it. The runtime has no such
notion, and needs none where what follows can not fail, where the content has at most one way to match at any place,
or where its first way can be told from the others by what must not follow.
"""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.compiler.patterns.analysis import common, first, nullable, size
from untemplate.compiler.patterns.build import choice, repeat, sequence
from untemplate.compiler.patterns.error import MAX_SIZE, PatternError
from untemplate.compiler.patterns.groups import without_groups
from untemplate.runtime.pattern import Ahead, Behind, Choice, Group, Node, Repeat, Sequence


@dataclass(frozen=True, slots=True)
class Atomic(Group):
    """An atomic group as it was read, as long as what follows it is unknown.

    Attributes:
        start: where it starts in the pattern's text.
        what: words for it.
    """

    start: int
    what: str


def without_atomic(node: Node, last: bool = True) -> Node:
    """The tree with nothing atomic in it; it matches the same.

    Args:
        last: whether nothing that follows `node` can fail, so that nothing ever goes back into it.

    Raises:
        PatternError: an atomic group has no exact equivalent.
    """
    match node:
        case Atomic():
            item = without_atomic(node.item)
            made = item if last else atomic(item)
            if made is None:
                raise PatternError(
                    f"{node.what} has no exact equivalent in look-aheads, and may not go back on what it took",
                    node.start,
                    "repeat a single class or a literal, or use a plain repeat with a negative look-ahead behind it",
                )
            return made
        case Group(name=name, item=item):
            return Group(name, without_atomic(item, last))
        case Sequence(items=items):
            return sequence(
                without_atomic(item, last and all(map(_never_fails, items[at:]))) for at, item in enumerate(items, 1)
            )
        case Choice(options=options):
            return choice(without_atomic(option, last) for option in options)
        case Repeat(item=item, least=least, most=most, lazy=lazy):
            return repeat(without_atomic(item, last and least <= 1), least, most, lazy)
        case Ahead(item=item, negative=negative):
            return Ahead(without_atomic(item), negative)
        case Behind(item=item, negative=negative):
            return Behind(without_atomic(item, last=False), negative)
        case _:
            return node


def _never_fails(node: Node) -> bool:
    """Whether `node` matches at any place, be it nothing (false: perhaps it does)."""
    match node:
        case Group(item=item):
            return _never_fails(item)
        case Sequence(items=items):
            return all(map(_never_fails, items))
        case Choice(options=options):
            return any(map(_never_fails, options))
        case Repeat(item=item, least=least):
            return not least or _never_fails(item)
        case _:
            return False


def atomic(node: Node) -> Node | None:
    """A tree without atomic groups that matches as `(?>node)` does; None if there is no exact one, or none so small."""
    made = _atomic(node)
    return made if made is not None and size(made) <= MAX_SIZE else None


def _atomic(node: Node) -> Node | None:
    if _one_way(node):
        return node
    match node:
        case Group(name=name, item=item):
            inner = atomic(item)
            return None if inner is None else Group(name, inner)
        case Sequence(items=items) if _settled(items):
            last = atomic(items[-1])
            return None if last is None else sequence([*items[:-1], last])
        case Choice(options=options):
            return _first_that_matches(options)
        case Repeat(item=item, least=least, most=most, lazy=False) if _one_way(item) and not nullable(item):
            return _as_many_as_possible(item, least, most)
        case _:
            return None


def _first_that_matches(options: tuple[Node, ...]) -> Node | None:
    """`(?>A|B|C)` as `A|(?!A)B|(?!A)(?!B)C`, each option atomic itself."""
    made: list[Node] = []
    for at, option in enumerate(options):
        inner = atomic(option)
        if inner is None:
            return None
        barred = [Ahead(without_groups(other), True) for other in options[:at] if not _exclusive(other, option)]
        made.append(sequence([*barred, inner]))
    return choice(made)


def _as_many_as_possible(item: Node, least: int, most: int | None) -> Node:
    """`A*+` as `A*(?!A)`, `A{2,5}+` as `A{5}|A{2,4}(?!A)`."""
    no_more = Ahead(without_groups(item), True)
    if most is None:
        return sequence([repeat(item, least, None), no_more])
    return choice([repeat(item, most, most), sequence([repeat(item, least, most - 1), no_more])])


def _one_way(node: Node) -> bool:
    """Whether there is at most one way in which `node` can match at any place (false: perhaps there are more)."""
    match node:
        case Group(item=item):
            return _one_way(item)
        case Sequence(items=items):
            return not items or (_settled(items) and _one_way(items[-1]))
        case Repeat(item=item, least=least, most=most):
            return least == most and _one_way(item)
        case Choice(options=options):
            return all(map(_one_way, options)) and all(
                _exclusive(left, right) for at, left in enumerate(options) for right in options[:at]
            )
        case _:
            return True


def _settled(items: tuple[Node, ...]) -> bool:
    """Whether all `items` but the last have one way only, given that those after them match."""
    return all(_one_way(item) or _counted_by(item, Sequence(*items[at:])) for at, item in enumerate(items[:-1], 1))


def _counted_by(node: Node, rest: Node) -> bool:
    """Whether `node` is a repeat whose number of rounds the next character always tells, because `rest` must follow."""
    return isinstance(node, Repeat) and _one_way(node.item) and not nullable(node.item) and _exclusive(node.item, rest)


def _exclusive(left: Node, right: Node) -> bool:
    """Whether the next character always rules out one of the two; both take at least one."""
    if nullable(left) or nullable(right):
        return False
    left_start, right_start = first(left), first(right)
    return left_start is not None and right_start is not None and not common(left_start, right_start).ranges
