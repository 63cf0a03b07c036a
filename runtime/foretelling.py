"""Saying at once what all continuations of a text share, while it is still open which of them comes.

Of two delimiters that may match here, each may open the same region; behind an optional part there may be a close that
matches anywhere. What then happens is certain although no delimiter is. The parser finds it out happening by happening,
by going through all that may come (`prospects.py`). What is certain is said in advance, and left out when it is due.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import repeat
from typing import Any, ClassVar, Self

from .asking import Asked, asked_by, exactly
from .automaton import Cursor
from .errors import ResponseParseError
from .events import Event
from .parser import Events, OnMalformed
from .paths import MOST_PATHS, Happening, Path, TooManyError, captures_at, forked
from .prospects import Expected, Prospects
from .scanning import ScanningParser
from .watch import Watch

MOST_STEPS = 5_000  # that are taken to find out about one happening at one place
_MOST_STEPS_ALONE = 50  # the same, on one path alone
MOST_STEPS_IN_ALL = 30_000  # the same, for all places of one reply together
_MOST_STEPS_LEFT = 15_000  # of those, that are not for places with many characters held back
_READ_A_STEP = 8  # characters that are read again to find the ways in which they may turn out
_MANY = 64  # characters held back; to copy so many counts for a step too
_MOST_ASKED = 4  # times that it is found out what the value of one region asks of captures
_LONG = 4_000  # characters of a region of which that is not told in all detail
_MOST_KNOWN = 1_000  # places of which it is kept what is certain there

_ENDS = ("region_close", "region_malformed")


class ForetellingParser(ScanningParser):
    """A parser whose delimiters can be such that what follows is certain before they are."""

    __slots__ = ("_asked", "_met", "_steps", "_told", "_valued")

    PROBES: ClassVar[str]
    """Characters of every kind that the delimiters tell apart: two of each that has more than one."""

    DELIMITERS: ClassVar[dict[str, Watch]] = {}
    """The delimiters of every state that has some; empty where they are not known, so that nothing is foretold."""

    BEGINS: ClassVar[bool] = False
    """Whether something is certain before the first character."""

    KNOWN: ClassVar[dict[Hashable, tuple[bool, int]]]
    """Whether the next happening is certain at the places that were met, and how many steps it took to find out."""

    SILENT: ClassVar[dict[Hashable, list[tuple[Hashable, int]]]]
    """Where nothing is certain: the places in `KNOWN` that this depends on, with their steps."""

    PROSPECTS: ClassVar[Prospects]

    def __init_subclass__(cls) -> None:
        cls.KNOWN = {}
        cls.SILENT = {}
        insides = {field: region.inside for field, region in cls.REGIONS.items()}
        cls.PROSPECTS = Prospects(cls.DELIMITERS, insides, cls.IMPLICIT, cls.PROBES, cls.CONTEXT)

    def __init__(
        self,
        prefix: str | None = None,
        tools: list[Any] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> None:
        self._told = 0  # how much of what happens next was said in advance
        self._steps = MOST_STEPS_IN_ALL  # that are left
        self._met: set[Hashable] = set()  # the places that took some
        self._asked: dict[Hashable, Asked] = {}  # what the value of the region behind index `_valued` asks
        self._valued = 0
        super().__init__(prefix, tools, on_malformed)
        if self.BEGINS and not prefix:
            self._read("", self.initial_events)

    def _read(self, text: str, events: Events) -> None:
        if self._told:
            self._catch_up(text, events)
            return
        super()._read(text, events)
        if events is not None and self._may_foretell():
            self._foretell(events, 0)

    def _may_foretell(self) -> bool:
        """Whether there is something open that an automaton decides, but not so much that looking at it takes long.

        What a regular expression finds may end unfound at any place, and then something else happens.
        """
        watch = self._swallowed or self.WATCHES.get(self._after if self._tail else self._state)
        if watch is None or not self.DELIMITERS or (self._free and not watch.everywhere):
            return False
        return self._steps > _MOST_STEPS_LEFT or self._length() <= _MANY

    def _length(self) -> int:
        """How many characters are held back."""
        return len(self._held) if self._cursor is None else self._scanned

    def _catch_up(self, text: str, events: Events) -> None:
        """Reads on, and leaves out of the events what was said in advance."""
        told, self._told = self._told, 0
        if events is None:
            super()._read(text, None)
            return
        fresh: list[Event] = []
        with _left_out(fresh, told):
            super()._read(text, fresh)
        events += _without(fresh, told)
        told -= sum(1 for _ in _each(fresh))
        self._tell(max(0, told))
        if self._may_foretell():
            self._foretell(events, self._told)

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
        with _left_out(fresh, told):
            message = super()._end(fresh)
        events += _without(fresh, told)
        return message

    # Looking at what may come.

    def _foretell(self, events: list[Event], told: int) -> None:
        """Says what is certain to happen, but for the first `told` happenings, which were said already."""
        alone = self._alone()
        met = self.SILENT.get(alone) if alone is not None else None
        here = self._here() if met is None else alone
        met = met or self.SILENT.get(here)
        if met is not None and not told:
            self._meet(met)
            return
        path, text = self._path()
        begun = self._swallowed is not None or self._ended  # the path starts one happening before the parser
        count = told
        met = []
        ways: list[Path] | None = None
        due = count + 1 + begun
        for_any = True  # whether what is found out holds for any text of the region
        while self._may_be_certain(path, text, due, met):
            ways = self._ways(path, text, due, here, met)
            ending = self.PROSPECTS.ending(ways, text, due)
            if ending is None or not self._knows(ways, text, due, Expected(ending[-1]), MOST_STEPS, met):
                break
            asked = self._asks(ending)
            if asked and not self._knows(ways, text, due, Expected(ending[-1], asked), MOST_STEPS, met):
                for_any = False
                break
            count += 1
            due += 1
        is_alone = alone is not None and ways is None
        if told or not is_alone:
            met.append(((here, 0), self._length() // _MANY))  # that was copied
            self._meet(met[-1:])
        if count > told:
            self._say(events, told, count)
        elif not told and for_any and self._steps > 0:
            if len(self.SILENT) >= _MOST_KNOWN:
                self.SILENT.clear()
            self.SILENT[alone if is_alone else here] = met

    def _alone(self) -> Hashable:
        """All that the next happening depends on if no match is guessed; `None` where that takes longer to tell."""
        cursor = self._cursor
        if cursor is None or self._swallowed is not None or self._ended or self._watched.captures:
            return None
        last = self._pile[-1] if self._pile else self._held
        if len(last) < self.CONTEXT:
            return None
        return self._state, self._field, cursor.state, self._held[:1], self.PROSPECTS.seen(last)

    def _here(self) -> Hashable:
        """All that what is certain depends on."""
        place = (self._state, self._after, self._tail, self._swallowed, self._field, self._ended)
        return hash((*place, self._context, self.held, *self._captures.items()))  # the texts may be long

    def _ways(self, path: Path, text: str, due: int, here: Hashable, met: list[tuple[Hashable, int]]) -> list[Path]:
        """All ways in which the text held back may turn out; none if finding them takes too long."""
        if self._steps <= 0 and (here, due) not in self._met:
            return []
        try:
            paths = self.PROSPECTS.paths.ways(path, text, due)
        except TooManyError:
            paths = []
        read = len(text) * (len(paths) - 1 if paths else MOST_PATHS)
        met.append(((here, due), read // _READ_A_STEP))
        self._meet(met[-1:])
        return paths

    def _may_be_certain(self, path: Path, text: str, due: int, met: list[tuple[Hashable, int]]) -> bool:
        """Whether one path alone leaves it open that happening number `due` is certain; mostly it does not."""
        ending = self.PROSPECTS.ending([path], text, due)
        if ending is None:
            return True
        return self._knows([path], text, due, Expected(ending[-1]), _MOST_STEPS_ALONE, met) is not False

    def _knows(
        self,
        paths: list[Path],
        text: str,
        due: int,
        expected: Expected,
        most: int,
        met: list[tuple[Hashable, int]],
    ) -> bool | None:
        """Whether happening number `due` is the expected one on all paths; `None` if it takes too many steps.

        Args:
            met: gets the places that the answer depends on, and their steps.
        """
        place = most, self.PROSPECTS.situation(paths, text, due, expected)
        if self._steps <= 0 and place not in self._met:
            return False
        known = self.KNOWN.get(place)
        if known is None:
            if len(self.KNOWN) >= _MOST_KNOWN:
                self.KNOWN.clear()
            known = self.KNOWN[place] = self.PROSPECTS.shares(paths, text, due, expected, most)
        is_certain, steps = known
        met.append((place, steps))
        self._meet(met[-1:])
        return None if steps > most else is_certain

    def _asks(self, ending: tuple[Happening, ...]) -> Asked:
        """What the last happening asks of captures, to be the same; what comes before it is certain.

        That is found out about once a region: when its end is certain, so is its text.
        """
        *before, happening = ending
        if happening[0] != "close":
            return {}
        field, captures = happening[1], captures_at(happening)
        names = self.PROSPECTS.captured_for(field)
        if not names:
            return {}
        opened = max((at for at, one in enumerate(before, 1) if one[0] == "open"), default=0)
        body = [] if opened else self._body
        ahead = "".join(one[2] for one in before[opened:])
        if self._valued != self._start:
            self._valued = self._start
            self._asked = {}
        place = field, len(body), ahead, *captures
        asked = self._asked.get(place)
        if asked is None and len(self._asked) < _MOST_ASKED:
            text = "".join(body) + ahead
            make = partial(self._make, field, text)
            asked = self._asked[place] = asked_by(make, captures, names, is_cheap=len(text) <= _LONG)
        if asked is None:
            return exactly(captures, names)
        return {name: captures[name] if isinstance(one, str) else one for name, one in asked.items()}

    def _make(self, field: str, body: str, captures: dict[str, str]) -> Event | None:
        """What comes of a region; `None` if a capture is missing that is always there."""
        events: list[Event] = []
        copy = self._copy(with_body=False)
        copy._field, copy._chunk = field, self.REGIONS[field].chunk
        copy._body, copy._captures = [body], captures
        copy._tools = None  # which cast what is the same to the same
        with suppress(KeyError):
            copy._close(0, events)
        return events[0] if events else None

    def _meet(self, places: list[tuple[Hashable, int]]) -> None:
        """Counts the steps of places, known from other replies or not: what is said depends on this reply alone.

        Places that took none are kept too, as long as they are not many.
        """
        for place, steps in places:
            if place not in self._met and self._steps > 0 and (steps or len(self._met) < _MOST_KNOWN):
                self._met.add(place)
                self._steps -= steps

    def _say(self, events: list[Event], told: int, count: int) -> None:
        """Says the happenings up to number `count`, but for the first `told`."""
        coming = _only(self._copy(with_body=False)._rest(), count)
        kinds = [event["type"] for event in _each(coming)]
        if any(kind in _ENDS for kind in kinds) and not any(kind in _ENDS for kind in kinds[:told]):
            coming = _only(self._copy(with_body=True)._rest(), count)  # the end of the open region is yet to be said
            kinds = [event["type"] for event in _each(coming)]
        if self._on_malformed == "raise" and "region_malformed" in kinds[told:]:
            count = kinds.index("region_malformed", told)
            self._steps = 0  # it is going to raise: nothing behind that counts
            self._met.clear()
        if count > told:
            events += _without(_only(coming, count), told)
            self._tell(count)

    def _path(self) -> tuple[Path, str]:
        """Where the parser stands, and the text held back with what delimiters can see before it.

        Of a delimiter whose end is still open the parser has said already what it does; on the path it is yet to come.
        """
        context = self._context
        text = context + self.held
        if self._swallowed is not None:
            path = self._before_swallowed(len(context))
        else:
            state = self._after if self._tail else self._state
            path = Path(state, self.IMPLICIT if self._ended else self._field, len(context))
            path.captures = self._captures
            path.tail = self._tail
        watch = self.DELIMITERS.get(path.state)
        if watch is not None and not self._tail:
            path.cursor = self._cursor_in(watch, len(context))
        path.at = len(text)
        return path, text

    def _before_swallowed(self, at: int) -> Path:
        """Where the parser stood in front of the delimiter whose end is still open."""
        watch, cursor = self._swallowed, self._cursor
        assert watch is not None
        assert cursor is not None
        delimiter = watch.delimiters[next(index for index, row in enumerate(cursor.state.threads) if row)]
        state = next(state for state, one in self.DELIMITERS.items() if one is watch)
        return Path(state, None if delimiter.opens else delimiter.field, at)

    def _cursor_in(self, watch: Watch, at: int) -> Cursor:
        """Where the delimiters stand in the text held back, which starts at index `at` of a path's text."""
        if self._cursor is not None:
            cursor = forked(self._cursor)
            cursor.shift(-at)
            return cursor
        cursor = watch.automaton.enter(self._context if watch.context else "")
        watch.automaton.read(cursor, self.held, 0, at, 0)
        return cursor

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
        copy._told = 0
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
        state["steps"] = self._steps

    def _load(self, state: dict[str, Any]) -> None:
        self._cursor = None
        self._pile = None
        super()._load(state)
        self._tell(state["told"])
        self._steps = state["steps"]


@contextmanager
def _left_out(fresh: list[Event], told: int) -> Iterator[None]:
    """Leaves out of the events of an error what was said in advance."""
    try:
        yield
    except ResponseParseError as error:
        error.events = _without(fresh, told)
        raise


def _each(events: Iterable[Event]) -> Iterable[Event]:
    """The event of each happening: a chunk comes as often as it has characters."""
    for event in events:
        yield from repeat(event, len(event["text"]) if event["type"] == "region_chunk" else 1)


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
