"""The exact method of streaming in its plainest form, to see that compiled parsers are never later than it.

At every character each watched delimiter is looked for again with one search of its *probe*: the pattern in which every
atom may also match nothing at the very end of the text, leaving a mark. A match without a mark is decided, one with a
mark is not. It is far too slow for use, and keeps no values: only how much is out counts here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from support.oracle_values import compiled
from untemplate.compiler.patterns.reader import read_pattern
from untemplate.compiler.patterns.render import render
from untemplate.runtime.pattern import (
    Ahead,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    WordEdge,
)


@dataclass(frozen=True)
class Out:
    """How much a stream has let out: characters of regions, and openings and ends of regions."""

    characters: int
    turns: int

    def is_at_least(self, other: Out) -> bool:
        return self.characters >= other.characters and self.turns >= other.turns


def progress(template: dict[str, Any], text: str) -> Iterator[Out]:
    """What the exact method has let out after each character of `text`."""
    stream = _Stream(template)
    for character in text:
        stream.feed(character)
        yield Out(stream.characters, stream.turns)


class _Stream:
    def __init__(self, template: dict[str, Any]) -> None:
        fields: dict[str, dict[str, Any]] = template["fields"]
        self.opens = {name: _delimiter(spec, "open") for name, spec in fields.items()}
        self.closes = {name: _delimiter(spec, "close") for name, spec in fields.items()}
        self.implicit = next((name for name, pattern in self.opens.items() if pattern is None), None)
        self.text = ""
        self.position = 0
        self.field: str | None = None
        self.ended = False
        self.characters = 0
        self.turns = 0

    def feed(self, text: str) -> None:
        self.text += text
        while not self.ended and self._step():
            pass

    def _step(self) -> bool:
        """Passes on what is decided; whether a delimiter was."""
        if self.field is not None and self.field != self.implicit:
            watched = [(True, self.field, self.closes[self.field])]
        else:
            watched = [(False, name, pattern) for name, pattern in self.opens.items()]
            watched += [(True, self.implicit, self.closes[self.implicit])] if self.implicit is not None else []
        found = [
            (match.start(), match.start() - match.end(), closes, name, match.lastindex is not None)
            for closes, name, pattern in watched
            if pattern is not None and (match := _probe(pattern).search(self.text, self.position)) is not None
        ]
        undecided = min((start for start, *_, marked in found if marked), default=len(self.text) + 1)
        winner = min((one for one in found if not one[-1]), default=None)
        if winner is None or winner[0] >= undecided:
            self._take(min(undecided, len(self.text)))
            return False
        start, minus, closes, name, _ = winner
        self._take(start)
        if closes and not minus and self.field is None:
            self.ended = True
            return False
        self.turns += self.field is not None
        self.field = None if closes else name
        self.turns += not closes
        self.position = start - minus
        return True

    def _take(self, end: int) -> None:
        if end > self.position and self.field is None and self.implicit is not None:
            self.field = self.implicit
            self.turns += 1
        if self.field is not None:
            self.characters += end - self.position
        self.position = end


def _delimiter(spec: dict[str, Any], key: str) -> str | None:
    if key in spec:
        literals = [spec[key]] if isinstance(spec[key], str) else spec[key]
        return "|".join(regex.escape(literal) for literal in sorted(literals, key=len, reverse=True))
    pattern: str | None = spec.get(f"{key}_pattern")
    return pattern


@lru_cache(maxsize=1024)
def _probe(pattern: str) -> regex.Pattern[str]:
    return compiled(_undecided(read_pattern(pattern)))


_MARK = "()"


def _undecided(node: Node) -> str:
    """The pattern that also matches, leaving a mark, where more text may complete a match."""
    match node:
        case Literal(text):
            return "".join(_at_end_or(render(Literal(character))) for character in text)
        case Chars():
            return _at_end_or(render(node))
        case Sequence(items):
            return "".join(map(_undecided, items))
        case Choice(options):
            return "(?:" + "|".join(map(_undecided, options)) + ")" if options else "(*FAIL)"
        case Repeat():
            return f"(?:{_undecided(node.item)}){_quantifier(node)}"
        case Group(_, item):
            return _undecided(item)
        case Ahead(item, negative):
            possible = _undecided(item)
            return f"(?!{_decided(item)})(?:(?={possible}){_MARK}|)" if negative else f"(?={possible})"
        case TextEnd():
            return rf"\Z{_MARK}"
        case WordEdge():
            return rf"(?:\Z{_MARK}|{render(node)})"
        case _:
            return f"(?:{render(node)})"  # what looks back only is known


def _decided(node: Node) -> str:
    """The pattern that matches only where no further text can undo it."""
    match node:
        case Sequence(items):
            return "".join(map(_decided, items))
        case Choice(options):
            return "(?:" + "|".join(map(_decided, options)) + ")" if options else "(*FAIL)"
        case Repeat():
            return f"(?:{_decided(node.item)}){_quantifier(node)}"
        case Group(_, item):
            return _decided(item)
        case Ahead(item, negative):
            return f"(?!{_undecided(item)})" if negative else f"(?={_decided(item)})"
        case TextEnd():
            return "(*FAIL)"
        case WordEdge():
            return rf"(?!\Z){render(node)}"
        case _:
            return f"(?:{render(node)})"


def _at_end_or(atom: str) -> str:
    return rf"(?:{atom}|\Z{_MARK})"


def _quantifier(node: Repeat) -> str:
    most = "" if node.most is None else node.most
    return f"{{{node.least},{most}}}" + ("?" if node.lazy else "")
