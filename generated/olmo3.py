"""The parser of replies in the format `olmo3`.

Generated from a response template; do not edit. To make it again: compile-template olmo3.json
"""
# template digest: b5fe8e16fbe9cf854bdfcaffafe11dc454fabe2eea52c8568a884de7c66f7bb2
# body digest:     ad291d08437992fdc06c6cd3c1efba7a3f3161d62858ae456d60d878eb7b649a

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import json_or_text, parse_loose_json, parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.foretelling import ForetellingParser
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import (
    ANY,
    Ahead,
    Choice,
    Group,
    Literal,
    Repeat,
    Sequence,
    TextEnd,
    TextStart,
    none_of,
    one_of,
)
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "b5fe8e16fbe9cf854bdfcaffafe11dc454fabe2eea52c8568a884de7c66f7bb2"
require(CODEGEN, __name__)

# "start_anchor": "<|im_start|>assistant\n"
_ANCHOR = "<|im_start|>assistant\n"
# (?:^|,)\s*(?P<key>[A-Za-z_][A-Za-z0-9_]*)(?:=(?!'))?(?P<value>(?:[^\"']|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')+?)\s*(?=,\s*[A-Za-z_][A-Za-z0-9_]*=|$)
_TOOL_CALLS_TAGS = Finder(
    Sequence(
        Choice(TextStart(), Literal(",")),
        Repeat(SPACE),
        Group(
            "key",
            Sequence(one_of(("A", "Z"), ("a", "z"), "_"), Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "_"))),
        ),
        Repeat(Sequence(Literal("="), Ahead(Literal("'"), negative=True)), 0, 1),
        Group(
            "value",
            Repeat(
                Choice(
                    none_of("\"'"),
                    Sequence(Literal('"'), Repeat(Choice(none_of('"\\'), Sequence(Literal("\\"), ANY))), Literal('"')),
                    Sequence(Literal("'"), Repeat(Choice(none_of("'\\"), Sequence(Literal("\\"), ANY))), Literal("'")),
                ),
                1,
                lazy=True,
            ),
        ),
        Repeat(SPACE),
        Ahead(
            Choice(
                Sequence(
                    Literal(","),
                    Repeat(SPACE),
                    one_of(("A", "Z"), ("a", "z"), "_"),
                    Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "_")),
                    Literal("="),
                ),
                Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd())),
            )
        ),
    ),
    first=one_of(SPACE, ("A", "Z"), ("a", "z"), ",_"),
    wary=True,
    context=1,
)


def _tool_calls_value(text: str) -> Any:
    return json_or_text(text, lambda text: parse_loose_json(text, string_delims=(("='", "'"),)))


_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # (?:<function_calls>\s*\[?|\n(?=(?:[A-Za-z_][A-Za-z0-9_.-]*\((?:[^\"'()\n]|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')*\)\s*){1,32}</function_calls>))(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)\(
    opening(
        "tool_calls",
        Sequence(
            Choice(
                Sequence(Literal("<function_calls>"), Repeat(SPACE), Repeat(Literal("["), 0, 1)),
                Sequence(
                    Literal("\n"),
                    Ahead(
                        Sequence(
                            Repeat(
                                Sequence(
                                    one_of(("A", "Z"), ("a", "z"), "_"),
                                    Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "-._")),
                                    Literal("("),
                                    Repeat(
                                        Choice(
                                            none_of(("'", ")"), '\n"'),
                                            Sequence(
                                                Literal('"'),
                                                Repeat(Choice(none_of('\n"\\'), Sequence(Literal("\\"), ANY))),
                                                Literal('"'),
                                            ),
                                            Sequence(
                                                Literal("'"),
                                                Repeat(Choice(none_of("\n'\\"), Sequence(Literal("\\"), ANY))),
                                                Literal("'"),
                                            ),
                                        )
                                    ),
                                    Literal(")"),
                                    Repeat(SPACE),
                                ),
                                1,
                                32,
                            ),
                            Literal("</function_calls>"),
                        )
                    ),
                ),
            ),
            Group(
                "name",
                Sequence(
                    one_of(("A", "Z"), ("a", "z"), "_"), Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "-._"))
                ),
            ),
            Literal("("),
        ),
    ),
    # (?:<\|im_end\|>|<\|endoftext\|>)\s*
    closing("content", Sequence(Choice(Literal("<|im_end|>"), Literal("<|endoftext|>")), Repeat(SPACE))),
    starts=("\n", "<function_calls>", "<think>", "<|endoftext|>", "<|im_end|>"),
)
_INSIDE_REASONING_CONTENT_DELIMITERS = Watch(
    # </think>\s*
    closing("reasoning_content", Sequence(Literal("</think>"), Repeat(SPACE)))
)
_TOOL_CALLS_CLOSE = Expressions(r"\)\]?\s*</function_calls>", r"\)(?=\n[A-Z_a-z][\-.0-9A-Z_a-z]*\()", starts=(")",))
_INSIDE_TOOL_CALLS_DELIMITERS = Watch(
    # \)(?:\]?\s*</function_calls>\s*|(?=\n[A-Za-z_][A-Za-z0-9_.-]*\())
    closing(
        "tool_calls",
        Sequence(
            Literal(")"),
            Choice(
                Sequence(Repeat(Literal("]"), 0, 1), Repeat(SPACE), Literal("</function_calls>"), Repeat(SPACE)),
                Ahead(
                    Sequence(
                        Literal("\n"),
                        one_of(("A", "Z"), ("a", "z"), "_"),
                        Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "-._")),
                        Literal("("),
                    )
                ),
            ),
        ),
    )
)
_TRIGGERS = frozenset("\n)<")
_BEGINNINGS = Literals("\n", ")", "</", "<f", "<t", "<|")


class ResponseParser(ForetellingParser):
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
    EXPRESSIONS = {"_inside_tool_calls": _TOOL_CALLS_CLOSE}
    WATCHES = {"_outside": _OUTSIDE}
    PROBES = "\n\"')(\\\x00\x01|][></-.ABxutsonmlkihfedca_\t\x0b"
    DELIMITERS = {
        "_outside": _OUTSIDE,
        "_inside_reasoning_content": _INSIDE_REASONING_CONTENT_DELIMITERS,
        "_inside_tool_calls": _INSIDE_TOOL_CALLS_DELIMITERS,
    }

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
        # "content": {"close_pattern": "(?:<\\|im_end\\|>|<\\|endoftext\\|>)\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern":
        # "(?:<function_calls>\\s*\\[?|\\n(?=(?:[A-Za-z_][A-Za-z0-9_.-]*\\((?:[^\\\"'()\\n]|\\\"(?:[^\\\"\\\\\\n]|\\\\.)*\\\"|'(?:[^'\\\\\\n]|\\\\.)*')*\\)\\s*){1,32}</function_calls>))(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)\\("}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*"}
        start = text.find("</think>", at)
        if start < 0:
            return self._wait_for("</think>", text, at, events)
        self._close_reasoning_content(events, text[at:start])
        self._start += 8
        return self._swallow(text, start + 8, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern":
        # "\\)(?:\\]?\\s*</function_calls>\\s*|(?=\\n[A-Za-z_][A-Za-z0-9_.-]*\\())"}
        found = _TOOL_CALLS_CLOSE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        self._close_tool_calls(events, text[at:start])
        if found.lastindex == 1:
            self._start += end - start
            return self._swallow(text, end, WHITE_SPACE)
        self._start += end - start
        return end

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern":
        # "(?:^|,)\\s*(?P<key>[A-Za-z_][A-Za-z0-9_]*)(?:=(?!'))?(?P<value>(?:[^\\\"']|\\\"(?:[^\\\"\\\\]|\\\\.)*\\\"|'(?:[^'\\\\]|\\\\.)*')+?)\\s*(?=,\\s*[A-Za-z_][A-Za-z0-9_]*=|$)",
        # "value_parser": {"name": "json", "args": {"string_delims": [["='", "'"]], "allow_non_json": true}}},
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
            "close_pattern": "</think>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "(?:<function_calls>\\s*\\[?|\\n(?=(?:[A-Za-z_][A-Za-z0-9_.-]*\\((?:[^\\\"'()\\n]|\\\"(?:[^\\\"\\\\\\n]|\\\\.)*\\\"|'(?:[^'\\\\\\n]|\\\\.)*')*\\)\\s*){1,32}</function_calls>))(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)\\(",
            "close_pattern": "\\)(?:\\]?\\s*</function_calls>\\s*|(?=\\n[A-Za-z_][A-Za-z0-9_.-]*\\())",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "(?:^|,)\\s*(?P<key>[A-Za-z_][A-Za-z0-9_]*)(?:=(?!'))?(?P<value>(?:[^\\\"']|\\\"(?:[^\\\"\\\\]|\\\\.)*\\\"|'(?:[^'\\\\]|\\\\.)*')+?)\\s*(?=,\\s*[A-Za-z_][A-Za-z0-9_]*=|$)",
                "value_parser": {"name": "json", "args": {"string_delims": [["='", "'"]], "allow_non_json": True}},
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:<\\|im_end\\|>|<\\|endoftext\\|>)\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
