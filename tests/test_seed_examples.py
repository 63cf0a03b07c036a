"""The worked examples of the description of response templates, each with its literal result."""

from __future__ import annotations

from typing import Any

import pytest

from support.chunking import every_char, merge, stream
from support.ours import message_of, parser_of
from untemplate.compiler import TemplateError
from untemplate.runtime import ResponseParseError

SMOLLM: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>", "content": "text"},
        "tool_calls": {
            "open": "<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": "<|im_end|>", "content": "text"},
    },
}
GREETING = (
    "<think>\nI should greet the user\n</think>\n\n"
    '<tool_call>{"name": "greet_user", "arguments": {"greeting": "Hi!"}}</tool_call>'
)
GREET_CALL = {"type": "function", "function": {"name": "greet_user", "arguments": {"greeting": "Hi!"}}}


def one_field(name: str, **keys: Any) -> dict[str, Any]:
    return {"start_anchor": "<|im_start|>assistant\n", "fields": {name: keys}}


def parse(template: dict[str, Any], output: str, prefix: str = "", tools: list[Any] | None = None) -> Any:
    return parser_of(template).parse_response(output, prefix=prefix, tools=tools)


def test_reasoning_and_a_call() -> None:
    assert parse(SMOLLM, GREETING) == {
        "role": "assistant",
        "reasoning_content": "I should greet the user",
        "tool_calls": [GREET_CALL],
    }


def test_typical_events() -> None:
    text = "<think>I should greet the user</think>" + GREETING[GREETING.index("<tool_call>") :]
    _, events = stream(parser_of(SMOLLM), "", every_char(text))
    body = '{"name": "greet_user", "arguments": {"greeting": "Hi!"}}'
    assert events == [
        {"type": "region_open", "field": "reasoning_content"},
        {"type": "region_chunk", "field": "reasoning_content", "text": "I should greet the user", "dirty": False},
        {"type": "region_close", "field": "reasoning_content", "value": "I should greet the user"},
        {"type": "region_open", "field": "tool_calls"},
        {"type": "region_chunk", "field": "tool_calls", "text": body, "dirty": True},
        {"type": "region_close", "field": "tool_calls", "value": GREET_CALL},
    ]
    assert [list(event) for event in events[:3]] == [
        ["type", "field"],
        ["type", "field", "text", "dirty"],
        ["type", "field", "value"],
    ]


def test_only_the_last_turn_of_the_prompt_counts() -> None:
    prompt = (
        "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>\n"
        "<|im_start|>user\nAgain?<|im_end|>\n<|im_start|>assistant\n"
    )
    assert parse(SMOLLM, "Yes.<|im_end|>", prefix=prompt) == {"role": "assistant", "content": "Yes."}


def test_what_the_prompt_wrote_is_in_the_message_and_in_the_initial_events() -> None:
    parser = parser_of(SMOLLM).ResponseParser("<|im_start|>assistant\n<think>\nHmm.</think>Well")
    assert merge(parser.initial_events) == [
        {"type": "region_open", "field": "reasoning_content"},
        {"type": "region_chunk", "field": "reasoning_content", "text": "\nHmm.", "dirty": False},
        {"type": "region_close", "field": "reasoning_content", "value": "Hmm."},
        {"type": "region_open", "field": "content"},
        {"type": "region_chunk", "field": "content", "text": "Well", "dirty": False},
    ]
    assert parser.feed(", yes") == [{"type": "region_chunk", "field": "content", "text": ", yes", "dirty": False}]
    message, events = parser.finalize()
    assert message == {"role": "assistant", "reasoning_content": "Hmm.", "content": "Well, yes"}
    assert events == [{"type": "region_close", "field": "content", "value": "Well, yes"}]


def test_the_prompt_is_required() -> None:
    with pytest.raises(ValueError, match='prefix=""'):
        parser_of(SMOLLM).parse_response("Hi", prefix=None)
    with pytest.raises(ValueError, match='prefix=""'):
        parser_of(SMOLLM).ResponseParser(None)


def test_the_anchor_is_not_looked_for_in_the_output() -> None:
    template = {
        "start_anchor": "<|start|>assistant",
        "fields": {
            "reasoning_content": {"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
            "content": {"open": "<|channel|>final<|message|>", "close": "<|return|>"},
        },
    }
    output = "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>"
    prompt = "<|start|>user<|message|>2+2?<|end|><|start|>assistant"
    assert parse(template, output, prompt) == {"reasoning_content": "Easy.", "content": "4"}


def test_parallel_calls_become_a_list() -> None:
    field = {"open": "<tool_call>", "close": "</tool_call>", "content": "json", "repeats": True}
    output = '<tool_call>{"name": "a", "x": 1}</tool_call><tool_call>{"name": "b"}</tool_call>'
    assert parse(one_field("tool_calls", **field), output) == {"tool_calls": [{"name": "a", "x": 1}, {"name": "b"}]}


def test_join() -> None:
    template = one_field("reasoning_content", open="<think>", close="</think>", repeats=True, join="\n")
    output = "<think>first</think>...<think>second</think>"
    assert parse(template, output) == {"reasoning_content": "first\nsecond"}
    _, events = stream(parser_of(template), "", [output])
    assert [event["value"] for event in events if event["type"] == "region_close"] == ["first", "second"]


def test_joined_values_must_be_strings() -> None:
    template = one_field("n", open="<n>", close="</n>", content="json", repeats=True, join="-")
    assert parse(template, '<n>"a"</n><n>"b"</n>') == {"n": "a-b"}
    with pytest.raises(ResponseParseError):
        parse(template, '<n>"a"</n><n>1</n>')


def test_a_required_field_that_is_missing() -> None:
    template = one_field("answer", open="<a>", close="</a>", optional=False)
    assert parse(template, "<a>1</a>") == {"answer": "1"}
    with pytest.raises(ResponseParseError) as caught:
        parse(template, "nothing")
    assert caught.value.field == "answer"


def test_the_end_closes_what_is_open() -> None:
    assert parse(SMOLLM, "<think>on and") == {"role": "assistant", "reasoning_content": "on and"}


def test_no_close_runs_to_the_end() -> None:
    assert parse(one_field("rest", open=">>"), "a>>b</b>>>c") == {"rest": "b</b>>>c"}


def test_int() -> None:
    assert parse(one_field("count", open="<n>", close="</n>", content="int"), "<n> 42 </n>") == {"count": 42}


def test_unquoted_keys() -> None:
    template = one_field("args", open="<args>", close="</args>", content="json", content_args={"unquoted_keys": True})
    assert parse(template, '<args>{city: "London"}</args>') == {"args": {"city": "London"}}


def test_a_tag_for_each_argument() -> None:
    template = one_field(
        "tool_calls",
        open_pattern=r"<tool_call>\s*<function=(?P<name>\w+)>",
        close="</tool_call>",
        repeats=True,
        content="xml-inline",
        content_args={
            "tag_pattern": r"<parameter=(?P<key>\w+)>\s*(?P<value>.*?)\s*</parameter>",
            "value_parser": {"name": "json", "args": {"allow_non_json": True}},
        },
        transform={"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
    )
    output = (
        "<tool_call><function=get_weather><parameter=city>London</parameter>"
        "<parameter=units>celsius</parameter></function></tool_call>"
    )
    function = {"name": "get_weather", "arguments": {"city": "London", "units": "celsius"}}
    assert parse(template, output) == {"tool_calls": [{"type": "function", "function": function}]}


def test_key_value_lines() -> None:
    template = one_field("metadata", open="<meta>", close="</meta>", content="kv-lines")
    assert parse(template, "<meta>name: alice\nage: 30</meta>") == {"metadata": {"name": "alice", "age": "30"}}
    template["fields"]["metadata"]["content_args"] = {"value_parser": {"name": "int"}}
    assert parse(template, "<meta>\n\nage: 30\nno pair\n</meta>") == {"metadata": {"age": 30}}


TOOL = {
    "type": "function",
    "function": {
        "name": "set_alarm",
        "parameters": {
            "type": "object",
            "properties": {"hour": {"type": "integer"}, "enabled": {"type": "boolean"}, "label": {"type": "string"}},
        },
    },
}
ALARM = '<tool_call>{"name": "set_alarm", "arguments": {"hour": "7", "enabled": "true", "label": "wake up"}}'


def test_arguments_are_typed_by_the_schema_of_their_tool() -> None:
    arguments = parse(SMOLLM, ALARM, tools=[TOOL])["tool_calls"][0]["function"]["arguments"]
    assert arguments == {"hour": 7, "enabled": True, "label": "wake up"}
    assert parse(SMOLLM, ALARM, tools=[TOOL["function"]])["tool_calls"][0]["function"]["arguments"] == arguments


def test_arguments_are_typed_when_their_region_closes() -> None:
    events = parser_of(SMOLLM).ResponseParser("", tools=[TOOL]).feed(ALARM + "</tool_call>")
    assert events[-1]["type"] == "region_close"
    assert events[-1]["value"]["function"]["arguments"] == {"hour": 7, "enabled": True, "label": "wake up"}


def set_alarm(hour: int, enabled: bool, label: str = "") -> None:
    """Set an alarm.

    Args:
        hour: The full hour.
        enabled: Whether it rings.
        label: What it is for.
    """


def test_a_python_function_is_a_tool() -> None:
    arguments = parse(SMOLLM, ALARM, tools=[set_alarm])["tool_calls"][0]["function"]["arguments"]
    assert arguments == {"hour": 7, "enabled": True, "label": "wake up"}


RENAMED = one_field(
    "tool_calls",
    open="<tool>",
    close="</tool>",
    repeats=True,
    content="json",
    transform={"type": "function", "function": {"name": "{content.name}", "arguments": "{content.args}"}},
)


def test_a_path_renames_a_key() -> None:
    message = parse(RENAMED, '<tool>{"name": "f", "args": {"x": [1]}}</tool>')
    assert message == {"tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"x": [1]}}}]}


def test_a_path_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ResponseParseError) as caught:
        parse(RENAMED, '<tool>{"name": "f"}</tool>')
    assert (caught.value.field, caught.value.raw, caught.value.position) == ("tool_calls", '{"name": "f"}', 6)


def test_the_name_stands_in_the_header() -> None:
    template = one_field(
        "tool_calls",
        open_pattern=r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
        close="<|call|>",
        repeats=True,
        content="json",
        transform={"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
    )
    output = (
        "<|channel|>commentary to=functions.get_current_weather <|constrain|>json<|message|>"
        '{"location": "San Francisco, CA"}<|call|>'
    )
    function = {"name": "get_current_weather", "arguments": {"location": "San Francisco, CA"}}
    assert parse(template, output) == {"tool_calls": [{"type": "function", "function": function}]}


def test_each_element_is_transformed() -> None:
    template = one_field(
        "tool_calls",
        open="<|START_ACTION|>",
        close="<|END_ACTION|>",
        content="json",
        transform_each=True,
        transform={"type": "function", "function": {"name": "{tool_name}", "arguments": "{parameters}"}},
    )
    output = (
        '<|START_ACTION|>[{"tool_name": "greet_user", "parameters": {"greeting": "Hi!"}},\n'
        '{"tool_name": "search", "parameters": {"query": "weather tomorrow"}}]<|END_ACTION|>'
    )
    search = {"name": "search", "arguments": {"query": "weather tomorrow"}}
    assert parse(template, output) == {"tool_calls": [GREET_CALL, {"type": "function", "function": search}]}


def test_empty_fields_are_dropped_but_for_defaults() -> None:
    template = {**SMOLLM, "defaults": {"role": "assistant", "content": ""}}
    assert parse(template, "<think></think>") == {"role": "assistant", "content": ""}


@pytest.mark.parametrize(
    ("pattern", "text", "left"),
    [(r"<\w+>", "a<मौसम>b", "ab"), (r"<.*>", "a<\n>b", "ab"), (r"^<|<$", "<a\n<b<", "a\n<b")],
    ids=["unicode", "dotall", "no multiline"],
)
def test_the_dialect_of_patterns(pattern: str, text: str, left: str) -> None:
    template = one_field("content", close_pattern=pattern, repeats=True, join="")
    assert message_of(template, text) == {"content": left}


@pytest.mark.parametrize(
    "fields",
    [
        {"a": {"open": "<", "open_pattern": "<"}},
        {"a": {"open": "<", "close": ">", "close_pattern": ">"}},
        {"a": {}, "b": {}},
        {"a": {"open": "<", "join": ""}},
        {"a": {"open": "<", "transform": {"x": "abc {content} def"}}},
        {"a": {"open_pattern": "<(?P<name>.)>"}},
        {"a": {"open": ""}},
        {"a": {"open": []}},
        {"a": {"open_pattern": "("}},
        {"a": {"opens": "<"}},
        {"a": {"content": "yaml"}},
        {"a": {"content": "xml-inline"}},
        {},
    ],
)
def test_templates_that_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(TemplateError):
        parser_of({"start_anchor": "@", "fields": fields})


@pytest.mark.parametrize("anchors", [{}, {"start_anchor": "@", "start_anchor_pattern": "@"}])
def test_there_must_be_one_anchor(anchors: dict[str, Any]) -> None:
    with pytest.raises(TemplateError):
        parser_of({**anchors, "fields": {"a": {}}})
