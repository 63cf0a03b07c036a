"""The parser of replies in the format `xlam`.

Generated from a response template; do not edit. To make it again: compile-template xlam.json
"""
# template digest: a05aec4f6beb820eeb32d4421741abbe7fc2bba08a3c3d6196ce85707e159dda
# body digest:     727844e89a16bf87ec4ec13f6dc01d6a3b7ae9921fa1e0c8e5c9a0628853b927

from __future__ import annotations

from typing import Any, ClassVar

from untemplate.runtime.api import require
from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.foretelling import ForetellingParser
from untemplate.runtime.finder import Finder
from untemplate.runtime.literals import WHITE_SPACE
from untemplate.runtime.parser import Events, OnMalformed, Region, cut_after, parse_all
from untemplate.runtime.pattern import Ahead, Behind, Choice, Literal, Repeat, Sequence, none_of, one_of
from untemplate.runtime.tools import type_calls
from untemplate.runtime.transform import each, lookup
from untemplate.runtime.unicode import SPACE
from untemplate.runtime.watch import Watch, closing, opening

CODEGEN = 3
TEMPLATE_DIGEST = "a05aec4f6beb820eeb32d4421741abbe7fc2bba08a3c3d6196ce85707e159dda"
require(CODEGEN, __name__)

# "start_anchor": ["<|start_header_id|>assistant<|end_header_id|>\n\n", "<|im_start|>assistant\n"]
_ANCHOR = Finder(
    Choice(Literal("<|start_header_id|>assistant<|end_header_id|>\n\n"), Literal("<|im_start|>assistant\n")),
    starts=("<|im_start|>assistant\n", "<|start_header_id|>assistant<|end_header"),
)
_OUTSIDE = Watch(
    opening("reasoning_content", Literal("<think>")),
    # (?:```(?:json)?\s*|<tool_call>\s*|\[TOOL_CALLS\]\s*)?(?=\[\s*\{\s*\"name\"\s*:\s*\"[^\"]*\"\s*,\s*\"arguments\"\s*:)
    opening(
        "tool_calls",
        Sequence(
            Repeat(
                Choice(
                    Sequence(Literal("```"), Repeat(Literal("json"), 0, 1), Repeat(SPACE)),
                    Sequence(Literal("<tool_call>"), Repeat(SPACE)),
                    Sequence(Literal("[TOOL_CALLS]"), Repeat(SPACE)),
                ),
                0,
                1,
            ),
            Ahead(
                Sequence(
                    Literal("["),
                    Repeat(SPACE),
                    Literal("{"),
                    Repeat(SPACE),
                    Literal('"name"'),
                    Repeat(SPACE),
                    Literal(":"),
                    Repeat(SPACE),
                    Literal('"'),
                    Repeat(none_of('"')),
                    Literal('"'),
                    Repeat(SPACE),
                    Literal(","),
                    Repeat(SPACE),
                    Literal('"arguments"'),
                    Repeat(SPACE),
                    Literal(":"),
                )
            ),
        ),
    ),
    # (?:<\|eot_id\|>|<\|im_end\|>|<\|end_of_text\|>|<\|endoftext\|>)\s*
    closing(
        "content",
        Sequence(
            Choice(Literal("<|eot_id|>"), Literal("<|im_end|>"), Literal("<|end_of_text|>"), Literal("<|endoftext|>")),
            Repeat(SPACE),
        ),
    ),
    first=one_of("<[`"),
    decided=(0, 2),
)
_INSIDE_REASONING_CONTENT_DELIMITERS = Watch(
    # </think>\s*
    closing("reasoning_content", Sequence(Literal("</think>"), Repeat(SPACE)))
)
_TOOL_CALLS_CLOSE = Watch(
    # (?<=\])\s*(?:```|</tool_call>|(?:<\|eot_id\|>|<\|im_end\|>|<\|end_of_text\|>|<\|endoftext\|>))\s*
    closing(
        "tool_calls",
        Sequence(
            Behind(Literal("]")),
            Repeat(SPACE),
            Choice(
                Literal("```"),
                Literal("</tool_call>"),
                Literal("<|eot_id|>"),
                Literal("<|im_end|>"),
                Literal("<|end_of_text|>"),
                Literal("<|endoftext|>"),
            ),
            Repeat(SPACE),
        ),
    ),
    first=one_of(SPACE, "<`"),
    wary=True,
    context=1,
)
_TRIGGERS = frozenset(
    "\t\n\x0b\x0c\r <[`\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
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
    WATCHES = {"_outside": _OUTSIDE, "_inside_tool_calls": _TOOL_CALLS_CLOSE}
    CONTEXT = 1
    PROBES = '"\x00\x01|{xutsronmlkjihgfedca`_][TSOLCA><:/,\t\n'
    DELIMITERS = {
        "_outside": _OUTSIDE,
        "_inside_reasoning_content": _INSIDE_REASONING_CONTENT_DELIMITERS,
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
        # "content": {"close_pattern":
        # "(?:<\\|eot_id\\|>|<\\|im_end\\|>|<\\|end_of_text\\|>|<\\|endoftext\\|>)\\s*"}
        # "reasoning_content": {"open": "<think>"}
        # "tool_calls": {"open_pattern":
        # "(?:```(?:json)?\\s*|<tool_call>\\s*|\\[TOOL_CALLS\\]\\s*)?(?=\\[\\s*\\{\\s*\\\"name\\\"\\s*:\\s*\\\"[^\\\"]*\\\"\\s*,\\s*\\\"arguments\\\"\\s*:)"}
        return self._scan(_OUTSIDE, text, at, events)

    def _inside_reasoning_content(self, text: str, at: int, events: Events) -> int:
        # "reasoning_content": {"close_pattern": "</think>\\s*"}
        start = text.find("</think>", at)
        if start < 0:
            return self._wait_for("</think>", text, at, events)
        self._close_reasoning_content(events, text[at:start])
        self._start += 8
        return self._swallow(text, start + 8, WHITE_SPACE)

    def _inside_tool_calls(self, text: str, at: int, events: Events) -> int:
        # "tool_calls": {"close_pattern":
        # "(?<=\\])\\s*(?:```|</tool_call>|(?:<\\|eot_id\\|>|<\\|im_end\\|>|<\\|end_of_text\\|>|<\\|endoftext\\|>))\\s*"}
        return self._scan(_TOOL_CALLS_CLOSE, text, at, events)

    def _close_reasoning_content(self, events: Events, last: str = "") -> None:
        # "reasoning_content": {"content": "text", "repeats": true, "join": "\n"}
        self._join("reasoning_content", self._take(events, last).strip(), events)

    def _close_tool_calls(self, events: Events, last: str = "") -> None:
        # "tool_calls": {"content": "json", "transform": {"type": "function", "function": {"name": "{name}",
        # "arguments": "{arguments}"}}, "transform_each": true}
        body = self._take(events, last)
        try:
            content = parse_json(body)
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
    "start_anchor": ["<|start_header_id|>assistant<|end_header_id|>\n\n", "<|im_start|>assistant\n"],
    "fields": {
        "reasoning_content": {
            "open": "<think>",
            "close_pattern": "</think>\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
        "tool_calls": {
            "open_pattern": '(?:```(?:json)?\\s*|<tool_call>\\s*|\\[TOOL_CALLS\\]\\s*)?(?=\\[\\s*\\{\\s*\\"name\\"\\s*:\\s*\\"[^\\"]*\\"\\s*,\\s*\\"arguments\\"\\s*:)',
            "close_pattern": "(?<=\\])\\s*(?:```|</tool_call>|(?:<\\|eot_id\\|>|<\\|im_end\\|>|<\\|end_of_text\\|>|<\\|endoftext\\|>))\\s*",
            "content": "json",
            "transform_each": True,
            "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        "content": {
            "close_pattern": "(?:<\\|eot_id\\|>|<\\|im_end\\|>|<\\|end_of_text\\|>|<\\|endoftext\\|>)\\s*",
            "repeats": True,
            "join": "\n",
            "content": "text",
        },
    },
}
