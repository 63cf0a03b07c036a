"""The parser of replies in the format `deepseek_v3_2`.

Generated from a response template; do not edit. To make it again: compile-template deepseek_v3_2.json
"""
# template digest: f1f37efa8968333c79180bc6a29a464097a05b0e0e65e17cfc27b06cb0795f6f
# body digest:     06cebb8d52d2f46acf768573953fd00aedcb51fa12ce95d9cd43edd413208909

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import json_or_text, parse_loose_json, parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import ANY, Ahead, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.sure_tags import SureTags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "f1f37efa8968333c79180bc6a29a464097a05b0e0e65e17cfc27b06cb0795f6f"
require(CODEGEN, __name__)

# "start_anchor_pattern": "(?:<｜Assistant｜>|</function_results>\\n\\n)(?:</think>)?"
_ANCHOR = Finder(
    Sequence(Choice(Literal("<｜Assistant｜>"), Literal("</function_results>\n\n")), Repeat(Literal("</think>"), 0, 1)),
    starts=("</function_results>\n\n", "<｜Assistant｜>"),
)
# <｜DSML｜parameter name="(?P<key>[^"\n]+)"(?: (?=string="true">)|
# string="false">|(?=>))(?P<value>(?:string="true")?>.*?</｜DSML｜parameter>|.*?(?=</｜DSML｜parameter>))
_TOOL_CALLS_TAGS = SureTags(
    Sequence(
        Literal('<｜DSML｜parameter name="'),
        Group("key", Repeat(none_of('\n"'), 1)),
        Literal('"'),
        Choice(
            Sequence(Literal(" "), Ahead(Literal('string="true">'))), Literal(' string="false">'), Ahead(Literal(">"))
        ),
        Group(
            "value",
            Choice(
                Sequence(
                    Repeat(Literal('string="true"'), 0, 1),
                    Literal(">"),
                    Repeat(ANY, lazy=True),
                    Literal("</｜DSML｜parameter>"),
                ),
                Sequence(Repeat(ANY, lazy=True), Ahead(Literal("</｜DSML｜parameter>"))),
            ),
        ),
    ),
    opening=r'<｜DSML｜parameter name="(?P<key>[^\n"]+)"',
    rest=r'(?> (?=string="true">)| string="false">|(?=>))(?P<value>(?>(?:string="true")?)>.*?</｜DSML｜parameter>|(?!(?:string="true")?>).*?(?=</｜DSML｜parameter>))',
    end=r"</｜DSML｜parameter>",
    starts=('<｜DSML｜parameter name="',),
)


def _tool_calls_value(text: str) -> Any:
    return json_or_text(
        text,
        lambda text: parse_loose_json(
            text, string_delims=(('string="true">', "</｜DSML｜parameter>"), (">", "</｜DSML｜parameter>"))
        ),
    )


_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # (?:<｜DSML｜function_calls>\s*)?<｜DSML｜invoke name="(?P<name>[^"\n]+)">
    opening(
        "tool_calls",
        Sequence(
            Repeat(Sequence(Literal("<｜DSML｜function_calls>"), Repeat(SPACE)), 0, 1),
            Literal('<｜DSML｜invoke name="'),
            Group("name", Repeat(none_of('\n"'), 1)),
            Literal('">'),
        ),
    ),
    # (?:<｜DSML｜function_calls>|</｜DSML｜function_calls>|<｜end▁of▁sentence｜>)\s*
    closing(
        "content",
        Sequence(
            Choice(
                Literal("<｜DSML｜function_calls>"),
                Literal("</｜DSML｜function_calls>"),
                Literal("<｜end▁of▁sentence｜>"),
            ),
            Repeat(SPACE),
        ),
    ),
    starts=(
        "</｜DSML｜function_calls>",
        "<think>",
        "<｜DSML｜function_calls>",
        '<｜DSML｜invoke name="',
        "<｜end▁of▁sentence｜>",
    ),
    decided=(0, 1),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*|(?=<｜DSML｜function_calls>)
    closing(
        "reasoning_content",
        Choice(Sequence(Literal("</think>"), Repeat(SPACE)), Ahead(Literal("<｜DSML｜function_calls>"))),
    ),
    starts=("</think>", "<｜DSML｜function_calls>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # </｜DSML｜invoke>\s*(?:</｜DSML｜function_calls>\s*)?
    closing(
        "tool_calls",
        Sequence(
            Literal("</｜DSML｜invoke>"),
            Repeat(SPACE),
            Repeat(Sequence(Literal("</｜DSML｜function_calls>"), Repeat(SPACE)), 0, 1),
        ),
    ),
    starts=("</｜DSML｜invoke>",),
)
_BEGINNINGS = Literals("</", "<t", "<｜")


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
        # "content": {"close_pattern":
        # "(?:<｜DSML｜function_calls>|</｜DSML｜function_calls>|<｜end▁of▁sentence｜>)\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "(?:<｜DSML｜function_calls>\\s*)?<｜DSML｜invoke
        # name=\"(?P<name>[^\"\\n]+)\">"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*|(?=<｜DSML｜function_calls>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</｜DSML｜invoke>\\s*(?:</｜DSML｜function_calls>\\s*)?"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern": "<｜DSML｜parameter
        # name=\"(?P<key>[^\"\\n]+)\"(?: (?=string=\"true\">)|
        # string=\"false\">|(?=>))(?P<value>(?:string=\"true\")?>.*?</｜DSML｜parameter>|.*?(?=</｜DSML｜parameter>))",
        # "value_parser": {"name": "json", "args": {"string_delims": [["string=\"true\">",
        # "</｜DSML｜parameter>"], [">", "</｜DSML｜parameter>"]], "allow_non_json": true}}}, "transform": {"type":
        # "function", "function": {"name": "{name}", "arguments": "{content}"}}, "repeats": true}
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
    "start_anchor_pattern": "(?:<｜Assistant｜>|</function_results>\\n\\n)(?:</think>)?",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*|(?=<｜DSML｜function_calls>)",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": '(?:<｜DSML｜function_calls>\\s*)?<｜DSML｜invoke name="(?P<name>[^"\\n]+)">',
            "close_pattern": "</｜DSML｜invoke>\\s*(?:</｜DSML｜function_calls>\\s*)?",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": '<｜DSML｜parameter name="(?P<key>[^"\\n]+)"(?: (?=string="true">)| string="false">|(?=>))(?P<value>(?:string="true")?>.*?</｜DSML｜parameter>|.*?(?=</｜DSML｜parameter>))',
                "value_parser": {
                    "name": "json",
                    "args": {
                        "string_delims": [['string="true">', "</｜DSML｜parameter>"], [">", "</｜DSML｜parameter>"]],
                        "allow_non_json": True,
                    },
                },
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:<｜DSML｜function_calls>|</｜DSML｜function_calls>|<｜end▁of▁sentence｜>)\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
