"""A parsed message, taken apart into what APIs have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .kinds import CONTENT, REASONING, Problem
from .stream import ROLE, TOOL_CALLS, reasoning_field
from .values import Call, NotACall, as_call, flattened, text_of, written


@dataclass
class MessageParts:
    """What a message holds.

    Attributes:
        texts: channel → text, "" for none.
        calls: the calls.
        extra: the other fields.
        problems: values that are no calls, or can not be written as text.
    """

    role: str
    texts: dict[str, str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_message(message: dict[str, Any]) -> MessageParts:
    """Takes a message (`dict`), as a parser returns it, apart."""
    parts = MessageParts(str(message.get(ROLE, "assistant")))
    names = {CONTENT: CONTENT, REASONING: reasoning_field(message)}
    for channel, name in names.items():
        try:
            parts.texts[channel] = text_of(message.get(name)) if name is not None else ""
        except NotACall as error:
            parts.texts[channel] = ""
            parts.problems.append(Problem("malformed", name or channel, str(error)))
    for value in flattened(message.get(TOOL_CALLS)):
        try:
            call = as_call(value)
            written(call.arguments)
        except NotACall as error:
            parts.problems.append(Problem("malformed", TOOL_CALLS, str(error)))
        else:
            parts.calls.append(call)
    known = {ROLE, TOOL_CALLS, *names.values()}
    parts.extra = {name: value for name, value in message.items() if name not in known}
    return parts
