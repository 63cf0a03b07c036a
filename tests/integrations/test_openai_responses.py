"""Responses, and messages of the other kind: the same deltas in blocks."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from support.cases import TEMPLATES, Case, load_transcripts
from support.chunking import at_random, every_char
from support.deltas import Collected, canonical, expected
from support.ours import parser_of
from untemplate.integrations.anthropic import MessageStream
from untemplate.integrations.openai import ResponseStream, numbered

SEED = ("smollm3", "qwen3_coder", "gpt_oss", "command_r7b", "kimi_k2")
TRANSCRIPTS = [case for case in load_transcripts() if case.name.split("-")[0] in SEED]


def fed(stream: Any, chunks: list[str], reason: str | None = None) -> list[dict[str, Any]]:
    return [event for text in chunks for event in stream.feed(text)] + stream.finish(reason)


def smollm(text: str, kind: Any, reason: str | None = None) -> list[dict[str, Any]]:
    module = parser_of(json.loads((TEMPLATES / "smollm3.json").read_text("utf-8")))
    parser = module.ResponseParser("", on_malformed="event")
    return fed(kind(parser, model="m", new_id=numbered()), every_char(text), reason)


def of_items(items: list[dict[str, Any]]) -> Collected:
    found = Collected()
    for item in items:
        if item["type"] == "function_call":
            found.calls.append((None, item["name"], canonical(json.loads(item["arguments"]))))
        elif item["type"] == "reasoning":
            found.reasoning += item["content"][0]["text"]
        else:
            found.content += item["content"][0]["text"]
    return found


def of_blocks(events: list[dict[str, Any]]) -> Collected:
    found = Collected()
    open_block: dict[str, Any] | None = None
    text = ""
    for event in events:
        match event["type"]:
            case "content_block_start":
                assert open_block is None
                open_block, text = event["content_block"], ""
            case "content_block_delta":
                text += next(value for key, value in event["delta"].items() if key != "type")
            case "content_block_stop":
                assert open_block is not None
                if open_block["type"] == "tool_use":
                    found.calls.append((None, open_block["name"], canonical(json.loads(text))))
                elif open_block["type"] == "thinking":
                    found.reasoning += text
                else:
                    found.content += text
                open_block = None
    return found


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=repr)
def test_transcripts(case: Case) -> None:
    module = parser_of(case.template)
    wanted = expected(case.message)
    wanted.calls = [(None, name, arguments) for _, name, arguments in wanted.calls]
    for chunks in ([case.output], every_char(case.output), at_random(case.output, Random(3))):
        parser = module.ResponseParser(case.prefix, tools=case.tools)
        last = fed(ResponseStream(parser, model="m"), chunks)[-1]
        assert last["type"] == "response.completed"
        assert of_items(last["response"]["output"]) == wanted
        parser = module.ResponseParser(case.prefix, tools=case.tools)
        assert of_blocks(fed(MessageStream(parser, model="m"), chunks)) == wanted


def test_the_events_are_those_of_the_api() -> None:
    pydantic = pytest.importorskip("pydantic")
    types = pytest.importorskip("openai.types.responses")
    event_type = pydantic.TypeAdapter(types.ResponseStreamEvent)
    text = '<think>Hm</think>Hi<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    events = smollm(text, ResponseStream)
    for number, event in enumerate(events):
        assert event_type.validate_python(event).sequence_number == number
    assert [event["type"] for event in events if "delta" not in event["type"]] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.reasoning_text.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.output_item.added",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
    ]


def test_a_malformed_call_is_no_output() -> None:
    text = 'Hi<tool_call>{"name": "f", "arguments": {"a": ]}</tool_call>'
    response = smollm(text, ResponseStream)[-1]["response"]
    assert response["status"] == "failed"
    assert [item["type"] for item in response["output"]] == ["message"]
    assert response["errors"][0]["type"] == "malformed"
    delta = smollm(text, MessageStream)[-2]["delta"]
    assert delta["stop_reason"] == "error"
    assert delta["errors"][0]["blocks"] == [1]


def test_reasons() -> None:
    assert smollm("Hi", ResponseStream, "max_output_tokens")[-1]["response"]["status"] == "incomplete"
    assert smollm("Hi", MessageStream, "max_tokens")[-2]["delta"]["stop_reason"] == "max_tokens"
    assert smollm("Hi", MessageStream)[-2]["delta"]["stop_reason"] == "end_turn"
    text = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    assert smollm(text, MessageStream)[-2]["delta"]["stop_reason"] == "tool_use"


def test_the_blocks_of_a_message() -> None:
    text = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    events = [event for event in smollm(text, MessageStream) if event["type"] != "content_block_delta"]
    assert events[1:-2] == [
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "call_0", "name": "f", "input": {}},
        },
        {"type": "content_block_stop", "index": 0},
    ]
