"""The parser of replies in the format `phi4_mini`.

Generated from a response template; do not edit. To make it again: compile-template phi4_mini.json
"""
# template digest: c454d4e61fe58bd1a2c3f43ad53bce9606f7e4a379f9d0448aade89611550fb1
# body digest:     41c7912984ecf00107af5f7e9a9032c7087035d3f588b4a76f9d3323e740a48b

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
TEMPLATE_DIGEST = "c454d4e61fe58bd1a2c3f43ad53bce9606f7e4a379f9d0448aade89611550fb1"
require(CODEGEN, __name__)

# "start_anchor": "<|assistant|>"
_ANCHOR = "<|assistant|>"
_OUTSIDE = Expressions(
    r"functools\s*(?=\[\s*\{)",
    r"<\|tool_call\|>",
    r"<\|end\|>|<\|endoftext\|>",
    starts=("<|endoftext|>", "<|end|>", "<|tool_call|>", "functools"),
)
_TOOL_CALLS_CLOSE = Literals("<|/tool_call|>", "<|end|>", "<|endoftext|>")
_BEGINNINGS = Literals("<|", "fu")


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
        "tool_calls": Region("tool_calls", dirty=True, inside="_inside_tool_calls", close="_close_tool_calls"),
        "content": Region("content", dirty=False, inside="_outside", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    IMPLICIT = "content"
    DEFAULTS = frozenset(("role",))
    JOINTS = {"content": "\n"}
    EXPRESSIONS = {"_outside": _OUTSIDE}

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and (("<" not in text and "f" not in text) or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:<\\|end\\|>|<\\|endoftext\\|>)\\s*"}
        # "tool_calls": {"open_pattern": "functools\\s*(?=\\[\\s*\\{)|<\\|tool_call\\|>\\s*"}
        found = _OUTSIDE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        if start > at:
            self._emit(text[at:start], events)
        if self._field is not None:
            self._close_content(events)
        if found.lastindex == 1:
            self._open("tool_calls", end - start, events)
            return self._inside_tool_calls(text, end, events)
        if found.lastindex == 2:
            self._open("tool_calls", end - start, events)
            return self._swallow(text, end, WHITE_SPACE)
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "(?:<\\|/tool_call\\|>|<\\|end\\|>|<\\|endoftext\\|>)\\s*"}
        found = _TOOL_CALLS_CLOSE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _TOOL_CALLS_CLOSE.rest.get(found[0], ""))
        start, end = found.span()
        self._close_tool_calls(events, text[at:start])
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

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
    "start_anchor": "<|assistant|>",
    "fields": {
        "tool_calls": {
            "open_pattern": "functools\\s*(?=\\[\\s*\\{)|<\\|tool_call\\|>\\s*",
            "close_pattern": "(?:<\\|/tool_call\\|>|<\\|end\\|>|<\\|endoftext\\|>)\\s*",
            "content": "json",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {
            "close_pattern": "(?:<\\|end\\|>|<\\|endoftext\\|>)\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
