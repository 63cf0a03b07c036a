"""The texts of a message, sent so that the pieces add up to what the message has."""

from __future__ import annotations

from typing import Any, Protocol

from .kinds import Problem, Text
from .sending import Outbox
from .values import text_of


class Passing(Protocol):
    """A short way for the next chunk."""

    @property
    def target(self) -> str | int:
        """The channel or call that it leads to."""

    def pass_on(self, text: str) -> str | None:
        """Reads a chunk; returns what is to be sent to `target`, or `None` if there are deltas to be sent."""


class SentText:
    """What was sent of one text.

    Args:
        channel: the text that the field is for an API.
        joint: what joins the field's parts; `None` if a later part replaces the earlier.
        default: what the message has before any part; `None` if nothing.
    """

    def __init__(self, outbox: Outbox, field: str, channel: str, joint: str | None, default: Any) -> None:
        self._outbox = outbox
        self._field = field
        self._joint = joint
        self.channel = channel
        self._sent: list[str] = []
        self.record = self._sent.append
        self._any = False
        if joint is not None and isinstance(default, str):
            self._any = True
            self.send(default)

    def send(self, piece: str) -> None:
        """Sends more of it."""
        if piece:
            self._sent.append(piece)
            self._outbox.deltas.append(Text(self.channel, piece))

    def next_part(self) -> None:
        """Another part begins, which the message is going to have whatever follows."""
        if self._any and self._joint is not None:
            self.send(self._joint)
        elif self._any:
            self._replace()
        self._any = True

    def settle(self, value: Any) -> None:
        """Sends what is missing of the message's `value`."""
        text, sent = text_of(value), "".join(self._sent)
        if not text.startswith(sent):
            self._replace()
            sent = ""
        self.send(text[len(sent) :])

    def _replace(self) -> None:
        if self._sent:
            self._sent.clear()
            reason = "the field does not repeat, and a later region replaces what was sent of it"
            self._outbox.report(Problem("replaced", self._field, reason, channel=self.channel))


class LiveText:
    """A field whose text is sent while it is written."""

    def __init__(self, text: SentText, strips: bool) -> None:
        self._text = text
        self._send = text.send
        self._record = text.record
        self.target: str | int = text.channel
        self._strips = strips
        self._leading = False
        self._space: list[str] = []  # may turn out to be the end of the part

    def open(self) -> None:
        self._text.next_part()
        self._leading = self._strips
        self._space = []

    def chunk(self, text: str) -> None:
        self._send(self._stripped(text) if self._strips else text)

    def flush(self) -> Passing | None:
        return self

    def pass_on(self, text: str) -> str:
        if self._strips and (self._leading or self._space or text[-1].isspace()):
            text = self._stripped(text)
            if not text:
                return text
        self._record(text)
        return text

    def _stripped(self, text: str) -> str:
        """What of `text`, and the white space before it, is certain to be inside of the part."""
        if self._leading:
            text = text.lstrip()
            self._leading = not text
        kept = text.rstrip()
        space = text[len(kept) :]
        if kept:
            kept = "".join([*self._space, kept])
            self._space.clear()
        if space:
            self._space.append(space)
        return kept

    def close(self, value: Any) -> None:
        """The value is what was sent: white space at its end is not."""

    def reject(self, text: str, reason: str) -> None:
        """No text is rejected."""

    def settle(self, value: Any) -> None:
        self._text.settle(value)


class WholeText:
    """A field whose text is known at the end of a region, if parts are joined; else only at the end of the message."""

    def __init__(self, text: SentText, outbox: Outbox, field: str, joined: bool) -> None:
        self._text = text
        self._outbox = outbox
        self._field = field
        self._joined = joined

    def open(self) -> None:
        """There is nothing to send yet."""

    def chunk(self, text: str) -> None:
        """Raw text says nothing about the value."""

    def flush(self) -> None:
        """Nothing is passed on."""

    def close(self, value: Any) -> None:
        if self._joined:
            self._text.next_part()
            self._text.send(value)

    def reject(self, text: str, reason: str) -> None:
        self._outbox.report(Problem("malformed", self._field, reason, text))

    def settle(self, value: Any) -> None:
        self._text.settle(value)
