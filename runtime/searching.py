"""Parsers whose patterns are decided by their last character: reading on until one is whole."""

from __future__ import annotations

from typing import ClassVar

from .expressions import Expressions, More
from .parser import LONGEST_HELD, Events, Parser


class SearchingParser(Parser):
    """A parser with states that search for `Expressions`; their state methods call `_hold`."""

    __slots__ = ()

    EXPRESSIONS: ClassVar[dict[str, Expressions]] = {}

    def _holds_on(self, text: str) -> bool:
        """Whether `text` only adds to what is held back, as nothing can happen before all of `AWAITED` is there."""
        held = self._held + text
        if self._pile is not None or self.AWAITED in held or len(held) > LONGEST_HELD:
            return False  # of text in a pile something may be open still
        self._held = held
        self._ahead = ""
        return True

    def _hold(self, text: str, at: int, hold: int, events: Events, more: More) -> int:
        """Passes on `text[at:hold]`, and holds back what may begin a delimiter.

        Args:
            more: what may come next without deciding anything.
        """
        if not isinstance(more, str):
            if len(text) - hold > LONGEST_HELD:
                self._run = more
                self._pile = []
            more = ""
        return self._wait(text, at, hold, events, more)

    def _settle(self, events: Events) -> str:
        text = self._released()
        while self._decides(text, events):
            self._settled()
            text = self._released()
        return text

    def _decides(self, text: str, events: Events) -> bool:
        """Lets the next delimiter take effect in what is left of the reply; returns whether there was one."""
        searched = self.EXPRESSIONS.get(self._state)
        if searched is None or not text:
            return False
        found = searched.seek(text, 0, is_last=True)
        if isinstance(found, tuple):
            return False
        start = found.start()
        if start:
            self._emit(text[:start], events)
        self._go_on(text, start, events)
        return True

    def _go_on(self, text: str, at: int, events: Events) -> None:
        while at >= 0:
            at = getattr(self, self._state)(text, at, events)
