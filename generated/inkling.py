"""The parser of replies in the format `inkling`.

Generated from a response template; do not edit. To make it again: compile-template inkling.json
"""
# template digest: 09be84b35bdbfece124328cb321c306ba1b31e43554b8cbbb862f7d227e3f0d9
# body digest:     b23d9cb788d9b9430a920ebd2733cf773d125c76aeabc6c64198b7cce302339b

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Parser, Region, cut_after, parse_all
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import lookup

CODEGEN = 3
TEMPLATE_DIGEST = "09be84b35bdbfece124328cb321c306ba1b31e43554b8cbbb862f7d227e3f0d9"
require(CODEGEN, __name__)

# "start_anchor": "<|message_model|>"
_ANCHOR = "<|message_model|>"
_OUTSIDE = Literals("<|content_text|>", "<|content_thinking|>", "<|content_invoke_tool_json|>")
_REASONING_CONTENT_CLOSE = Literals("<|end_message|>", "<|content_model_end_sampling|>")
_TOOL_CALLS_CLOSE = _REASONING_CONTENT_CLOSE
_CONTENT_CLOSE = _REASONING_CONTENT_CLOSE
_BEGINNINGS = Literals("<|")


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
        "content": Region("content", dirty=False, inside="_inside_content", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    DEFAULTS = frozenset(("role",))
    JOINTS = {"reasoning_content": "\n", "content": "\n"}

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
        # no field is open
        found = _OUTSIDE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _OUTSIDE.rest.get(found[0], ""))
        start, end = found.span()
        delimiter = found[0]
        if delimiter == "<|content_text|>":
            self._open("content", end - at, events)
            return self._inside_content(text, end, events)
        if delimiter == "<|content_thinking|>":
            self._open("reasoning_content", end - at, events)
            return self._inside_reasoning_content(text, end, events)
        # "<|content_invoke_tool_json|>"
        # A region that is whole need not be opened where nobody asks for events.
        if events is None:
            close = _TOOL_CALLS_CLOSE.find(text, end)
            if close is not None and close.lastindex is None:
                last, behind = close.span()
                self._start += last - at
                self._add_tool_calls(text[end:last], events)
                self._start += behind - last
                return behind
        self._open("tool_calls", end - at, events)
        return self._inside_tool_calls(text, end, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close": ["<|end_message|>", "<|content_model_end_sampling|>"]}
        found = _REASONING_CONTENT_CLOSE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _REASONING_CONTENT_CLOSE.rest.get(found[0], ""))
        start, end = found.span()
        self._close_reasoning_content(events, text[at:start])
        self._start += end - start
        return end

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close": ["<|end_message|>", "<|content_model_end_sampling|>"]}
        found = _TOOL_CALLS_CLOSE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _TOOL_CALLS_CLOSE.rest.get(found[0], ""))
        start, end = found.span()
        self._close_tool_calls(events, text[at:start])
        self._start += end - start
        return end

    def _inside_content(self, text: str, at: int, events: Events) -> int:
        # "content": {"close": ["<|end_message|>", "<|content_model_end_sampling|>"]}
        found = _CONTENT_CLOSE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _CONTENT_CLOSE.rest.get(found[0], ""))
        start, end = found.span()
        self._close_content(events, text[at:start])
        self._start += end - start
        return end

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        self._add_tool_calls(self._take(events, last), events)

    def _add_tool_calls(self, body: str, events: Events) -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": {"name":
        # "{content.name}", "arguments": "{content.args}"}}, "repeats": true}
        try:
            content = parse_json(body)
            value = {
                "type": "function",
                "function": {
                    "name": lookup(content, ("name",), "{content.name}"),
                    "arguments": lookup(content, ("args",), "{content.args}"),
                },
            }
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
    "start_anchor": "<|message_model|>",
    "fields": {
        "reasoning_content": {
            "open": "<|content_thinking|>",
            "close": ["<|end_message|>", "<|content_model_end_sampling|>"],
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open": "<|content_invoke_tool_json|>",
            "close": ["<|end_message|>", "<|content_model_end_sampling|>"],
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{content.name}", "arguments": "{content.args}"}},
        },
        "content": {
            "open": "<|content_text|>",
            "close": ["<|end_message|>", "<|content_model_end_sampling|>"],
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
