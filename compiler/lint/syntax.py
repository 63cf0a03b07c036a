"""The text of a pattern, cut into pieces: for what the tree does not show any more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_PIECE = re.compile(
    r"""
      (?P<escape>  \\(?:[pP]\{[^}]*\}|N\{[^}]*\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.) )
    | (?P<set>     \[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*\] )
    | (?P<group>   \((?:\?(?:P<[^>]*>|P[=>&]|<[=!]|<[^>]*>|[=!>|:\#]|[-a-zA-Z0-9]+[:)])|\*[A-Z]+\))? )
    | (?P<repeat>  (?:[*+?]|\{[0-9]*,?[0-9]*\})[+?]? )
    | (?P<bar>     \| )
    | (?P<other>   . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a pattern's text.

    Its kind is "escape", "set", "group" (the piece ends where its content starts), "repeat", "bar" or "other".
    """

    kind: str
    text: str
    at: int


def pieces(pattern: str) -> Iterator[Piece]:
    """The pieces of a pattern that can be read, in order."""
    for found in _PIECE.finditer(pattern):
        yield Piece(str(found.lastgroup), found[0], found.start())
