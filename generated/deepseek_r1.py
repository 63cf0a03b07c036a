"""The parser of replies in the format `deepseek_r1`.

Generated from a response template; do not edit. To make it again: compile-template deepseek_r1.json
"""
# template digest: 0ad7a1707e27d2d5e98c8d0f1f3f94f64e44572a1ad76d42acaa8e0ccfba8d7f
# body digest:     d01b16bf5f1497980440d684b174244e762682263b672c9283684c21ddd4ceb3

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
TEMPLATE_DIGEST = "0ad7a1707e27d2d5e98c8d0f1f3f94f64e44572a1ad76d42acaa8e0ccfba8d7f"
require(CODEGEN, __name__)

# "start_anchor": ["<｜Assistant｜>", "<｜tool▁outputs▁end｜>"]
_ANCHOR = Finder(
    Choice(Literal("<｜tool▁outputs▁end｜>"), Literal("<｜Assistant｜>")),
    starts=("<｜Assistant｜>", "<｜tool▁outputs▁end｜>"),
)
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # (?:<｜tool▁calls▁begin｜>\s*)?<｜tool▁call▁begin｜>function<｜tool▁sep｜>(?P<name>[^\n<]+)\n(?:```json\n)?
    opening(
        "tool_calls",
        Sequence(
            Repeat(Sequence(Literal("<｜tool▁calls▁begin｜>"), Repeat(SPACE)), 0, 1),
            Literal("<｜tool▁call▁begin｜>function<｜tool▁sep｜>"),
            Group("name", Repeat(none_of("\n<"), 1)),
            Literal("\n"),
            Repeat(Literal("```json\n"), 0, 1),
        ),
    ),
    # (?:<｜tool▁calls▁begin｜>|<｜tool▁calls▁end｜>|<｜end▁of▁sentence｜>)\s*
    closing(
        "content",
        Sequence(
            Choice(
                Literal("<｜tool▁calls▁begin｜>"), Literal("<｜tool▁calls▁end｜>"), Literal("<｜end▁of▁sentence｜>")
            ),
            Repeat(SPACE),
        ),
    ),
    starts=(
        "<think>",
        "<｜end▁of▁sentence｜>",
        "<｜tool▁calls▁begin｜>",
        "<｜tool▁calls▁end｜>",
        "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
    ),
    decided=(0,),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*|(?=<｜tool▁calls▁begin｜>)
    closing(
        "reasoning_content",
        Choice(Sequence(Literal("</think>"), Repeat(SPACE)), Ahead(Literal("<｜tool▁calls▁begin｜>"))),
    ),
    starts=("</think>", "<｜tool▁calls▁begin｜>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # (?:```\s*)?<｜tool▁call▁end｜>\s*(?:<｜tool▁calls▁end｜>\s*)?
    closing(
        "tool_calls",
        Sequence(
            Repeat(Sequence(Literal("```"), Repeat(SPACE)), 0, 1),
            Literal("<｜tool▁call▁end｜>"),
            Repeat(SPACE),
            Repeat(Sequence(Literal("<｜tool▁calls▁end｜>"), Repeat(SPACE)), 0, 1),
        ),
    ),
    starts=("<｜tool▁call▁end｜>", "```"),
)
_BEGINNINGS = Literals("</", "<t", "<｜", "``")


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
        if text and self._free and (("<" not in text and "`" not in text) or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:<｜tool▁calls▁begin｜>|<｜tool▁calls▁end｜>|<｜end▁of▁sentence｜>)\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern":
        # "(?:<｜tool▁calls▁begin｜>\\s*)?<｜tool▁call▁begin｜>function<｜tool▁sep｜>(?P<name>[^\\n<]+)\\n(?:```json\\n)?"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*|(?=<｜tool▁calls▁begin｜>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "(?:```\\s*)?<｜tool▁call▁end｜>\\s*(?:<｜tool▁calls▁end｜>\\s*)?"}
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
    "start_anchor": ["<｜Assistant｜>", "<｜tool▁outputs▁end｜>"],
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*|(?=<｜tool▁calls▁begin｜>)",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": "(?:<｜tool▁calls▁begin｜>\\s*)?<｜tool▁call▁begin｜>function<｜tool▁sep｜>(?P<name>[^\\n<]+)\\n(?:```json\\n)?",
            "close_pattern": "(?:```\\s*)?<｜tool▁call▁end｜>\\s*(?:<｜tool▁calls▁end｜>\\s*)?",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:<｜tool▁calls▁begin｜>|<｜tool▁calls▁end｜>|<｜end▁of▁sentence｜>)\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
