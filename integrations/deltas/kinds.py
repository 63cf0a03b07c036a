"""What can be added to a message while it is being written: the deltas, whatever API they are rendered for."""

from __future__ import annotations

from typing import Any, NamedTuple

CONTENT = "content"
REASONING = "reasoning_content"


class Text(NamedTuple):
    """More of a text; `channel` is `CONTENT` or `REASONING`."""

    channel: str
    piece: str


class CallStart(NamedTuple):
    """A call begins: number `call` of all that are sent; `own_id` is the id that the reply gives it, or `None`."""

    call: int
    own_id: str | None
    name: str


class CallPiece(NamedTuple):
    """More of the JSON text of the arguments of call number `call`."""

    call: int
    piece: str


class CallEnd(NamedTuple):
    """Call number `call` is complete: the pieces of its arguments are the JSON text of `arguments`."""

    call: int
    arguments: Any


class Extra(NamedTuple):
    """The values of the message's other fields; comes last."""

    fields: dict[str, Any]


class Problem(NamedTuple):
    """Something is not part of the message, or no longer.

    Attributes:
        kind: "malformed" for text that is no valid region or call; "replaced" for what a later region of a field that
            does not repeat overwrote; "rewritten" for a call that turned out different from what was sent of it, and
            is sent anew; "missing" for a field that is not optional.
        field: the field of the template.
        reason: what is wrong, in words.
        text: the raw text that was rejected, or "".
        calls: the indices of calls that were sent, and are void.
        channel: the text that is void up to here: `CONTENT`, `REASONING`, or "" for none.
    """

    kind: str
    field: str
    reason: str
    text: str = ""
    calls: tuple[int, ...] = ()
    channel: str = ""


Delta = Text | CallStart | CallPiece | CallEnd | Extra | Problem
