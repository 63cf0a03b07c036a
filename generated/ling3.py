"""The parser of replies in the format `ling3`.

Generated from a response template; do not edit. To make it again: compile-template ling3.json
"""
# template digest: 57afe1fb1cf669536245b8b3dbf40ee5167766be250b8118208a90e11c1f117e
# body digest:     c41cb5c56fc890d1884a549a2676a5224112ed3a33a2b144db0c59e0ac716c25

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "57afe1fb1cf669536245b8b3dbf40ee5167766be250b8118208a90e11c1f117e"
require(CODEGEN, __name__)

# "start_anchor": ["<role>ASSISTANT</role>", "<role>ASSISTANT</role>\n"]
_ANCHOR = Finder(
    Choice(Literal("<role>ASSISTANT</role>\n"), Literal("<role>ASSISTANT</role>")), starts=("<role>ASSISTANT</role>",)
)
# <arg_key>\s*(?P<key>[^<\s]+(?: +[^<\s]+)*)\s*</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>
_TOOL_CALLS_TAGS = Tags(
    head=r"<arg_key>\s*(?P<key>[^\s<]+(?: +[^\s<]+)*)\s*</arg_key>\s*<arg_value>", tail=r"</arg_value>"
)
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # <tool_call>\s*(?P<name>[^<\s]+)
    opening(
        "tool_calls", Sequence(Literal("<tool_call>"), Repeat(SPACE), Group("name", Repeat(none_of(SPACE, "<"), 1)))
    ),
    # <\|(?:role_end|endoftext)\|>\s*
    closing(
        "content",
        Sequence(Literal("<|"), Choice(Literal("role_end"), Literal("endoftext")), Literal("|>"), Repeat(SPACE)),
    ),
    starts=("<think>", "<tool_call>", "<|"),
    decided=(0, 2),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*|(?=<tool_call>[^<\s]+\s*<)
    closing(
        "reasoning_content",
        Choice(
            Sequence(Literal("</think>"), Repeat(SPACE)),
            Ahead(Sequence(Literal("<tool_call>"), Repeat(none_of(SPACE, "<"), 1), Repeat(SPACE), Literal("<"))),
        ),
    ),
    starts=("</think>", "<tool_call>"),
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
        # "content": {"close_pattern": "<\\|(?:role_end|endoftext)\\|>\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "<tool_call>\\s*(?P<name>[^<\\s]+)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*|(?=<tool_call>[^<\\s]+\\s*<)"}
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
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern":
        # "<arg_key>\\s*(?P<key>[^<\\s]+(?:
        # +[^<\\s]+)*)\\s*</arg_key>\\s*<arg_value>(?P<value>.*?)</arg_value>"}, "transform": {"type":
        # "function", "function": {"name": "{name}", "arguments": "{content}"}}, "repeats": true}
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
    "start_anchor": ["<role>ASSISTANT</role>", "<role>ASSISTANT</role>\n"],
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*|(?=<tool_call>[^<\\s]+\\s*<)",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "<tool_call>\\s*(?P<name>[^<\\s]+)",
            "close_pattern": "</tool_call>\\s*",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "<arg_key>\\s*(?P<key>[^<\\s]+(?: +[^<\\s]+)*)\\s*</arg_key>\\s*<arg_value>(?P<value>.*?)</arg_value>"
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "<\\|(?:role_end|endoftext)\\|>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
