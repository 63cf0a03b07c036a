"""The parser of replies in the format `functiongemma`.

Generated from a response template; do not edit. To make it again: compile-template functiongemma.json
"""
# template digest: 07b44c734918c03122e32b5501d653b12c36641a3c69d295a043ed7a46b357d4
# body digest:     59fb280943e1451bb51646f956b6d401c5a9f2f5141434ca833d753bcc587087

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_loose_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE, Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Choice, Group, Literal, Repeat, Sequence, none_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "07b44c734918c03122e32b5501d653b12c36641a3c69d295a043ed7a46b357d4"
require(CODEGEN, __name__)

# "start_anchor": ["<start_of_turn>model\n", "<end_function_response>"]
_ANCHOR = Finder(
    Choice(Literal("<end_function_response>"), Literal("<start_of_turn>model\n")),
    starts=("<end_function_response>", "<start_of_turn>model\n"),
)
_OUTSIDE = Watch(
    # <start_function_call>call:(?P<name>[^{\s]+)
    opening(
        "tool_calls", Sequence(Literal("<start_function_call>call:"), Group("name", Repeat(none_of(SPACE, "{"), 1)))
    ),
    # (?:<end_of_turn>|<start_function_response>)\s*
    closing("content", Sequence(Choice(Literal("<end_of_turn>"), Literal("<start_function_response>")), Repeat(SPACE))),
    starts=("<end_of_turn>", "<start_function_call>call:", "<start_function_response>"),
    decided=(1,),
)
_BEGINNINGS = Literals("<e", "<s")


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
        if text and self._free and ("<" not in text or _BEGINNINGS.find(text) is None):
            self._body.append(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        events: list[Event] = []
        self._read(text, events)
        return events

    def _outside(self, text: str, at: int, events: Events) -> int:
        # "content": {"close_pattern": "(?:<end_of_turn>|<start_function_response>)\\s*"}
        # "tool_calls": {"open_pattern": "<start_function_call>call:(?P<name>[^{\\s]+)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "<end_function_call>\\s*"}
        start = text.find("<end_function_call>", at)
        if start < 0:
            return self._wait_for("<end_function_call>", text, at, events)
        self._close_tool_calls(events, text[at:start])
        self._start += 19
        return self._swallow(text, start + 19, WHITE_SPACE)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "content_args": {"unquoted_keys": true, "string_delims":
        # [["<escape>", "<escape>"]]}, "transform": {"type": "function", "function": {"name": "{name}",
        # "arguments": "{content}"}}, "repeats": true}
        captures = self._captures
        body = self._take(events, last)
        try:
            content = parse_loose_json(body, unquoted_keys=True, string_delims=(("<escape>", "<escape>"),))
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
    "start_anchor": ["<start_of_turn>model\n", "<end_function_response>"],
    "fields": {
        "tool_calls": {
            "open_pattern": "<start_function_call>call:(?P<name>[^{\\s]+)",
            "close_pattern": "<end_function_call>\\s*",
            "repeats": True,
            "content": "json",
            "content_args": {"unquoted_keys": True, "string_delims": [["<escape>", "<escape>"]]},
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {
            "close_pattern": "(?:<end_of_turn>|<start_function_response>)\\s*",
            "content": "text",
            "repeats": True,
            "join": "\n",
        },
    },
}
