"""The parser of replies in the format `beam`.

Generated from a response template; do not edit. To make it again: compile-template beam.json
"""
# template digest: c23105042b210899e752d6fb6cb7f268874f2591867413ae378ddf431e9fc71a
# body digest:     c49bb95255dd4bf747dc811ab468a49610656a9a3e98d69a3448eb4c196a6eac

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.searching import SearchingParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls

CODEGEN = 3
TEMPLATE_DIGEST = "c23105042b210899e752d6fb6cb7f268874f2591867413ae378ddf431e9fc71a"
require(CODEGEN, __name__)

# "start_anchor": "<|start|>assistant"
_ANCHOR = "<|start|>assistant"
# <rfl:parameter name="(?P<key>[^"\n]+)">\n?(?P<value>.*?)\n?</rfl:parameter>
_TOOL_CALLS_TAGS = Tags(head=r'<rfl:parameter name="(?P<key>[^\n"]+)">\n?', tail=r"\n?</rfl:parameter>")
_OUTSIDE = Expressions(
    r"<\|channel\|>final<\|message\|>",
    r"<\|channel\|>analysis<\|message\|>",
    r"to=(?P<name>[^\s<]+)\s*<\|channel\|>[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>",
    starts=("<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "to="),
    skip=r"to=[^\s<]+\s*",
)
_REASONING_CONTENT_CLOSE = Literals("<|end|>", "<|return|>", "<|call|>")
_TOOL_CALLS_CLOSE = _REASONING_CONTENT_CLOSE
_CONTENT_CLOSE = _REASONING_CONTENT_CLOSE
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
        "content": Region("content", dirty=False, inside="_inside_content", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    DEFAULTS = frozenset(("role",))
    JOINTS = {"reasoning_content": "\n", "content": "\n"}
    EXPRESSIONS = {"_outside": _OUTSIDE}
    AWAITED = "<|message|>"

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and ("<" not in text or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        # Outside of all regions nothing happens before AWAITED is there.
        if self._state == "_outside" and self._holds_on(text):
            return []
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # no field is open
        # "content": {"open": "<|channel|>final<|message|>"}
        # "reasoning_content": {"open": "<|channel|>analysis<|message|>"}
        # "tool_calls": {"open_pattern":
        # "to=(?P<name>[^\\s<]+)\\s*<\\|channel\\|>[^<]*(?:<\\|constrain\\|>[^<]*)?<\\|message\\|>"}
        found = _OUTSIDE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        end = found.end()
        if found.lastindex == 1:
            self._open("content", end - at, events)
            return self._inside_content(text, end, events)
        if found.lastindex == 2:
            self._open("reasoning_content", end - at, events)
            return self._inside_reasoning_content(text, end, events)
        # A region that is whole need not be opened where nobody asks for events.
        if events is None:
            close = _TOOL_CALLS_CLOSE.find(text, end)
            if close is not None and close.lastindex is None:
                last, behind = close.span()
                self._start += last - at
                self._add_tool_calls(text[end:last], {"name": found["name"]}, events)
                self._start += behind - last
                return behind
        self._open("tool_calls", end - at, events)
        self._captures = {"name": found["name"]}
        return self._inside_tool_calls(text, end, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close": ["<|end|>", "<|return|>", "<|call|>"]}
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
        # "tool_calls": {"close": ["<|end|>", "<|return|>", "<|call|>"]}
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
        # "content": {"close": ["<|end|>", "<|return|>", "<|call|>"]}
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
        captures = self._captures
        self._add_tool_calls(self._take(events, last), captures, events)

    def _add_tool_calls(self, body: str, captures: dict[str, str], events: Events) -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern": "<rfl:parameter
        # name=\"(?P<key>[^\"\\n]+)\">\\n?(?P<value>.*?)\\n?</rfl:parameter>"}, "transform": {"type":
        # "function", "function": {"name": "{name}", "arguments": "{content}"}}, "repeats": true}
        try:
            content = parse_xml(body, _TOOL_CALLS_TAGS.tags)
            value = {"type": "function", "function": {"name": captures["name"], "arguments": content}}
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
    "start_anchor": "<|start|>assistant",
    "fields": {
        "reasoning_content": {
            "open": "<|channel|>analysis<|message|>",
            "close": ["<|end|>", "<|return|>", "<|call|>"],
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": "to=(?P<name>[^\\s<]+)\\s*<\\|channel\\|>[^<]*(?:<\\|constrain\\|>[^<]*)?<\\|message\\|>",
            "close": ["<|end|>", "<|return|>", "<|call|>"],
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": '<rfl:parameter name="(?P<key>[^"\\n]+)">\\n?(?P<value>.*?)\\n?</rfl:parameter>'
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "open": "<|channel|>final<|message|>",
            "close": ["<|end|>", "<|return|>", "<|call|>"],
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
