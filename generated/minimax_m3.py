"""The parser of replies in the format `minimax_m3`.

Generated from a response template; do not edit. To make it again: compile-template minimax_m3.json
"""
# template digest: e61629f01bd7a87f4d77daa2cb45e3433bc8855080116a291180b0da81e03605
# body digest:     3ff1c09128b8bd3713160cf189a722aaec50f02fb01d855a84212d89b80110a6

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing

CODEGEN = 3
TEMPLATE_DIGEST = "e61629f01bd7a87f4d77daa2cb45e3433bc8855080116a291180b0da81e03605"
require(CODEGEN, __name__)

# "start_anchor_pattern": "\\]~b\\]ai\\n(?:</mm:think>)?"
_ANCHOR = Finder(Sequence(Literal("]~b]ai\n"), Repeat(Literal("</mm:think>"), 0, 1)), starts=("]~b]ai\n",))
# \]<\]minimax\[>\[<(?P<key>[^<>/\n]+)>(?P<value>(?:(?:[^\]]|\](?!<\]minimax\[>\[))|\]<\]minimax\[>\[<[^<>/\n]+>(?:(?:[^\]]|\](?!<\]minimax\[>\[))|\]<\]minimax\[>\[<[^<>/\n]+>(?:[^\]]|\](?!<\]minimax\[>\[))*\]<\]minimax\[>\[</[^<>\n]+>)*\]<\]minimax\[>\[</[^<>\n]+>)*)\]<\]minimax\[>\[</[^<>\n]+>
_TOOL_CALLS_TAGS = Finder(
    Sequence(
        Literal("]<]minimax[>[<"),
        Group("key", Repeat(none_of("\n/<>"), 1)),
        Literal(">"),
        Group(
            "value",
            Repeat(
                Choice(
                    none_of("]"),
                    Sequence(Literal("]"), Ahead(Literal("<]minimax[>["), negative=True)),
                    Sequence(
                        Literal("]<]minimax[>[<"),
                        Repeat(none_of("\n/<>"), 1),
                        Literal(">"),
                        Repeat(
                            Choice(
                                none_of("]"),
                                Sequence(Literal("]"), Ahead(Literal("<]minimax[>["), negative=True)),
                                Sequence(
                                    Literal("]<]minimax[>[<"),
                                    Repeat(none_of("\n/<>"), 1),
                                    Literal(">"),
                                    Repeat(
                                        Choice(
                                            none_of("]"),
                                            Sequence(Literal("]"), Ahead(Literal("<]minimax[>["), negative=True)),
                                        )
                                    ),
                                    Literal("]<]minimax[>[</"),
                                    Repeat(none_of("\n<>"), 1),
                                    Literal(">"),
                                ),
                            )
                        ),
                        Literal("]<]minimax[>[</"),
                        Repeat(none_of("\n<>"), 1),
                        Literal(">"),
                    ),
                )
            ),
        ),
        Literal("]<]minimax[>[</"),
        Repeat(none_of("\n<>"), 1),
        Literal(">"),
    ),
    starts=("]<]minimax[>[<",),
)
_OUTSIDE = Expressions(
    r"<mm:think>",
    r'(?:\]<\]minimax\[>\[<tool_call>\s*)?\]<\]minimax\[>\[<invoke name="(?P<name>[^\n"<>]+)">',
    r"</mm:think>|\[e~\[",
    starts=("</mm:think>", "<mm:think>", "[e~[", ']<]minimax[>[<invoke name="', "]<]minimax[>[<tool_call>"),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </mm:think>\s*|(?=\]<\]minimax\[>\[<tool_call>)
    closing(
        "reasoning_content",
        Choice(Sequence(Literal("</mm:think>"), Repeat(SPACE)), Ahead(Literal("]<]minimax[>[<tool_call>"))),
    ),
    starts=("</mm:think>", "]<]minimax[>[<tool_call>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # \]<\]minimax\[>\[</invoke>\s*(?:\]<\]minimax\[>\[</tool_call>\s*)?
    closing(
        "tool_calls",
        Sequence(
            Literal("]<]minimax[>[</invoke>"),
            Repeat(SPACE),
            Repeat(Sequence(Literal("]<]minimax[>[</tool_call>"), Repeat(SPACE)), 0, 1),
        ),
    ),
    starts=("]<]minimax[>[</invoke>",),
)
_TRIGGERS = frozenset("<[]")
_BEGINNINGS = Literals("</", "<m", "[e", "]<")


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
    EXPRESSIONS = {"_outside": _OUTSIDE}
    WATCHES = {"_inside_reasoning_content": _REASONING_CONTENT_CLOSE, "_inside_tool_calls": _TOOL_CALLS_CLOSE}

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and (_TRIGGERS.isdisjoint(text) or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:</mm:think>|\\[e~\\[)\\s*"}
        # "reasoning_content": {"open": "<mm:think>"}
        # "tool_calls": {"open_pattern": "(?:\\]<\\]minimax\\[>\\[<tool_call>\\s*)?\\]<\\]minimax\\[>\\[<invoke
        # name=\\\"(?P<name>[^\\\"<>\\n]+)\\\">"}
        found = _OUTSIDE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        if start > at:
            self._emit(text[at:start], events)
        if self._field is not None:
            self._close_content(events)
        if found.lastindex == 1:
            self._open("reasoning_content", end - start, events)
            return self._inside_reasoning_content(text, end, events)
        if found.lastindex == 2:
            self._open("tool_calls", end - start, events)
            self._captures = {"name": found["name"]}
            return self._inside_tool_calls(text, end, events)
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</mm:think>\\s*|(?=\\]<\\]minimax\\[>\\[<tool_call>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern":
        # "\\]<\\]minimax\\[>\\[</invoke>\\s*(?:\\]<\\]minimax\\[>\\[</tool_call>\\s*)?"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern":
        # "\\]<\\]minimax\\[>\\[<(?P<key>[^<>/\\n]+)>(?P<value>(?:(?:[^\\]]|\\](?!<\\]minimax\\[>\\[))|\\]<\\]minimax\\[>\\[<[^<>/\\n]+>(?:(?:[^\\]]|\\](?!<\\]minimax\\[>\\[))|\\]<\\]minimax\\[>\\[<[^<>/\\n]+>(?:[^\\]]|\\](?!<\\]minimax\\[>\\[))*\\]<\\]minimax\\[>\\[</[^<>\\n]+>)*\\]<\\]minimax\\[>\\[</[^<>\\n]+>)*)\\]<\\]minimax\\[>\\[</[^<>\\n]+>"},
        # "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        # "repeats": true}
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
    "start_anchor_pattern": "\\]~b\\]ai\\n(?:</mm:think>)?",
    "fields": {
        "reasoning_content": {
            "open": "<mm:think>",
            "close_pattern": "</mm:think>\\s*|(?=\\]<\\]minimax\\[>\\[<tool_call>)",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": '(?:\\]<\\]minimax\\[>\\[<tool_call>\\s*)?\\]<\\]minimax\\[>\\[<invoke name=\\"(?P<name>[^\\"<>\\n]+)\\">',
            "close_pattern": "\\]<\\]minimax\\[>\\[</invoke>\\s*(?:\\]<\\]minimax\\[>\\[</tool_call>\\s*)?",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "\\]<\\]minimax\\[>\\[<(?P<key>[^<>/\\n]+)>(?P<value>(?:(?:[^\\]]|\\](?!<\\]minimax\\[>\\[))|\\]<\\]minimax\\[>\\[<[^<>/\\n]+>(?:(?:[^\\]]|\\](?!<\\]minimax\\[>\\[))|\\]<\\]minimax\\[>\\[<[^<>/\\n]+>(?:[^\\]]|\\](?!<\\]minimax\\[>\\[))*\\]<\\]minimax\\[>\\[</[^<>\\n]+>)*\\]<\\]minimax\\[>\\[</[^<>\\n]+>)*)\\]<\\]minimax\\[>\\[</[^<>\\n]+>"
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {"close_pattern": "(?:</mm:think>|\\[e~\\[)\\s*", "repeats": True, "join": "\n", "content": "text"},
    },
}
