"""The field of the calls: its regions, each sent while it is written where its layout allows that."""

from __future__ import annotations

from typing import Any, Protocol

from untemplate.runtime.parser import Parser

from .call_lists import CallList
from .entry_calls import EntryCall, Lines, value_parser
from .facts import captures_of, tags_of, types_of
from .json_calls import JsonCalls
from .kinds import Problem
from .layout import Capture, Layout, Member, Source
from .sending import Outbox, RegionCalls
from .tags import TagStream
from .texts import Passing
from .values import as_id, flattened


class Reader(Protocol):
    """Reads a region's body, and sends the calls in it."""

    @property
    def passing(self) -> Passing | None:
        """A short way for the next piece, if there is one now."""

    def feed(self, text: str) -> None:
        """Reads the next piece of the body."""


class Calls:
    """A field that holds calls.

    Args:
        layout: how its body becomes calls; `None` if they are sent when the region ends.
        repeats: whether regions add to the message; else the last one is all that it has.
        held: whether nothing is sent before the end of the message.
        default: what the message has before any region.
    """

    def __init__(
        self,
        parser: Parser,
        field: str,
        layout: Layout | None,
        outbox: Outbox,
        *,
        repeats: bool,
        held: bool,
        default: Any,
    ) -> None:
        self._parser = parser
        self._field = field
        self._layout = layout
        self._outbox = outbox
        self._repeats = repeats
        self._held = held
        self._open = False
        self._raw: list[str] = []  # what the reader has not seen yet
        self._reader: Reader | None = None
        self._region = RegionCalls(outbox, field)
        self._valid: list[int] = []  # the calls that stand, of all regions that the message has
        self._last: Any = None  # the value of the last region
        self._settled = 0  # the number of the message's values that are dealt with
        if repeats and default is not None:
            self._settle(flattened(default))

    @property
    def count(self) -> int:
        """The number of calls that stand."""
        return len(self._valid)

    def open(self) -> None:
        self._open = True
        self._raw = []
        self._reader = None
        self._region = RegionCalls(self._outbox, self._field)

    def chunk(self, text: str) -> None:
        if self._layout is not None and not self._held:
            self._raw.append(text)

    def flush(self) -> Passing | None:
        """Sends what the chunks so far decide: none of them is followed by the end of the region yet."""
        if not self._open or self._layout is None or self._held:
            return None
        if self._reader is None:
            captures = captures_of(self._parser)
            if captures is None:
                return None
            self._reader = _reader(self._parser, self._field, self._layout, captures, self._region)
            if self._reader is None:
                self._layout = None
                return None
        if self._raw:
            raw, self._raw = self._raw, []
            self._reader.feed(raw[0] if len(raw) == 1 else "".join(raw))
        return self._reader.passing

    def close(self, value: Any) -> None:
        self._open = False
        if self._held:
            return
        if self._reader is not None and self._raw:
            self._reader.feed("".join(self._raw))
        if not self._repeats:
            self._replace()
        self._last = value
        self._settle(flattened(value))

    def reject(self, text: str, reason: str) -> None:
        self._open = False
        self._region.reject(text, reason)
        self._region = RegionCalls(self._outbox, self._field)

    def abandon(self) -> None:
        """Nothing more is heard of the region that was open: what was sent of it is void."""
        if self._region.started:
            self.reject("", "the region was rejected when the reply ended")

    def settle(self, value: Any) -> None:
        """Sends what is missing of the message's `value`."""
        if not self._repeats and value is not self._last:  # a region that no event told of
            self._replace()
        values = flattened(value)
        if len(values) > self._settled:
            self._settle(values[self._settled :])

    def _settle(self, values: list[Any]) -> None:
        self._valid += self._region.settle(values)
        self._settled += len(values)
        self._region = RegionCalls(self._outbox, self._field)

    def _replace(self) -> None:
        if self._valid:
            reason = "the field does not repeat, and a later region replaces its calls"
            self._outbox.report(Problem("replaced", self._field, reason, calls=tuple(self._valid)))
        self._valid = []
        self._settled = 0


def _reader(parser: Parser, field: str, layout: Layout, captures: dict[str, str], calls: RegionCalls) -> Reader | None:
    """What reads the region that has just opened; `None` if its calls have to wait for its end."""
    types = types_of(parser)
    if not layout.captured <= captures.keys():
        return _Nothing()
    if layout.content == "json":
        return JsonCalls(layout, captures, calls, types)
    own_id = as_id(_outside(layout.own_id, captures))
    if layout.content == "python-call-list":
        return CallList(own_id, calls, types)
    try:
        parse = value_parser(layout.options.get("value_parser"))
    except LookupError:
        return None
    tags = tags_of(type(parser), field) if layout.content == "xml-inline" else None
    if layout.content == "xml-inline" and tags is None:
        return None
    name = _outside(layout.name, captures)
    if not name:
        return _Nothing()
    call = calls.start(name, own_id)
    return EntryCall(call, Lines(layout.options) if tags is None else TagStream(tags), parse, types)


def _outside(source: Source | None, captures: dict[str, str]) -> str | None:
    """What a source gives that does not depend on the body."""
    if isinstance(source, Capture):
        return captures[source.name]
    if isinstance(source, Member):
        return captures.get(source.fallback or "")
    return source if isinstance(source, str) else None


class _Nothing:
    """Sends nothing: the end of the region says what its calls are."""

    passing = None

    def feed(self, text: str) -> None:
        """Leaves the text alone."""
