"""The parser of replies in the format `glm4_7`.

Generated from a response template; do not edit. To make it again: compile-template glm4_7.json
"""
# template digest: ec992381c17eda210c07c5163d101888b5c3125fb3ff6483fec44895859caa20
# body digest:     35942d64d65117c83044ecac188b6baa65d85542973966ae738ecc1ba71240b5

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
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing

CODEGEN = 3
TEMPLATE_DIGEST = "ec992381c17eda210c07c5163d101888b5c3125fb3ff6483fec44895859caa20"
require(CODEGEN, __name__)

# "start_anchor_pattern": "<\\|assistant\\|>(?:</think>)?"
_ANCHOR = Finder(Sequence(Literal("<|assistant|>"), Repeat(Literal("</think>"), 0, 1)), starts=("<|assistant|>",))
# <arg_key>(?P<key>[^<\n]+)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>
_TOOL_CALLS_TAGS = Tags(head=r"<arg_key>(?P<key>[^\n<]+)</arg_key>\s*<arg_value>", tail=r"</arg_value>")
_OUTSIDE = Expressions(
    r"<think>",
    r"<tool_call>\s*(?P<name>[^\s<]+)(?=\s*<(?:arg_key|/tool_call)>)",
    r"<\|(?:user|observation|assistant|endoftext)\|>",
    starts=("<think>", "<tool_call>", "<|"),
)
_REASONING_CONTENT_CLOSE = Watch(
    # </think>\s*|(?=<tool_call>[^\s<]+\s*<(?:arg_key|/tool_call)>)
    closing(
        "reasoning_content",
        Choice(
            Sequence(Literal("</think>"), Repeat(SPACE)),
            Ahead(
                Sequence(
                    Literal("<tool_call>"),
                    Repeat(none_of(SPACE, "<"), 1),
                    Repeat(SPACE),
                    Literal("<"),
                    Choice(Literal("arg_key"), Literal("/tool_call")),
                    Literal(">"),
                )
            ),
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
    EXPRESSIONS = {"_outside": _OUTSIDE}
    WATCHES = {"_inside_reasoning_content": _REASONING_CONTENT_CLOSE}

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
        # "content": {"close_pattern": "<\\|(?:user|observation|assistant|endoftext)\\|>\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern": "<tool_call>\\s*(?P<name>[^\\s<]+)(?=\\s*<(?:arg_key|/tool_call)>)"}
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
            # A region that is whole need not be opened where nobody asks for events.
            if events is None:
                last = text.find("</tool_call>", end)
                if last >= 0:
                    self._start += last - start
                    self._add_tool_calls(text[end:last], {"name": found["name"]}, events)
                    self._start += 12
                    return self._swallow(text, last + 12, WHITE_SPACE)
            self._open("tool_calls", end - start, events)
            self._captures = {"name": found["name"]}
            return self._inside_tool_calls(text, end, events)
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern":
        # "</think>\\s*|(?=<tool_call>[^\\s<]+\\s*<(?:arg_key|/tool_call)>)"}
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
        captures = self._captures
        self._add_tool_calls(self._take(events, last), captures, events)

    def _add_tool_calls(self, body: str, captures: dict[str, str], events: Events) -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern":
        # "<arg_key>(?P<key>[^<\\n]+)</arg_key>\\s*<arg_value>(?P<value>.*?)</arg_value>"}, "transform":
        # {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}, "repeats": true}
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
    "start_anchor_pattern": "<\\|assistant\\|>(?:</think>)?",
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*|(?=<tool_call>[^\\s<]+\\s*<(?:arg_key|/tool_call)>)",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": "<tool_call>\\s*(?P<name>[^\\s<]+)(?=\\s*<(?:arg_key|/tool_call)>)",
            "close_pattern": "</tool_call>\\s*",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "<arg_key>(?P<key>[^<\\n]+)</arg_key>\\s*<arg_value>(?P<value>.*?)</arg_value>"
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "<\\|(?:user|observation|assistant|endoftext)\\|>\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
