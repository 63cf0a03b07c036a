"""Verifies a parser on one conversation: renders it, takes the reply's text out, parses that, and compares."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from untemplate.compiler.verify.chat_template import ChatTemplate, RenderError, Tool
from untemplate.compiler.verify.comparison import MISSING, Difference, first_difference, normalised
from untemplate.compiler.verify.conversations import Conversation, spellings
from untemplate.compiler.verify.reply import split_reply
from untemplate.runtime import ResponseParseError


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the message that came out is not the one put in.

    Attributes:
        difference: the first difference; `None` where the parser rejected the reply.
        how: "at once" or "streamed": how the parser was given the reply.
        error: why the parser rejected the reply; empty if it did not.
        position: where in the reply's text it is about, in characters.
    """

    difference: Difference | None
    how: str
    error: str
    position: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one conversation.

    Attributes:
        conversation: the name of the conversation.
        prompt: the part of the rendered conversation before the reply.
        output: the reply, as the chat template writes it.
        fault: what is wrong; `None` if nothing is.
        skipped: why the conversation could not be tried; empty if it was.
        notes: what the reader should know besides.
    """

    conversation: str
    prompt: str = ""
    output: str = ""
    fault: Fault | None = None
    skipped: str = ""
    notes: tuple[str, ...] = ()


def verify(parser: ModuleType, chat_template: ChatTemplate, conversation: Conversation) -> Result:
    """Verifies one conversation, in the first spelling in which its reply comes back; else in the first that renders.

    Args:
        parser: a generated parser module.
    """
    first: Result | None = None
    for words, spelt in spellings(conversation):
        result = _verify(parser, chat_template, spelt)
        if words and not result.skipped:
            result = replace(result, notes=(*result.notes, f"the calls were put in {words}"))
        if not result.skipped and result.fault is None:
            return result
        if first is None or (first.skipped and not result.skipped):
            first = result
    assert first is not None, "a conversation has at least one spelling"
    return first


def _verify(parser: ModuleType, chat_template: ChatTemplate, conversation: Conversation) -> Result:
    try:
        prompt, output, note = split_reply(chat_template, conversation)
    except RenderError as error:
        said = "the chat template refuses it" if error.refused else "the chat template fails on it"
        return Result(conversation.name, skipped=f"{said}: {error}")
    expected = normalised(conversation.reply)
    notes = [note] if note else []
    fault = None
    for how, parse in (("at once", _at_once), ("streamed", _streamed)):
        try:
            found = normalised(parse(parser, prompt, output, conversation.tools))
        except ResponseParseError as error:
            fault = Fault(None, how, str(error), max(0, output.find(error.raw)))
            break
        written, dropped = _without_dropped(expected, found, output)
        notes += [line for line in dropped if line not in notes]
        difference = first_difference(written, found)
        if difference is not None:
            fault = Fault(difference, how, "", _position(difference, written, output))
            break
    if fault is None and not written:
        return Result(conversation.name, prompt, output, skipped="; ".join(notes) or "the message is empty")
    return Result(conversation.name, prompt, output, fault, notes=tuple(notes))


def _at_once(parser: ModuleType, prompt: str, output: str, tools: tuple[Tool, ...] | None) -> dict[str, Any]:
    message: dict[str, Any] = parser.parse_response(output, prefix=prompt, tools=tools)
    return message


def _streamed(parser: ModuleType, prompt: str, output: str, tools: tuple[Tool, ...] | None) -> dict[str, Any]:
    stream = parser.ResponseParser(prompt, tools=tools)
    for character in output:
        stream.feed(character)
    message: dict[str, Any] = stream.finalize()[0]
    return message


def _without_dropped(expected: dict[str, Any], found: dict[str, Any], output: str) -> tuple[dict[str, Any], list[str]]:
    """What the parser can be asked for: the expected message without the parts that the chat template did not write.

    A part that the parser found after all stays, to be compared. Also notes, one for each part that is gone.
    """
    gone = [key for key in _TEXTS if key in expected and key not in found and expected[key] not in output]
    notes = [f"the chat template does not write the {_TEXTS[key]}" for key in gone]
    written = {key: value for key, value in expected.items() if key not in gone}
    if isinstance(calls := written.get("tool_calls"), list):
        kept = _written_calls(calls, output)
        if len(kept) < len(calls) and len(found.get("tool_calls", [])) <= len(kept):
            count = f"writes {len(kept)} of the {len(calls)} calls" if kept else "does not write the calls"
            notes.append(f"the chat template {count}")
            written["tool_calls"] = kept
    return {key: value for key, value in written.items() if value}, notes


_TEXTS = {"reasoning_content": "reasoning", "content": "content"}


def _written_calls(calls: list[Any], output: str) -> list[Any]:
    """The calls whose function's name the output has, for each name the first ones, as often as it has it."""
    left = {name: output.count(name) for name in map(_name, calls)}
    kept = []
    for call in calls:
        left[_name(call)] -= 1
        if left[_name(call)] >= 0:
            kept.append(call)
    return kept


def _name(call: Any) -> str:
    return str(call["function"]["name"]) if isinstance(call, dict) and "function" in call else ""


def _position(difference: Difference, expected: dict[str, Any], output: str) -> int:
    """Where the output has what the difference is about: the expected value, else the found one, else its call."""
    for value in (difference.expected, difference.found):
        for text in _written_forms(value):
            if text in output:
                return output.index(text)
    if difference.path[:1] == ("tool_calls",) and len(difference.path) > 1:
        calls = expected.get("tool_calls", [])
        index = difference.path[1]
        if isinstance(index, int) and index < len(calls):
            return max(0, output.find(_name(calls[index])))
    return 0


def _written_forms(value: Any) -> list[str]:
    if value is MISSING:
        return []
    if isinstance(value, str):
        return [text for text in (value, json.dumps(value, ensure_ascii=False)[1:-1]) if text]
    return [json.dumps(value, ensure_ascii=False)]
