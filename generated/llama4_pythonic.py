"""The parser of replies in the format `llama4_pythonic`.

Generated from a response template; do not edit. To make it again: compile-template llama4_pythonic.json
"""
# template digest: 0416057fc5726c2af240322995f8160aec421ed899cef729f82bb01b52259dd0
# body digest:     374af7f24d4c5de092b2a3cef1a2967d70b4c881ac3b3482a87674c01a42fbee

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_calls
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, one_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "0416057fc5726c2af240322995f8160aec421ed899cef729f82bb01b52259dd0"
require(CODEGEN, __name__)

# "start_anchor": "<|header_start|>assistant<|header_end|>\n\n"
_ANCHOR = "<|header_start|>assistant<|header_end|>\n\n"
_OUTSIDE = Watch(
    # <\|python_start\|>\s*(?=\[)|(?=\[\s*[A-Za-z_][A-Za-z0-9_.-]*\(\s*(?:\)|[A-Za-z_][A-Za-z0-9_]*\s*=))
    opening(
        "tool_calls",
        Choice(
            Sequence(Literal("<|python_start|>"), Repeat(SPACE), Ahead(Literal("["))),
            Ahead(
                Sequence(
                    Literal("["),
                    Repeat(SPACE),
                    one_of(("A", "Z"), ("a", "z"), "_"),
                    Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "-._")),
                    Literal("("),
                    Repeat(SPACE),
                    Choice(
                        Literal(")"),
                        Sequence(
                            one_of(("A", "Z"), ("a", "z"), "_"),
                            Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z"), "_")),
                            Repeat(SPACE),
                            Literal("="),
                        ),
                    ),
                )
            ),
        ),
    ),
    # <\|(?:eot|eom|end_of_text)\|>\s*
    closing(
        "content",
        Sequence(
            Literal("<|"), Choice(Literal("eot"), Literal("eom"), Literal("end_of_text")), Literal("|>"), Repeat(SPACE)
        ),
    ),
    starts=("<|", "["),
    decided=(2,),
)
_TOOL_CALLS_CLOSE = Literals("<|python_end|>", "<|eot|>", "<|eom|>")
_BEGINNINGS = Literals("<|", "[")


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
    WATCHES = {"_outside": _OUTSIDE}

    def feed(self, text: str) -> list[Event]:
        # Where a region is open and nothing is held back, text in which no delimiter begins is plain text.
        if text and self._free and (("<" not in text and "[" not in text) or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "<\\|(?:eot|eom|end_of_text)\\|>\\s*"}
        # "tool_calls": {"open_pattern":
        # "<\\|python_start\\|>\\s*(?=\\[)|(?=\\[\\s*[A-Za-z_][A-Za-z0-9_.-]*\\(\\s*(?:\\)|[A-Za-z_][A-Za-z0-9_]*\\s*=))"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "<\\|(?:python_end|eot|eom)\\|>\\s*"}
        found = _TOOL_CALLS_CLOSE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _TOOL_CALLS_CLOSE.rest.get(found[0], ""))
        start, end = found.span()
        self._close_tool_calls(events, text[at:start])
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

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
    "start_anchor": "<|header_start|>assistant<|header_end|>\n\n",
    "fields": {
        "tool_calls": {
            "open_pattern": "<\\|python_start\\|>\\s*(?=\\[)|(?=\\[\\s*[A-Za-z_][A-Za-z0-9_.-]*\\(\\s*(?:\\)|[A-Za-z_][A-Za-z0-9_]*\\s*=))",
            "close_pattern": "<\\|(?:python_end|eot|eom)\\|>\\s*",
            "content": "python-call-list",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {
            "close_pattern": "<\\|(?:eot|eom|end_of_text)\\|>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
