"""Parsers some of whose delimiters are patterns: reading on until an automaton decides."""

from __future__ import annotations

from typing import Any, ClassVar

from .automaton import Automaton, Cursor, Match
from .foresight import Outlook
from .parser import LONGEST_HELD, Events, OnMalformed
from .quick import Found
from .searching import SearchingParser
from .states import CERTAIN, DECIDED, ENDING, IDLE
from .watch import Delimiter, Watch

_FAR = 64  # in a text not longer than that each look-ahead sees for itself


class ScanningParser(SearchingParser):
    """A parser with states that watch patterns; their state methods call `_scan`."""

    __slots__ = (
        "_context",
        "_cursor",
        "_ended",
        "_final",
        "_foreseen",
        "_mask",
        "_reread",
        "_scanned",
        "_swallowed",
        "_watched",
    )

    WATCHES: ClassVar[dict[str, Watch]]
    _watched: Watch

    def __init__(
        self,
        prefix: str | None = None,
        tools: list[Any] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> None:
        self._context = ""
        self._cursor: Cursor | None = None
        self._ended = False
        self._final = False
        self._reread = 0
        self._foreseen: dict[Watch, tuple[str, list[Outlook]]] = {}
        self._scanned = 0
        self._mask = 0
        self._swallowed: Watch | None = None
        super().__init__(prefix, tools, on_malformed)

    def _remember(self, text: str, hold: int) -> None:
        self._context = self._before(text, hold)

    def _before(self, text: str, at: int) -> str:
        """The text before index `at`, as far as delimiters can look."""
        size = self.CONTEXT
        return text[at - size : at] if at >= size else (self._context + text[:at])[-size:]

    def _scan(
        self, watch: Watch, text: str, at: int, events: Events, kept: int | None = None, cursor: Cursor | None = None
    ) -> int:
        """Reads `text` from `at` on until a delimiter is decided: a state method's work for patterns.

        Args:
            kept: from where on text was not yet passed on; by default from `at` on.
            cursor: where reading has come to, if it has begun.
        """
        kept = at if kept is None else kept
        automaton: Automaton | None = None
        outlooks: list[Outlook] | None = None
        mask = 0
        while True:
            if cursor is None:
                at, hot = watch.spot(text, at)
                if not hot and len(text) - at <= LONGEST_HELD:
                    return self._wait(text, kept, at, events, watch.rest.get(text[at:], ""))
                quick = watch.quick if self._reread <= len(text) else None
                if quick and len(text) - at >= quick.shortest and (found := quick.at(text, at)):
                    return self._commit_at_once(watch, text, kept, at, found, events)
            if automaton is None:
                automaton = watch.automaton
                mask = self._reasons(watch)
            if cursor is None:
                outlooks = self._outlooks(watch, text, at)
                context = self._before(text, at) if watch.context else ""
                cursor = automaton.enter(context, outlooks[at - len(text) - 1] if outlooks else None)
                if cursor.state.stop & mask & ~IDLE == 0:
                    if at == len(text):
                        return self._keep(watch, cursor, text, kept, events)
                    at = self._step(automaton, cursor, text, at, mask, outlooks)
            stop = cursor.state.stop & mask
            if stop & DECIDED:
                match = automaton.decided(cursor, at)
                self._reread += at - match.end
                return self._commit(watch, text, kept, match, events)
            if stop & CERTAIN and self._is_due(watch, cursor, kept < automaton.start_of_ending(cursor, at)):
                self._anticipate(watch, text, kept, automaton.certain_match(cursor, at), events)
                kept = automaton.start_of_ending(cursor, at)
                mask = self._reasons(watch)
            elif stop & ENDING:
                start = automaton.start_of_ending(cursor, at)
                if start > kept:
                    self._emit(text[kept:start], events)
                kept = start
                if self._field is not None:
                    self._close(0, events)
                    self._ended = True
                    mask = self._reasons(watch)
            elif stop & IDLE and at < len(text):
                cursor = None
                continue
            if at == len(text):
                return self._keep(watch, cursor, text, kept, events)
            at = self._step(automaton, cursor, text, at, mask, outlooks)

    def _step(
        self, automaton: Automaton, cursor: Cursor, text: str, at: int, mask: int, outlooks: list[Outlook] | None
    ) -> int:
        if outlooks is None:
            return automaton.read(cursor, text, at, 0, mask)
        return automaton.read_foreseen(cursor, text, at, mask, outlooks)

    def _outlooks(self, watch: Watch, text: str, at: int) -> list[Outlook] | None:
        """What is ahead of each place of a long text, if it is worth knowing; worked out once for the text.

        It is where look-aheads ask for it, and where much was read again that had been waited for in vain.
        """
        automaton = watch.automaton
        if len(text) - at < _FAR or self._reread <= len(text):
            return None
        known = self._foreseen.get(watch)
        if known is None or known[0] is not text or len(known[1]) < len(text) - at:
            foresight = automaton.last_foresight if self._final else automaton.foresight
            known = (text, foresight.outlooks(text, at))
            self._foreseen = {**{one: kept for one, kept in self._foreseen.items() if kept[0] is text}, watch: known}
        return known[1]

    def _piles(self, text: str, events: Events) -> bool:
        cursor = self._cursor
        if cursor is None or self._pile is None:
            return super()._piles(text, events)
        held = self._scanned
        automaton = self._watched.automaton
        at = held + automaton.read(cursor, text, 0, held, self._mask)
        self._pile.append(text)
        stop = cursor.state.stop & self._mask
        if not stop and cursor.state.holds and cursor.starts[0] == 0:
            self._scanned = at
            return True
        self._cursor = None
        text = self._released()
        if stop & DECIDED:
            match = automaton.decided(cursor, at)
            self._reread += at - match.end
            at = self._commit(self._watched, text, 0, match, events)
        else:
            at = self._scan(self._watched, text, at, events, 0, cursor)
        self._go_on(text, at, events)
        return True

    def _keep(self, watch: Watch, cursor: Cursor, text: str, kept: int, events: Events) -> int:
        """Passes on what is decided, and holds back the text from the cursor's first start on."""
        if not cursor.state.holds and self._swallowed is None:
            return self._wait(text, kept, len(text), events)
        hold = cursor.starts[0] if cursor.state.holds else len(text)
        self._wait(text, kept, hold, events)
        self._pile = []
        self._free = self._led = False
        self._scanned = len(self._held)
        if hold:
            cursor.shift(hold)
        self._cursor = cursor
        self._watched = watch
        self._mask = self._reasons(watch)
        return -1

    def _reasons(self, watch: Watch) -> int:
        """What is worth stopping for while the automaton reads."""
        if self._swallowed is not None:
            return DECIDED
        ends = self._state == "_outside" and self.IMPLICIT is not None and not self._ended and not watch.captures
        return watch.mask | ENDING if ends else watch.mask

    def _watch(self) -> Watch | None:
        """What is watched in the present state, if that needs an automaton."""
        return self._swallowed or self.WATCHES.get(self._state)

    def _is_due(self, watch: Watch, cursor: Cursor, has_text: bool) -> bool:
        """Whether all that a certain delimiter causes is known, though not yet where it ends.

        Args:
            has_text: whether there is text in front of it that was not passed on yet.
        """
        if watch.delimiters[cursor.state.certain].opens:
            return True
        is_open = self._field is not None or (has_text and self.IMPLICIT is not None)
        return is_open and cursor.state.settled

    def _anticipate(self, watch: Watch, text: str, kept: int, match: Match, events: Events) -> None:
        """Lets a delimiter take effect whose end is still open; what follows up to there is swallowed."""
        if match.start > kept:
            self._emit(text[kept : match.start], events)
        self._swallowed = watch
        self._apply(watch.delimiters[match.index], match.captures(text), 0, events)

    def _commit(self, watch: Watch, text: str, kept: int, match: Match, events: Events) -> int:
        """Lets a decided delimiter take effect; returns the index behind it."""
        delimiter = watch.delimiters[match.index]
        length = match.end - match.start
        if self._swallowed is not None:
            self._swallowed = None
            self._start += length
            if delimiter.opens:
                self._captures = match.captures(text)
            return match.end
        if match.start > kept:
            self._emit(text[kept : match.start], events)
        if not length and not delimiter.opens and self._field is None and not self._ended:
            self._state = "_ignore"
        else:
            self._apply(delimiter, match.captures(text), length, events)
        return match.end

    def _commit_at_once(self, watch: Watch, text: str, kept: int, at: int, found: Found, events: Events) -> int:
        """Lets a delimiter take effect that needs no automaton; returns the index behind it."""
        if at > kept:
            self._emit(text[kept:at], events)
        captures = {name: text[start:end] for name, (start, end) in found.spans.items()}
        self._apply(watch.delimiters[found.one.index], captures, found.end - at, events)
        return self._swallow(text, found.end, found.one.tail) if found.one.tail else found.end

    def _apply(self, delimiter: Delimiter, captures: dict[str, str], length: int, events: Events) -> None:
        self._ended = False
        if delimiter.opens:
            self._open(delimiter.field, length, events)
            self._captures = captures
        else:
            if self._field is not None:
                self._captures.update(captures)
            self._close(length, events)

    def _ignore(self, text: str, at: int, events: Events) -> int:
        """The state after the scan has ended: what is left belongs to nothing."""
        self._start += len(text) - at
        self._held = self._ahead = ""
        self._free = self._led = False
        return -1

    def _settle(self, events: Events) -> str:
        text = super()._settle(events)
        return "" if self._state == "_ignore" else text

    def _decides(self, text: str, events: Events) -> bool:
        watch = self._watch()
        if watch is None:
            return super()._decides(text, events)
        if not (text or self._cursor or watch.automaton.program.takes_nothing):
            return False
        cursor = self._cursor or watch.automaton.enter(self._before(text, len(text)) if watch.context else "")
        match = watch.automaton.finish(cursor, len(text))
        self._cursor = None
        if match is None:
            return False
        self._final = True
        self._foreseen = {}
        self._reread += len(text) - match.end
        self._go_on(text, self._commit(watch, text, 0, match, events), events)
        return True

    def _save(self, state: dict[str, Any]) -> None:
        names = {id(watch): name for name, watch in self.WATCHES.items()}
        state["context"] = self._context
        state["ended"] = self._ended
        state["swallowed"] = None if self._swallowed is None else names[id(self._swallowed)]
        state["scanned"] = None if self._cursor is None else names[id(self._watched)]

    def _load(self, state: dict[str, Any]) -> None:
        self._context = state["context"]
        self._ended = state["ended"]
        self._swallowed = None if state["swallowed"] is None else self.WATCHES[state["swallowed"]]
        super()._load(state)
        if state["scanned"] is not None:
            self._watched = self.WATCHES[state["scanned"]]
            automaton = self._watched.automaton
            self._cursor = automaton.enter(self._context if self._watched.context else "")
            automaton.read(self._cursor, self._held, 0, 0, 0)
            self._mask = self._reasons(self._watched)
            self._scanned = len(self._held)
            self._pile = []
            self._free = self._led = False
