"""Saying at once what all continuations of a text share, while it is still open which of them comes.

Of two delimiters that may match here, each may open the same region; behind an optional part there may be a close that
matches anywhere. What then happens is certain although no delimiter is. The parser finds it out by trying: copies of it
go on with one character of every kind that the delimiters tell apart, or end, until all have done the same or two have
not. What they all do is said in advance, and left out when it is due.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, ClassVar, Self

from .automaton import Cursor, Match
from .errors import ResponseParseError
from .events import Event
from .parser import Events, OnMalformed
from .scanning import ScanningParser

Happening = tuple[str, str, str]
"""The least that can happen: a region's opening, one character of its text, or its end."""

_LONGEST_TRIED = 32  # characters held back: in front of longer ones nothing is foretold
_MOST_TRIED = 150  # copies that may be made to find out about one place
_MOST_TRIED_IN_ALL = 500  # the same, for all places of one reply together
_MOST_KNOWN = 1_000  # places of which it is kept what follows them


class ForetellingParser(ScanningParser):
    """A parser whose delimiters can be such that what follows is certain before they are."""

    __slots__ = ("_is_copy", "_met", "_told", "_tries")

    PROBES: ClassVar[str]
    """One character of every kind that the delimiters tell apart."""

    BEGINS: ClassVar[bool] = False
    """Whether something may be certain before the first character."""

    KNOWN: ClassVar[dict[Any, tuple[int, int]]]
    """How much is certain at the places that were met, and how many tries that took."""

    def __init_subclass__(cls) -> None:
        cls.KNOWN = {}

    def __init__(
        self,
        prefix: str | None = None,
        tools: list[Any] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> None:
        self._is_copy = False
        self._told = 0  # how much of what happens next was said in advance
        self._tries = _MOST_TRIED_IN_ALL  # that are left
        self._met: set[Any] = set()  # the places that took some
        super().__init__(prefix, tools, on_malformed)
        if self.BEGINS and not prefix:
            self._read("", self.initial_events)

    def _read(self, text: str, events: Events) -> None:
        if self._told:
            self._catch_up(text, events)
            return
        super()._read(text, events)
        if events is None or self._is_copy:
            return
        if not self._free or (self._state in self.WATCHES and self.WATCHES[self._state].everywhere):
            self._foretell(events)

    def _catch_up(self, text: str, events: Events) -> None:
        """Reads on, and leaves out of the events what was said in advance."""
        told, self._told = self._told, 0
        if events is None:
            self._read(text, None)
            return
        fresh: list[Event] = []
        self._read(text, fresh)
        events += _without(fresh, told)
        happened = sum(1 for _ in _happenings(fresh)) - self._told
        self._tell(max(self._told, told - happened))

    def _tell(self, count: int) -> None:
        """Notes how much of what happens next was said; until then every text has to be looked at."""
        self._told = count
        if count:
            self._free = self._led = False

    def _end(self, events: Events) -> dict[str, Any]:
        told, self._told = self._told, 0
        if not told or events is None:
            return super()._end(events)
        fresh: list[Event] = []
        try:
            return super()._end(fresh)
        finally:
            events += _without(fresh, told)

    # Trying.

    def _foretell(self, events: list[Event]) -> None:
        """Says what is certain to happen."""
        if self._holds_much():
            return
        place = (self._state, self._tail, self._swallowed, self._field, self._ended, self._context, self.held)
        is_new = place not in self._met
        if is_new and self._tries <= 0:
            return
        known = self.KNOWN.get(place)
        if known is None:
            if len(self.KNOWN) >= _MOST_KNOWN:
                self.KNOWN.clear()
            known = self.KNOWN[place] = self._count_shared()
        count, tried = known
        if is_new:  # known from other replies or not: what is said depends on this one alone
            self._met.add(place)
            self._tries -= tried
        if not count:
            return
        coming = _only(self._copy(with_body=False)._rest(), count)
        if any(event["type"] in ("region_close", "region_malformed") for event in coming):  # what holds a body
            coming = _only(self._copy(with_body=True)._rest(), count)
        if self._on_malformed == "raise":
            kinds = [kind for kind, _, _ in _happenings(coming)]
            count = kinds.index("region_malformed") if "region_malformed" in kinds else count
        events += _only(coming, count)
        self._tell(count)

    def _holds_much(self) -> bool:
        """Whether so much is held back that trying takes too long."""
        pile = self._pile or []
        if len(pile) > _LONGEST_TRIED:
            return True
        return len(self._held) + sum(map(len, pile)) > _LONGEST_TRIED

    def _is_open(self, coming: list[Happening]) -> bool:
        """Whether it needs no trying to see that something else may happen: a delimiter where `coming` has text."""
        watch = self._watch()
        if not coming or (watch is None and not self._tail):
            return True
        kind, field, _ = coming[0]
        if watch is None or (kind != "region_chunk" and (kind, field) != ("region_open", self.IMPLICIT)):
            return False
        cursor = self._cursor
        if cursor is None:
            cursor = watch.automaton.enter(self._context if watch.context else "")
            watch.automaton.read(cursor, self.held, 0, 0, 0)
        rivals = watch.automaton.first(cursor.state)
        if self._swallowed is not None:
            return any(may_be_last for _, may_be_last in rivals)
        return any(self._field is not None or watch.delimiters[index].opens or last for index, last in rivals)

    def _count_shared(self) -> tuple[int, int]:
        """How much all continuations have in common, and how many copies were made to find out."""
        first = self._copy(with_body=False)
        first._tools = None
        coming = list(_happenings(first._copy()._rest()))
        if self._is_open(coming):
            return 0, 1
        old = len(self.held)
        tried = 0
        known = set()
        todo = deque([(first, 0, 1)])
        while todo:
            parser, done, read = todo.popleft()
            for probe in self.PROBES:
                tried += 1
                if tried > _MOST_TRIED:
                    return 0, tried
                copy = parser._copy()
                fresh: list[Event] = []
                copy._read(probe, fresh)
                happened = [*coming[:done], *_happenings(fresh)]
                coming = _agreed(coming, happened, whole=False)
                if len(happened) < len(coming):
                    rest = _happenings(copy._copy()._rest())
                    coming = _agreed(coming, [*happened, *rest], whole=True)
                if not coming:
                    return 0, tried
                due = len(coming) - len(happened)
                if due <= 0:
                    continue
                place = copy._place(old, read, due), due
                if place not in known:
                    known.add(place)
                    todo.append((copy, len(happened), read + 1))
        return len(coming), tried

    def _place(self, old: int, read: int, due: int) -> tuple[Any, ...]:
        """Where a copy stands: copies in equal places do the same, the next `due` happenings long, with equal text.

        Args:
            old: how long the text held back was when the first copy was made.
            read: how much more was read since then.
            due: how much of what happens next counts.
        """
        here = (self._state, self._tail, self._swallowed, self._field, self._ended)
        text = self.held
        cursor = self._cursor
        if cursor is None or any(self._watched.automaton.program.names):
            return *here, self._context, text
        base = old + read - len(text)
        starts = [min(base + start, old + 1) for start in cursor.starts]
        ends = [self._supposed(match, old, read, due) for match in self._watched.automaton.matched(cursor, len(text))]
        return *here, self._before(text, len(text)), cursor.state, *starts, *ends

    def _supposed(self, match: Match, old: int, read: int, due: int) -> tuple[Any, ...]:
        """What happens next, and where that leads to, should this be the match."""
        copy = self._copy()
        text = copy._released()
        copy._cursor = None
        fresh: list[Event] = []
        copy._go_on(text, copy._commit(self._watched, text, 0, match, fresh), fresh)
        happened = tuple(_happenings(fresh))[:due]
        due -= len(happened)
        return happened, copy._place(old, read, due) if due else None

    def _copy(self, with_body: bool = True) -> Self:
        """A parser in the same state, without the message so far, that foretells nothing.

        Args:
            with_body: whether the open region keeps its text: without it a value is another, but is there all the same.
        """
        copy = object.__new__(type(self))
        for one in type(self).__mro__:
            for name in getattr(one, "__slots__", ()):
                if hasattr(self, name):
                    setattr(copy, name, getattr(self, name))
        copy._message, copy._joined, copy._malformed = {}, {}, []
        copy._body = self._body.copy() if with_body else []
        copy._captures = self._captures.copy()
        copy._pile = None if self._pile is None else self._pile.copy()
        copy._foreseen = {}
        copy._on_malformed = "event"
        copy._is_copy = True
        if self._cursor is not None:
            copy._cursor = Cursor(self._cursor.state)
            copy._cursor.starts, copy._cursor.slots = self._cursor.starts, self._cursor.slots
        return copy

    def _rest(self) -> list[Event]:
        """The events if the text ends here."""
        events: list[Event] = []
        with suppress(ResponseParseError):  # a field is missing
            self._end(events)
        return events

    # Snapshots.

    def _save(self, state: dict[str, Any]) -> None:
        super()._save(state)
        state["told"] = self._told
        state["tries"] = self._tries

    def _load(self, state: dict[str, Any]) -> None:
        self._cursor = None
        self._pile = None
        super()._load(state)
        self._tell(state["told"])
        self._tries = state["tries"]


def _happenings(events: Iterable[Event]) -> Iterable[Happening]:
    """All that happens, one by one."""
    for event in events:
        if event["type"] == "region_chunk":
            for char in event["text"]:
                yield "region_chunk", event["field"], char
        else:
            yield event["type"], event["field"], repr(event.get("value"))


def _agreed(coming: list[Happening], other: list[Happening], whole: bool) -> list[Happening]:
    """The beginning that both have; more may follow `other` if it is not the `whole`."""
    for place, (one, two) in enumerate(zip(coming, other, strict=False)):
        if one != two:
            return coming[:place]
    return coming[: len(other)] if whole else coming


def _only(events: Iterable[Event], count: int) -> list[Event]:
    """The events of the first `count` happenings."""
    kept: list[Event] = []
    for event in events:
        if count <= 0:
            break
        if event["type"] == "region_chunk":
            event = {**event, "text": event["text"][:count]}
            count -= len(event["text"])
        else:
            count -= 1
        kept.append(event)
    return kept


def _without(events: Iterable[Event], count: int) -> list[Event]:
    """The events without the first `count` happenings."""
    kept: list[Event] = []
    for event in events:
        if event["type"] == "region_chunk" and count < len(event["text"]):
            kept.append({**event, "text": event["text"][count:]} if count else event)
            count = 0
        elif count:
            count -= len(event["text"]) if event["type"] == "region_chunk" else 1
        else:
            kept.append(event)
    return kept
