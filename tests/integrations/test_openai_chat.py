"""The chunks and the completions themselves: their shape, ids, finish reasons and errors."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.cases import TEMPLATES
from support.chunking import every_char, fixed
from support.ours import parser_of
from untemplate.compiler.pipeline import compile_standalone
from untemplate.integrations.openai import ChatCompletionStream, chat_completion, numbered

CALL = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'


def family(name: str) -> Any:
    return parser_of(json.loads((TEMPLATES / f"{name}.json").read_text("utf-8")))


def stream_of(module: Any, on_malformed: str = "event", **keys: Any) -> ChatCompletionStream:
    parser = module.ResponseParser("", on_malformed=on_malformed)
    return ChatCompletionStream(parser, model="m", completion_id="c", created=5, new_id=numbered(), **keys)


def fed(stream: ChatCompletionStream, chunks: list[str], reason: str | None = None) -> list[dict[str, Any]]:
    return [chunk for text in chunks for chunk in stream.feed(text)] + stream.finish(reason)


def deltas(chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [chunk["choices"][0]["delta"] for chunk in chunks]


def test_every_chunk_is_complete() -> None:
    chunks = fed(stream_of(family("smollm3")), every_char(f"<think>Hm</think>Hi{CALL}"))
    for chunk in chunks:
        assert list(chunk) == ["id", "object", "created", "model", "choices"]
        assert (chunk["id"], chunk["object"], chunk["created"], chunk["model"]) == (
            "c",
            "chat.completion.chunk",
            5,
            "m",
        )
        assert [choice["index"] for choice in chunk["choices"]] == [0]
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * (len(chunks) - 1) + ["tool_calls"]


def test_the_order_of_deltas() -> None:
    chunks = fed(stream_of(family("smollm3")), [f"<think>Hm</think>Hi{CALL}"])
    assert deltas(chunks) == [
        {"role": "assistant", "content": ""},
        {"reasoning_content": "Hm"},
        {"content": "Hi"},
        {"tool_calls": [{"index": 0, "id": "call_0", "type": "function", "function": {"name": "f", "arguments": ""}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"a": 1}'}}]},
        {},
    ]


def test_the_role_comes_first_and_at_once() -> None:
    stream = stream_of(family("smollm3"))
    assert deltas(stream.feed("<thi")) == [{"role": "assistant", "content": ""}]
    assert stream.feed("nk>") == []


def test_a_reply_without_any_text() -> None:
    assert deltas(fed(stream_of(family("smollm3")), [])) == [{"role": "assistant", "content": ""}, {}]


def test_what_the_prompt_has_written_is_part_of_the_reply() -> None:
    module = family("smollm3")
    parser = module.ResponseParser("<|im_start|>assistant\n<think>\nSo")
    stream = ChatCompletionStream(parser, model="m")
    assert deltas(stream.feed(" be it"))[1:] == [{"reasoning_content": "So be it"}]


def test_ids_of_the_reply_win() -> None:
    module = family("kimi_k2")
    text = "<|tool_call_begin|>functions.f:7<|tool_call_argument_begin|>{}<|tool_call_end|>"
    stream = stream_of(module)
    chunks = fed(stream, fixed(5)(text))
    starts = [call for delta in deltas(chunks) for call in delta.get("tool_calls", []) if "id" in call]
    assert [(call["id"], call["function"]["name"]) for call in starts] == [("functions.f:7", "f")]
    assert stream.completion()["choices"][0]["message"]["tool_calls"][0]["id"] == "functions.f:7"


def test_a_stream_and_its_completion_have_the_same_ids() -> None:
    stream = stream_of(family("smollm3"))
    broken = '<tool_call>{"name": "g", "arguments": {"a": </tool_call>'
    chunks = fed(stream, every_char(CALL + broken + CALL))
    ids = [call["id"] for delta in deltas(chunks) for call in delta.get("tool_calls", []) if "id" in call]
    assert ids == ["call_0", "call_1", "call_2"]
    calls = stream.completion()["choices"][0]["message"]["tool_calls"]
    assert [call["id"] for call in calls] == ["call_0", "call_2"]


def test_a_malformed_call_is_reported_and_void() -> None:
    stream = stream_of(family("smollm3"))
    chunks = fed(stream, every_char('Hi<tool_call>{"name": "f", "arguments": {"a": ]}</tool_call>'))
    errors = [error for chunk in chunks for error in chunk["choices"][0].get("errors", [])]
    assert [(error["type"], error["field"], error["tool_calls"]) for error in errors] == [
        ("malformed", "tool_calls", [0])
    ]
    assert errors[0]["text"] == '{"name": "f", "arguments": {"a": ]}'
    assert chunks[-1]["choices"][0]["finish_reason"] == "error"
    choice = stream.completion()["choices"][0]
    assert choice["finish_reason"] == "error"
    assert choice["message"] == {"role": "assistant", "content": "Hi"}
    assert choice["errors"] == errors


def test_an_error_that_is_raised_ends_the_reply() -> None:
    stream = stream_of(family("smollm3"), "raise")
    chunks = stream.feed("Hi<tool_call>{]</tool_call>more")
    assert deltas(chunks)[1] == {"content": "Hi"}
    assert stream.failed
    assert stream.feed("ignored") == []
    assert [chunk["choices"][0]["finish_reason"] for chunk in stream.finish()] == ["error"]
    assert stream.message == {"role": "assistant", "content": "Hi"}


@pytest.mark.parametrize("body", ["5", '["f"]', "{}", '{"name": 5}', '{"name": ""}'])
def test_json_that_is_no_call(body: str) -> None:
    stream = stream_of(family("smollm3"))
    chunks = fed(stream, every_char(f"<tool_call>{body}</tool_call>"))
    assert [delta for delta in deltas(chunks) if "tool_calls" in delta] == []
    assert chunks[-1]["choices"][0]["finish_reason"] == "error"
    assert [problem.kind for problem in stream.problems] == ["malformed"]


def test_a_call_without_arguments() -> None:
    stream = stream_of(family("smollm3"))
    fed(stream, every_char('<tool_call>{"name": "f"}</tool_call>'))
    assert stream.completion()["choices"][0]["message"]["tool_calls"][0]["function"] == {"name": "f", "arguments": "{}"}


def test_a_given_reason_wins() -> None:
    assert fed(stream_of(family("smollm3")), [CALL], "length")[-1]["choices"][0]["finish_reason"] == "length"


def test_fields_by_name() -> None:
    template = {
        "start_anchor": "<bot>",
        "fields": {
            "thinking": {"open": "<t>", "close": "</t>"},
            "mood": {"open": "<m>", "close": "</m>", "content": "int"},
            "content": {},
        },
    }
    stream = stream_of(parser_of(template))
    chunks = fed(stream, ["<t>Hm</t><m>7</m>Hi"])
    assert deltas(chunks)[1:] == [
        {"reasoning_content": "Hm"},
        {"content": "Hi"},
        {"extra_fields": {"mood": 7}},
        {},
    ]
    assert stream.completion()["choices"][0]["message"] == {
        "role": "assistant",
        "content": "Hi",
        "reasoning_content": "Hm",
        "extra_fields": {"mood": 7},
    }


def test_content_that_is_no_text_is_sent_as_json() -> None:
    template = {"start_anchor": "<bot>", "fields": {"content": {"content": "json"}}}
    chunks = fed(stream_of(parser_of(template)), every_char('{"a": [1, "é"]}'))
    assert deltas(chunks)[1:] == [{"content": '{"a": [1, "é"]}'}, {}]


def test_lone_surrogates_can_be_encoded() -> None:
    message = {"tool_calls": [{"function": {"name": "f", "arguments": {"a": "\ud800"}}}]}
    call = chat_completion(message, model="m")["choices"][0]["message"]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"].encode()) == {"a": "\ud800"}


def test_a_stream_ends_once() -> None:
    for mode in ("event", "raise"):
        stream = stream_of(family("smollm3"), mode)
        fed(stream, ["<tool_call>{]</tool_call>"])
        with pytest.raises(RuntimeError, match="finished"):
            stream.finish()
    with pytest.raises(RuntimeError, match="finished first"):
        stream_of(family("smollm3")).completion()


def test_a_message_as_a_completion() -> None:
    message = {
        "role": "assistant",
        "reasoning": "Hm",
        "content": "Hi",
        "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": {"a": 1}}}, "no call"],
    }
    completion = chat_completion(message, model="m", completion_id="c", created=5)
    choice = completion["choices"][0]
    assert choice["message"] == {
        "role": "assistant",
        "content": "Hi",
        "reasoning_content": "Hm",
        "tool_calls": [{"id": "x", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
    }
    assert choice["finish_reason"] == "error"
    assert [error["type"] for error in choice["errors"]] == ["malformed"]


MISSING = {
    "start_anchor": "<bot>",
    "fields": {
        "tool_calls": {"open": "<c>", "close": "</c>", "content": "json", "transform": {"function": "{content}"}},
        "meta": {"open": "<m>", "close": "</m>", "optional": False},
    },
}


def test_a_call_that_is_cut_off_while_a_field_is_missing() -> None:
    stream = stream_of(parser_of(MISSING))
    fed(stream, every_char('<c>{"name": "f", "arguments": {'))
    assert [(problem.kind, problem.calls) for problem in stream.problems] == [("malformed", (0,)), ("missing", ())]
    assert "not JSON at line 1, column 29" in stream.problems[0].reason


def test_a_broken_call_in_place_of_a_default() -> None:
    default = [{"function": {"name": "d", "arguments": {}}}]
    fields = {"tool_calls": MISSING["fields"]["tool_calls"]}
    module = parser_of({"start_anchor": "<bot>", "defaults": {"tool_calls": default}, "fields": fields})
    for size, calls in ((8, (0,)), (100, ())):
        stream = stream_of(module, on_malformed="raise")
        fed(stream, fixed(size)('<c>{"name":"f","arguments":{"a":1</c>'))
        assert [(problem.kind, problem.calls) for problem in stream.problems] == [("malformed", calls)]


def test_a_module_whose_errors_have_no_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those that stand alone and were made before errors had any."""
    source = compile_standalone(MISSING)
    assert source.count("self.events = events or []") == 1
    module = ModuleType("stands_alone")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(source.replace("self.events = events or []", "pass"), module.__dict__)
    stream = stream_of(module)
    fed(stream, every_char('<c>{"name": "f", "arguments": {'))
    assert [(problem.kind, problem.calls) for problem in stream.problems] == [("missing", ()), ("malformed", (0,))]


@pytest.mark.parametrize("name", ["qwen3_coder", "smollm3"])
def test_a_parser_that_stands_alone(name: str, tmp_path: Path) -> None:
    subprocess.run(
        [Path(sys.executable).parent / "compile-template", TEMPLATES / f"{name}.json", "--standalone", "-o", tmp_path],
        check=True,
        capture_output=True,
    )
    module = runpy.run_path(str(tmp_path / f"{name}.py"))
    text = {"qwen3_coder": "<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>", "smollm3": CALL}
    stream = ChatCompletionStream(module["ResponseParser"](""), model="m")
    fed(stream, every_char(text[name]))
    assert stream.problems == []
    assert stream.completion()["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "f"
    failing = ChatCompletionStream(module["ResponseParser"](""), model="m")
    failing.feed("<tool_call>{]</tool_call>")
    assert failing.failed is (name == "smollm3")
