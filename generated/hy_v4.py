"""The parser of replies in the format `hy_v4`.

Generated from a response template; do not edit. To make it again: compile-template hy_v4.json
"""
# template digest: 2f60b6236fed3a6cd06719a0eef4bb797631f738a1920bd1204db32fa4d1a127
# body digest:     03afebbcb5f81ee601a9cf870d11fbd0572f47e2e6a30d04e2f07732ea2ce48f

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_xml
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.expressions import Expressions
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import ANY, Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "2f60b6236fed3a6cd06719a0eef4bb797631f738a1920bd1204db32fa4d1a127"
require(CODEGEN, __name__)

# "start_anchor_pattern": "<｜hy_Assistant(?::[^\\s｜>]+)?｜>"
_ANCHOR = Finder(
    Sequence(
        Literal("<｜hy_Assistant"),
        Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">｜"), 1)), 0, 1),
        Literal("｜>"),
    ),
    starts=("<｜hy_Assistant",),
)
# <arg_key(?::[^\s>]+)?>\s*(?P<key>[^<\s]+(?:
# +[^<\s]+)*)\s*</arg_key(?::[^\s>]+)?>\s*<arg_value(?::[^\s>]+)?>(?P<value>.*?)</arg_value(?::[^\s>]+)?>
_TOOL_CALLS_TAGS = Finder(
    Sequence(
        Literal("<arg_key"),
        Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1),
        Literal(">"),
        Repeat(SPACE),
        Group(
            "key",
            Sequence(
                Repeat(none_of(SPACE, "<"), 1),
                Repeat(Sequence(Repeat(Literal(" "), 1), Repeat(none_of(SPACE, "<"), 1))),
            ),
        ),
        Repeat(SPACE),
        Literal("</arg_key"),
        Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1),
        Literal(">"),
        Repeat(SPACE),
        Literal("<arg_value"),
        Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1),
        Literal(">"),
        Group("value", Repeat(ANY, lazy=True)),
        Literal("</arg_value"),
        Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1),
        Literal(">"),
    ),
    starts=("<arg_key",),
)
_OUTSIDE = Watch(
    # <think(?::[^\s>]+)?>
    opening(
        "reasoning_content",
        Sequence(Literal("<think"), Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1), Literal(">")),
    ),
    # <tool_call(?::[^\s>]+)?>\s*(?P<name>[^<\s]+)
    opening(
        "tool_calls",
        Sequence(
            Literal("<tool_call"),
            Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1),
            Literal(">"),
            Repeat(SPACE),
            Group("name", Repeat(none_of(SPACE, "<"), 1)),
        ),
    ),
    # (?:</?tool_calls(?::[^\s>]+)?>|<｜hy_eos(?::[^\s｜>]+)?｜>|<eos(?::[^\s>]+)?>)\s*
    closing(
        "content",
        Sequence(
            Choice(
                Sequence(
                    Literal("<"),
                    Repeat(Literal("/"), 0, 1),
                    Literal("tool_calls"),
                    Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1),
                    Literal(">"),
                ),
                Sequence(
                    Literal("<｜hy_eos"),
                    Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">｜"), 1)), 0, 1),
                    Literal("｜>"),
                ),
                Sequence(
                    Literal("<eos"), Repeat(Sequence(Literal(":"), Repeat(none_of(SPACE, ">"), 1)), 0, 1), Literal(">")
                ),
            ),
            Repeat(SPACE),
        ),
    ),
    starts=("<",),
    decided=(0, 2),
)
_REASONING_CONTENT_CLOSE = Expressions(r"</think(?::[^\s>]+)?>", starts=("</think",), skip=r"</think(?::[^\s>]+)?")
_TOOL_CALLS_CLOSE = Expressions(r"</tool_call(?::[^\s>]+)?>", starts=("</tool_call",), skip=r"</tool_call(?::[^\s>]+)?")


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
    EXPRESSIONS = {"_inside_reasoning_content": _REASONING_CONTENT_CLOSE, "_inside_tool_calls": _TOOL_CALLS_CLOSE}
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
        # "content": {"close_pattern":
        # "(?:</?tool_calls(?::[^\\s>]+)?>|<｜hy_eos(?::[^\\s｜>]+)?｜>|<eos(?::[^\\s>]+)?>)\\s*"}
        # "reasoning_content": {"open_pattern": "<think(?::[^\\s>]+)?>"}
        # "tool_calls": {"open_pattern": "<tool_call(?::[^\\s>]+)?>\\s*(?P<name>[^<\\s]+)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think(?::[^\\s>]+)?>\\s*"}
        found = _REASONING_CONTENT_CLOSE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        self._close_reasoning_content(events, text[at:start])
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</tool_call(?::[^\\s>]+)?>\\s*"}
        found = _TOOL_CALLS_CLOSE.seek(text, at)
        if isinstance(found, tuple):  # where one may begin, and what may come next
            return self._hold(text, at, found[0], events, found[1])
        start, end = found.span()
        self._close_tool_calls(events, text[at:start])
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "xml-inline", "content_args": {"tag_pattern":
        # "<arg_key(?::[^\\s>]+)?>\\s*(?P<key>[^<\\s]+(?:
        # +[^<\\s]+)*)\\s*</arg_key(?::[^\\s>]+)?>\\s*<arg_value(?::[^\\s>]+)?>(?P<value>.*?)</arg_value(?::[^\\s>]+)?>"},
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
    "start_anchor_pattern": "<｜hy_Assistant(?::[^\\s｜>]+)?｜>",
    "fields": {
        "reasoning_content": {
            "open_pattern": "<think(?::[^\\s>]+)?>",
            "close_pattern": "</think(?::[^\\s>]+)?>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": "<tool_call(?::[^\\s>]+)?>\\s*(?P<name>[^<\\s]+)",
            "close_pattern": "</tool_call(?::[^\\s>]+)?>\\s*",
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": "<arg_key(?::[^\\s>]+)?>\\s*(?P<key>[^<\\s]+(?: +[^<\\s]+)*)\\s*</arg_key(?::[^\\s>]+)?>\\s*<arg_value(?::[^\\s>]+)?>(?P<value>.*?)</arg_value(?::[^\\s>]+)?>"
            },
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:</?tool_calls(?::[^\\s>]+)?>|<｜hy_eos(?::[^\\s｜>]+)?｜>|<eos(?::[^\\s>]+)?>)\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
