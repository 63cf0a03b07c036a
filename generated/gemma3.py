"""The parser of replies in the format `gemma3`.

Generated from a response template; do not edit. To make it again: compile-template gemma3.json
"""
# template digest: 610de4925f8b8b873cfb71d265922b0ee2738769ede1b773f0c97d12d48147f7
# body digest:     71040e572dd49f441ca2239a6ff2fb80841633ba1bb20f83e1521d79b4efd914

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_calls
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Behind, Choice, Literal, Repeat, Sequence, TextStart, none_of, one_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "610de4925f8b8b873cfb71d265922b0ee2738769ede1b773f0c97d12d48147f7"
require(CODEGEN, __name__)

# "start_anchor": "<start_of_turn>model\n"
_ANCHOR = "<start_of_turn>model\n"
_OUTSIDE = Watch(
    # (?:^|\n|```tool_code)\s*(?=\[\s*[A-Za-z_][A-Za-z0-9_.-]*\(\s*(?:[A-Za-z_][A-Za-z0-9_]*\s*=[^=]|\)\s*[,\]]))
    opening(
        "tool_calls",
        Sequence(
            Choice(TextStart(), Literal("\n"), Literal("```tool_code")),
            Repeat(SPACE),
            Ahead(
                Sequence(
                    Literal("["),
                    Repeat(SPACE),
                    one_of(("A", "Z"), ("a", "z"), "_"),
                    Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "-._")),
                    Literal("("),
                    Repeat(SPACE),
                    Choice(
                        Sequence(
                            one_of(("A", "Z"), ("a", "z"), "_"),
                            Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "_")),
                            Repeat(SPACE),
                            Literal("="),
                            none_of("="),
                        ),
                        Sequence(Literal(")"), Repeat(SPACE), one_of(",]")),
                    ),
                )
            ),
        ),
    ),
    # <end_of_turn>\s*
    closing("content", Sequence(Literal("<end_of_turn>"), Repeat(SPACE))),
    first=one_of(SPACE, "<[`"),
    wary=True,
    context=1,
    decided=(1,),
)
_TOOL_CALLS_CLOSE = Watch(
    # (?<=\)\])\s*(?:```|\n)\s*|(?:```\s*)?<end_of_turn>\s*
    closing(
        "tool_calls",
        Choice(
            Sequence(Behind(Literal(")]")), Repeat(SPACE), Choice(Literal("```"), Literal("\n")), Repeat(SPACE)),
            Sequence(Repeat(Sequence(Literal("```"), Repeat(SPACE)), 0, 1), Literal("<end_of_turn>"), Repeat(SPACE)),
        ),
    ),
    first=one_of(SPACE, "<`"),
    wary=True,
    context=2,
)
_TRIGGERS = frozenset(
    "\t\n\x0b\x0c\r <[`\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


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
    WATCHES = {"_outside": _OUTSIDE, "_inside_tool_calls": _TOOL_CALLS_CLOSE}
    CONTEXT = 2

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and _TRIGGERS.isdisjoint(text):
            self._body.append(text)
            self._context = (self._context + text)[-2:]
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "<end_of_turn>\\s*"}
        # "tool_calls": {"open_pattern":
        # "(?:^|\\n|```tool_code)\\s*(?=\\[\\s*[A-Za-z_][A-Za-z0-9_.-]*\\(\\s*(?:[A-Za-z_][A-Za-z0-9_]*\\s*=[^=]|\\)\\s*[,\\]]))"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "(?<=\\)\\])\\s*(?:```|\\n)\\s*|(?:```\\s*)?<end_of_turn>\\s*"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "python-call-list", "transform": {"type": "function", "function": {"name":
        # "{name}", "arguments": "{arguments}"}}, "transform_each": true}
        body = self._take(events, last)
        try:
            content = parse_calls(body)
            value = [
                {
                    "type": "function",
                    "function": {
                        "name": lookup(item, ("name",), "{name}"),
                        "arguments": lookup(item, ("arguments",), "{arguments}"),
                    },
                }
                for item in each(content)
            ]
        except ContentError as error:
            self._reject("tool_calls", body, error, events)
        else:
            if self._tools:
                type_calls(value, self._tools)
            self._store("tool_calls", value, events)

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
    "start_anchor": "<start_of_turn>model\n",
    "fields": {
        "tool_calls": {
            "open_pattern": "(?:^|\\n|```tool_code)\\s*(?=\\[\\s*[A-Za-z_][A-Za-z0-9_.-]*\\(\\s*(?:[A-Za-z_][A-Za-z0-9_]*\\s*=[^=]|\\)\\s*[,\\]]))",
            "close_pattern": "(?<=\\)\\])\\s*(?:```|\\n)\\s*|(?:```\\s*)?<end_of_turn>\\s*",
            "content": "python-call-list",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {"close_pattern": "<end_of_turn>\\s*", "content": "text", "repeats": True, "join": "\n"},
    },
}
