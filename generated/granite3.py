"""The parser of replies in the format `granite3`.

Generated from a response template; do not edit. To make it again: compile-template granite3.json
"""
# template digest: 0182b59924c13b53b521e709841fc6177c193cad29404f9e417bea9f11d43673
# body digest:     3d6e780e3168eb3c791dadb36dbf80eeff4e9cfd07f9c5258d5474ad5fb14f26

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, TextEnd, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "0182b59924c13b53b521e709841fc6177c193cad29404f9e417bea9f11d43673"
require(CODEGEN, __name__)

# "start_anchor_pattern": "<\\|start_of_role\\|>assistant(?: \\{[^<\\n]*\\})?<\\|end_of_role\\|>"
_ANCHOR = Finder(
    Sequence(
        Literal("<|start_of_role|>assistant"),
        Repeat(Sequence(Literal(" {"), Repeat(none_of("\n<")), Literal("}")), 0, 1),
        Literal("<|end_of_role|>"),
    ),
    starts=("<|start_of_role|>assistant",),
)
_OUTSIDE = Watch(
    opening(
        "reasoning_content",
        Choice(Literal("Here is my thought process:"), Literal("Here's my thought process:"), Literal("<think>")),
    ),
    opening("tool_calls", Choice(Literal("<|tool_call|>"), Literal("<tool_call>"))),
    # (?:</response>\s*)?<\|end_of_text\|>\s*|</response>\s*$
    closing(
        "content",
        Choice(
            Sequence(
                Repeat(Sequence(Literal("</response>"), Repeat(SPACE)), 0, 1), Literal("<|end_of_text|>"), Repeat(SPACE)
            ),
            Sequence(Literal("</response>"), Repeat(SPACE), Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd()))),
        ),
    ),
    starts=(
        "</response>",
        "<think>",
        "<tool_call>",
        "<|end_of_text|>",
        "<|tool_call|>",
        "Here is my thought process:",
        "Here's my thought process:",
    ),
    decided=(0, 1, 2, 3, 4, 5),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*(?:<response>\s*)?|Here(?: is|'s) my response:\s*
    closing(
        "reasoning_content",
        Choice(
            Sequence(Literal("</think>"), Repeat(SPACE), Repeat(Sequence(Literal("<response>"), Repeat(SPACE)), 0, 1)),
            Sequence(Literal("Here"), Choice(Literal(" is"), Literal("'s")), Literal(" my response:"), Repeat(SPACE)),
        ),
    ),
    starts=("</think>", "Here"),
    decided=(1,),
)
_BEGINNINGS = Literals("</", "<t", "<|", "He")


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
    WATCHES = {"_outside": _OUTSIDE, "_inside_reasoning_content": _REASONING_CONTENT_CLOSE}

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and (("<" not in text and "H" not in text) or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:</response>\\s*)?<\\|end_of_text\\|>\\s*|</response>\\s*$"}
        # "reasoning_content": {"open": ["<think>", "Here is my thought process:", "Here's my thought
        # process:"]}
        # "tool_calls": {"open": ["<tool_call>", "<|tool_call|>"]}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*(?:<response>\\s*)?|Here(?: is|'s) my
        # response:\\s*"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "<\\|end_of_text\\|>\\s*"}
        start = text.find("<|end_of_text|>", at)
        if start < 0:
            return self._wait_for("<|end_of_text|>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 15
        return self._swallow(text, start + 15, WHITE_SPACE)

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
    "start_anchor_pattern": "<\\|start_of_role\\|>assistant(?: \\{[^<\\n]*\\})?<\\|end_of_role\\|>",
    "fields": {
        "reasoning_content": {
            "open": ["<think>", "Here is my thought process:", "Here's my thought process:"],
            "close_pattern": "</think>\\s*(?:<response>\\s*)?|Here(?: is|'s) my response:\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open": ["<tool_call>", "<|tool_call|>"],
            "close_pattern": "<\\|end_of_text\\|>\\s*",
            "content": "json",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {
            "close_pattern": "(?:</response>\\s*)?<\\|end_of_text\\|>\\s*|</response>\\s*$",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
