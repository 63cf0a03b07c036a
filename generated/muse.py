"""The parser of replies in the format `muse`.

Generated from a response template; do not edit. To make it again: compile-template muse.json
"""
# template digest: aef01a1b4f16070ffe1e73c8e477274f3394bc88f05e8380342d5f4fb0cddaff
# body digest:     52081dbe3a6f49784ee68c018bec74e8ac98a0107e9eb4a6895d8a39a999580e

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Group, Literal, Repeat, Sequence, TextStart, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, opening

CODEGEN = 3
TEMPLATE_DIGEST = "aef01a1b4f16070ffe1e73c8e477274f3394bc88f05e8380342d5f4fb0cddaff"
require(CODEGEN, __name__)

# "start_anchor": "<|start|>assistant"
_ANCHOR = "<|start|>assistant"
# <atem:parameter name=\"(?P<key>[^\"<>\n]+)\">(?P<value>.*?)</atem:parameter>
_TOOL_CALLS_TAGS = Tags(head=r'<atem:parameter name="(?P<key>[^\n"<>]+)">', tail=r"</atem:parameter>")
_OUTSIDE = Watch(
    # (?:<\|start\|>assistant)? to=(?:user|commentary)<\|message\|>
    opening(
        "content",
        Sequence(
            Repeat(Literal("<|start|>assistant"), 0, 1),
            Literal(" to="),
            Choice(Literal("user"), Literal("commentary")),
            Literal("<|message|>"),
        ),
    ),
    # (?:<\|start\|>assistant)? to=self<\|message\|>|(?:<\|start\|>assistant|^)<\|message\|>
    opening(
        "reasoning_content",
        Choice(
            Sequence(Repeat(Literal("<|start|>assistant"), 0, 1), Literal(" to=self<|message|>")),
            Sequence(Choice(Literal("<|start|>assistant"), TextStart()), Literal("<|message|>")),
        ),
    ),
    # (?:<\|start\|>assistant)?
    # to=(?!(?:self|user|commentary|developer)<)[^<\s]+<\|message\|>\s*(?:<atem:function_calls>\s*)?<atem:invoke
    # name=\"(?P<name>[^\"<>\n]+)\">
    opening(
        "tool_calls",
        Sequence(
            Repeat(Literal("<|start|>assistant"), 0, 1),
            Literal(" to="),
            Ahead(
                Sequence(
                    Choice(Literal("self"), Literal("user"), Literal("commentary"), Literal("developer")), Literal("<")
                ),
                negative=True,
            ),
            Repeat(none_of(SPACE, "<"), 1),
            Literal("<|message|>"),
            Repeat(SPACE),
            Repeat(Sequence(Literal("<atem:function_calls>"), Repeat(SPACE)), 0, 1),
            Literal('<atem:invoke name="'),
            Group("name", Repeat(none_of('\n"<>'), 1)),
            Literal('">'),
        ),
    ),
    starts=(" to=", "<|message|>", "<|start|>assistant"),
    wary=True,
    context=1,
)
_REASONING_CONTENT_CLOSE = Literals("<|eom|>", "<|eot|>", "<|end_of_text|>")
_TOOL_CALLS_CLOSE = _REASONING_CONTENT_CLOSE
_CONTENT_CLOSE = _REASONING_CONTENT_CLOSE
_BEGINNINGS = Literals("<|")


class ResponseParser(ScanningParser):
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
    WATCHES = {"_outside": _OUTSIDE}
    CONTEXT = 1

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and ("<" not in text or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            self._context = (self._context + text)[-1:]
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # no field is open
        # "content": {"open_pattern": "(?:<\\|start\\|>assistant)? to=(?:user|commentary)<\\|message\\|>"}
        # "reasoning_content": {"open_pattern": "(?:<\\|start\\|>assistant)?
        # to=self<\\|message\\|>|(?:<\\|start\\|>assistant|^)<\\|message\\|>"}
        # "tool_calls": {"open_pattern": "(?:<\\|start\\|>assistant)?
        # to=(?!(?:self|user|commentary|developer)<)[^<\\s]+<\\|message\\|>\\s*(?:<atem:function_calls>\\s*)?<atem:invoke
        # name=\\\"(?P<name>[^\\\"<>\\n]+)\\\">"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close": ["<|eom|>", "<|eot|>", "<|end_of_text|>"]}
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
        # "tool_calls": {"close": ["<|eom|>", "<|eot|>", "<|end_of_text|>"]}
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
        # "content": {"close": ["<|eom|>", "<|eot|>", "<|end_of_text|>"]}
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
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern": "<atem:parameter
        # name=\\\"(?P<key>[^\\\"<>\\n]+)\\\">(?P<value>.*?)</atem:parameter>"}, "transform": {"type":
        # "function", "function": {"name": "{name}", "arguments": "{content}"}}, "repeats": true}
        captures = self._captures
        body = self._take(events, last)
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
            "open_pattern": "(?:<\\|start\\|>assistant)? to=self<\\|message\\|>|(?:<\\|start\\|>assistant|^)<\\|message\\|>",
            "close": ["<|eom|>", "<|eot|>", "<|end_of_text|>"],
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": '(?:<\\|start\\|>assistant)? to=(?!(?:self|user|commentary|developer)<)[^<\\s]+<\\|message\\|>\\s*(?:<atem:function_calls>\\s*)?<atem:invoke name=\\"(?P<name>[^\\"<>\\n]+)\\">',
            "close": ["<|eom|>", "<|eot|>", "<|end_of_text|>"],
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": '<atem:parameter name=\\"(?P<key>[^\\"<>\\n]+)\\">(?P<value>.*?)</atem:parameter>'
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "open_pattern": "(?:<\\|start\\|>assistant)? to=(?:user|commentary)<\\|message\\|>",
            "close": ["<|eom|>", "<|eot|>", "<|end_of_text|>"],
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
