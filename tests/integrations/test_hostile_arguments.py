"""Arguments in JSON that are hard to follow, cut everywhere: what is sent is their text, or a problem says so."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest

from support.chunking import every_char
from support.deltas import collect, expected, run
from support.ours import parser_of
from untemplate.integrations.deltas import CallPiece

VALID = {
    "the same key twice": '{"a": 1, "b": 2, "a": 3}',
    "the same key and value twice": '{"a": 1, "a": 1}',
    "the same key twice further in": '{"a": {"b": 1, "b": "x"}, "c": [{"d": 1, "d": 2}]}',
    "the same key in two spellings": r'{"\u0061": 1, "a": 2}',
    "numbers": '{"a": 1.0, "b": 1, "c": 1e2, "d": -0.0, "e": -0, "f": 1E400, "g": true, "h": 0.1e-7}',
    "numbers that JSON has not": '{"a": NaN, "b": -Infinity, "c": [Infinity]}',
    "surrogates": '{"a": "\\ud83d\\ude00", "b": "\\ud83d", "c": "\ude00", "d": "\ud83d\\ude00"}',
    "brackets in strings": '{"a": "}", "b": "{[", "c}": "]", "d": "\\"}", "e": "}}}"}',
    "backslashes": r'{"a\\": "\\", "b": "\\\"}", "c": "\\\\\"", "d": "\u005c\u0022}", "e": "\/"}',
    "empty containers": '{"a": {}, "b": [], "c": [{}, [[]]]}',
    "white space": ' \n{ \t"a" :\r1 ,"b":{ } } \n',
    "nothing": "{}",
    "depth": '{"a": ' + "[" * 200 + "{}" + "]" * 200 + "}",
    "digits": '{"a": ' + "9" * 4300 + "}",
    "a list": '[1, "]", {"a": "]"}, [2]]',
    "a string": r'"a }\" ] {\\"',
    "a number": "-12.5e1",
    "null": "null",
}
INVALID = {
    "a bracket of another kind": '{"a": ]}',
    "a bracket too many": '{"a": [1]]}',
    "brackets that cross": '{"a": [1}]',
    "no colon": '{"a" 1}',
    "no escape": r'{"a": "\x"}',
    "a raw newline": '{"a": "\n"}',
    "a word": '{"a": tru}',
    "two values": '{"a": 1} {"b": 2}',
    "a comma too many": '{"a": 1,}',
    "too many digits": '{"a": ' + "9" * 5000 + "}",
    "too deep": '{"a": ' + "[" * 5000 + "]" * 5000 + "}",
}
FIELD = {"open": "<c>", "close": "</c>", "content": "json", "transform": {"function": "{content}"}, "repeats": True}
NAMED = {
    **FIELD,
    "open_pattern": r"<c (?P<name>\w+)>",
    "transform": {"function": {"name": "{name}", "arguments": "{content}"}},
}
del NAMED["open"]
EACH = {**FIELD, "transform": {"function": {"name": "{name}", "arguments": "{arguments}"}}, "transform_each": True}
LAYOUTS = {
    "name first": (FIELD, '<c>{"name": "f", "arguments": %s}</c>'),
    "name last": (FIELD, '<c>{"arguments": %s, "name": "f"}</c>'),
    "name outside": (NAMED, "<c f>%s</c>"),
    "a list": (EACH, '<c>[{"name": "f", "arguments": %s, "x": {"}": "]"}}, {"name": "g", "arguments": {}}]</c>'),
}
CASTING = [{"name": "f", "parameters": {"properties": {"a": {"type": "integer"}, "b": {"type": ["object", "null"]}}}}]


@pytest.mark.parametrize("tools", [None, CASTING], ids=["no tools", "tools"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", [*VALID, *INVALID])
def test_every_cut(name: str, layout: str, tools: list[Any] | None) -> None:
    field, text = LAYOUTS[layout]
    arguments = VALID.get(name) or INVALID[name]
    check(field, text % arguments, tools, name in VALID)


@pytest.mark.parametrize("name", [*VALID, *INVALID])
def test_arguments_that_come_twice(name: str) -> None:
    arguments = VALID.get(name) or INVALID[name]
    for text in (
        '{"name": "f", "arguments": {"a": 1}, "arguments": %s}',
        '{"arguments": {}, "arguments": %s, "name": "f"}',
    ):
        check(FIELD, f"<c>{text % arguments}</c>", None, name in VALID, may_rewrite=True)


def check(field: dict[str, Any], output: str, tools: list[Any] | None, valid: bool, may_rewrite: bool = False) -> None:
    module = parser_of({"start_anchor": "<bot>", "fields": {"tool_calls": field}})
    message = module.parse_response(output, prefix="", tools=tools, on_malformed="event")
    assert ("tool_calls" in message) == valid
    cuts = range(1, len(output)) if len(output) < 200 else range(1, len(output), 997)
    ways = [[output[:at], output[at:]] for at in cuts]
    ways += [[output[:at], output[at:to], output[to:]] for at, to in list(combinations(cuts, 2))[::17]]
    for chunks in (*ways, every_char(output)):
        stream, deltas = run(module.ResponseParser("", tools=tools, on_malformed="event"), chunks)
        assert collect(deltas) == expected(message)
        kinds = [problem.kind for problem in stream.problems]
        assert kinds == ([] if valid else ["malformed"]) or (may_rewrite and kinds == ["rewritten"])


@pytest.mark.parametrize("name", VALID)
def test_what_is_sent_is_the_text(name: str) -> None:
    module = parser_of({"start_anchor": "<bot>", "fields": {"tool_calls": NAMED}})
    _, deltas = run(module.ResponseParser(""), every_char(f"<c f>{VALID[name]}</c>"))
    sent = "".join(delta.piece for delta in deltas if isinstance(delta, CallPiece))
    assert sent == VALID[name].strip()
    assert json.dumps(json.loads(sent)) == json.dumps(json.loads(VALID[name]))
