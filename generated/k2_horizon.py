"""The parser of replies in the format `k2_horizon`.

Generated from a response template; do not edit. To make it again: compile-template k2_horizon.json
"""
# template digest: e48f54ccb899dce6274eb7ed4c5b28e981e112110d3ae0b650513c06d94d9830
# body digest:     1dd25c184c7248b0e8eaa1616ce6fa7c90b3a69d49562c9f0c282101e635bfe8

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.literals import WHITE_SPACE
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tags import Tags
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "e48f54ccb899dce6274eb7ed4c5b28e981e112110d3ae0b650513c06d94d9830"
require(CODEGEN, __name__)

# "start_anchor": "<|ifm|im_start|>assistant\n"
_ANCHOR = "<|ifm|im_start|>assistant\n"
# <ifm\|arg_key>\s*(?P<key>[^<\s]+(?:
# +[^<\s]+)*)\s*</ifm\|arg_key>\s*(?:<ifm\|arg_type>[^<]*</ifm\|arg_type>\s*)?<ifm\|arg_value>(?P<value>.*?)</ifm\|arg_value>
_TOOL_CALLS_TAGS = Tags(
    head=r"<ifm\|arg_key>\s*(?P<key>[^\s<]+(?: +[^\s<]+)*)\s*</ifm\|arg_key>\s*(?:<ifm\|arg_type>[^<]*</ifm\|arg_type>\s*)?<ifm\|arg_value>",
    tail=r"</ifm\|arg_value>",
)
_OUTSIDE = Watch(
    opening(
        "reasoning_content", Choice(Literal("<ifm|think_faster>"), Literal("<ifm|think_fast>"), Literal("<ifm|think>"))
    ),
    # <ifm\|tool_call>\s*(?P<name>[^<\s{]+)
    opening(
        "tool_calls",
        Sequence(Literal("<ifm|tool_call>"), Repeat(SPACE), Group("name", Repeat(none_of(SPACE, "<{"), 1))),
    ),
    # (?:</?ifm\|tool_calls>|<\|ifm\|im_end\|>)\s*
    closing(
        "content",
        Sequence(
            Choice(
                Sequence(Literal("<"), Repeat(Literal("/"), 0, 1), Literal("ifm|tool_calls>")),
                Literal("<|ifm|im_end|>"),
            ),
            Repeat(SPACE),
        ),
    ),
    starts=("<",),
    decided=(0, 1, 2, 4),
)
_REASONING_CONTENT_CLOSE = Expressions(r"</ifm\|think(?:_fast|_faster)?>", starts=("</ifm|think",))


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
    EXPRESSIONS = {"_inside_reasoning_content": _REASONING_CONTENT_CLOSE}
    WATCHES = {"_outside": _OUTSIDE}

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and "<" not in text:
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:</?ifm\\|tool_calls>|<\\|ifm\\|im_end\\|>)\\s*"}
        # "reasoning_content": {"open": ["<ifm|think>", "<ifm|think_fast>", "<ifm|think_faster>"]}
        # "tool_calls": {"open_pattern": "<ifm\\|tool_call>\\s*(?P<name>[^<\\s{]+)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</ifm\\|think(?:_fast|_faster)?>\\s*"}
        found = _REASONING_CONTENT_CLOSE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        self._close_reasoning_content(events, text[at:start])
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</ifm\\|tool_call>\\s*"}
        start = text.find("</ifm|tool_call>", at)
        if start < 0:
            return self._wait_for("</ifm|tool_call>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 16
        return self._swallow(text, start + 16, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern":
        # "<ifm\\|arg_key>\\s*(?P<key>[^<\\s]+(?:
        # +[^<\\s]+)*)\\s*</ifm\\|arg_key>\\s*(?:<ifm\\|arg_type>[^<]*</ifm\\|arg_type>\\s*)?<ifm\\|arg_value>(?P<value>.*?)</ifm\\|arg_value>"},
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
    "start_anchor": "<|ifm|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {
            "open": ["<ifm|think>", "<ifm|think_fast>", "<ifm|think_faster>"],
            "close_pattern": "</ifm\\|think(?:_fast|_faster)?>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "<ifm\\|tool_call>\\s*(?P<name>[^<\\s{]+)",
            "close_pattern": "</ifm\\|tool_call>\\s*",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "<ifm\\|arg_key>\\s*(?P<key>[^<\\s]+(?: +[^<\\s]+)*)\\s*</ifm\\|arg_key>\\s*(?:<ifm\\|arg_type>[^<]*</ifm\\|arg_type>\\s*)?<ifm\\|arg_value>(?P<value>.*?)</ifm\\|arg_value>"
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:</?ifm\\|tool_calls>|<\\|ifm\\|im_end\\|>)\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
