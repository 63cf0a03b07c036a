"""Calls in every layout that is followed while it is written, with hostile arguments and types of tools."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.chunking import at_random, every_char, fixed, whole
from support.deltas import collect, expected, run
from support.ours import parser_of
from untemplate.compiler.pipeline import compile_standalone
from untemplate.integrations.deltas import CallPiece, CallStart, DeltaStream

KEYS = ["a", "b", "city", "é", 'q"k', "back\\slash", "name", "arguments", ""]
BARE_KEYS = ["a", "b", "city", "é", "n_1"]
STRINGS = [
    "",
    "42",
    " 7 ",
    "true",
    "null",
    "1e3",
    "[1, 2]",
    '{"x": "y"}',
    'say "hi"',
    "a\\b",
    "tab\t\n",
    "}],{[",
    "🙂",
    "\u2028",
]
SCALARS: list[Any] = [0, -7, 2.5, 1e300, True, False, None, float("nan"), 10**30]
TYPES: list[Any] = [
    {"type": "string"},
    {"type": "integer"},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "array"},
    {"type": "object"},
    {"type": ["null", "integer"]},
    {"anyOf": [{"type": "string"}, {"type": "number"}]},
]


def value(rng: Random, depth: int = 0) -> Any:
    roll = rng.random()
    if depth < 3 and roll < 0.15:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if depth < 3 and roll < 0.3:
        return {rng.choice(BARE_KEYS): value(rng, depth + 1) for _ in range(rng.randrange(4))}
    return rng.choice(STRINGS if roll < 0.7 else SCALARS)


def arguments(rng: Random, keys: list[str] = KEYS) -> dict[str, Any]:
    return {rng.choice(keys): value(rng) for _ in range(rng.randrange(5))}


def dumped(rng: Random, item: Any) -> str:
    style = rng.randrange(3)
    return json.dumps(
        item,
        ensure_ascii=rng.random() < 0.5,
        indent=1 if style == 0 else None,
        separators=(",", ":") if style == 1 else None,
    )


def shuffled(rng: Random, members: dict[str, Any]) -> dict[str, Any]:
    keys = list(members)
    rng.shuffle(keys)
    return {key: members[key] for key in keys}


def body_object(rng: Random) -> str:
    call = {"name": rng.choice(["f", "g"]), "arguments": arguments(rng), "extra": value(rng)}
    if rng.random() < 0.5:
        del call["extra"]
    return f"<c>{rng.choice(['', chr(10)])}{dumped(rng, shuffled(rng, call))}{rng.choice(['', ' '])}</c>"


def captured_name(rng: Random) -> str:
    return f"<c {rng.choice('fg')}>{dumped(rng, arguments(rng))}</c>"


def array(rng: Random) -> str:
    calls = []
    for number in range(rng.randrange(4)):
        call = {"tool_call_id": str(number), "tool_name": rng.choice("fg"), "parameters": arguments(rng)}
        if rng.random() < 0.4:
            del call["tool_call_id"]
        calls.append(shuffled(rng, call))
    return f"<c>{dumped(rng, calls)}</c>"


def dialect(rng: Random, item: Any) -> str:
    match item:
        case dict():
            return "{" + ", ".join(f"{key}: {dialect(rng, member)}" for key, member in item.items()) + "}"
        case list():
            return "[" + ",".join(dialect(rng, member) for member in item) + "]"
        case str() if "\n" in item or rng.random() < 0.7:
            return f'<|"|>{item}<|"|>'
    return json.dumps(item)


def loose(rng: Random) -> str:
    return f"<c {rng.choice('fg')}>{dialect(rng, arguments(rng, BARE_KEYS))}</c>"


def literal(item: Any) -> str:
    if isinstance(item, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {literal(member)}" for key, member in item.items()) + "}"
    if isinstance(item, list):
        return "[" + ", ".join(map(literal, item)) + "]"
    return json.dumps(item) if isinstance(item, str) else repr(item)


def call_list(rng: Random) -> str:
    calls = []
    for _ in range(rng.randrange(4)):
        pairs = {key: member for key, member in arguments(rng, ["a", "b", "c_d"]).items() if "nan" not in repr(member)}
        inside = ", ".join(f"{key}={literal(member)}" for key, member in pairs.items())
        calls.append(f"{rng.choice(['f', 'g', 'ns.f'])}({inside})")
    return f"<c>[{', '.join(calls)}]</c>"


def tags(rng: Random) -> str:
    pairs = [(rng.choice(BARE_KEYS), rng.choice(STRINGS)) for _ in range(rng.randrange(5))]
    body = "".join(f"<p={key}>\n{text}\n</p>\n" for key, text in pairs)
    return f"<c {rng.choice('fg')}>\n{body}</c>"


def lines(rng: Random) -> str:
    texts = [text for text in STRINGS if "\n" not in text]
    body = "\r\n".join(f"{rng.choice(BARE_KEYS)}: {rng.choice(texts)}" for _ in range(rng.randrange(5)))
    return f"<c {rng.choice('fg')}>{body}</c>"


NAMED = {"open_pattern": r"<c (?P<name>\w+)>", "close": "</c>"}
FROM_NAME = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
EACH = {"type": "function", "id": "{tool_call_id}", "function": {"name": "{tool_name}", "arguments": "{parameters}"}}
TAG = r"<p=(?P<key>[^>\n]+)>\n?(?P<value>.*?)(?:\n?</p>|(?=\n<p=[^>\n]+>))"
LAYOUTS: dict[str, tuple[dict[str, Any], Callable[[Random], str]]] = {
    "body": (
        {"open": "<c>", "close": "</c>", "content": "json", "transform": {"function": "{content}"}},
        body_object,
    ),
    "members": (
        {
            "open": "<c>",
            "close": "</c>",
            "content": "json",
            "transform": {"function": {"name": "{content.name}", "arguments": "{content.arguments}"}},
        },
        body_object,
    ),
    "captured name": ({**NAMED, "content": "json", "transform": FROM_NAME}, captured_name),
    "array": (
        {
            "open_pattern": "<c>(?P<tool_call_id>)",
            "close": "</c>",
            "content": "json",
            "transform_each": True,
            "transform": EACH,
        },
        array,
    ),
    "dialect": (
        {
            **NAMED,
            "content": "json",
            "content_args": {"unquoted_keys": True, "string_delims": [['<|"|>', '<|"|>']]},
            "transform": FROM_NAME,
        },
        loose,
    ),
    "call list": (
        {
            "open": "<c>",
            "close": "</c>",
            "content": "python-call-list",
            "transform_each": True,
            "transform": {"function": {"name": "{name}", "arguments": "{arguments}"}},
        },
        call_list,
    ),
    "tags": (
        {**NAMED, "content": "xml-inline", "content_args": {"tag_pattern": TAG}, "transform": FROM_NAME},
        tags,
    ),
    "tags with values in JSON": (
        {
            **NAMED,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": TAG,
                "value_parser": {"name": "json", "args": {"allow_non_json": True}},
            },
            "transform": FROM_NAME,
        },
        tags,
    ),
    "lines": (
        {**NAMED, "content": "kv-lines", "content_args": {"line_sep": "\r\n"}, "transform": FROM_NAME},
        lines,
    ),
}


def template(field: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return {"start_anchor": "<bot>", "fields": {"tool_calls": {**field, **keys}, "content": {}}}


def tools(rng: Random) -> list[Any] | None:
    if rng.random() < 0.3:
        return None
    return [
        {"name": name, "parameters": {"properties": {key: rng.choice(TYPES) for key in KEYS if rng.random() < 0.7}}}
        for name in ("f", "g")
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=120, deadline=None)
@given(rng=st.integers(0, 2**32).map(Random))
def test_arguments_add_up(layout: str, rng: Random) -> None:
    field, write = LAYOUTS[layout]
    module = parser_of(template(field, repeats=True))
    output = "".join(
        [rng.choice(["", "Hi "]), *(write(rng) for _ in range(rng.choice([1, 1, 2]))), rng.choice(["", "!"])]
    )
    declared = tools(rng)
    message = module.parse_response(output, prefix="", tools=declared, on_malformed="event")
    for chunks in (whole(output), every_char(output), fixed(3)(output), at_random(output, rng)):
        stream, deltas = run(module.ResponseParser("", tools=declared, on_malformed="event"), chunks)
        assert collect(deltas) == expected(message)
        assert stream.message == message or "nan" in repr(message)
        assert not [problem for problem in stream.problems if problem.kind == "rewritten"]


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=60, deadline=None)
@given(rng=st.integers(0, 2**32).map(Random))
def test_replies_that_are_cut_off_or_broken(layout: str, rng: Random) -> None:
    field, write = LAYOUTS[layout]
    module = parser_of(template(field, repeats=rng.random() < 0.5))
    output = "".join(write(rng) for _ in range(2))
    at = rng.randrange(len(output) + 1)
    output = output[:at] + rng.choice(["", output[at + 1 :], "}" + output[at:], '"' + output[at:]])
    for mode in ("event", "raise"):
        for chunks in (whole(output), every_char(output), at_random(output, rng)):
            stream, deltas = run(module.ResponseParser("", on_malformed=mode), chunks, rng.choice(["send", "hold"]))
            assert stream.message is not None
            assert collect(deltas) == expected(stream.message)


def spoken(field: dict[str, Any], output: str, size: int, declared: list[Any] | None = None) -> list[str]:
    """Names and pieces in the order in which they are sent."""
    parser = parser_of(template(field)).ResponseParser("", tools=declared)
    _, deltas = run(parser, fixed(size)(output))
    return [
        f"{delta.name}:" if isinstance(delta, CallStart) else delta.piece
        for delta in deltas
        if isinstance(delta, (CallStart, CallPiece))
    ]


def test_json_arguments_follow_the_text() -> None:
    output = '<c>{"name": "f", "arguments": {"city": "Lyon", "days": [1, 2]}}</c>'
    assert spoken(LAYOUTS["body"][0], output, 8) == ["f:", '{"', 'city": "', 'Lyon", "', 'days": [', "1, 2]}"]


def test_arguments_before_the_name_wait_for_it() -> None:
    output = '<c>{"arguments": {"city": "Lyon"}, "name": "f"}</c>'
    assert spoken(LAYOUTS["body"][0], output, 1) == ["f:", '{"city": "Lyon"}']


def test_a_string_waits_only_if_its_type_casts() -> None:
    declared = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}}]
    output = '<c f>{"s": "12", "n": "34", "n2": "56"}</c>'
    pieces = spoken(LAYOUTS["captured name"][0], output, 1, declared)
    assert "".join(pieces) == 'f:{"s": "12", "n": 34, "n2": "56"}'
    assert [piece for piece in pieces if len(piece) > 1] == ["f:", "34"]


def test_the_calls_of_an_array_follow_element_by_element() -> None:
    output = (
        '<c>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": 1}}, {"tool_name": "g", "parameters": {}}]</c>'
    )
    assert spoken(LAYOUTS["array"][0], output, 4) == ["f:", '{"', 'a": ', "1}", "g:", "{}"]


def test_a_tag_follows_when_it_is_decided() -> None:
    output = "<c f>\n<p=a>\n1\n</p>\n<p=b>\n2\n</p>\n</c>"
    assert spoken(LAYOUTS["tags"][0], output, 1) == ["f:", '{"a": "1"', ', "b": "2"', "}"]


def test_a_module_that_stands_alone_has_all_that_tags_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tags are followed by an automaton, which nothing else in it does."""
    pattern = r"<(?P<key>\w+)>(?P<value>.*?)</\w+>"
    call = {"function": {"name": "f", "arguments": "{content}"}}
    field = {"open": "<c>", "close": "</c>", "content": "xml-inline", "content_args": {"tag_pattern": pattern}}
    fields = {"tool_calls": {**field, "transform": call}}
    source = compile_standalone({"start_anchor": "@", "fields": fields})
    module = ModuleType("stands_alone")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(source, module.__dict__)
    stream = DeltaStream(module.ResponseParser(""))
    deltas = [delta for chunk in ("<c>", "<a>x</a><", "b>y</b></c>") for delta in stream.feed(chunk)]
    assert collect([*deltas, *stream.finish()]).calls == [(None, "f", '{"a": "x", "b": "y"}')]


def test_arguments_of_a_call_list_follow_one_by_one() -> None:
    output = "<c>[f(a=1, b='x,)'), g()]</c>"
    assert spoken(LAYOUTS["call list"][0], output, 1) == ["f:", '{"a": 1', ', "b": "x,)"}', "g:", "{}"]


def test_a_second_name_voids_the_call() -> None:
    output = '<c>{"name": "f", "arguments": {"a": 1}, "name": "g"}</c>'
    parser = parser_of(template(LAYOUTS["body"][0])).ResponseParser("")
    stream, deltas = run(parser, every_char(output))
    assert [(problem.kind, problem.calls) for problem in stream.problems] == [("rewritten", (0,))]
    assert collect(deltas).calls == [(None, "g", '{"a": 1}')]
    assert stream.outcome == "error"


def test_a_call_stands_that_ends_in_the_text_that_breaks_the_next() -> None:
    module = parser_of(template(LAYOUTS["body"][0], repeats=True))
    start, rest = '<c>{"name": "f", "arguments": {"a"', ': 1}}</c><c>{"name": "g", "arguments"}</c>'
    stream, deltas = run(module.ResponseParser(""), [start, rest])
    assert [(problem.kind, problem.calls) for problem in stream.problems] == [("malformed", ())]
    assert collect(deltas).calls == [(None, "f", '{"a": 1}')]


def test_a_second_region_of_a_field_that_does_not_repeat_replaces_the_first() -> None:
    output = "<c f>{}</c><c g>{}</c>"
    for overwrites, kinds in (("send", ["replaced"]), ("hold", [])):
        parser = parser_of(template(LAYOUTS["captured name"][0])).ResponseParser("")
        stream, deltas = run(parser, every_char(output), overwrites)
        assert [problem.kind for problem in stream.problems] == kinds
        assert collect(deltas).calls == [(None, "g", "{}")]
