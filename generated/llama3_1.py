"""The parser of replies in the format `llama3_1`.

Generated from a response template; do not edit. To make it again: compile-template llama3_1.json
"""
# template digest: 3891c37472f0b61165839d992989441afce42c8a88e1104a103d3be1d76fd0a3
# body digest:     35f153c91a5d13464596937f37fd935bdecd73df8e2b84bbe030884b4defbef2

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, TextEnd
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing

CODEGEN = 3
TEMPLATE_DIGEST = "3891c37472f0b61165839d992989441afce42c8a88e1104a103d3be1d76fd0a3"
require(CODEGEN, __name__)

# "start_anchor": ["<|start_header_id|>assistant<|end_header_id|>\n\n",
# "<|header_start|>assistant<|header_end|>\n\n"]
_ANCHOR = Finder(
    Choice(
        Literal("<|start_header_id|>assistant<|end_header_id|>\n\n"),
        Literal("<|header_start|>assistant<|header_end|>\n\n"),
    ),
    starts=("<|header_start|>assistant<|header_end|>\n", "<|start_header_id|>assistant<|end_header"),
)
_OUTSIDE = Expressions(
    r'(?:<\|python_tag\|>\s*)?\{\s*(?:"type":\s*"function",\s*)?"name":\s*"(?P<name>[^\n"]+)",\s*"(?:parameters|arguments)":',
    r"<\|(?:eot_id|eom_id|eot|eom|end_of_text)\|>",
    starts=("<|", "{"),
)
_TOOL_CALLS_CLOSE = Watch(
    # \}\s*(?:(?:;\s*)?(?=(?:<\|python_tag\|>\s*)?\{\s*(?:"type":\s*"function",\s*)?"name":\s*")|<\|(?:eot_id|eom_id|eot|eom)\|>\s*|$)
    closing(
        "tool_calls",
        Sequence(
            Literal("}"),
            Repeat(SPACE),
            Choice(
                Sequence(
                    Repeat(Sequence(Literal(";"), Repeat(SPACE)), 0, 1),
                    Ahead(
                        Sequence(
                            Repeat(Sequence(Literal("<|python_tag|>"), Repeat(SPACE)), 0, 1),
                            Literal("{"),
                            Repeat(SPACE),
                            Repeat(
                                Sequence(Literal('"type":'), Repeat(SPACE), Literal('"function",'), Repeat(SPACE)), 0, 1
                            ),
                            Literal('"name":'),
                            Repeat(SPACE),
                            Literal('"'),
                        )
                    ),
                ),
                Sequence(
                    Literal("<|"),
                    Choice(Literal("eot_id"), Literal("eom_id"), Literal("eot"), Literal("eom")),
                    Literal("|>"),
                    Repeat(SPACE),
                ),
                Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd())),
            ),
        ),
    ),
    starts=("}",),
)
_TRIGGERS = frozenset("<{}")
_BEGINNINGS = Literals("<|", "{", "}")


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
    EXPRESSIONS = {"_outside": _OUTSIDE}
    WATCHES = {"_inside_tool_calls": _TOOL_CALLS_CLOSE}

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
        # "content": {"close_pattern": "<\\|(?:eot_id|eom_id|eot|eom|end_of_text)\\|>\\s*"}
        # "tool_calls": {"open_pattern":
        # "(?:<\\|python_tag\\|>\\s*)?\\{\\s*(?:\"type\":\\s*\"function\",\\s*)?\"name\":\\s*\"(?P<name>[^\"\\n]+)\",\\s*\"(?:parameters|arguments)\":\\s*"}
        found = _OUTSIDE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        if start > at:
            self._emit(text[at:start], events)
        if self._field is not None:
            self._close_content(events)
        if found.lastindex == 1:
            self._open("tool_calls", end - start, events)
            self._captures = {"name": found["name"]}
            return self._swallow(text, end, WHITE_SPACE)
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern":
        # "\\}\\s*(?:(?:;\\s*)?(?=(?:<\\|python_tag\\|>\\s*)?\\{\\s*(?:\"type\":\\s*\"function\",\\s*)?\"name\":\\s*\")|<\\|(?:eot_id|eom_id|eot|eom)\\|>\\s*|$)"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

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
    "start_anchor": [
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        "<|header_start|>assistant<|header_end|>\n\n",
    ],
    "fields": {
        "tool_calls": {
            "open_pattern": '(?:<\\|python_tag\\|>\\s*)?\\{\\s*(?:"type":\\s*"function",\\s*)?"name":\\s*"(?P<name>[^"\\n]+)",\\s*"(?:parameters|arguments)":\\s*',
            "close_pattern": '\\}\\s*(?:(?:;\\s*)?(?=(?:<\\|python_tag\\|>\\s*)?\\{\\s*(?:"type":\\s*"function",\\s*)?"name":\\s*")|<\\|(?:eot_id|eom_id|eot|eom)\\|>\\s*|$)',
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "<\\|(?:eot_id|eom_id|eot|eom|end_of_text)\\|>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
