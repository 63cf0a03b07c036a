"""The parser of replies in the format `dots`.

Generated from a response template; do not edit. To make it again: compile-template dots.json
"""
# template digest: 0cff61a16e19d865c0ec44f34a9b7bc8c44a8efa71e81728fbc0bc9667fc83be
# body digest:     c0ec2415453f1e9f4010498ec04022e5f36a30c9f95bb9f2ce031c6cfe0e2ba4

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Behind, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "0cff61a16e19d865c0ec44f34a9b7bc8c44a8efa71e81728fbc0bc9667fc83be"
require(CODEGEN, __name__)

# "start_anchor": "<|response|>"
_ANCHOR = "<|response|>"
# <parameter name="(?P<key>[^"\n]+)">\n?(?P<value>.*?)\n?</parameter>
_TOOL_CALLS_TAGS = Tags(head=r'<parameter name="(?P<key>[^\n"]+)">\n?', tail=r"\n?</parameter>")
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # (?:<dots_function_call>\s*|(?<=</invoke>)|(?<=</invoke>\n))<invoke name="(?P<name>[^"\n]+)">
    opening(
        "tool_calls",
        Sequence(
            Choice(
                Sequence(Literal("<dots_function_call>"), Repeat(SPACE)),
                Behind(Literal("</invoke>")),
                Behind(Literal("</invoke>\n")),
            ),
            Literal('<invoke name="'),
            Group("name", Repeat(none_of('\n"'), 1)),
            Literal('">'),
        ),
    ),
    # (?:</?dots_function_call>|<\|endofresponse\|>)\s*
    closing(
        "content",
        Sequence(
            Choice(
                Sequence(Literal("<"), Repeat(Literal("/"), 0, 1), Literal("dots_function_call>")),
                Literal("<|endofresponse|>"),
            ),
            Repeat(SPACE),
        ),
    ),
    starts=("<",),
    wary=True,
    context=10,
    decided=(0,),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*|(?=<dots_function_call>)
    closing(
        "reasoning_content",
        Choice(Sequence(Literal("</think>"), Repeat(SPACE)), Ahead(Literal("<dots_function_call>"))),
    ),
    starts=("</think>", "<dots_function_call>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # </invoke>\s*(?:</dots_function_call>\s*)?
    closing(
        "tool_calls",
        Sequence(
            Literal("</invoke>"), Repeat(SPACE), Repeat(Sequence(Literal("</dots_function_call>"), Repeat(SPACE)), 0, 1)
        ),
    ),
    starts=("</invoke>",),
)


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
        "content": Region("content", dirty=False, inside="_outside", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    IMPLICIT = "content"
    DEFAULTS = frozenset(("role",))
    JOINTS = {"reasoning_content": "\n", "content": "\n"}
    WATCHES = {
        "_outside": _OUTSIDE,
        "_inside_reasoning_content": _REASONING_CONTENT_CLOSE,
        "_inside_tool_calls": _TOOL_CALLS_CLOSE,
    }
    CONTEXT = 10

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and "<" not in text:
            self._body.append(text)
            self._context = (self._context + text)[-10:]
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:</?dots_function_call>|<\\|endofresponse\\|>)\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "(?:<dots_function_call>\\s*|(?<=</invoke>)|(?<=</invoke>\\n))<invoke
        # name=\"(?P<name>[^\"\\n]+)\">"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*|(?=<dots_function_call>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</invoke>\\s*(?:</dots_function_call>\\s*)?"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern": "<parameter
        # name=\"(?P<key>[^\"\\n]+)\">\\n?(?P<value>.*?)\\n?</parameter>"}, "transform": {"type": "function",
        # "function": {"name": "{name}", "arguments": "{content}"}}, "repeats": true}
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
    "start_anchor": "<|response|>",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*|(?=<dots_function_call>)",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": '(?:<dots_function_call>\\s*|(?<=</invoke>)|(?<=</invoke>\\n))<invoke name="(?P<name>[^"\\n]+)">',
            "close_pattern": "</invoke>\\s*(?:</dots_function_call>\\s*)?",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {"tag_pattern": '<parameter name="(?P<key>[^"\\n]+)">\\n?(?P<value>.*?)\\n?</parameter>'},
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:</?dots_function_call>|<\\|endofresponse\\|>)\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
