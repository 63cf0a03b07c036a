"""The parser of replies in the format `mistral_v11`.

Generated from a response template; do not edit. To make it again: compile-template mistral_v11.json
"""
# template digest: 5bc91dd58aa078defa4e0f667e32905ad584480d8fb5578dea1606393db29f83
# body digest:     cbc77c33be6d576e47b48e2a07b0347fc0abce4f463ea6aef6c0c70bbe0f67bd

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import Literals
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Choice, Group, Literal, Repeat, Sequence, TextEnd, none_of, one_of
from untemplate.runtime.scanning import ScanningParser
from untemplate.runtime.tools import type_calls
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "5bc91dd58aa078defa4e0f667e32905ad584480d8fb5578dea1606393db29f83"
require(CODEGEN, __name__)

# "start_anchor": ["[/INST]", "[/TOOL_RESULTS]"]
_ANCHOR = Finder(Choice(Literal("[/TOOL_RESULTS]"), Literal("[/INST]")), starts=("[/INST]", "[/TOOL_RESULTS]"))
_OUTSIDE = Watch(
    # \[TOOL_CALLS\]\s*(?P<name>[^\[{\s]+)(?=[\[{\s])(?:\[CALL_ID\])?(?P<id>[A-Za-z0-9]*)(?:\[ARGS\])?\s*(?=\{)
    opening(
        "tool_calls",
        Sequence(
            Literal("[TOOL_CALLS]"),
            Repeat(SPACE),
            Group("name", Repeat(none_of(SPACE, "[{"), 1)),
            Ahead(one_of(SPACE, "[{")),
            Repeat(Literal("[CALL_ID]"), 0, 1),
            Group("id", Repeat(one_of(("0", "9"), ("A", "Z"), ("a", "z")))),
            Repeat(Literal("[ARGS]"), 0, 1),
            Repeat(SPACE),
            Ahead(Literal("{")),
        ),
    ),
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
    # (?=\[TOOL_CALLS\])|</s>\s*(?=</s>|$)
    closing(
        "tool_calls",
        Choice(
            Ahead(Literal("[TOOL_CALLS]")),
            Sequence(
                Literal("</s>"),
                Repeat(SPACE),
                Ahead(Choice(Literal("</s>"), Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd())))),
            ),
        ),
    ),
    starts=("</s>", "[TOOL_CALLS]"),
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
        # "tool_calls": {"open_pattern":
        # "\\[TOOL_CALLS\\]\\s*(?P<name>[^\\[{\\s]+)(?=[\\[{\\s])(?:\\[CALL_ID\\])?(?P<id>[A-Za-z0-9]*)(?:\\[ARGS\\])?\\s*(?=\\{)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern": "(?=\\[TOOL_CALLS\\])|</s>\\s*(?=</s>|$)"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"id": "{id}", "type": "function", "function": {"name":
        # "{name}", "arguments": "{content}"}}, "repeats": true}
        captures = self._captures
        body = self._take(events, last)
        try:
            content = parse_json(body)
            value = {
                "id": captures["id"],
                "type": "function",
                "function": {"name": captures["name"], "arguments": content},
            }
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
    "start_anchor": ["[/INST]", "[/TOOL_RESULTS]"],
    "fields": {
        "tool_calls": {
            "open_pattern": "\\[TOOL_CALLS\\]\\s*(?P<name>[^\\[{\\s]+)(?=[\\[{\\s])(?:\\[CALL_ID\\])?(?P<id>[A-Za-z0-9]*)(?:\\[ARGS\\])?\\s*(?=\\{)",
            "close_pattern": "(?=\\[TOOL_CALLS\\])|</s>\\s*(?=</s>|$)",
            "repeats": True,
            "content": "json",
            "transform": {"id": "{id}", "type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
        },
        "content": {"close_pattern": "</s>\\s*(?=</s>|$)", "repeats": True, "join": "\n", "content": "text"},
    },
}
