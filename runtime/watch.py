"""The delimiters that are watched in one state of a parser."""

from __future__ import annotations

from functools import cached_property

from .automaton import CERTAIN, DECIDED, IDLE, Automaton
from .pattern import Chars, Node
from .spotter import Spotter


class Delimiter:
    """What opens (`opens`) or closes a region of `field`."""

    __slots__ = ("field", "opens", "pattern")

    def __init__(self, field: str, opens: bool, pattern: Node) -> None:
        self.field = field
        self.opens = opens
        self.pattern = pattern


def opening(field: str, pattern: Node) -> Delimiter:
    """The delimiter that opens a region of `field`."""
    return Delimiter(field, True, pattern)


def closing(field: str, pattern: Node) -> Delimiter:
    """The delimiter that closes a region of `field`."""
    return Delimiter(field, False, pattern)


class Watch(Spotter):
    """Several delimiters that are watched at once: all that can end the present state.

    Args:
        delimiters: in order of preference where two matches are equal.
        first: see `Spotter`.
        lead: see `Spotter`.
        context: how far before a position the delimiters can look, in characters.
    """

    __slots__ = ("__dict__", "context", "delimiters", "mask")

    def __init__(
        self,
        *delimiters: Delimiter,
        first: Chars | str | None = None,
        lead: Chars | None = None,
        context: int = 0,
    ) -> None:
        super().__init__(first, lead)
        self.delimiters = delimiters
        self.context = context
        self.mask = CERTAIN | DECIDED if first is None else IDLE | CERTAIN | DECIDED

    @cached_property
    def automaton(self) -> Automaton:
        """The automaton of all delimiters, built when it is first needed."""
        return Automaton([delimiter.pattern for delimiter in self.delimiters], self.context)
