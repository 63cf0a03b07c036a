"""The parser of replies in the format `minicpm5`.

Generated from a response template; do not edit. To make it again: compile-template minicpm5.json
"""
# template digest: 27d4c62cf905fe8680d0a311eb37a467b8632df11d2bf334b5acbd7228f2a8e4
# body digest:     1ec84542ea396d2bf05e0b2cf46ba164f99dc434b1fbf046dff62f0ee2b8e8a2

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_loose_json, parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import ANY, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.searching import SearchingParser
from untemplate.runtime.sure_tags import SureTags
from untemplate.runtime.tools import type_calls

CODEGEN = 3
TEMPLATE_DIGEST = "27d4c62cf905fe8680d0a311eb37a467b8632df11d2bf334b5acbd7228f2a8e4"
require(CODEGEN, __name__)

# "start_anchor": "<|im_start|>assistant\n"
_ANCHOR = "<|im_start|>assistant\n"
# <param name=\"(?P<key>[^\"<>\n]+)(?P<value>\">(?:<!\[CDATA\[.*?\]\]></param>|.*?</param>))
_TOOL_CALLS_TAGS = SureTags(
    Sequence(
        Literal('<param name="'),
        Group("key", Repeat(none_of('\n"<>'), 1)),
        Group(
            "value",
            Sequence(
                Literal('">'),
                Choice(
                    Sequence(Literal("<![CDATA["), Repeat(ANY, lazy=True), Literal("]]></param>")),
                    Sequence(Repeat(ANY, lazy=True), Literal("</param>")),
                ),
            ),
        ),
    ),
    opening=r'<param name="(?P<key>[^\n"<>]+)',
    rest=r'(?P<value>">(?:<!\[CDATA\[.*?\]\]></param>|(?!<!\[CDATA\[).*?</param>))',
    end=r"\]\]></param>|</param>",
    starts=('<param name="',),
)


def _tool_calls_value(text: str) -> Any:
    return parse_loose_json(text, string_delims=(('"><![CDATA[', "]]></param>"), ('">', "</param>")))


_OUTSIDE = Expressions(
    r"<think>",
    r'<function name="(?P<name>[^\n"<>]+)">',
    r"<\|im_end\|>|<\|endoftext\|>",
    starts=('<function name="', "<think>", "<|endoftext|>", "<|im_end|>"),
)
_BEGINNINGS = Literals("</", "<f", "<t", "<|")


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
        # "content": {"close_pattern": "(?:<\\|im_end\\|>|<\\|endoftext\\|>)\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "<function name=\\\"(?P<name>[^\\\"<>\\n]+)\\\">"}
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
            # A region that is whole need not be opened where nobody asks for events.
            if events is None:
                last = text.find("</function>", end)
                if last >= 0:
                    self._start += last - start
                    self._add_tool_calls(text[end:last], {"name": found["name"]}, events)
                    self._start += 11
                    return self._swallow(text, last + 11, WHITE_SPACE)
            self._open("tool_calls", end - start, events)
            self._captures = {"name": found["name"]}
            return self._inside_tool_calls(text, end, events)
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*"}
        start = text.find("</think>", at)
        if start < 0:
            return self._wait_for("</think>", text, at, events)
        self._close_reasoning_content(events, text[at:start])
        self._start += 8
        return self._swallow(text, start + 8, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</function>\\s*"}
        start = text.find("</function>", at)
        if start < 0:
            return self._wait_for("</function>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 11
        return self._swallow(text, start + 11, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        captures = self._captures
        self._add_tool_calls(self._take(events, last), captures, events)

    def _add_tool_calls(self, body: str, captures: dict[str, str], events: Events) -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern": "<param
        # name=\\\"(?P<key>[^\\\"<>\\n]+)(?P<value>\\\">(?:<!\\[CDATA\\[.*?\\]\\]></param>|.*?</param>))",
        # "value_parser": {"name": "json", "args": {"string_delims": [["\"><![CDATA[", "]]></param>"], ["\">",
        # "</param>"]]}}}, "transform": {"type": "function", "function": {"name": "{name}", "arguments":
        # "{content}"}}, "repeats": true}
        try:
            content = parse_xml(body, _TOOL_CALLS_TAGS.tags, _tool_calls_value)
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
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": '<function name=\\"(?P<name>[^\\"<>\\n]+)\\">',
            "close_pattern": "</function>\\s*",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": '<param name=\\"(?P<key>[^\\"<>\\n]+)(?P<value>\\">(?:<!\\[CDATA\\[.*?\\]\\]></param>|.*?</param>))',
                "value_parser": {
                    "name": "json",
                    "args": {"string_delims": [['"><![CDATA[', "]]></param>"], ['">', "</param>"]]},
                },
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:<\\|im_end\\|>|<\\|endoftext\\|>)\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
