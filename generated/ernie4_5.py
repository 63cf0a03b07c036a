"""The parser of replies in the format `ernie4_5`.

Generated from a response template; do not edit. To make it again: compile-template ernie4_5.json
"""
# template digest: e9d510c0da4d3e0bff2fce52ca074774ab13a1ccacfc0e3ad1f46fcf4f0b6f51
# body digest:     d0df1d05514ffbc224bc95da2597f6a6969e24d2c3b4bd54d018da2c8697990c

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, TextEnd
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "e9d510c0da4d3e0bff2fce52ca074774ab13a1ccacfc0e3ad1f46fcf4f0b6f51"
require(CODEGEN, __name__)

# "start_anchor": "<|im_start|>assistant\n"
_ANCHOR = "<|im_start|>assistant\n"
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    opening("tool_calls", Literal("<tool_call>")),
    # </response>\s*(?:<\|im_end\|>\s*|(?=<tool_call>)|$)|<\|im_end\|>\s*
    closing(
        "content",
        Choice(
            Sequence(
                Literal("</response>"),
                Repeat(SPACE),
                Choice(
                    Sequence(Literal("<|im_end|>"), Repeat(SPACE)),
                    Ahead(Literal("<tool_call>")),
                    Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd())),
                ),
            ),
            Sequence(Literal("<|im_end|>"), Repeat(SPACE)),
        ),
    ),
    starts=("</response>", "<think>", "<tool_call>", "<|im_end|>"),
    decided=(0, 1, 3),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*(?:<response>\s*)?
    closing(
        "reasoning_content",
        Sequence(Literal("</think>"), Repeat(SPACE), Repeat(Sequence(Literal("<response>"), Repeat(SPACE)), 0, 1)),
    ),
    starts=("</think>",),
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
        # "content": {"close_pattern":
        # "</response>\\s*(?:<\\|im_end\\|>\\s*|(?=<tool_call>)|$)|<\\|im_end\\|>\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open": "<tool_call>"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*(?:<response>\\s*)?"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</tool_call>\\s*"}
        start = text.find("</tool_call>", at)
        if start < 0:
            return self._wait_for("</tool_call>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 12
        return self._swallow(text, start + 12, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

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
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*(?:<response>\\s*)?",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": "</tool_call>\\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {
            "close_pattern": "</response>\\s*(?:<\\|im_end\\|>\\s*|(?=<tool_call>)|$)|<\\|im_end\\|>\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
