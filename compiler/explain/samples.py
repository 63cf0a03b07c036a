"""Texts that a pattern matches, to be tried on the automaton that the parser uses."""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.runtime.pattern import (
    Ahead,
    Behind,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    TextStart,
    WordEdge,
)

_PREFERRED = "ax1 \n"


@dataclass(frozen=True, slots=True)
class Sample:
    """A short match: the text before it that it asks for, the match, and the text after it that it asks for."""

    before: str
    match: str
    after: str


def sample(node: Node) -> Sample | None:
    """A shortest kind of match of `node`, as far as its tree tells; `None` if it never matches.

    Assertions are not reckoned with in full, so that it may be no match after all.
    """
    match node:
        case Literal(text):
            return Sample("", text, "")
        case Chars(ranges):
            char = next((char for char in _PREFERRED if char in node), chr(ranges[0][0]) if ranges else "")
            return Sample("", char, "") if char else None
        case Sequence(items):
            return _in_turn(items)
        case Choice(options):
            found = [one for option in options if (one := sample(option))]
            return min(found, key=lambda one: len(one.match), default=None)
        case Repeat(item, least):
            return _in_turn((item,) * least)
        case Group(_, item):
            return sample(item)
        case Ahead(item, negative):
            inner = Sample("", "", "") if negative else sample(item)
            return inner and Sample("", "", inner.match + inner.after)
        case Behind(item, negative):
            inner = Sample("", "", "") if negative else sample(item)
            return inner and Sample(inner.match, "", "")
        case TextStart() | TextEnd() | WordEdge():
            return Sample("", "", "")


def _in_turn(items: tuple[Node, ...]) -> Sample | None:
    before = match = after = ""
    for item in items:
        one = sample(item)
        if one is None:
            return None
        if not match:
            before = one.before or before
        match += one.match
        # What is asked for after one item is, as a rule, what the next one matches.
        after = one.after if one.after else after[len(one.match) :]
    return Sample(before, match, after)
