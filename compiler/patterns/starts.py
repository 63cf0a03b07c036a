"""The literals that the matches of a pattern start and end with."""

from __future__ import annotations

from untemplate.compiler.patterns.analysis import nullable, shared_start
from untemplate.runtime.pattern import Ahead, Behind, Chars, Choice, Group, Literal, Node, Repeat, Sequence, WordEdge
from untemplate.runtime.pattern import TextStart as Start

_MOST = 8
_LONGEST = 40


def starts(node: Node) -> tuple[str, ...] | None:
    """Literals with one of which every match starts, none of them part of another; `None` if there are no such.

    Of a pattern that can match empty, the text that has to follow counts: `(?=<a>)` starts with `<a>`.
    """
    found = _starts((node,))
    if found is None or not 0 < len(found) <= _MOST:
        return None
    return _apart({text[:_LONGEST] for text in found})


def ending(node: Node) -> str:
    """The literal with which every match ends; "" if there is no such."""
    match node:
        case Literal(text):
            return text
        case Sequence((*_, last)):
            return ending(last)
        case Group(_, item):
            return ending(item)
        case Choice(options) if options:
            texts = [ending(option) for option in options]
            return shared_start([text[::-1] for text in texts])[::-1]
        case Repeat(item, least) if least:
            return ending(item)
    return ""


def _apart(texts: set[str]) -> tuple[str, ...]:
    """The texts without those that begin with another; cut to first characters if one is still part of another."""
    texts = {one for one in texts if not any(one != other and one.startswith(other) for other in texts)}
    if any(one in other for one in texts for other in texts if one != other):
        texts = {text[0] for text in texts}
    return tuple(sorted(texts))


def _starts(nodes: tuple[Node, ...]) -> set[str] | None:
    """What a sequence of nodes starts with; `None` if that can not be said with a few literals."""
    if not nodes:
        return None
    node, rest = nodes[0], nodes[1:]
    match node:
        case Literal(text):
            return {text}
        case Chars(ranges):
            if sum(last - first + 1 for first, last in ranges) > _MOST:
                return None
            return {chr(code) for first, last in ranges for code in range(first, last + 1)}
        case Sequence(items):
            return _starts(items + rest)
        case Group(_, item):
            return _starts((item, *rest))
        case Choice(options):
            return _united([_starts((option, *rest)) for option in options])
        case Repeat(item, least):
            if least and not nullable(item):
                return _starts((item,))
            return _united([_starts((item, *rest)), _starts(rest)])
        case Ahead(item, negative):
            inner = None if negative else _starts((item,))
            return _starts(rest) if inner is None else inner
        case Behind() | WordEdge() | Start():
            return _starts(rest)
        case _:
            return None


def _united(parts: list[set[str] | None]) -> set[str] | None:
    united: set[str] = set()
    for part in parts:
        if part is None:
            return None
        united |= part
    return united if len(united) <= _MOST * 4 else None
