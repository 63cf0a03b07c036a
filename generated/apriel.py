"""The parser of replies in the format `apriel`.

Generated from a response template; do not edit. To make it again: compile-template apriel.json
"""
# template digest: ac07406fb775124540c27aca7a3035e3ee5c44380d394f73cc11cdd3146069ae
# body digest:     67d3914ac5ea7f8fce4d512aeedc90801704ccc64a19d3dfab6d3cb72909e1a3

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Parser, Region, cut_after, parse_all
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup

CODEGEN = 3
TEMPLATE_DIGEST = "ac07406fb775124540c27aca7a3035e3ee5c44380d394f73cc11cdd3146069ae"
require(CODEGEN, __name__)

# "start_anchor": "<|begin_assistant|>\n"
_ANCHOR = "<|begin_assistant|>\n"
_OUTSIDE = Literals(
    "Here are my reasoning steps:", "<tool_calls>", "[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]", "<|end|>"
)
_TRIGGERS = frozenset("<H[")
_BEGINNINGS = Literals("</", "<t", "<|", "He", "[B", "[E")


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

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and (_TRIGGERS.isdisjoint(text) or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:\\[BEGIN FINAL RESPONSE\\]|\\[END FINAL
        # RESPONSE\\]|<\\|end\\|>)\\s*"}
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
        if delimiter == "Here are my reasoning steps:":
            self._open("reasoning_content", end - start, events)
            return self._inside_reasoning_content(text, end, events)
        if delimiter == "<tool_calls>":
            self._open("tool_calls", end - start, events)
            return self._inside_tool_calls(text, end, events)
        # "[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]", "<|end|>"
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "\\[BEGIN FINAL RESPONSE\\]\\s*"}
        start = text.find("[BEGIN FINAL RESPONSE]", at)
        if start < 0:
            return self._wait_for("[BEGIN FINAL RESPONSE]", text, at, events)
        self._close_reasoning_content(events, text[at:start])
        self._start += 22
        return self._swallow(text, start + 22, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</tool_calls>\\s*"}
        start = text.find("</tool_calls>", at)
        if start < 0:
            return self._wait_for("</tool_calls>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 13
        return self._swallow(text, start + 13, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": {"name": "{name}",
        # "arguments": "{arguments}"}}, "transform_each": true}
        body = self._take(events, last)
        try:
            content = parse_json(body)
            value = [
                {
                    "type": "function",
                    "function": {
                        "name": lookup(item, ("name",), "{name}"),
                        "arguments": lookup(item, ("arguments",), "{arguments}"),
                    },
                }
                for item in each(content)
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
    "start_anchor": "<|begin_assistant|>\n",
    "fields": {
        "reasoning_content": {
            "open": "Here are my reasoning steps:",
            "close_pattern": "\\[BEGIN FINAL RESPONSE\\]\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open": "<tool_calls>",
            "close_pattern": "</tool_calls>\\s*",
            "content": "json",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {
            "close_pattern": "(?:\\[BEGIN FINAL RESPONSE\\]|\\[END FINAL RESPONSE\\]|<\\|end\\|>)\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
