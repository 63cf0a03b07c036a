"""The parser of replies in the format `iquest_q1`.

Generated from a response template; do not edit. To make it again: compile-template iquest_q1.json
"""
# template digest: 10f8172974d06e90cb32701bec0f04058815cf49c7a99057e80cdfc462725b77
# body digest:     8649689d40893cd443ae6d169a15732d91e76c631d4bb6bdbc844eec757b38c4

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "10f8172974d06e90cb32701bec0f04058815cf49c7a99057e80cdfc462725b77"
require(CODEGEN, __name__)

# "start_anchor": "<|iquest_assistant|>"
_ANCHOR = "<|iquest_assistant|>"
# <arg_key>\s*(?P<key>[^<\s]+(?: +[^<\s]+)*)\s*</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>
_TOOL_CALLS_TAGS = Tags(
    head=r"<arg_key>\s*(?P<key>[^\s<]+(?: +[^\s<]+)*)\s*</arg_key>\s*<arg_value>", tail=r"</arg_value>"
)
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # <iquest_tool_call>\s*(?P<name>[^<\s]+)
    opening(
        "tool_calls",
        Sequence(Literal("<iquest_tool_call>"), Repeat(SPACE), Group("name", Repeat(none_of(SPACE, "<"), 1))),
    ),
    # <\|iquest_end\|>\s*
    closing("content", Sequence(Literal("<|iquest_end|>"), Repeat(SPACE))),
    starts=("<iquest_tool_call>", "<think>", "<|iquest_end|>"),
    decided=(0, 2),
)
_BEGINNINGS = Literals("</", "<i", "<t", "<|")


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
    WATCHES = {"_outside": _OUTSIDE}

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
        # "content": {"close_pattern": "<\\|iquest_end\\|>\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "<iquest_tool_call>\\s*(?P<name>[^<\\s]+)"}
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
        # "tool_calls": {"close_pattern": "</iquest_tool_call>\\s*"}
        start = text.find("</iquest_tool_call>", at)
        if start < 0:
            return self._wait_for("</iquest_tool_call>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 19
        return self._swallow(text, start + 19, WHITE_SPACE)

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
    "start_anchor": "<|iquest_assistant|>",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "<iquest_tool_call>\\s*(?P<name>[^<\\s]+)",
            "close_pattern": "</iquest_tool_call>\\s*",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "<arg_key>\\s*(?P<key>[^<\\s]+(?: +[^<\\s]+)*)\\s*</arg_key>\\s*<arg_value>(?P<value>.*?)</arg_value>"
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {"close_pattern": "<\\|iquest_end\\|>\\s*", "repeats": True, "join": "\n", "content": "text"},
    },
}
