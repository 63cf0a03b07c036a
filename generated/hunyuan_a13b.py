"""The parser of replies in the format `hunyuan_a13b`.

Generated from a response template; do not edit. To make it again: compile-template hunyuan_a13b.json
"""
# template digest: 6d63cb6dc2672b05a74ab2d26fc5e76e2f82f4333193c8ef2ed319bf4536118d
# body digest:     aa31547c19d4211026ce032e46abb3819016a1a4fae5654196ae9b906719267e

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, TextEnd
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "6d63cb6dc2672b05a74ab2d26fc5e76e2f82f4333193c8ef2ed319bf4536118d"
require(CODEGEN, __name__)

# "start_anchor": "<|extra_0|>"
_ANCHOR = "<|extra_0|>"
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # (?:</answer>\s*)?<tool_calls>
    opening(
        "tool_calls", Sequence(Repeat(Sequence(Literal("</answer>"), Repeat(SPACE)), 0, 1), Literal("<tool_calls>"))
    ),
    # (?:</answer>\s*)?<\|eos\|>\s*|</answer>\s*$
    closing(
        "content",
        Choice(
            Sequence(Repeat(Sequence(Literal("</answer>"), Repeat(SPACE)), 0, 1), Literal("<|eos|>"), Repeat(SPACE)),
            Sequence(Literal("</answer>"), Repeat(SPACE), Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd()))),
        ),
    ),
    starts=("</answer>", "<think>", "<tool_calls>", "<|eos|>"),
    decided=(0, 1, 2),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*(?:<answer>\s*)?(?:助手：\s*)?
    closing(
        "reasoning_content",
        Sequence(
            Literal("</think>"),
            Repeat(SPACE),
            Repeat(Sequence(Literal("<answer>"), Repeat(SPACE)), 0, 1),
            Repeat(Sequence(Literal("助手："), Repeat(SPACE)), 0, 1),
        ),
    ),
    starts=("</think>",),
)
_TOOL_CALLS_CLOSE = Watch(
    # </tool_calls>\s*(?:</answer>\s*)?
    closing(
        "tool_calls",
        Sequence(Literal("</tool_calls>"), Repeat(SPACE), Repeat(Sequence(Literal("</answer>"), Repeat(SPACE)), 0, 1)),
    ),
    starts=("</tool_calls>",),
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
        # "content": {"close_pattern": "(?:</answer>\\s*)?<\\|eos\\|>\\s*|</answer>\\s*$"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "(?:</answer>\\s*)?<tool_calls>"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*(?:<answer>\\s*)?(?:助手：\\s*)?"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</tool_calls>\\s*(?:</answer>\\s*)?"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

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
    "start_anchor": "<|extra_0|>",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*(?:<answer>\\s*)?(?:助手：\\s*)?",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "(?:</answer>\\s*)?<tool_calls>",
            "close_pattern": "</tool_calls>\\s*(?:</answer>\\s*)?",
            "content": "json",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {
            "close_pattern": "(?:</answer>\\s*)?<\\|eos\\|>\\s*|</answer>\\s*$",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
