"""The parser of replies in the format `kimi_k2`.

Generated from a response template; do not edit. To make it again: compile-template kimi_k2.json
"""
# template digest: fb13ff65879313f4817aca327bde900be845d4785fe788753c9f0be224410455
# body digest:     acaf7850a37df671969568e8e5fd10c877171bcccb448f45d0c272bce9213dda

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import DIGIT, SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "fb13ff65879313f4817aca327bde900be845d4785fe788753c9f0be224410455"
require(CODEGEN, __name__)

# "start_anchor": "<|im_assistant|>assistant<|im_middle|>"
_ANCHOR = "<|im_assistant|>assistant<|im_middle|>"
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # <\|tool_call_begin\|>\s*(?P<id>(?:functions\.)?(?P<name>[^:<\s]+)(?::\d+)?)\s*<\|tool_call_argument_begin\|>
    opening(
        "tool_calls",
        Sequence(
            Literal("<|tool_call_begin|>"),
            Repeat(SPACE),
            Group(
                "id",
                Sequence(
                    Repeat(Literal("functions."), 0, 1),
                    Group("name", Repeat(none_of(SPACE, ":<"), 1)),
                    Repeat(Sequence(Literal(":"), Repeat(DIGIT, 1)), 0, 1),
                ),
            ),
            Repeat(SPACE),
            Literal("<|tool_call_argument_begin|>"),
        ),
    ),
    # <\|(?:tool_calls_section_(?:begin|end)|im_end)\|>\s*
    closing(
        "content",
        Sequence(
            Literal("<|"),
            Choice(
                Sequence(Literal("tool_calls_section_"), Choice(Literal("begin"), Literal("end"))), Literal("im_end")
            ),
            Literal("|>"),
            Repeat(SPACE),
        ),
    ),
    starts=("<think>", "<|"),
    decided=(0, 1, 2),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*|(?=<\|tool_calls_section_begin\|>)
    closing(
        "reasoning_content",
        Choice(Sequence(Literal("</think>"), Repeat(SPACE)), Ahead(Literal("<|tool_calls_section_begin|>"))),
    ),
    starts=("</think>", "<|tool_calls_section_begin|>"),
    decided=(0,),
)
_BEGINNINGS = Literals("</", "<t", "<|")


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
        if text and self._free and ("<" not in text or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "<\\|(?:tool_calls_section_(?:begin|end)|im_end)\\|>\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern":
        # "<\\|tool_call_begin\\|>\\s*(?P<id>(?:functions\\.)?(?P<name>[^:<\\s]+)(?::\\d+)?)\\s*<\\|tool_call_argument_begin\\|>"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*|(?=<\\|tool_calls_section_begin\\|>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "<\\|tool_call_end\\|>\\s*"}
        start = text.find("<|tool_call_end|>", at)
        if start < 0:
            return self._wait_for("<|tool_call_end|>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 17
        return self._swallow(text, start + 17, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "id": "{id}", "function": {"name":
        # "{name}", "arguments": "{content}"}}, "repeats": true}
        captures = self._captures
        body = self._take(events, last)
        try:
            content = parse_json(body)
            value = {
                "type": "function",
                "id": captures["id"],
                "function": {"name": captures["name"], "arguments": content},
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
    "start_anchor": "<|im_assistant|>assistant<|im_middle|>",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*|(?=<\\|tool_calls_section_begin\\|>)",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "<\\|tool_call_begin\\|>\\s*(?P<id>(?:functions\\.)?(?P<name>[^:<\\s]+)(?::\\d+)?)\\s*<\\|tool_call_argument_begin\\|>",
            "close_pattern": "<\\|tool_call_end\\|>\\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "id": "{id}", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "<\\|(?:tool_calls_section_(?:begin|end)|im_end)\\|>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
