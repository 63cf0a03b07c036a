"""Writes a tree as the text of a pattern again."""

from __future__ import annotations

from untemplate.compiler.patterns.analysis import common
from untemplate.runtime.pattern import (
    ANY,
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
    none_of,
)
from untemplate.runtime.unicode import DIGIT, SPACE, WORD

_NAMED_SETS = {
    ANY: ".",
    DIGIT: r"\d",
    SPACE: r"\s",
    WORD: r"\w",
    none_of(DIGIT): r"\D",
    none_of(SPACE): r"\S",
    none_of(WORD): r"\W",
}
_CONTROLS = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\f": r"\f"}
_LAST_LINE_END = Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd()))


def render(node: Node) -> str:
    """A pattern that the `regex` package, under DOTALL, matches as the tree says.

    Not always the text that the tree was read from: what the tree spells out stays spelled out.
    """
    match node:
        case Literal(text=text):
            return "".join(_char(char, r"\.^$*+?{}[]|()") for char in text)
        case Chars():
            return _set(node)
        case Sequence(items=items):
            return "".join(f"(?:{render(item)})" if isinstance(item, Choice) else render(item) for item in items)
        case Choice(options=()):
            return "(*FAIL)"
        case Choice(options=options):
            return "|".join(map(render, options))
        case Repeat(item=item):
            return f"{_unit(item)}{_quantifier(node)}"
        case Group(name=name, item=item):
            return f"(?P<{name}>{render(item)})"
        case Ahead(item=item, negative=negative):
            return "$" if node == _LAST_LINE_END else f"(?{'!' if negative else '='}{render(item)})"
        case Behind(item=item, negative=negative):
            return f"(?<{'!' if negative else '='}{render(item)})"
        case TextStart():
            return r"\A"
        case TextEnd():
            return r"\Z"
        case WordEdge(negative=negative):
            return r"\B" if negative else r"\b"


def _unit(node: Node) -> str:
    """The text of `node` as something that a quantifier applies to as a whole."""
    alone = isinstance(node, Chars | Group) or (isinstance(node, Literal) and len(node.text) == 1)
    return render(node) if alone else f"(?:{render(node)})"


def _quantifier(node: Repeat) -> str:
    counts = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((node.least, node.most))
    if counts is None:
        counts = (
            f"{{{node.least}}}"
            if node.least == node.most
            else f"{{{node.least},{'' if node.most is None else node.most}}}"
        )
    return counts + ("?" if node.lazy else "")


def _set(chars: Chars) -> str:
    """The set by its name, or in brackets, negated if that is shorter."""
    if chars in _NAMED_SETS:
        return _NAMED_SETS[chars]
    negated = f"[^{_members(none_of(chars))}]"
    return min(f"[{_members(chars)}]", negated, key=len) if chars.ranges else negated


def _members(chars: Chars) -> str:
    """What stands in the brackets: the named sets that `chars` holds, then the ranges that are left."""
    text = ""
    for named in (WORD, SPACE, DIGIT):
        if common(named, chars) == named:
            text += _NAMED_SETS[named]
            chars = common(chars, none_of(named))
    for first, last in chars.ranges:
        text += _char(chr(first), r"\]^-[")
        if last > first:
            text += ("-" if last > first + 1 else "") + _char(chr(last), r"\]^-[")
    return text


def _char(char: str, special: str) -> str:
    if char in special:
        return f"\\{char}"
    if char in _CONTROLS:
        return _CONTROLS[char]
    return char if char.isprintable() else f"\\U{ord(char):08X}"
