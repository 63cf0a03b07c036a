"""Patterns in a small part of the notation of regular expressions, which the runtime can take to pieces by its tokens.

It is what generated modules hold of the patterns that the standard library's `re` finds for them, close to what
templates write. Its `\\s` is the white space of our dialect, and `.` is any character.
"""

from __future__ import annotations

import re

from untemplate.compiler.patterns.analysis import one_char, walk
from untemplate.compiler.patterns.render import render
from untemplate.runtime.pattern import Ahead, Chars, Choice, Group, Literal, Node, Repeat, Sequence

_LONGEST = 1_000  # characters of a pattern's text
_LONGEST_SET = 80
_LONGEST_LITERAL = 64  # its beginnings are told by parentheses within each other

_other_sets = re.compile(r"\\[wWdD]")


def notation(node: Node) -> str | None:
    """The text of a pattern, for `re.compile(spelled(text), re.DOTALL)`; `None` if it has none that is short.

    There are literals, sets of characters, groups and positive look-aheads; one character may be repeated without
    limit, anything may be left out.
    """
    if not all(map(_is_simple, walk(node))):
        return None
    text = render(node)
    return text if len(text) <= _LONGEST and text.isprintable() else None


def _is_simple(node: Node) -> bool:
    match node:
        case Literal(text):
            return len(text) <= _LONGEST_LITERAL and r"\U" not in render(node)
        case Chars():
            return is_brief(node)
        case Repeat(item, least, most):
            is_one = one_char(item) is not None
            return (least, most) == (0, 1) or (is_one and most is None and least <= 1)
        case Ahead(_, negative):
            return not negative
        case Choice(options):
            return bool(options)
    return isinstance(node, Sequence | Group)


def is_brief(chars: Chars) -> bool:
    """Whether the set is written with few characters, and holds the same ones for the standard library."""
    text = render(chars)
    return bool(chars.ranges) and len(text) <= _LONGEST_SET and not _other_sets.search(text)
