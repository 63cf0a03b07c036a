"""The parser of replies in the format `gigachat3`.

Generated from a response template; do not edit. To make it again: compile-template gigachat3.json
"""
# template digest: 81e4aa369b51d4cfa370cc05d3c4391fb722962115275dc175d725cc4601edb1
# body digest:     374188748191ecd916f7de68cd26bc2d594d3dc5158ed48cd2386f61cbc38cab

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "81e4aa369b51d4cfa370cc05d3c4391fb722962115275dc175d725cc4601edb1"
require(CODEGEN, __name__)

# "start_anchor": "assistant<|role_sep|>\n"
_ANCHOR = "assistant<|role_sep|>\n"
_OUTSIDE = Watch(
    # (?:<\|message_sep\|>\s*)?function call<\|role_sep\|>\s*|<\|function_call\|>
    opening(
        "tool_calls",
        Choice(
            Sequence(
                Repeat(Sequence(Literal("<|message_sep|>"), Repeat(SPACE)), 0, 1),
                Literal("function call<|role_sep|>"),
                Repeat(SPACE),
            ),
            Literal("<|function_call|>"),
        ),
    ),
    # (?:<\|message_sep\|>|</s>)\s*
    closing("content", Sequence(Choice(Literal("<|message_sep|>"), Literal("</s>")), Repeat(SPACE))),
    starts=("</s>", "<|function_call|>", "<|message_sep|>", "function call<|role_sep|>"),
    decided=(0, 1),
)
_TOOL_CALLS_CLOSE = Watch(
    # (?=<\|message_sep\|>\s*function call<\|role_sep\|>)|(?:<\|message_sep\|>|</s>)\s*
    closing(
        "tool_calls",
        Choice(
            Ahead(Sequence(Literal("<|message_sep|>"), Repeat(SPACE), Literal("function call<|role_sep|>"))),
            Sequence(Choice(Literal("<|message_sep|>"), Literal("</s>")), Repeat(SPACE)),
        ),
    ),
    starts=("</s>", "<|message_sep|>"),
)
_BEGINNINGS = Literals("</", "<|", "fu")


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
        "tool_calls": Region("tool_calls", dirty=True, inside="_inside_tool_calls", close="_close_tool_calls"),
        "content": Region("content", dirty=False, inside="_outside", close="_close_content"),
    }
    DIGEST = TEMPLATE_DIGEST
    IMPLICIT = "content"
    DEFAULTS = frozenset(("role",))
    JOINTS = {"content": "\n"}
    WATCHES = {"_outside": _OUTSIDE, "_inside_tool_calls": _TOOL_CALLS_CLOSE}

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
        # "content": {"close_pattern": "(?:<\\|message_sep\\|>|</s>)\\s*"}
        # "tool_calls": {"open_pattern": "(?:<\\|message_sep\\|>\\s*)?function
        # call<\\|role_sep\\|>\\s*|<\\|function_call\\|>"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "(?=<\\|message_sep\\|>\\s*function
        # call<\\|role_sep\\|>)|(?:<\\|message_sep\\|>|</s>)\\s*"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": "{content}"},
        # "repeats": true}
        body = self._take(events, last)
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
    "start_anchor": "assistant<|role_sep|>\n",
    "fields": {
        "tool_calls": {
            "open_pattern": "(?:<\\|message_sep\\|>\\s*)?function call<\\|role_sep\\|>\\s*|<\\|function_call\\|>",
            "close_pattern": "(?=<\\|message_sep\\|>\\s*function call<\\|role_sep\\|>)|(?:<\\|message_sep\\|>|</s>)\\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {
            "close_pattern": "(?:<\\|message_sep\\|>|</s>)\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
