"""Patterns in the notation of generated modules, read back into trees."""

from __future__ import annotations

import re

from untemplate.runtime.pattern import (
    ANY,
    Ahead,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Part,
    Repeat,
    Sequence,
    none_of,
    one_of,
)
from untemplate.runtime.unicode import SPACE

_token = re.compile(
    r"\(\?P<\w+>|\(\?[:=]|[()|]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|\[\^?(?:\\.|[^\]\\])+\]|\\U.{8}|\\?.", re.DOTALL
)
_member = re.compile(r"(\\U.{8}|\\?.)(?:-(\\U.{8}|\\?.))?", re.DOTALL)
_counts = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_controls = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\v": "\v", r"\f": "\f"}


def tree_of(pattern: str) -> Node:
    """The tree of a pattern that the compiler has written."""
    return _Reader(_token.findall(pattern)).choice()


class _Reader:
    """Reads tokens from the first to the last."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens[::-1]

    def choice(self) -> Node:
        options = [self._sequence()]
        while self._next() == "|":
            self._tokens.pop()
            options.append(self._sequence())
        return options[0] if len(options) == 1 else Choice(*options)

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self._next() not in ("", "|", ")"):
            item = self._item(self._tokens.pop())
            if (counts := self._next()) and counts[0] in "*+?{":
                item = _repeated(item, self._tokens.pop())
            items.append(item)
        return _joined(items)

    def _next(self) -> str:
        return self._tokens[-1] if self._tokens else ""

    def _item(self, token: str) -> Node:
        if token[0] == "(":
            inner = self.choice()
            self._tokens.pop()
            if token == "(?=":
                return Ahead(inner)
            return Group(token[4:-1], inner) if token[2] == "P" else inner
        if token[0] == "[":
            return _set(token)
        if token == ".":
            return ANY
        if token in (r"\s", r"\S"):
            return SPACE if token == r"\s" else none_of(SPACE)
        return Literal(_char(token))


def _joined(items: list[Node]) -> Node:
    """The items one after the other, neighbouring literals as one."""
    joined: list[Node] = []
    for item in items:
        last = joined[-1] if joined else None
        if isinstance(item, Literal) and isinstance(last, Literal):
            joined[-1] = Literal(last.text + item.text)
        else:
            joined.append(item)
    return joined[0] if len(joined) == 1 else Sequence(*joined)


def _repeated(item: Node, counts: str) -> Node:
    lazy = len(counts) > 1 and counts[-1] == "?"
    plain = counts[:-1] if lazy else counts
    if plain in _counts:
        return Repeat(item, *_counts[plain], lazy)
    least, comma, most = plain[1:-1].partition(",")
    return Repeat(item, int(least), int(most) if most else None if comma else int(least), lazy)


def _set(token: str) -> Chars:
    negative = token[1] == "^"
    parts: list[Part] = []
    for first, last in _member.findall(token[1 + negative : -1]):
        if first == r"\s":
            parts.append(SPACE)
        else:
            parts.append((_char(first), _char(last or first)))
    return none_of(*parts) if negative else one_of(*parts)


def _char(token: str) -> str:
    if token.startswith(r"\U"):
        return chr(int(token[2:], 16))
    return _controls.get(token, token[-1])
