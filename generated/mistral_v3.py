"""The parser of replies in the format `mistral_v3`.

Generated from a response template; do not edit. To make it again: compile-template mistral_v3.json
"""
# template digest: 556ac8ebd73a06da8236a5a07317683e99091a8f737b8bba246fce53079ef19c
# body digest:     35893267bca423cc56fdf3a1c69cbc59e7df11b91c0d6850521fa99b902aab57

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Literal, Repeat, Sequence, TextEnd
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "556ac8ebd73a06da8236a5a07317683e99091a8f737b8bba246fce53079ef19c"
require(CODEGEN, __name__)

# "start_anchor": ["[/INST]", "[/TOOL_RESULTS]"]
_ANCHOR = Finder(Choice(Literal("[/TOOL_RESULTS]"), Literal("[/INST]")), starts=("[/INST]", "[/TOOL_RESULTS]"))
_OUTSIDE = Watch(
    # \[TOOL_CALLS\]\s*(?=\[)
    opening("tool_calls", Sequence(Literal("[TOOL_CALLS]"), Repeat(SPACE), Ahead(Literal("[")))),
    # </s>\s*(?=</s>|$)
    closing(
        "content",
        Sequence(
            Literal("</s>"),
            Repeat(SPACE),
            Ahead(Choice(Literal("</s>"), Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd())))),
        ),
    ),
    starts=("</s>", "[TOOL_CALLS]"),
)
_TOOL_CALLS_CLOSE = Watch(
    # </s>\s*(?=</s>|$)
    closing(
        "tool_calls",
        Sequence(
            Literal("</s>"),
            Repeat(SPACE),
            Ahead(Choice(Literal("</s>"), Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd())))),
        ),
    ),
    starts=("</s>",),
)
_BEGINNINGS = Literals("</", "[T")


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
        # "content": {"close_pattern": "</s>\\s*(?=</s>|$)"}
        # "tool_calls": {"open_pattern": "\\[TOOL_CALLS\\]\\s*(?=\\[)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "</s>\\s*(?=</s>|$)"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"id": "{id}", "type": "function", "function": {"name":
        # "{name}", "arguments": "{arguments}"}}, "transform_each": true}
        body = self._take(events, last)
        try:
            content = parse_json(body)
            value = [
                {
                    "id": lookup(item, ("id",), "{id}"),
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
    "start_anchor": ["[/INST]", "[/TOOL_RESULTS]"],
    "fields": {
        "tool_calls": {
            "open_pattern": "\\[TOOL_CALLS\\]\\s*(?=\\[)",
            "close_pattern": "</s>\\s*(?=</s>|$)",
            "content": "json",
            "transform_each": True,
            "transform": {"id": "{id}", "type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {"close_pattern": "</s>\\s*(?=</s>|$)", "repeats": True, "join": "\n", "content": "text"},
    },
}
