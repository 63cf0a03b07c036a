"""The parser of replies in the format `granite4`.

Generated from a response template; do not edit. To make it again: compile-template granite4.json
"""
# template digest: 824a4d8886400e4cec99a62019f9a6a9f6aacba0ca3edd7b3bcbae7ac3165a5b
# body digest:     54ef336660ffe0ed54bb4d1214dea3793f69b1feab9b4d3b94b47d5dfe09410d

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Parser, Region, cut_after, parse_all
from untemplate.runtime.tools import type_calls

CODEGEN = 3
TEMPLATE_DIGEST = "824a4d8886400e4cec99a62019f9a6a9f6aacba0ca3edd7b3bcbae7ac3165a5b"
require(CODEGEN, __name__)

# "start_anchor": "<|start_of_role|>assistant<|end_of_role|>"
_ANCHOR = "<|start_of_role|>assistant<|end_of_role|>"
_OUTSIDE = Literals("<tool_call>", "<|end_of_text|>")
_BEGINNINGS = Literals("</", "<t", "<|")


class ResponseParser(Parser):
    """Reads one reply piece by piece.

    Args:
        prefix: the prompt that the model continued; "" if the output holds the whole reply.
        tools: JSON-schema tools or Python functions, whose types the arguments of calls are cast to.
        on_malformed: what to do where the content of a region is rejected: "raise" a `ResponseParseError`, or go on
            after an "event".
    """

    __slots__ = ()

    REGIONS: ClassVar[dict[str, Region]] = {
        "tool_calls": Region("tool_calls", dirty=True, inside="_inside_tool_calls", close="_close_tool_calls"),
        "content": Region("content", dirty=False, inside="_outside", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    IMPLICIT = "content"
    DEFAULTS = frozenset(("role",))
    JOINTS = {"content": "\n"}

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
        # "content": {"close_pattern": "<\\|end_of_text\\|>\\s*"}
        found = _OUTSIDE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _OUTSIDE.rest.get(found[0], ""))
        start, end = found.span()
        delimiter = found[0]
        if start > at:
            self._emit(text[at:start], events)
        if self._field is not None:
            self._close_content(events)
        if delimiter == "<tool_call>":
            # A region that is whole need not be opened where nobody asks for events.
            if events is None:
                last = text.find("</tool_call>", end)
                if last >= 0:
                    self._start += last - start
                    self._add_tool_calls(text[end:last], events)
                    self._start += 12
                    return self._swallow(text, last + 12, WHITE_SPACE)
            self._open("tool_calls", end - start, events)
            return self._inside_tool_calls(text, end, events)
        # "<|end_of_text|>"
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</tool_call>\\s*"}
        start = text.find("</tool_call>", at)
        if start < 0:
            return self._wait_for("</tool_call>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 12
        return self._swallow(text, start + 12, WHITE_SPACE)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        self._add_tool_calls(self._take(events, last), events)

    def _add_tool_calls(self, body: str, events: Events) -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": "{content}"},
        # "repeats": true}
        try:
            content = parse_json(body)
            value = {"type": "function", "function": content}
        except ContentError as error:
            self._reject("tool_calls", body, error, events)
        else:
            if self._tools:
                type_calls(value, self._tools)
            self._message.setdefault("tool_calls", []).append(value)
            if events is not None:
                events.append({"type": "region_close", "field": "tool_calls", "value": value})

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
    "start_anchor": "<|start_of_role|>assistant<|end_of_role|>",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": "</tool_call>\\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": "<\\|end_of_text\\|>\\s*", "repeats": True, "join": "\n", "content": "text"},
    },
}
