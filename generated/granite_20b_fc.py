"""The parser of replies in the format `granite_20b_fc`.

Generated from a response template; do not edit. To make it again: compile-template granite_20b_fc.json
"""
# template digest: 20c160681fbd052dae5e2e13fa836121a0db052e294fd48713ad69c78e1c5aea
# body digest:     62c4164b8288656a483e0a4c7dbf69a9be1fccd7c23178520340039636b644e3

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing

CODEGEN = 3
TEMPLATE_DIGEST = "20c160681fbd052dae5e2e13fa836121a0db052e294fd48713ad69c78e1c5aea"
require(CODEGEN, __name__)

# "start_anchor": "\nASSISTANT: "
_ANCHOR = "\nASSISTANT: "
_OUTSIDE = Literals("<function_call>", "<|endoftext|>")
_TOOL_CALLS_CLOSE = Watch(
    # (?=<function_call>)|<\|endoftext\|>\s*
    closing("tool_calls", Choice(Ahead(Literal("<function_call>")), Sequence(Literal("<|endoftext|>"), Repeat(SPACE)))),
    starts=("<function_call>", "<|endoftext|>"),
)
_BEGINNINGS = Literals("<f", "<|")


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
    WATCHES = {"_inside_tool_calls": _TOOL_CALLS_CLOSE}

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
        # "content": {"close_pattern": "<\\|endoftext\\|>\\s*"}
        found = _OUTSIDE.find(text, at)
        if found is None:
            return self._wait(text, at, len(text), events)
        if found.lastindex:  # the beginning of a delimiter, at the end of the text
            return self._wait(text, at, found.start(), events, _OUTSIDE.rest.get(found[0], ""))
        start, end = found.span()
        delimiter = found[0]
        if start > at:
            self._emit(text[at:start], events)
        if self._field is not None:
            self._close_content(events)
        if delimiter == "<function_call>":
            self._open("tool_calls", end - start, events)
            return self._inside_tool_calls(text, end, events)
        # "<|endoftext|>"
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "(?=<function_call>)|<\\|endoftext\\|>\\s*"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": "{content}"},
        # "repeats": true}
        body = self._take(events, last)
        try:
            content = parse_json(body)
            value = {"type": "function", "function": content}
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
    "start_anchor": "\nASSISTANT: ",
    "fields": {
        "tool_calls": {
            "open": "<function_call>",
            "close_pattern": "(?=<function_call>)|<\\|endoftext\\|>\\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": "<\\|endoftext\\|>\\s*", "repeats": True, "join": "\n", "content": "text"},
    },
}
