"""The parser of replies in the format `command_a_plus`.

Generated from a response template; do not edit. To make it again: compile-template command_a_plus.json
"""
# template digest: 0588ac10f0f57788fe57eb2cef09151d82b81370b246b8b6c947dc7af7e915ba
# body digest:     316786a93d587997f1191b6d9346a403ee499f80271580c61581c6ffc88ddb0c

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.searching import SearchingParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup

CODEGEN = 3
TEMPLATE_DIGEST = "0588ac10f0f57788fe57eb2cef09151d82b81370b246b8b6c947dc7af7e915ba"
require(CODEGEN, __name__)

# "start_anchor": "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"
_ANCHOR = "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"
_OUTSIDE = Expressions(
    r"<\|START_THINKING\|>",
    r"<\|START_ACTION\|>(?P<tool_call_id>)",
    r"<\|(?:START_TEXT|END_TEXT|END_OF_TURN_TOKEN)\|>",
    starts=("<|",),
)
_BEGINNINGS = Literals("<|")


class ResponseParser(SearchingParser):
    """Reads one reply piece by piece.

    Args:
        prefix: the prompt that the model continued; "" if the output holds the whole reply.
        tools: JSON-schema tools or Python functions, whose types the arguments of calls are cast to.
        on_malformed: what to do where the content of a region is rejected: "raise" a `ResponseParseError`, or go on
            after an "event".
    """

    __slots__ = ()

    REGIONS: ClassVar[dict[str, Region]] = {
        "reasoning_content": Region(
            "reasoning_content", dirty=False, inside="_inside_reasoning_content", close="_close_reasoning_content"
        ),
        "tool_calls": Region("tool_calls", dirty=True, inside="_inside_tool_calls", close="_close_tool_calls"),
        "content": Region("content", dirty=False, inside="_outside", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    IMPLICIT = "content"
    DEFAULTS = frozenset(("role",))
    JOINTS = {"reasoning_content": "\n", "content": "\n"}
    EXPRESSIONS = {"_outside": _OUTSIDE}

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and ("<" not in text or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "<\\|(?:START_TEXT|END_TEXT|END_OF_TURN_TOKEN)\\|>\\s*"}
        # "reasoning_content": {"open": "<|START_THINKING|>"}
        # "tool_calls": {"open_pattern": "<\\|START_ACTION\\|>(?P<tool_call_id>)"}
        found = _OUTSIDE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        if start > at:
            self._emit(text[at:start], events)
        if self._field is not None:
            self._close_content(events)
        if found.lastindex == 1:
            self._open("reasoning_content", end - start, events)
            return self._inside_reasoning_content(text, end, events)
        if found.lastindex == 2:
            self._open("tool_calls", end - start, events)
            self._captures = {"tool_call_id": found["tool_call_id"]}
            return self._inside_tool_calls(text, end, events)
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "<\\|END_THINKING\\|>\\s*"}
        start = text.find("<|END_THINKING|>", at)
        if start < 0:
            return self._wait_for("<|END_THINKING|>", text, at, events)
        self._close_reasoning_content(events, text[at:start])
        self._start += 16
        return self._swallow(text, start + 16, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "<\\|END_ACTION\\|>\\s*"}
        start = text.find("<|END_ACTION|>", at)
        if start < 0:
            return self._wait_for("<|END_ACTION|>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 14
        return self._swallow(text, start + 14, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "id": "{tool_call_id}",
        # "function": {"name": "{tool_name}", "arguments": "{parameters}"}}, "transform_each": true}
        captures = self._captures
        body = self._take(events, last)
        try:
            content = parse_json(body)
            value = [
                {
                    "type": "function",
                    "id": lookup(item, ("tool_call_id",), "{tool_call_id}"),
                    "function": {
                        "name": lookup(item, ("tool_name",), "{tool_name}"),
                        "arguments": lookup(item, ("parameters",), "{parameters}"),
                    },
                }
                for item in each(content, captures)
            ]
        except ContentError as error:
            self._reject("tool_calls", body, error, events)
        else:
            if self._tools:
                type_calls(value, self._tools)
            self._store("tool_calls", value, events)

    def _close_content(self, events: Events, last: str = "") -> None:
        # "content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("content", self._take(events, last).strip(), events)

    def _defaults(self) -> dict[str, Any]:
        return {"role": "assistant"}

    def _cut(self, prefix: str) -> str:
        start = prefix.rfind(_ANCHOR)
        return cut_after(prefix, start + len(_ANCHOR) if start >= 0 else None)


def parse_response(
    text: str | list[str],
    prefix: str | list[str] | None = None,
    tools: list[Any] | None = None,
    on_malformed: OnMalformed = "raise",
) -> Any:
    """The message (`dict`) of one output, or the list of messages of several outputs.

    Args:
        text: the output, or a list of outputs.
        prefix: the prompt; for several outputs one for all or one for each. "" if the output holds the whole reply.
        tools: JSON-schema tools or Python functions, whose types the arguments of calls are cast to.
        on_malformed: what to do where the content of a region is rejected: "raise", or leave it out ("event").

    Raises:
        ResponseParseError: the content of a region is rejected, or a required field is missing.
        ValueError: there is no prefix.
    """
    return parse_all(ResponseParser, text, prefix, tools, on_malformed)


TEMPLATE: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
    "fields": {
        "reasoning_content": {
            "open": "<|START_THINKING|>",
            "close_pattern": "<\\|END_THINKING\\|>\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": "<\\|START_ACTION\\|>(?P<tool_call_id>)",
            "close_pattern": "<\\|END_ACTION\\|>\\s*",
            "content": "json",
            "transform_each": True,
            "transform": {
                "type": "function",
                "id": "{tool_call_id}",
                "function": {"name": "{tool_name}", "arguments": "{parameters}"},
            },
        },
        "content": {
            "close_pattern": "<\\|(?:START_TEXT|END_TEXT|END_OF_TURN_TOKEN)\\|>\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
