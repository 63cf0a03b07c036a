"""The parser of replies in the format `apertus`.

Generated from a response template; do not edit. To make it again: compile-template apertus.json
"""
# template digest: 4cbc7a3ef818549bad20d48d8f62f697d58dd7d8c1a815ac8f5f31e678a0d195
# body digest:     9816e1946f2110c64a5be9b80795400bdc2f1a5239bb751e038d0098a1596076

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.foretelling import ForetellingParser
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import ANY, Ahead, Behind, Choice, Group, Literal, Repeat, Sequence, none_of, one_of
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "4cbc7a3ef818549bad20d48d8f62f697d58dd7d8c1a815ac8f5f31e678a0d195"
require(CODEGEN, __name__)

# "start_anchor": "<|assistant_start|>"
_ANCHOR = "<|assistant_start|>"
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<|inner_prefix|>")),
    # (?:<\|tools_prefix\|>\s*\[\s*\{\s*"|(?<=\}),\s*\{\s*"(?=(?:(?!<\|tools_prefix\|>).)*?<\|tools_suffix\|>))(?P<name>[^"]+)"\s*:\s*
    opening(
        "tool_calls",
        Sequence(
            Choice(
                Sequence(
                    Literal("<|tools_prefix|>"),
                    Repeat(SPACE),
                    Literal("["),
                    Repeat(SPACE),
                    Literal("{"),
                    Repeat(SPACE),
                    Literal('"'),
                ),
                Sequence(
                    Behind(Literal("}")),
                    Literal(","),
                    Repeat(SPACE),
                    Literal("{"),
                    Repeat(SPACE),
                    Literal('"'),
                    Ahead(
                        Sequence(
                            Repeat(Sequence(Ahead(Literal("<|tools_prefix|>"), negative=True), ANY), lazy=True),
                            Literal("<|tools_suffix|>"),
                        )
                    ),
                ),
            ),
            Group("name", Repeat(none_of('"'), 1)),
            Literal('"'),
            Repeat(SPACE),
            Literal(":"),
            Repeat(SPACE),
        ),
    ),
    # <\|(?:inner_suffix|tools_prefix|tools_suffix|assistant_end)\|>\s*
    closing(
        "content",
        Sequence(
            Literal("<|"),
            Choice(Literal("inner_suffix"), Literal("tools_prefix"), Literal("tools_suffix"), Literal("assistant_end")),
            Literal("|>"),
            Repeat(SPACE),
        ),
    ),
    starts=(",", "<|"),
    wary=True,
    context=1,
    decided=(0,),
)
_REASONING_CONTENT_CLOSE = Watch(
    # <\|inner_suffix\|>\s*|(?=<\|tools_prefix\|>)
    closing(
        "reasoning_content",
        Choice(Sequence(Literal("<|inner_suffix|>"), Repeat(SPACE)), Ahead(Literal("<|tools_prefix|>"))),
    ),
    starts=("<|inner_suffix|>", "<|tools_prefix|>"),
    decided=(0,),
)
_TOOL_CALLS_CLOSE = Watch(
    # \}\s*\]\s*<\|tools_suffix\|>\s*|(?<=\})\s*\}(?=,\s*\{\s*"[^"]+"\s*:\s*\{)
    closing(
        "tool_calls",
        Choice(
            Sequence(
                Literal("}"), Repeat(SPACE), Literal("]"), Repeat(SPACE), Literal("<|tools_suffix|>"), Repeat(SPACE)
            ),
            Sequence(
                Behind(Literal("}")),
                Repeat(SPACE),
                Literal("}"),
                Ahead(
                    Sequence(
                        Literal(","),
                        Repeat(SPACE),
                        Literal("{"),
                        Repeat(SPACE),
                        Literal('"'),
                        Repeat(none_of('"'), 1),
                        Literal('"'),
                        Repeat(SPACE),
                        Literal(":"),
                        Repeat(SPACE),
                        Literal("{"),
                    )
                ),
            ),
        ),
    ),
    first=one_of(SPACE, "}"),
    wary=True,
    context=1,
    decided=(0,),
)
_TRIGGERS = frozenset(
    "\t\n\x0b\x0c\r ,<}\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


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
    WATCHES = {
        "_outside": _OUTSIDE,
        "_inside_reasoning_content": _REASONING_CONTENT_CLOSE,
        "_inside_tool_calls": _TOOL_CALLS_CLOSE,
    }
    CONTEXT = 1
    PROBES = '"\x00\x01}|{xutsrponlifeda_][><:,\t\n'
    DELIMITERS = {
        "_outside": _OUTSIDE,
        "_inside_reasoning_content": _REASONING_CONTENT_CLOSE,
        "_inside_tool_calls": _TOOL_CALLS_CLOSE,
    }

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and _TRIGGERS.isdisjoint(text):
            self._body.append(text)
            self._context = (self._context + text)[-1:]
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "<\\|(?:inner_suffix|tools_prefix|tools_suffix|assistant_end)\\|>\\s*"}
        # "reasoning_content": {"open": "<|inner_prefix|>"}
        # "tool_calls": {"open_pattern":
        # "(?:<\\|tools_prefix\\|>\\s*\\[\\s*\\{\\s*\"|(?<=\\}),\\s*\\{\\s*\"(?=(?:(?!<\\|tools_prefix\\|>).)*?<\\|tools_suffix\\|>))(?P<name>[^\"]+)\"\\s*:\\s*"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "<\\|inner_suffix\\|>\\s*|(?=<\\|tools_prefix\\|>)"}
        return self._scan(_REASONING_CONTENT_CLOSE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern":
        # "\\}\\s*\\]\\s*<\\|tools_suffix\\|>\\s*|(?<=\\})\\s*\\}(?=,\\s*\\{\\s*\"[^\"]+\"\\s*:\\s*\\{)"}
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
    "start_anchor": "<|assistant_start|>",
    "fields": {
        "reasoning_content": {
            "open": "<|inner_prefix|>",
            "close_pattern": "<\\|inner_suffix\\|>\\s*|(?=<\\|tools_prefix\\|>)",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open_pattern": '(?:<\\|tools_prefix\\|>\\s*\\[\\s*\\{\\s*"|(?<=\\}),\\s*\\{\\s*"(?=(?:(?!<\\|tools_prefix\\|>).)*?<\\|tools_suffix\\|>))(?P<name>[^"]+)"\\s*:\\s*',
            "close_pattern": '\\}\\s*\\]\\s*<\\|tools_suffix\\|>\\s*|(?<=\\})\\s*\\}(?=,\\s*\\{\\s*"[^"]+"\\s*:\\s*\\{)',
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "<\\|(?:inner_suffix|tools_prefix|tools_suffix|assistant_end)\\|>\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
