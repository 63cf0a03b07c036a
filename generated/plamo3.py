"""The parser of replies in the format `plamo3`.

Generated from a response template; do not edit. To make it again: compile-template plamo3.json
"""
# template digest: 165b58e520e3b7bf4413c5ea90c3d47a11656477ba5dda3bb06d1330ef09542c
# body digest:     b7b3f86e4142acd04ecf40b1e93c4936dd8add8252fc0ef40781372ea4c9b386

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "165b58e520e3b7bf4413c5ea90c3d47a11656477ba5dda3bb06d1330ef09542c"
require(CODEGEN, __name__)

# "start_anchor_pattern": "<\\|plamo:tag\\|>assistant(?:<\\|plamo:msg\\|>|\\n)?"
_ANCHOR = Finder(
    Sequence(Literal("<|plamo:tag|>assistant"), Repeat(Choice(Literal("<|plamo:msg|>"), Literal("\n")), 0, 1)),
    starts=("<|plamo:tag|>assistant",),
)
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<|plamo:begin_think:plamo|>")),
    # (?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plamo:begin_tool_request:plamo\|>\s*<\|plamo:begin_tool_name:plamo\|>(?P<name>[^<]+)<\|plamo:end_tool_name:plamo\|>\s*<\|plamo:begin_tool_arguments:plamo\|>(?:<\|plamo:constrain\|>json)?(?:<\|plamo:msg\|>)?
    opening(
        "tool_calls",
        Sequence(
            Repeat(Sequence(Literal("<|plamo:begin_tool_requests:plamo|>"), Repeat(SPACE)), 0, 1),
            Literal("<|plamo:begin_tool_request:plamo|>"),
            Repeat(SPACE),
            Literal("<|plamo:begin_tool_name:plamo|>"),
            Group("name", Repeat(none_of("<"), 1)),
            Literal("<|plamo:end_tool_name:plamo|>"),
            Repeat(SPACE),
            Literal("<|plamo:begin_tool_arguments:plamo|>"),
            Repeat(Literal("<|plamo:constrain|>json"), 0, 1),
            Repeat(Literal("<|plamo:msg|>"), 0, 1),
        ),
    ),
    # <\|plamo:tag\|>\s*
    closing("content", Sequence(Literal("<|plamo:tag|>"), Repeat(SPACE))),
    starts=(
        "<|plamo:begin_think:plamo|>",
        "<|plamo:begin_tool_request:plamo|>",
        "<|plamo:begin_tool_requests:plamo|>",
        "<|plamo:tag|>",
    ),
)
_REASONING_CONTENT_CLOSE = Watch(
    # <\|plamo:end_think:plamo\|>\s*|(?=<\|plamo:begin_tool_requests:plamo\|>|<\|plamo:tag\|>)
    closing(
        "reasoning_content",
        Choice(
            Sequence(Literal("<|plamo:end_think:plamo|>"), Repeat(SPACE)),
            Ahead(Choice(Literal("<|plamo:begin_tool_requests:plamo|>"), Literal("<|plamo:tag|>"))),
        ),
    ),
    starts=("<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_think:plamo|>", "<|plamo:tag|>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # <\|plamo:end_tool_arguments:plamo\|>\s*<\|plamo:end_tool_request:plamo\|>\s*(?:<\|plamo:end_tool_requests:plamo\|>\s*)?
    closing(
        "tool_calls",
        Sequence(
            Literal("<|plamo:end_tool_arguments:plamo|>"),
            Repeat(SPACE),
            Literal("<|plamo:end_tool_request:plamo|>"),
            Repeat(SPACE),
            Repeat(Sequence(Literal("<|plamo:end_tool_requests:plamo|>"), Repeat(SPACE)), 0, 1),
        ),
    ),
    starts=("<|plamo:end_tool_arguments:plamo|>",),
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
        # "content": {"close_pattern": "<\\|plamo:tag\\|>\\s*"}
        # "reasoning_content": {"open": "<|plamo:begin_think:plamo|>"}
        # "tool_calls": {"open_pattern":
        # "(?:<\\|plamo:begin_tool_requests:plamo\\|>\\s*)?<\\|plamo:begin_tool_request:plamo\\|>\\s*<\\|plamo:begin_tool_name:plamo\\|>(?P<name>[^<]+)<\\|plamo:end_tool_name:plamo\\|>\\s*<\\|plamo:begin_tool_arguments:plamo\\|>(?:<\\|plamo:constrain\\|>json)?(?:<\\|plamo:msg\\|>)?"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern":
        # "<\\|plamo:end_think:plamo\\|>\\s*|(?=<\\|plamo:begin_tool_requests:plamo\\|>|<\\|plamo:tag\\|>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern":
        # "<\\|plamo:end_tool_arguments:plamo\\|>\\s*<\\|plamo:end_tool_request:plamo\\|>\\s*(?:<\\|plamo:end_tool_requests:plamo\\|>\\s*)?"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": {"name": "{name}",
        # "arguments": "{content}"}}, "repeats": true}
        captures = self._captures
        body = self._take(events, last)
        try:
            content = parse_json(body)
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
    "start_anchor_pattern": "<\\|plamo:tag\\|>assistant(?:<\\|plamo:msg\\|>|\\n)?",
    "fields": {
        "reasoning_content": {
            "open": "<|plamo:begin_think:plamo|>",
            "close_pattern": "<\\|plamo:end_think:plamo\\|>\\s*|(?=<\\|plamo:begin_tool_requests:plamo\\|>|<\\|plamo:tag\\|>)",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "(?:<\\|plamo:begin_tool_requests:plamo\\|>\\s*)?<\\|plamo:begin_tool_request:plamo\\|>\\s*<\\|plamo:begin_tool_name:plamo\\|>(?P<name>[^<]+)<\\|plamo:end_tool_name:plamo\\|>\\s*<\\|plamo:begin_tool_arguments:plamo\\|>(?:<\\|plamo:constrain\\|>json)?(?:<\\|plamo:msg\\|>)?",
            "close_pattern": "<\\|plamo:end_tool_arguments:plamo\\|>\\s*<\\|plamo:end_tool_request:plamo\\|>\\s*(?:<\\|plamo:end_tool_requests:plamo\\|>\\s*)?",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {"close_pattern": "<\\|plamo:tag\\|>\\s*", "repeats": True, "join": "\n", "content": "text"},
    },
}
