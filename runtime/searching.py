"""Parsers whose patterns are decided by their last character: reading on until one is whole."""

from __future__ import annotations

from typing import Any, ClassVar

from .expressions import Expressions, More
from .parser import Events, OnMalformed, Parser


class SearchingParser(Parser):
    """A parser with states that search for `Expressions`; their state methods call `_hold`."""

    __slots__ = ("_run",)

    EXPRESSIONS: ClassVar[dict[str, Expressions]] = {}

    def __init__(
        self,
        prefix: str | None = None,
        tools: list[Any] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> None:
        self._run: More = ""
        super().__init__(prefix, tools, on_malformed)

    def _hold(self, text: str, at: int, hold: int, events: Events, more: More) -> int:
        """Passes on `text[at:hold]`, and holds back what may begin a delimiter.

        Args:
            more: what may come next without deciding anything.
        """
        if isinstance(more, str):
            return self._wait(text, at, hold, events, more)
        self._wait(text, at, hold, events)
        self._run = more
        self._pile = []
        return -1

    def _piles(self, text: str, events: Events) -> bool:
        run = self._run
        if isinstance(run, str) or self._pile is None:
            return super()._piles(text, events)
        if run(text):
            self._pile.append(text)
            return True
        self._run = ""
        return False

    def _settle(self, events: Events) -> str:
        text = self._released()
        while self._decides(text, events):
            self._settled()
            text = self._released()
        return text

    def _decides(self, text: str, events: Events) -> bool:
        """Lets the next delimiter take effect in what is left of the reply; returns whether there was one."""
        searched = self.EXPRESSIONS.get(self._state)
        if searched is None:
            return False
        start, found, _ = searched.find(text, 0, is_last=True)
        if found is None:
            return False
        if start:
            self._emit(text[:start], events)
        self._go_on(text, start, events)
        return True

    def _go_on(self, text: str, at: int, events: Events) -> None:
        while at >= 0:
            at = getattr(self, self._state)(text, at, events)
