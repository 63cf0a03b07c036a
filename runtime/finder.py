"""Finding the matches of one pattern in a text that is complete: tags in a body, anchors in a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from .automaton import Automaton, Match
from .foresight import Outlook
from .pattern import Chars, Node
from .quick import Alternative, Quick
from .spotter import Spotter
from .states import DECIDED, IDLE


class Finder(Spotter):
    """Finds the matches of one pattern, in one pass over the text.

    Args:
        pattern: what to find.
        starts: see `Spotter`, as for the next three.
        first: the characters that every match starts with.
        lead: characters that may stand in front of those.
        wary: whether the end of a text is always worth a look.
        context: how far before a position the pattern can look, in characters.
        decided: whether its matches are decided by their last character.
    """

    __slots__ = ("__dict__", "_context", "_decided", "_pattern")

    def __init__(
        self,
        pattern: Node,
        starts: tuple[str, ...] = (),
        first: Chars | None = None,
        lead: str | Chars = "",
        wary: bool = False,
        context: int = 0,
        decided: bool = False,
    ) -> None:
        super().__init__(starts, first, lead, wary)
        self._decided = decided
        self._pattern = pattern
        self._context = context

    @cached_property
    def _automaton(self) -> Automaton:
        return Automaton([self._pattern], self._context)

    @cached_property
    def _quick(self) -> Quick | None:
        return Quick([Alternative(0, self._pattern, self._pattern)]) if self._decided else None

    def matches(self, text: str, at: int = 0) -> Iterator[Match]:
        """All matches from index `at` on, from left to right, that do not overlap."""
        automaton = self._automaton
        reread = 0
        outlooks: list[Outlook] | None = None
        while at <= len(text):
            if outlooks is None and reread > len(text):
                outlooks = automaton.last_foresight.outlooks(text, 0)
            match, end = self._next(text, at, outlooks)
            if match is None:
                return
            yield match
            reread += end - match.end
            at = match.end if match.end > match.start else match.end + 1

    def _next(self, text: str, at: int, outlooks: list[Outlook] | None) -> tuple[Match | None, int]:
        """The next match from index `at` on, and how far the text was read for it."""
        automaton = self._automaton
        mask = DECIDED if self.everywhere else DECIDED | IDLE
        while True:
            at, hot = self.spot(text, at)
            if not hot:
                at = len(text)
            elif outlooks is None and self._quick is not None and (found := self._quick.at(text, at)) is not None:
                return Match(0, at, found.end, found.spans), found.end
            cursor = automaton.enter(text[max(0, at - self._context) : at], outlooks[at] if outlooks else None)
            if not cursor.state.winners:
                if outlooks is None:
                    at = automaton.read(cursor, text, at, 0, mask)
                else:
                    at = automaton.read_foreseen(cursor, text, at, mask, outlooks)
            if cursor.state.winners:
                return automaton.decided(cursor, at), at
            if at == len(text):
                return automaton.finish(cursor, at), at

    def tags(self, body: str, at: int = 0) -> Iterator[tuple[str | None, str | None]]:
        """What the groups `key` and `value` of each match captured; `None` for one that took no part."""
        for match in self.matches(body, at):
            captures = match.captures(body)
            yield captures.get("key"), captures.get("value")

    def last_end(self, text: str) -> int | None:
        """The end of the last match, or `None` if there is none."""
        end = None
        for match in self.matches(text):
            end = match.end
        return end
