"""The parser of replies in the format `kimi_k3`.

Generated from a response template; do not edit. To make it again: compile-template kimi_k3.json
"""
# template digest: 5b236bf5220745868589952afc8fae251998a784f71283bb4761bb0bf1a5ca2d
# body digest:     b680c204d0d2ebe043e0100500f02b0ed25394ff3b07602da8437c685f672e45

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_loose_json, parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import ANY, Ahead, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.sure_tags import SureTags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.watch import Watch, closing

CODEGEN = 3
TEMPLATE_DIGEST = "5b236bf5220745868589952afc8fae251998a784f71283bb4761bb0bf1a5ca2d"
require(CODEGEN, __name__)

# "start_anchor_pattern": "<\\|open\\|>message role=\"assistant\"[^<\\n]*<\\|sep\\|>"
_ANCHOR = Finder(
    Sequence(Literal('<|open|>message role="assistant"'), Repeat(none_of("\n<")), Literal("<|sep|>")),
    starts=('<|open|>message role="assistant"',),
)
# <\|open\|>argument key="(?P<key>[^"\n]*)"
# type="(?:(?!string")[^"\n]*"<\|sep\|>)?(?P<value>string"<\|sep\|>.*?<\|close\|>|.*?)(?:<\|close\|>)?argument<\|sep\|>
_TOOL_CALLS_TAGS = SureTags(
    Sequence(
        Literal('<|open|>argument key="'),
        Group("key", Repeat(none_of('\n"'))),
        Literal('" type="'),
        Repeat(Sequence(Ahead(Literal('string"'), negative=True), Repeat(none_of('\n"')), Literal('"<|sep|>')), 0, 1),
        Group(
            "value",
            Choice(
                Sequence(Literal('string"<|sep|>'), Repeat(ANY, lazy=True), Literal("<|close|>")),
                Repeat(ANY, lazy=True),
            ),
        ),
        Repeat(Literal("<|close|>"), 0, 1),
        Literal("argument<|sep|>"),
    ),
    opening=r'<\|open\|>argument key="(?P<key>[^\n"]*)" type="',
    rest=r'(?>(?!string")[^\n"]*"<\|sep\|>|(?=string"))(?P<value>string"<\|sep\|>.*?<\|close\|>|(?!string"<\|sep\|>).*?)(?:<\|close\|>)?argument<\|sep\|>',
    end=r"(?:<\|close\|>)?argument<\|sep\|>",
    starts=('<|open|>argument key="',),
)


def _tool_calls_value(text: str) -> Any:
    return parse_loose_json(text, string_delims=(('string"<|sep|>', "<|close|>"),))


_OUTSIDE = Expressions(
    r"<\|open\|>response<\|sep\|>",
    r"<\|open\|>think<\|sep\|>",
    r'<\|open\|>call tool="(?P<name>[^\n"]+)"[^\n<]*<\|sep\|>',
    starts=('<|open|>call tool="', "<|open|>response<|sep|>", "<|open|>think<|sep|>"),
)
_REASONING_CONTENT_CLOSE = Watch(
    # <\|close\|>(?:think|message)<\|sep\|>|(?=<\|open\|>(?:response|tools)<\|sep\|>)
    closing(
        "reasoning_content",
        Choice(
            Sequence(Literal("<|close|>"), Choice(Literal("think"), Literal("message")), Literal("<|sep|>")),
            Ahead(Sequence(Literal("<|open|>"), Choice(Literal("response"), Literal("tools")), Literal("<|sep|>"))),
        ),
    ),
    starts=("<|close|>", "<|open|>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # <\|close\|>(?:call|tools|message)<\|sep\|>|(?=<\|open\|>call )
    closing(
        "tool_calls",
        Choice(
            Sequence(
                Literal("<|close|>"), Choice(Literal("call"), Literal("tools"), Literal("message")), Literal("<|sep|>")
            ),
            Ahead(Literal("<|open|>call ")),
        ),
    ),
    starts=("<|close|>", "<|open|>call "),
    decided=(0,),
)
_CONTENT_CLOSE = Watch(
    # <\|close\|>(?:response|message)<\|sep\|>|(?=<\|open\|>tools<\|sep\|>)
    closing(
        "content",
        Choice(
            Sequence(Literal("<|close|>"), Choice(Literal("response"), Literal("message")), Literal("<|sep|>")),
            Ahead(Literal("<|open|>tools<|sep|>")),
        ),
    ),
    starts=("<|close|>", "<|open|>tools<|sep|>"),
    decided=(0,),
)
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
    EXPRESSIONS = {"_outside": _OUTSIDE}
    WATCHES = {
        "_inside_reasoning_content": _REASONING_CONTENT_CLOSE,
        "_inside_tool_calls": _TOOL_CALLS_CLOSE,
        "_inside_content": _CONTENT_CLOSE,
    }
    AWAITED = "<|sep|>"

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
        # "content": {"open": "<|open|>response<|sep|>"}
        # "reasoning_content": {"open": "<|open|>think<|sep|>"}
        # "tool_calls": {"open_pattern": "<\\|open\\|>call tool=\"(?P<name>[^\"\\n]+)\"[^<\\n]*<\\|sep\\|>"}
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
        self._open("tool_calls", end - at, events)
        self._captures = {"name": found["name"]}
        return self._inside_tool_calls(text, end, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern":
        # "<\\|close\\|>(?:think|message)<\\|sep\\|>|(?=<\\|open\\|>(?:response|tools)<\\|sep\\|>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "<\\|close\\|>(?:call|tools|message)<\\|sep\\|>|(?=<\\|open\\|>call
        # )"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _inside_content(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern":
        # "<\\|close\\|>(?:response|message)<\\|sep\\|>|(?=<\\|open\\|>tools<\\|sep\\|>)"}
        return self._scan(_CONTENT_CLOSE, text, at, events)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern": "<\\|open\\|>argument
        # key=\"(?P<key>[^\"\\n]*)\"
        # type=\"(?:(?!string\")[^\"\\n]*\"<\\|sep\\|>)?(?P<value>string\"<\\|sep\\|>.*?<\\|close\\|>|.*?)(?:<\\|close\\|>)?argument<\\|sep\\|>",
        # "value_parser": {"name": "json", "args": {"string_delims": [["string\"<|sep|>", "<|close|>"]]}}},
        # "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        # "repeats": true}
        captures = self._captures
        body = self._take(events, last)
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
        return cut_after(prefix, _ANCHOR.last_end(prefix))


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
    "start_anchor_pattern": '<\\|open\\|>message role="assistant"[^<\\n]*<\\|sep\\|>',
    "fields": {
        "reasoning_content": {
            "open": "<|open|>think<|sep|>",
            "close_pattern": "<\\|close\\|>(?:think|message)<\\|sep\\|>|(?=<\\|open\\|>(?:response|tools)<\\|sep\\|>)",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": '<\\|open\\|>call tool="(?P<name>[^"\\n]+)"[^<\\n]*<\\|sep\\|>',
            "close_pattern": "<\\|close\\|>(?:call|tools|message)<\\|sep\\|>|(?=<\\|open\\|>call )",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": '<\\|open\\|>argument key="(?P<key>[^"\\n]*)" type="(?:(?!string")[^"\\n]*"<\\|sep\\|>)?(?P<value>string"<\\|sep\\|>.*?<\\|close\\|>|.*?)(?:<\\|close\\|>)?argument<\\|sep\\|>',
                "value_parser": {"name": "json", "args": {"string_delims": [['string"<|sep|>', "<|close|>"]]}},
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "open": "<|open|>response<|sep|>",
            "close_pattern": "<\\|close\\|>(?:response|message)<\\|sep\\|>|(?=<\\|open\\|>tools<\\|sep\\|>)",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
