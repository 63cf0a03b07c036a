"""The delimiters that are watched in one state of a parser."""

from __future__ import annotations

from functools import cached_property

from .automaton import Automaton
from .pattern import Chars, Node
from .quick import Quick, alternatives
from .spotter import Spotter
from .states import CERTAIN, DECIDED, IDLE


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
        starts: see `Spotter`, as for the next three.
        first: the characters that every match starts with.
        lead: characters that may stand in front of those.
        wary: whether the end of a text is always worth a look.
        context: how far before a position the delimiters can look, in characters.
        decided: the numbers of the alternatives that are decided by their last character, over all delimiters.
    """

    __slots__ = ("__dict__", "_decided", "context", "delimiters", "mask")

    def __init__(
        self,
        *delimiters: Delimiter,
        starts: tuple[str, ...] = (),
        first: Chars | None = None,
        lead: str | Chars = "",
        wary: bool = False,
        context: int = 0,
        decided: tuple[int, ...] = (),
    ) -> None:
        super().__init__(starts, first, lead, wary)
        self._decided = decided
        self.delimiters = delimiters
        self.context = context
        self.mask = CERTAIN | DECIDED if self.everywhere else IDLE | CERTAIN | DECIDED

    @cached_property
    def automaton(self) -> Automaton:
        """The automaton of all delimiters, built when it is first needed."""
        return Automaton([delimiter.pattern for delimiter in self.delimiters], self.context)

    @cached_property
    def quick(self) -> Quick | None:
        """Finds matches of the decided alternatives, if there are any."""
        known = alternatives(delimiter.pattern for delimiter in self.delimiters)
        return Quick([known[number] for number in self._decided]) if self._decided else None

    @cached_property
    def captures(self) -> bool:
        """Whether something that closes a region has captures, so that it matters which delimiter it is."""
        names = self.automaton.program.names
        return any(names[index] for index, one in enumerate(self.delimiters) if not one.opens)
