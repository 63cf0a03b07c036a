"""What all generated parsers share: feeding, finishing, and the bookkeeping of regions.

A generated class adds one method for each state and one that closes each field's regions. A state method has the form
`(text, at, events) -> int`: it reads `text` from index `at`, up to the next delimiter or as far as is decided; it
returns the index behind that delimiter, or -1 when it needs more text. With `events` being `None`, none are made.
"""

from __future__ import annotations

import logging
import typing
from collections.abc import Callable
from typing import Any, ClassVar, Self

from .errors import ContentError, ResponseParseError
from .events import Event, RegionChunk
from .literals import held_from
from .snapshot import load_snapshot, take_snapshot
from .tools import tool_types, type_calls

logger = logging.getLogger("untemplate")

Events = list[Event] | None
OnMalformed = typing.Literal["raise", "event"]

LONGEST_HELD = 256
"""A longer run in front of a delimiter, in characters, is not looked at again at every feed."""


class Region:
    """What a parser knows of a field's regions.

    Args:
        field: the field's name.
        dirty: whether its chunks are raw text, not yet the value.
        inside: the name of the state method for its inside; that of the implicit field is `_outside`.
        close: the name of the method that makes its value.

    Attributes:
        chunk: an event of its text, to be copied: that takes half the time of making one.
    """

    __slots__ = ("chunk", "close", "inside")

    def __init__(self, field: str, dirty: bool, inside: str, close: str) -> None:
        self.chunk: RegionChunk = {"type": "region_chunk", "field": field, "text": "", "dirty": dirty}
        self.inside = inside
        self.close = close


class Parser:
    """The base of generated parsers, and all of it where every delimiter is a literal.

    Args:
        prefix: the prompt that the model continued. What follows the start anchor in it belongs to the message.
            Required: pass "" if the output holds the whole message.
        tools: JSON-schema tools (`dict`s) or Python functions, whose types the arguments of calls are cast to.
        on_malformed: what to do with a region whose content is rejected: "raise" a `ResponseParseError`, or go on
            after a `region_malformed` "event".

    Attributes:
        initial_events: the events (`list` of `dict`) that the prefix caused.
    """

    __slots__ = (
        "_after",
        "_ahead",
        "_body",
        "_captures",
        "_chunk",
        "_field",
        "_free",
        "_held",
        "_joined",
        "_led",
        "_malformed",
        "_message",
        "_on_malformed",
        "_pile",
        "_run",
        "_start",
        "_state",
        "_tail",
        "_tools",
        "initial_events",
    )

    REGIONS: ClassVar[dict[str, Region]]
    IMPLICIT: ClassVar[str | None] = None
    REQUIRED: ClassVar[tuple[str, ...]] = ()
    DEFAULTS: ClassVar[frozenset[str]] = frozenset()
    JOINTS: ClassVar[dict[str, str]] = {}
    LEAD: ClassVar[str] = ""
    LED: ClassVar[frozenset[str]] = frozenset()
    WATCHES: ClassVar[dict[str, Any]] = {}
    CONTEXT: ClassVar[int] = 0
    AWAITED: ClassVar[str] = ""
    DIGEST: ClassVar[str] = ""
    _run: Callable[[str], object]  # whether text only adds to the long text held back, where there is one
    _leadless: ClassVar[bool] = True  # modules of form 2 ask, where `_free` was true in states with a lead too

    def __init__(
        self,
        prefix: str | None = None,
        tools: list[Any] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> None:
        if prefix is None:
            raise ValueError(
                "prefix is required: chat templates often write the beginning of the reply (an opening <think>, say), "
                'so pass the prompt that the model continued, or prefix="" if the output holds the whole reply'
            )
        if on_malformed not in ("raise", "event"):
            raise ValueError(f'on_malformed is "raise" or "event", not {on_malformed!r}')
        self._message = self._defaults()
        self._tools = tool_types(tools) if tools else None
        self._on_malformed = on_malformed
        self._malformed: list[str] = []
        self._joined: dict[str, list[str]] = {}
        self._field: str | None = None
        self._chunk: Any = None  # of the open region; typed so that `feed` needs no check
        self._body: list[str] = []
        self._captures: dict[str, str] = {}
        self._start = 0
        self._state = "_outside"
        self._free = False
        self._led = False
        self._held = ""
        self._ahead = ""  # what is left of a literal that the text held back begins
        self._pile: list[str] | None = None
        self._tail = ""
        self._after = ""
        self.initial_events: list[Event] = []
        if prefix:
            self._read(self._cut(prefix), self.initial_events)

    # What a generated class supplies.

    def _defaults(self) -> dict[str, Any]:
        """A fresh copy of what every message starts with."""
        return {}

    def _cut(self, prefix: str) -> str:
        """What follows the last start anchor in the prefix."""
        raise NotImplementedError

    def _outside(self, text: str, at: int, events: Events) -> int:
        """The state in which no explicit region is open."""
        raise NotImplementedError

    # The public face.

    def feed(self, text: str) -> list[Event]:
        """Reads the next piece of output and returns the events (`list` of `dict`) that it decides.

        Raises:
            ResponseParseError: a region that it closes is rejected (not with `on_malformed="event"`).
            RuntimeError: the parser is finished.
        """
        return self._feed(text)

    def finalize(self) -> tuple[dict[str, Any], list[Event]]:
        """Ends the stream; returns the message and the events that the end decides.

        Raises:
            ResponseParseError: the last region is rejected, or a field that is not optional is missing.
            RuntimeError: the parser is finished.
        """
        if self._state == "_over":
            raise RuntimeError("this parser is finished: its message was returned by the first call of finalize")
        events: list[Event] = []
        try:
            return self._end(events), events
        finally:
            self._finish()

    @property
    def held(self) -> str:
        """The text received that is not decided yet: it may become part of a delimiter, or may not."""
        if self.AWAITED:
            self._sift()
        return self._kept()

    def snapshot(self) -> dict[str, Any]:
        """The parser's state as plain data that JSON can hold; its tools are not in it."""
        return take_snapshot(self)

    @classmethod
    def restore(cls, state: dict[str, Any], tools: list[Any] | None = None) -> Self:
        """A parser that goes on where another one was when the snapshot was taken.

        Raises:
            ValueError: the snapshot is of another template.
        """
        parser = cls("", tools)
        parser.initial_events = []
        load_snapshot(parser, state)
        return parser

    def __getstate__(self) -> dict[str, Any]:
        return {"state": self.snapshot(), "tools": self._tools, "initial_events": self.initial_events}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__("")  # type: ignore[misc]
        self._tools = state["tools"]
        self.initial_events = state["initial_events"]
        load_snapshot(self, state["state"])

    @classmethod
    def parse(
        cls,
        text: str,
        prefix: str | None,
        tools: list[Any] | None = None,
        on_malformed: OnMalformed = "raise",
    ) -> dict[str, Any]:
        """The message of a whole output; the arguments and errors are those of the parser itself."""
        parser = cls(prefix, tools, on_malformed)
        parser._read(text, None)
        return parser._end(None)

    # Reading.

    def _feed(self, text: str) -> list[Event]:
        """The whole of `feed` where no short way is known; modules of form 1 call it behind theirs."""
        events: list[Event] = []
        self._read(text, events)
        return events

    def _read(self, text: str, events: Events) -> None:
        if not self._free:
            ahead = self._ahead
            if ahead and ahead.startswith(text) and text != ahead:
                self._held += text
                self._ahead = ahead[len(text) :]
                return
            if self._pile is not None:
                if self._piles(text, events):
                    return
                text = self._released() + text
            else:
                text = self._held + text
        size = len(text)
        at = getattr(self, self._state)(text, 0, events)
        while at >= 0:
            if at == size and self._state not in self.WATCHES:
                self._wait(text, at, at, events)  # no literal begins behind the end
                return
            at = getattr(self, self._state)(text, at, events)

    def _feed_led(self, text: str) -> list[Event]:
        """Passes on text in which no delimiter begins, but for the run at its end that may lead to one."""
        if self._held:
            text = self._held + text
        body = text.rstrip(self.LEAD)
        self._held = held = text[len(body) :]
        if self.CONTEXT:
            self._remember(text, len(body))
        if not body:
            self._led = len(held) <= LONGEST_HELD
            return []
        self._body.append(body)
        event = self._chunk.copy()
        event["text"] = body
        return [event]

    def _piles(self, text: str, events: Events) -> bool:
        """Adds `text` to a long text held back, if that is all there is to do."""
        if self._pile is None or not self._run(text):
            return False
        self._pile.append(text)
        return True

    def _kept(self) -> str:
        """The text held back, and what of text for nobody was not looked at yet."""
        return self._held if self._pile is None else "".join([self._held, *self._pile])

    def _sift(self) -> None:
        """Looks at text for nobody, and holds back what may begin a delimiter."""
        if self._state == "_outside" and self._pile is None:
            self._read("", None)

    def _released(self) -> str:
        """The text held back, which is held no longer."""
        text = self._kept()
        self._held = ""
        self._pile = None
        return text

    def _wait_for(self, literal: str, text: str, at: int, events: Events) -> int:
        """Passes on `text[at:]`, but holds back what may be the beginning of `literal` at its end."""
        size = len(text)
        if at == size:  # behind an opening that ends the text
            return self._wait(text, at, at, events)
        hold = held_from(text, at, literal)
        if hold == size:
            return self._wait(text, at, size, events)
        return self._wait(text, at, hold, events, literal[size - hold :] if len(literal) <= LONGEST_HELD else "")

    def _wait(self, text: str, at: int, hold: int, events: Events, ahead: str = "") -> int:
        """Passes on `text[at:hold]` and holds back the rest until more text comes.

        Args:
            ahead: if the rest begins a literal: what is left of that.
        """
        if hold > at:
            self._emit(text[at:hold], events)
        self._ahead = ahead
        self._held = held = text[hold:]
        self._free = not held and self._field is not None
        if self.LEAD:
            self._led = False
            if self._state in self.LED:
                self._look_for_lead(held)
        if self.CONTEXT:
            self._remember(text, hold)
        return -1

    def _look_for_lead(self, held: str) -> None:
        """Finds out whether the text held back, which may be none, is all a run that can lead to a delimiter."""
        self._free = False
        lead = self.LEAD
        if not held.strip(lead):
            if len(held) > LONGEST_HELD:
                self._pile = []
                self._run = lambda more: not more.strip(lead)
            else:
                self._led = self._field is not None

    def _remember(self, text: str, hold: int) -> None:
        """Notes the text before index `hold`, for delimiters that look back."""

    def _swallow(self, text: str, at: int, tail: str) -> int:
        """Passes over the characters of `tail` behind a delimiter, in `text` and in what comes next."""
        size = len(text)
        start = at
        while at < size and text[at] in tail:
            at += 1
        self._start += at - start
        if at < size:
            return at
        self._tail = tail
        self._after = self._state
        self._state = "_swallowing"
        self._held = self._ahead = ""
        self._free = self._led = False
        if self.CONTEXT:
            self._remember(text, at)
        return -1

    def _swallowing(self, text: str, at: int, events: Events) -> int:
        """The state behind a delimiter whose tail may go on."""
        tail = self._tail
        self._settled()
        return self._swallow(text, at, tail)

    def _settled(self) -> None:
        """Ends the tail of a delimiter, if one is under way."""
        if self._tail:
            self._state = self._after
            self._tail = ""

    def _emit(self, text: str, events: Events) -> None:
        """Passes on text to the open region; outside of any, to the implicit field, or to nobody."""
        if self._field is None:
            field = self.IMPLICIT
            if field is None:
                self._start += len(text)
                return
            self._field = field
            self._chunk = self.REGIONS[field].chunk
            if events is not None:
                events.append({"type": "region_open", "field": field})
        self._body.append(text)
        if events is not None:
            event = self._chunk.copy()
            event["text"] = text
            events.append(event)

    # Regions.

    @property
    def _dirty(self) -> Any:
        """Whether chunks of the open region are raw text (`bool`); modules of forms 1 and 2 ask."""
        return self._chunk["dirty"]

    def _open(self, field: str, length: int, events: Events) -> None:
        """Opens a region of an explicit field, behind a delimiter of `length` characters."""
        if self._field is not None:
            self._close(0, events)
        region = self.REGIONS[field]
        self._state = region.inside
        self._start += length
        self._field = field
        self._chunk = region.chunk
        if events is not None:
            events.append({"type": "region_open", "field": field})

    def _close(self, length: int, events: Events) -> None:
        """Closes the open region, before a delimiter of `length` characters; does nothing if none is open."""
        if self._field is not None:
            getattr(self, self.REGIONS[self._field].close)(events)
        self._start += length
        self._state = "_outside"

    def _take(self, events: Events = None, last: str = "") -> str:
        """The open region's body, to which `last` is passed on before; the region is over."""
        if last and events is not None:
            event = self._chunk.copy()
            event["text"] = last
            events.append(event)
        body = self._body
        if body:
            if last:
                body.append(last)
            last = "".join(body)
            self._body = []
        self._field = None
        self._start += len(last)
        self._state = "_outside"
        if self._captures:
            self._captures = {}
        return last

    def _store(self, field: str, value: Any, events: Events) -> None:
        """Stores the value of a field that does not repeat."""
        self._message[field] = value
        if events is not None:
            events.append({"type": "region_close", "field": field, "value": value})

    def _append(self, field: str, value: Any, events: Events) -> None:
        """Stores one value of a field that repeats; older modules call it."""
        self._message.setdefault(field, []).append(value)
        if events is not None:
            events.append({"type": "region_close", "field": field, "value": value})

    def _join(self, field: str, value: str, events: Events) -> None:
        """Stores one part of a field whose parts are joined; the message gets them all at its end."""
        joined, message = self._joined, self._message
        if field in joined:
            joined[field].append(value)
        else:
            joined[field] = [message[field], value] if field in message else [value]
            message[field] = ""  # the field's place in the message
        if events is not None:
            events.append({"type": "region_close", "field": field, "value": value})

    def _typed(self, value: Any) -> Any:
        """The value with the arguments of calls cast to the types of the tools; modules of forms 1 and 2 call it."""
        return type_calls(value, self._tools) if self._tools else value

    def _reject(self, field: str, body: str, error: ContentError, events: Events) -> None:
        """Reports a region whose content was rejected."""
        if field not in self._malformed:
            self._malformed.append(field)
        if self._on_malformed == "raise":
            self._finish()
            start = self._start - len(body)
            why = error.__cause__ or error
            raise ResponseParseError(str(error), field, body, start, self._result(), events) from why
        if events is not None:
            events.append({"type": "region_malformed", "field": field, "text": body, "error": str(error)})

    # Snapshots.

    def _save(self, state: dict[str, Any]) -> None:
        """Adds to a snapshot what a subclass knows."""

    def _load(self, state: dict[str, Any]) -> None:
        """Takes from a snapshot what a subclass knows, and finds out what follows from the rest."""
        if self._state != "_over":
            self._wait(self._held, 0, 0, None)
            self._free = self._free and not self._tail

    # Finishing.

    def _end(self, events: Events) -> dict[str, Any]:
        """The message, now that no more text comes."""
        if self._tail:
            self._settled()
        text = self._settle(events)
        if text:
            self._emit(text, events)
        if self._field is not None:
            self._close(0, events)
        for field in self.REQUIRED:
            if field not in self._message and field not in self._malformed:
                reason = "the reply has no such region, and the field is not optional"
                raise ResponseParseError(reason, field, "", self._start, self._result(), events)
        return self._result()

    def _finish(self) -> None:
        """Nothing is read from now on."""
        self._state = "_over"
        self._free = self._led = False
        self._held = self._ahead = ""
        self._pile = None

    def _over(self, text: str, at: int, events: Events) -> int:
        """The state behind the end."""
        raise RuntimeError("this parser is finished: make a new one for the next reply")

    def _settle(self, events: Events) -> str:
        """Decides, now that no more text comes, what was undecided; returns the text that no delimiter took."""
        return self._kept()

    def _result(self) -> dict[str, Any]:
        """The message so far, without the fields that are empty, but for those that have a default."""
        message = self._message
        for field, parts in self._joined.items():
            message[field] = self.JOINTS[field].join(parts)
        if all(message.values()):
            return message
        kept = self.DEFAULTS
        return {key: value for key, value in message.items() if value or isinstance(value, (int, float)) or key in kept}


def cut_after(prefix: str, end: int | None) -> str:
    """What follows index `end`, the end of the last start anchor; all of the prefix if it has none."""
    if end is None:
        logger.info("the start anchor is not in the prefix: all of the prefix is parsed as the beginning of the reply")
        return prefix
    return prefix[end:]


def parse_all(
    parser: type[Parser],
    text: str | list[str],
    prefix: str | list[str] | None,
    tools: list[Any] | None,
    on_malformed: OnMalformed,
) -> dict[str, Any] | list[dict[str, Any]]:
    """The message of one output, or the list of messages of several, with one prefix for all or one for each.

    Raises:
        ValueError: there is no prefix, or not one for each output.
        ResponseParseError: as of `Parser`.
    """
    if isinstance(text, str):
        if prefix is not None and not isinstance(prefix, str):
            raise ValueError("one output takes one prefix, a string")
        return parser.parse(text, prefix, tools, on_malformed)
    if prefix is None:
        text = text or [""]  # without any output the prefix is missing all the same
    prefixes = [prefix] * len(text) if prefix is None or isinstance(prefix, str) else prefix
    if len(prefixes) != len(text):
        raise ValueError(f"{len(text)} outputs with {len(prefixes)} prefixes: pass one for all, or one for each")
    return [parser.parse(one, before, tools, on_malformed) for one, before in zip(text, prefixes, strict=True)]
