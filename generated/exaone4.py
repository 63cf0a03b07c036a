"""The parser of replies in the format `exaone4`.

Generated from a response template; do not edit. To make it again: compile-template exaone4.json
"""
# template digest: be9ff9ae959ba5ad5d27fc9b92efd673b8f3ed3fad19486c329265174415cdda
# body digest:     df504fd301be30e4f9e5e08b8d896017171aacd5696551e1bfc25674d6f18afd

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing

CODEGEN = 3
TEMPLATE_DIGEST = "be9ff9ae959ba5ad5d27fc9b92efd673b8f3ed3fad19486c329265174415cdda"
require(CODEGEN, __name__)

# "start_anchor_pattern": "\\[\\|assistant\\|\\]\\n?"
_ANCHOR = Finder(Sequence(Literal("[|assistant|]"), Repeat(Literal("\n"), 0, 1)), starts=("[|assistant|]",))
_OUTSIDE = Literals("<think>", "<thought>", "<tool_call>", "[|endofturn|]")
_REASONING_CONTENT_CLOSE = Watch(
    # </(?:think|thought)>\s*|(?=<tool_call>\s*\{)
    closing(
        "reasoning_content",
        Choice(
            Sequence(Literal("</"), Choice(Literal("think"), Literal("thought")), Literal(">"), Repeat(SPACE)),
            Ahead(Sequence(Literal("<tool_call>"), Repeat(SPACE), Literal("{"))),
        ),
    ),
    starts=("</", "<tool_call>"),
    decided=(0,),
)
_BEGINNINGS = Literals("</", "<t", "[|")


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
    WATCHES = {"_inside_reasoning_content": _REASONING_CONTENT_CLOSE}

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
        # "content": {"close_pattern": "\\[\\|endofturn\\|\\]\\s*"}
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
        if delimiter in ("<think>", "<thought>"):
            self._open("reasoning_content", end - start, events)
            return self._inside_reasoning_content(text, end, events)
        if delimiter == "<tool_call>":
            # A region that is whole need not be opened where nobody asks for events.
            if events is None:
                last = text.find("</tool_call>", end)
                if last >= 0:
                    self._start += last - start
                    self._add_tool_calls(text[end:last], events)
                    self._start += 12
                    return self._swallow(text, last + 12, WHITE_SPACE)
            self._open("tool_calls", end - start, events)
            return self._inside_tool_calls(text, end, events)
        # "[|endofturn|]"
        self._start += end - start
        return self._swallow(text, end, WHITE_SPACE)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</(?:think|thought)>\\s*|(?=<tool_call>\\s*\\{)"}
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
        self._add_tool_calls(self._take(events, last), events)

    def _add_tool_calls(self, body: str, events: Events) -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": "{content}"},
        # "repeats": true}
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
    "start_anchor_pattern": "\\[\\|assistant\\|\\]\\n?",
    "fields": {
        "reasoning_content": {
            "open": ["<think>", "<thought>"],
            "close_pattern": "</(?:think|thought)>\\s*|(?=<tool_call>\\s*\\{)",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": "</tool_call>\\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": "\\[\\|endofturn\\|\\]\\s*", "content": "text", "repeats": True, "join": "\n"},
    },
}
