"""What a parser raises when a reply can not be turned into a message."""

from __future__ import annotations

from typing import Any

from .events import Event


class ContentError(ValueError):
    """A content parser, a transform or a `join` rejects the body of a region.

    Inside the runtime only: the parser turns it into a `ResponseParseError`, or a `region_malformed` event.
    """


class ResponseParseError(ValueError):
    """Output that a content parser, a transform, `join` or `optional: false` rejects.

    Attributes:
        field: the field (`str`) whose region was rejected, or that is missing.
        raw: the region's raw body (`str`); empty for a missing field.
        position: where the body starts (`int`), in characters of the kept part of the prefix and the output after it.
        message: everything parsed before (`dict`), in the shape of a finished message.
        events: what `feed` or `finalize` would have returned (`list` of `dict`): the events of its text up to the end
            of the region.

    The cause, where there is one, is `__cause__`.
    """

    def __init__(
        self,
        reason: str,
        field: str,
        raw: str,
        position: int,
        message: dict[str, Any],
        events: list[Event] | None = None,
    ) -> None:
        super().__init__(reason, field, raw, position, message, events)
        self.reason = reason
        self.field = field
        self.raw = raw
        self.position = position
        self.message = message
        self.events = events or []

    def __str__(self) -> str:
        excerpt = self.raw if len(self.raw) <= 80 else f"{self.raw[:60]}…{self.raw[-19:]}"
        where = f"field {self.field!r}, at character {self.position}"
        return f"{where}: {self.reason}" + (f"; the region holds {excerpt!r}" if self.raw else "")


class RuntimeMismatchError(ImportError):
    """A generated module was made for another runtime than the one that is installed."""
