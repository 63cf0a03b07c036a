"""Pattern trees as the expressions that build them."""

from __future__ import annotations

from untemplate.compiler.backend.literals import literal
from untemplate.runtime.pattern import (
    ANY,
    Ahead,
    Behind,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Range,
    Repeat,
    Sequence,
    TextEnd,
    TextStart,
    WordEdge,
    none_of,
    one_of,
)
from untemplate.runtime.unicode import DIGIT, SPACE, WORD

_NAMED = (("WORD", WORD), ("SPACE", SPACE), ("DIGIT", DIGIT))


def tree_source(node: Node) -> str:
    """The expression for a node, in terms of the runtime's constructors."""
    match node:
        case Literal(text):
            return f"Literal({literal(text)})"
        case Chars():
            return chars_source(node)
        case Sequence(items):
            return f"Sequence({', '.join(map(tree_source, items))})"
        case Choice(options):
            return f"Choice({', '.join(map(tree_source, options))})"
        case Repeat(item, least, most, lazy):
            counts = [str(least)] if least or most is not None else []
            counts += [str(most)] if most is not None else []
            counts += ["lazy=True"] if lazy else []
            return f"Repeat({', '.join([tree_source(item), *counts])})"
        case Group(name, item):
            return f"Group({literal(name)}, {tree_source(item)})"
        case Ahead(item, negative):
            return f"Ahead({tree_source(item)}{', negative=True' if negative else ''})"
        case Behind(item, negative):
            return f"Behind({tree_source(item)}{', negative=True' if negative else ''})"
        case TextStart():
            return "TextStart()"
        case TextEnd():
            return "TextEnd()"
        case WordEdge(negative):
            return f"WordEdge({'negative=True' if negative else ''})"


def chars_source(chars: Chars) -> str:
    """The expression for a set: by name, by what it holds, or by what it lacks, whichever says it in fewer parts."""
    if chars == ANY:
        return "ANY"
    for name, named in _NAMED:
        if chars == named:
            return name
        if chars == none_of(named):
            return f"none_of({name})"
    held, lacked = _parts(chars), _parts(none_of(chars))
    return f"one_of({', '.join(held)})" if len(held) <= len(lacked) else f"none_of({', '.join(lacked)})"


def _parts(chars: Chars) -> list[str]:
    parts: list[str] = []
    for name, named in _NAMED:
        if len(named.ranges) <= len(chars.ranges) + 8 and _holds(chars, named):
            parts.append(name)
            chars = none_of(none_of(chars), named)
    single = "".join(chr(code) for low, high in chars.ranges if high - low < 2 for code in range(low, high + 1))
    wide: list[Range] = [(low, high) for low, high in chars.ranges if high - low >= 2]
    parts += [literal((chr(low), chr(high))) for low, high in wide]
    return parts + ([literal(single)] if single else [])


def _holds(chars: Chars, part: Chars) -> bool:
    return one_of(chars, part) == chars
