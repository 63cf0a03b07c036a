"""A reply as deltas: the events of a parser, turned into what can be added to a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol

from untemplate.runtime.errors import ResponseParseError
from untemplate.runtime.parser import Parser

from .calls import Calls
from .facts import error_of, template_of
from .kinds import CONTENT, REASONING, CallPiece, Delta, Extra, Problem, Text
from .layout import layout_of
from .sending import Outbox
from .texts import LiveText, Passing, SentText, WholeText
from .values import NotACall

TOOL_CALLS = "tool_calls"
ROLE = "role"
REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")

Overwrites = Literal["send", "hold"]


class Field(Protocol):
    """Sends one field of the message."""

    def open(self) -> None:
        """A region begins."""

    def chunk(self, text: str) -> None:
        """More text of the region."""

    def flush(self) -> Passing | None:
        """There are no more events for now. Returns what may pass on the text of the next chunk."""

    def close(self, value: Any) -> None:
        """The region ends with this value."""

    def reject(self, text: str, reason: str) -> None:
        """The region's text is rejected."""

    def settle(self, value: Any) -> None:
        """The message has `value` for the field: sends what is missing."""


class DeltaStream:
    """Feeds a parser, and turns its events into deltas.

    The pieces of a text add up to the message's text, and those of a call's arguments to JSON for the message's
    arguments; what a `Problem` declares void does not count.

    Args:
        parser: a parser that was fed nothing yet.
        overwrites: a field that does not repeat keeps its last region only. "send" sends such fields while they are
            written, and reports a `Problem` if there is another region; "hold" sends them at the end of the reply.

    Attributes:
        message: the message (`dict`) when the stream is finished, or has failed: then what was parsed before.
        failed: whether the parser raised a `ResponseParseError`, after which it reads no more.
        role: who writes the message.
        target: where text goes that `passed` returns: a channel, or the index of a call.
    """

    def __init__(self, parser: Parser, overwrites: Overwrites = "send") -> None:
        if overwrites not in ("send", "hold"):
            raise ValueError(f'overwrites is "send" or "hold", not {overwrites!r}')
        self.message: dict[str, Any] | None = None
        self.failed = False
        self._finished = False
        self._parser = parser
        self._error = error_of(type(parser))
        self._read: Callable[[str], list[Any]] = parser.feed
        self._passing: Passing | None = None
        self.target: str | int = CONTENT
        self._outbox = Outbox()
        template = template_of(type(parser))
        defaults = template.get("defaults", {})
        self.role = str(defaults.get(ROLE, "assistant"))
        names = tuple(dict.fromkeys((*template["fields"], *defaults)))
        self._reasoning = reasoning_field(names)
        self._calls: Calls | None = None
        self._fields: dict[str, Field] = {}
        for name in names:
            field = self._field(name, template["fields"].get(name), defaults.get(name), overwrites == "hold")
            if field is not None:
                self._fields[name] = field
        self._handle(parser.initial_events)
        self._passing = None  # nothing may overtake what these gave

    @property
    def problems(self) -> list[Problem]:
        """All problems that were reported."""
        return self._outbox.problems

    @property
    def calls(self) -> int:
        """The number of calls in the message so far."""
        return self._calls.count if self._calls is not None else 0

    @property
    def outcome(self) -> str:
        """How the reply ended, see the function of this name; "error" too if the parser failed."""
        return "error" if self.failed else outcome(self.problems, self.calls)

    def feed(self, text: str) -> list[Delta]:
        """Reads the next piece of output; returns the deltas that it decides. After a failure there are none.

        Raises:
            RuntimeError: the stream is finished.
        """
        piece = self.passed(text)
        if piece is None:
            return self._outbox.take()
        return [self.delta(piece)] if piece else []

    def delta(self, piece: str) -> Delta:
        """What `passed` has returned, as a delta."""
        target = self.target
        return Text(target, piece) if isinstance(target, str) else CallPiece(target, piece)

    def passed(self, text: str) -> str | None:
        """As `feed`, for a renderer in a hurry: text that is just more of `target` needs no delta.

        Returns that text, which may be ""; or `None` if `take` has deltas.
        """
        try:
            events = self._read(text)
            passing = self._passing
            if passing is not None:
                if len(events) == 1:
                    event = events[0]
                    if event["type"] == "region_chunk":
                        piece = passing.pass_on(event["text"])
                        if piece is None:
                            self.target = passing.target
                        return piece
                elif not events:
                    return ""
            self._handle(events)
        except self._error as error:
            self._fail(error)
        return None

    def take(self) -> list[Delta]:
        """The deltas that are still to be sent."""
        return self._outbox.take()

    def finish(self) -> list[Delta]:
        """Ends the output; returns the last deltas.

        Raises:
            RuntimeError: the stream is finished already.
        """
        if self._finished:
            raise RuntimeError("this stream is finished: make a new one, with a new parser, for the next reply")
        self._finished = True
        if not self.failed:
            try:
                message, events = self._parser.finalize()
            except self._error as error:
                self._fail(error)
            else:
                self._handle(events)
                self._settle(message)
        return self._outbox.take()

    def _field(self, name: str, spec: dict[str, Any] | None, default: Any, hold: bool) -> Field | None:
        """What sends a field; `None` for one that no API knows."""
        repeats = spec is not None and bool(spec.get("repeats"))
        hold = hold and not repeats
        if name == TOOL_CALLS:
            layout = layout_of(spec) if spec is not None and not hold else None
            self._calls = Calls(
                self._parser, name, layout, self._outbox, repeats=repeats, held=hold or spec is None, default=default
            )
            return self._calls
        if name not in (CONTENT, self._reasoning):
            return None
        joint = spec.get("join") if spec is not None and repeats else None
        text = SentText(self._outbox, name, CONTENT if name == CONTENT else REASONING, joint, default)
        if spec is None or hold or not _is_text(spec) or (repeats and joint is None):
            return WholeText(text, self._outbox, name, joint is not None)
        return LiveText(text, (spec.get("content_args") or {}).get("strip", True))

    def _handle(self, events: Iterable[Any]) -> None:
        field = self._take_in(events)
        passing = self._passing = field.flush() if field is not None else None
        self.target = passing.target if passing is not None else CONTENT

    def _take_in(self, events: Iterable[Any]) -> Field | None:
        """Gives the events to their fields; returns the field of the last one."""
        field: Field | None = self._calls
        for event in events:
            field = self._fields.get(event["field"])
            kind = event["type"]
            if field is None:
                if kind == "region_malformed":
                    self._outbox.report(Problem("malformed", event["field"], event["error"], event["text"]))
            elif kind == "region_chunk":
                field.chunk(event["text"])
            elif kind == "region_open":
                field.open()
            elif kind == "region_close":
                field.close(event["value"])
            else:
                field.reject(event["text"], event["error"])
        return field

    def _settle(self, message: dict[str, Any]) -> None:
        self.message = message
        for name, field in self._fields.items():
            try:
                field.settle(message.get(name))
            except NotACall as error:
                self._outbox.report(Problem("malformed", name, str(error)))
        extra = {name: value for name, value in message.items() if name != ROLE and name not in self._fields}
        if extra:
            self._outbox.deltas.append(Extra(extra))

    def _fail(self, error: ResponseParseError) -> None:
        """Sends what is left of the message that was parsed before the error, and reports it."""
        self.failed = True
        self._read = _read_nothing
        self._passing = None
        self._take_in(getattr(error, "events", []))  # older modules that stand alone tell of none
        is_missing = error.__cause__ is None  # nothing was rejected: a field that is not optional is not there
        if not is_missing:
            if (field := self._fields.get(error.field)) is not None:
                field.reject(error.raw, error.reason)
            else:
                self._outbox.report(Problem("malformed", error.field, error.reason, error.raw))
        self._settle(error.message)
        if is_missing:
            self._outbox.report(Problem("missing", error.field, error.reason))
        if self._calls is not None:
            self._calls.abandon()


def outcome(problems: Iterable[Problem], calls: int) -> str:
    """How a reply ended: "error" if a call is malformed or void, "tool_calls" if there are calls, else "stop"."""
    if any(problem.field == TOOL_CALLS or problem.calls for problem in problems):
        return "error"
    return "tool_calls" if calls else "stop"


def reasoning_field(names: Iterable[str]) -> str | None:
    """The one of the names that stands for reasoning: the first of `REASONING_FIELDS` among them."""
    known = set(names)
    return next((name for name in REASONING_FIELDS if name in known), None)


def _read_nothing(text: str) -> list[Any]:
    """What is read of text that comes after a failure."""
    return []


def _is_text(spec: dict[str, Any]) -> bool:
    """Whether a field's value is its text, so that no text is ever rejected."""
    return bool(spec.get("content", "text") == "text" and spec.get("transform", "{content}") == "{content}")
