"""Constructors that keep a tree simple: no nested sequences, no neighbouring literals, no repeats without effect."""

from __future__ import annotations

from collections.abc import Iterable

from untemplate.compiler.patterns.analysis import one_char
from untemplate.runtime.pattern import Chars, Choice, Literal, Node, Repeat, Sequence, one_of


def character(chars: Chars) -> Node:
    """`chars`, as a `Literal` if it holds one character only."""
    if len(chars.ranges) == 1 and chars.ranges[0][0] == chars.ranges[0][1]:
        return Literal(chr(chars.ranges[0][0]))
    return chars


def sequence(items: Iterable[Node]) -> Node:
    """`items` one after the other, flat, neighbouring literals joined; a single one stands alone."""
    flat: list[Node] = []
    for item in items:
        for part in item.items if isinstance(item, Sequence) else (item,):
            before = flat[-1] if flat else None
            if isinstance(part, Literal) and isinstance(before, Literal):
                flat[-1] = Literal(before.text + part.text)
            else:
                flat.append(part)
    return flat[0] if len(flat) == 1 else Sequence(*flat)


def choice(options: Iterable[Node]) -> Node:
    """The first of `options` that leads to a match, flat; options of one character each are joined into a set."""
    flat: list[Node] = []
    for option in options:
        flat += option.options if isinstance(option, Choice) else (option,)
    sets = [one_char(option) for option in flat]
    if len(sets) > 1 and all(sets):
        return character(one_of(*(chars for chars in sets if chars)))
    return flat[0] if len(flat) == 1 else Choice(*flat)


def repeat(item: Node, least: int, most: int | None, lazy: bool = False) -> Node:
    """`item` so many times, in the plainest form."""
    if least == most == 1:
        return item
    if most == 0:
        return Sequence()
    return Repeat(item, least, most, lazy and least != most)
