"""What a template means, rule by rule: small templates, their outputs, and the literal results."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from support.baseline import Rejects, same
from support.chunking import all_cuts, every_char, merge, stream
from support.ours import as_json, message_of, parser_of
from untemplate.compiler import TemplateError
from untemplate.runtime import ResponseParseError

FUNCTION = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}


def template_of(*, defaults: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"start_anchor": "@", **({"defaults": defaults} if defaults else {}), "fields": fields}


def kinds(template: dict[str, Any], output: str) -> list[tuple[str, ...]]:
    """The merged events of an output, without their keys."""
    _, events = stream(parser_of(template), "", [output])
    return [tuple(event.values()) for event in events]


TAGS = template_of(a={"open": "<a>", "close": "</a>"}, b={"open": "<b>", "close": "</b>"}, content={"close": "#"})


# From text to regions.


def test_inside_a_region_only_its_own_close_is_watched() -> None:
    assert message_of(TAGS, "<a>1<b>#<a>2</b></a>3") == {"a": "1<b>#<a>2</b>", "content": "3"}


def test_the_implicit_region_opens_with_its_first_character() -> None:
    assert kinds(TAGS, "<a></a>#<b>x</b>") == [
        ("region_open", "a"),
        ("region_close", "a", ""),
        ("region_open", "b"),
        ("region_chunk", "b", "x", False),
        ("region_close", "b", "x"),
    ]


def test_an_open_closes_the_implicit_region_first() -> None:
    assert kinds(TAGS, "x<a>y")[:4] == [
        ("region_open", "content"),
        ("region_chunk", "content", "x", False),
        ("region_close", "content", "x"),
        ("region_open", "a"),
    ]


def test_text_of_no_field_is_dropped() -> None:
    assert message_of(template_of(a={"open": "<a>", "close": "</a>"}), "x<a>1</a>y</a>z") == {"a": "1"}


def test_a_pattern_proposes_by_its_own_priorities() -> None:
    template = template_of(a={"open_pattern": "<|<a>", "close": "."}, content={})
    assert message_of(template, "<a>1.2") == {"a": "a>1", "content": "2"}


def test_a_list_of_literals_proposes_the_longest() -> None:
    template = template_of(a={"open": ["<", "<a>", "<a"], "close": [".", ".."]}, content={})
    assert message_of(template, "<a>1..2") == {"a": "1", "content": "2"}


def test_the_earliest_start_wins() -> None:
    template = template_of(a={"open": "bcd"}, b={"open": "abc"})
    assert message_of(template, "abcd") == {"b": "d"}


def test_the_longest_wins_a_tie() -> None:
    template = template_of(a={"open": "<"}, b={"open": "<<"})
    assert message_of(template, "<<1") == {"b": "1"}


def test_an_open_wins_a_tie_with_a_close() -> None:
    template = template_of(z={"open": "<"}, content={"close": "<"})
    assert message_of(template, "1<2") == {"content": "1", "z": "2"}


def test_the_name_decides_the_last_tie() -> None:
    template = template_of(b={"open_pattern": "<"}, a={"open_pattern": "[<]"})
    assert message_of(template, "<1") == {"a": "1"}


def test_delimiters_are_not_part_of_a_value() -> None:
    template = template_of(
        a={"open_pattern": r"\s*<a>\s*", "close_pattern": r"\s*</a>\s*", "content_args": {"strip": False}}
    )
    assert message_of(template, " <a> \n1 2\n </a> ") == {"a": "1 2"}


def test_an_empty_close_of_an_unopened_implicit_region_ends_the_scan() -> None:
    hello = template_of(content={"close_pattern": r"<\|user\|>\s*|$", "content_args": {"strip": False}})
    assert message_of(hello, "Hello\n") == {"content": "Hello"}
    assert message_of(template_of(content={"close_pattern": r"\s*"}), "Hello") == {}
    assert message_of(template_of(a={"open": "<"}, content={"close_pattern": "x*"}), "<Hello") == {"a": "Hello"}


def test_captures_of_the_close_win_and_missing_groups_are_absent() -> None:
    field = {
        "open_pattern": r"<(?P<name>\w)(?P<id>\d)?>",
        "close_pattern": r"</(?P<name>\w)?>",
        "transform": ["{name}", "{content}"],
        "repeats": True,
    }
    assert message_of(template_of(a=field), "<x>1</y><z>2</>") == {"a": [["y", "1"], ["z", "2"]]}
    needs_id = {**field, "transform": "{id}"}
    assert message_of(template_of(a=needs_id), "<x7>1</>") == {"a": ["7"]}
    assert isinstance(message_of(template_of(a=needs_id), "<x>1</>"), Rejects)


# The message.


def test_repeats_appends_and_without_it_the_last_region_stays() -> None:
    output = "<a>1</a><b>1</b><a>2</a><b>2</b>"
    fields: dict[str, Any] = {
        "a": {"open": "<a>", "close": "</a>", "repeats": True},
        "b": {"open": "<b>", "close": "</b>"},
    }
    assert message_of(template_of(**fields), output) == {"a": ["1", "2"], "b": "2"}
    assert message_of(template_of(defaults={"a": ["0"]}, **fields), output) == {"a": ["0", "1", "2"], "b": "2"}


def test_join_extends_a_default() -> None:
    template = template_of(defaults={"a": "0"}, a={"open": "<", "close": ">", "repeats": True, "join": "+"})
    assert message_of(template, "<1><2>") == {"a": "0+1+2"}
    assert message_of(template, "") == {"a": "0"}


def test_defaults_are_not_shared_between_messages() -> None:
    template = template_of(defaults={"a": [], "b": {"c": []}}, a={"open": "<", "close": ">", "repeats": True})
    parser = parser_of(template)
    first = parser.parse_response("<1>", prefix="")
    first["b"]["c"].append(1)
    assert parser.parse_response("<2>", prefix="") == {"a": ["2"], "b": {"c": []}}


def test_zero_and_false_stay_and_empty_values_go() -> None:
    field = {"open": "<", "close": ">", "content": "json"}
    for body, message in (("0", {"a": 0}), ("false", {"a": False}), ("null", {}), ('""', {}), ("[]", {}), ("{}", {})):
        assert same(message_of(template_of(a=field), f"<{body}>"), message)
    assert message_of(template_of(defaults={"a": 1}, a=field), "<null>") == {"a": None}


# Prefix, streaming, events.


def test_all_of_a_prompt_without_the_anchor_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        assert message_of(TAGS, "2</a>3", prefix="<a>1") == {"a": "12", "content": "3"}
    assert any(record.levelno == logging.INFO for record in caplog.records)


def test_a_prompt_is_cut_after_the_last_match_of_its_anchor() -> None:
    template = {"start_anchor_pattern": r"\[bot\](?:\n)?", "fields": {"content": {"content_args": {"strip": False}}}}
    assert message_of(template, "c", prefix="[bot]\na[bot]\nb") == {"content": "bc"}
    literals = {"start_anchor": ["[", "[x]"], "fields": {"content": {}}}
    assert message_of(literals, "c", prefix="a[x]b") == {"content": "bc"}


def test_what_the_prompt_leaves_undecided_stays_held() -> None:
    parser = parser_of(TAGS).ResponseParser("@<a>1</")
    assert merge(parser.initial_events) == [
        {"type": "region_open", "field": "a"},
        {"type": "region_chunk", "field": "a", "text": "1", "dirty": False},
    ]
    assert parser.feed("a>") == [{"type": "region_close", "field": "a", "value": "1"}]


def test_a_parser_that_is_done_is_not_used_again() -> None:
    parser = parser_of(TAGS).ResponseParser("")
    parser.finalize()
    with pytest.raises(RuntimeError):
        parser.feed("x")
    with pytest.raises(RuntimeError):
        parser.finalize()


@pytest.mark.parametrize(("content", "body", "dirty"), [
    ("text", "x", False), ("int", "1", False), ("float", "1", False), ("bool", "1", False),
    ("json", "1", True), ("kv-lines", "a:1", True), ("python-call-list", "[]", True),
])  # fmt: skip
def test_only_plain_content_is_clean(content: str, body: str, dirty: bool) -> None:
    template = template_of(a={"open": "<", "close": ">", "content": content})
    assert kinds(template, f"<{body}>")[1] == ("region_chunk", "a", body, dirty)


def test_a_batch() -> None:
    parser = parser_of(TAGS)
    assert parser.parse_response(["<a>1", "2"], prefix="") == [{"a": "1"}, {"content": "2"}]
    assert parser.parse_response(["1", "2"], prefix=["<a>", "<b>"]) == [{"a": "1"}, {"b": "2"}]


# Content parsers.

LENIENT = {"name": "json", "args": {"allow_non_json": True}}
CONTENT = [
    ("text", {}, " \u3000a b\x1c\n", "a b"),
    ("text", {"strip": False}, " a\n", " a\n"),
    ("int", {}, " -7\n", -7),
    ("int", {}, "1_000", 1000),
    ("int", {}, "٣", 3),
    ("int", {}, "1.0", Rejects()),
    ("int", {}, "", Rejects()),
    ("float", {}, " 1e3 ", 1000.0),
    ("float", {}, "7", 7.0),
    ("float", {}, "1,5", Rejects()),
    ("bool", {}, " TRUE\n", True),
    ("bool", {}, "1", True),
    ("bool", {}, "yes", False),
    ("json", {}, ' {"a": [1, 1.0, true, null]}\n', {"a": [1, 1.0, True, None]}),
    ("json", {}, "123456789012345678901234567890", 123456789012345678901234567890),
    ("json", {}, "[Infinity, -Infinity]", [float("inf"), float("-inf")]),
    ("json", {}, "{a: 1}", Rejects()),
    ("json", {}, "", Rejects()),
    ("json", {"allow_non_json": True}, " plain words ", "plain words"),
    ("json", {"allow_non_json": True}, " 12 ", 12),
    ("json", {"unquoted_keys": True}, '{a: 1, "b": {c :2},\n नामⅧ: 3}', {"a": 1, "b": {"c": 2}, "नामⅧ": 3}),
    ("json", {"unquoted_keys": True}, '{"t": "x, y: {z: 1}"}', {"t": "x, y: {z: 1}"}),
    ("json", {"unquoted_keys": True}, r'{"t": "\", a: 1"}', {"t": '", a: 1'}),
    ("json", {"string_delims": [["<q>", "<q>"]]}, '{"a": <q>say "hi"\n<q>}', {"a": 'say "hi"\n'}),
    ("json", {"string_delims": [["«", "»"], ["<", ">"]]}, "[«a<b>», <c>, <>]", ["a<b>", "c", ""]),
    ("json", {"string_delims": [["<q>", "<q>"]], "unquoted_keys": True}, "{a: <q>{b: 1}<q>}", {"a": "{b: 1}"}),
    ("kv-lines", {}, "a: 1:2\n\n  b :x\nno pair\n", {"a": "1:2", "b": "x"}),
    ("kv-lines", {"kv_sep": "=", "line_sep": ";"}, "a=1; b = c:d;", {"a": "1", "b": "c:d"}),
    ("kv-lines", {"strip": False}, " a : 1 \nb:2", {" a ": " 1 ", "b": "2"}),
    (
        "kv-lines",
        {"value_parser": {"name": "json", "args": {"allow_non_json": True}}},
        "a: 1\nb: x",
        {"a": 1, "b": "x"},
    ),
    ("kv-lines", {"value_parser": {"name": "int"}}, "a: x", Rejects()),
    ("kv-lines", {}, "a: 1\na: 2", {"a": "2"}),
]
TAG = r"<(?P<key>\w+)>(?P<value>.*?)</>"
XML = [
    ({}, "<a> 1 </> junk <b>2\n</>", {"a": " 1 ", "b": "2\n"}),
    ({}, "no tags", {}),
    ({}, "<a>1</><a>2</>", {"a": "2"}),
    ({"merge_duplicates": True}, "<a>1</><b>x</><a>2</><a>3</>", {"a": ["1", "2", "3"], "b": "x"}),
    ({"value_parser": {"name": "int"}}, "<a> 7 </>", {"a": 7}),
    ({"value_parser": {"name": "kv-lines", "args": {"kv_sep": "="}}}, "<a>x=1</>", {"a": {"x": "1"}}),
    ({"value_parser": {"name": "int"}}, "<a>x</>", Rejects()),
]
CONTENT += [("xml-inline", {"tag_pattern": TAG, **args}, body, value) for args, body, value in XML]
DEEP = "[" * 100 + "]" * 100
CALLS = [
    ("[f(a=1), g.h(b='x')]", [{"name": "f", "arguments": {"a": 1}}, {"name": "g.h", "arguments": {"b": "x"}}]),
    ("[]", []),
    (" [\n] \t", []),
    ("[mcp-x.y()]", [{"name": "mcp-x.y", "arguments": {}}]),
    (r"""[f(a='\'\"\\\/\b\f\n\r\t', b="é\u00e9\ud83d\ude42")]""", {"a": "'\"\\/\b\f\n\r\t", "b": "éé🙂"}),
    ("[f(a=True, b=true, c=None)]", {"a": True, "b": True, "c": None}),
    ("[f(a=False, b=false, c=null)]", {"a": False, "b": False, "c": None}),
    ("[f(a=-1.5e+2, b=9007199254740991)]", {"a": -150.0, "b": 2**53 - 1}),
    ("[f(a=[1, [2]], b={'x': {}, \"y\": 0})]", {"a": [1, [2]], "b": {"x": {}, "y": 0}}),
    (f"[f(a={DEEP})]", None),
    (f"[f(a=[{DEEP}])]", Rejects()),
    ("[f(1)]", Rejects()),
    ("[f(a=1,)]", Rejects()),
    ("[f(a=1, a=2)]", Rejects()),
    ("[f(a={'x': 1, 'x': 2})]", Rejects()),
    ("[f(a={x: 1})]", Rejects()),
    ("[f(a='x\ny')]", Rejects()),
    (r"[f(a='\x41')]", Rejects()),
    (r"[f(a='\ud83d')]", Rejects()),
    ("[f(a=9007199254740992)]", Rejects()),
    ("[f(a=1e999)]", Rejects()),
    ("[f(a=01)]", Rejects()),
    ("[f(a=1)", Rejects()),
    ("[f(a=1)] x", Rejects()),
    ("f(a=1)", Rejects()),
    ("[1f()]", Rejects()),
    ("\u00a0[]", Rejects()),
]


@pytest.mark.parametrize(("content", "args", "body", "value"), CONTENT)
def test_content(content: str, args: dict[str, Any], body: str, value: Any) -> None:
    template = template_of(defaults={"a": 0}, a={"open": "⟦", "close": "⟧", "content": content, "content_args": args})
    message = message_of(template, f"⟦{body}⟧")
    if isinstance(value, Rejects):
        assert isinstance(message, Rejects)
    else:
        assert same(message, {"a": value})


@pytest.mark.parametrize(("body", "value"), CALLS)
def test_python_call_list(body: str, value: Any) -> None:
    template = template_of(defaults={"a": 0}, a={"open": "⟦", "close": "⟧", "content": "python-call-list"})
    message = message_of(template, f"⟦{body}⟧")
    if isinstance(value, Rejects):
        assert isinstance(message, Rejects)
    elif isinstance(value, dict):
        assert same(message, {"a": [{"name": "f", "arguments": value}]})
    elif value is not None:
        assert same(message, {"a": value})


# Transform.


def test_placeholders_keep_types_and_other_strings_stay() -> None:
    transform = {"{content}": ["{content}", "{content.k}", "{ content }", "{", "{}", 1, None], "plain": "{content.k.m}"}
    template = template_of(a={"open": "<", "close": ">", "content": "json", "transform": transform})
    value = {"k": {"m": [1.0]}}
    expected = {"{content}": [value, value["k"], "{ content }", "{", "{}", 1, None], "plain": [1.0]}
    assert same(message_of(template, '<{"k": {"m": [1.0]}}>'), {"a": expected})


@pytest.mark.parametrize("path", ["{missing}", "{content.x}", "{content.k.x}", "{content.k.m.x}"])
def test_a_path_that_is_not_there(path: str) -> None:
    template = template_of(a={"open": "<", "close": ">", "content": "json", "transform": {"x": path}})
    try:
        message = message_of(template, '<{"k": {"m": 1}}>')
    except TemplateError:
        return  # one that can never be there may be refused at once
    assert isinstance(message, Rejects)


def test_the_keys_of_an_element_win_over_captures() -> None:
    field = {
        "open_pattern": r"(?P<name>\w)!",
        "close": ".",
        "content": "json",
        "transform": ["{name}", "{x}"],
        "transform_each": True,
    }
    assert message_of(template_of(a=field), 'c![{"x": 1}, {"x": 2, "name": 3}].') == {"a": [["c", 1], [3, 2]]}


@pytest.mark.parametrize("body", ['{"x": 1}', "[1]", '"x"', "null", '[{"x": 1}, []]', '[{"y": 1}]'])
def test_each_element_must_be_an_object_that_has_the_path(body: str) -> None:
    field = {"open": "<", "close": ">", "content": "json", "transform": "{x}", "transform_each": True}
    assert isinstance(message_of(template_of(a=field), f"<{body}>"), Rejects)


# Tools.

CASTS: list[tuple[dict[str, Any], str, Any]] = [
    ({"type": "integer"}, "42", 42),
    ({"type": "integer"}, " 42 ", 42),
    ({"type": "integer"}, "3.0", 3),
    ({"type": "integer"}, "3.5", "3.5"),
    ({"type": "integer"}, "many", "many"),
    ({"type": "integer"}, "inf", "inf"),
    ({"type": "integer"}, "1e24", 10**24),
    ({"type": "integer"}, "1e900000000", "1e900000000"),
    ({"type": "number"}, "42", 42),
    ({"type": "number"}, "42.0", 42.0),
    ({"type": "number"}, "0.5", 0.5),
    ({"type": "number"}, "1e3", 1000),
    ({"type": "number"}, "nan", "nan"),
    ({"type": "number"}, "-inf", "-inf"),
    ({"type": "number"}, "9007199254740993", 9007199254740993),
    ({"type": "boolean"}, " True ", True),
    ({"type": "boolean"}, "0", False),
    ({"type": "boolean"}, "yes", "yes"),
    ({"type": "null"}, " None", None),
    ({"type": "null"}, "NULL", "NULL"),
    ({"type": "object"}, '{"a": 1}', {"a": 1}),
    ({"type": "object"}, "[1]", "[1]"),
    ({"type": "array"}, "[1]", [1]),
    ({"type": "array"}, "1, 2", "1, 2"),
    ({"type": "array"}, "[" * 100_000, "[" * 100_000),
    ({"type": "string"}, "42", "42"),
    ({"type": ["string", "integer"]}, "42", 42),
    ({"type": ["number", "integer"]}, "42.0", 42.0),
    ({"type": ["boolean", "integer"]}, "1", True),
    ({"type": ["integer", "boolean"]}, "1", 1),
    ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, "null", None),
    ({"oneOf": [{"type": "integer"}, {"anyOf": [{"type": "boolean"}]}]}, "true", True),
    ({"type": "integer", "nullable": True}, "null", None),
    ({"allOf": [{"type": ["string", "integer"]}, {"type": "integer"}]}, "5", 5),
    ({"$ref": "#/$defs/Count"}, "5", 5),
    ({"$ref": "#/definitions/Flag"}, "true", True),
    ({"anyOf": [{"$ref": "#/$defs/Count"}, {"type": "null"}]}, "None", None),
    ({"$ref": "#/$defs/Loop"}, "5", "5"),
    ({"$ref": "elsewhere.json#/Count"}, "5", "5"),
    ({}, "5", "5"),
]
DEFINITIONS = {
    "$defs": {"Count": {"type": "integer"}, "Loop": {"$ref": "#/$defs/Loop"}},
    "definitions": {"Flag": {"type": "boolean"}},
}


@pytest.mark.parametrize(("schema", "raw", "value"), CASTS)
def test_casts(schema: dict[str, Any], raw: str, value: Any) -> None:
    parameters = {"type": "object", "properties": {"p": schema}, **DEFINITIONS}
    field = {
        "open_pattern": r"<(?P<name>\w+) ",
        "close": "⟧",
        "content": "xml-inline",
        "content_args": {"tag_pattern": r"(?P<key>\w+)=(?P<value>.*)"},
        "transform": FUNCTION,
    }
    message = message_of(template_of(a=field), f"<f p={raw}⟧", tools=[{"name": "f", "parameters": parameters}])
    assert same(message, {"a": {"type": "function", "function": {"name": "f", "arguments": {"p": value}}}})


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        ('{"p": 1.5}', {"p": 1.5}),
        ('{"p": ["1", 2, "x"]}', {"p": [1, 2, "x"]}),
        ('{"q": "1"}', {"q": "1"}),
        ('{"l": ["1"]}', {"l": ["1"]}),
    ],
    ids=["no string", "merged list", "not declared", "declared list"],
)
def test_what_is_cast(arguments: str, typed: dict[str, Any]) -> None:
    tool = {"name": "f", "parameters": {"properties": {"p": {"type": "integer"}, "l": {"type": "array"}}}}
    field = {"open_pattern": r"<(?P<name>\w+) ", "close": "⟧", "content": "json", "transform": FUNCTION}
    message = message_of(template_of(a=field), f"<f {arguments}⟧", tools=[tool])
    assert same(message, {"a": {"type": "function", "function": {"name": "f", "arguments": typed}}})
    other = message_of(template_of(a=field), f"<g {arguments}⟧", tools=[tool])
    untyped = message_of(template_of(a=field), f"<g {arguments}⟧")
    assert same(other, untyped)


# Errors.

NUMBERS = template_of(
    defaults={"role": "assistant"},
    a={"open": "<", "close": ">", "content": "int", "repeats": True},
    n={"open": "{", "close": "}", "content": "int", "optional": False},
    content={},
)


def test_an_error_says_where_and_keeps_what_was_parsed() -> None:
    with pytest.raises(ResponseParseError) as caught:
        parser_of(NUMBERS).parse_response("one<1>two<2x>three", prefix="history@zero ")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.field, error.raw, error.position) == ("a", "2x", 15)
    assert error.message == {"role": "assistant", "content": "two", "a": [1]}
    assert error.__cause__ is not None


def test_a_malformed_region_is_an_event_if_asked_for() -> None:
    for chunks in ([*"<1><x>{2}<3>"], ["<1><x>{2}<3>"]):
        message, events = stream(parser_of(NUMBERS), "", chunks, on_malformed="event")
        assert message == {"role": "assistant", "a": [1, 3], "n": 2}
        assert events[3:6] == [
            {"type": "region_open", "field": "a"},
            {"type": "region_chunk", "field": "a", "text": "x", "dirty": False},
            {"type": "region_malformed", "field": "a", "text": "x"},
        ]
    events = parser_of(NUMBERS).ResponseParser("", on_malformed="event").feed("<x>")
    assert list(events[-1]) == ["type", "field", "text", "error"]


def test_a_field_with_malformed_regions_only_is_not_missing() -> None:
    message = parser_of(NUMBERS).parse_response("{x}", prefix="", on_malformed="event")
    assert message == {"role": "assistant"}
    with pytest.raises(ResponseParseError):
        parser_of(NUMBERS).parse_response("x", prefix="", on_malformed="event")


@pytest.mark.parametrize("body", ["[" * 200_000, '{"a":' * 200_000, "9" * 5000])
def test_nothing_else_is_raised(body: str) -> None:
    template = template_of(a={"open": "⟦", "close": "⟧", "content": "json"})
    assert isinstance(message_of(template, f"⟦{body}⟧"), Rejects)
    lenient = template_of(a={"open": "⟦", "close": "⟧", "content": "json", "content_args": {"allow_non_json": True}})
    assert message_of(lenient, f"⟦{body} ⟧") == {"a": body}


# Streaming, where a complete match is not yet the last word.


@pytest.mark.parametrize(
    ("template", "text", "message"),
    [
        (template_of(content={"close_pattern": r"<\|user\|>\s*|$"}), "Hello<|user|>", {"content": "Hello"}),
        (
            template_of(
                calls={"open": "[", "close_pattern": r"\)(?:\]<\|tool_call_end\|>)?\s*", "repeats": True}, content={}
            ),
            "[ping()]<|tool_call_end|>Hi",
            {"calls": ["ping("], "content": "Hi"},
        ),
    ],
)
def test_one_character_at_a_time(template: dict[str, Any], text: str, message: dict[str, Any]) -> None:
    assert stream(parser_of(template), "", every_char(text))[0] == message
    assert message_of(template, text) == message


def test_every_way_of_cutting_a_text() -> None:
    template = template_of(a={"open_pattern": r"<a>\s*", "close": ["</", "</a>"]}, content={"close_pattern": "#|$"})
    text = "x<a> </a>#\n"
    results = {as_json(stream(parser_of(template), "", chunks)) for chunks in all_cuts(text)}
    assert len(results) == 1
    assert message_of(template, text) == {"content": "x"}
