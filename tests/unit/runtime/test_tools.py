"""Typing of tool calls by the schemas of their tools.

Where this differs from the reference on purpose (each has a test that shows both results):

- local `$ref`s are followed and `allOf` is read; the reference knows neither;
- whole numbers too large for a float keep their digits, under `number` and with an exponent or a fraction of zeros;
- JSON too deep to be read leaves the string; in the reference a `RecursionError` leaves the parser;
- schemas of odd shape give no types, and functions need no docstring; the reference raises for some of them.
"""

from __future__ import annotations

import functools
import json
from enum import Enum, IntEnum
from typing import Any, Literal, Optional, Union

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers.utils import get_json_schema
from transformers.utils.chat_parsing.response_parser import ResponseParser, _coerce, _schema_types

from untemplate.runtime.tools import tool_types, type_calls, typed

TYPE_NAMES = ["integer", "number", "boolean", "null", "object", "array", "string", "image"]


def tool(properties: Any, name: str = "f", **parameters: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, **parameters}
    return {"type": "function", "function": {"name": name, "parameters": schema}}


def types_of(schema: Any, **parameters: Any) -> tuple[str, ...]:
    return tool_types([tool({"x": schema}, **parameters)])["f"]["x"]


def call(**arguments: Any) -> dict[str, Any]:
    return {"function": {"name": "f", "arguments": arguments}}


# Casting


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        ("5", ("integer",), 5),
        (" -1_0 ", ("integer",), -10),
        ("3.0", ("integer",), 3),
        ("3.5", ("integer",), "3.5"),
        ("1e2", ("integer",), 100),
        ("inf", ("integer",), "inf"),
        ("nan", ("integer",), "nan"),
        ("1e400", ("integer",), "1e400"),
        ("1e-400", ("integer",), 0),
        ("0e900000000", ("integer",), 0),
        ("five", ("integer",), "five"),
        ("", ("integer",), ""),
        ("5", ("number",), 5),
        ("5.0", ("number",), 5.0),
        ("2.5", ("number",), 2.5),
        ("1e3", ("number",), 1000),
        ("1e-3", ("number",), 0.001),
        ("inf", ("number",), "inf"),
        ("NaN", ("number",), "NaN"),
        ("1e999", ("number",), "1e999"),
        (" TRUE ", ("boolean",), True),
        ("0", ("boolean",), False),
        ("yes", ("boolean",), "yes"),
        (" null", ("null",), None),
        ("None", ("null",), None),
        ("NULL", ("null",), "NULL"),
        ('{"a": [1]}', ("object",), {"a": [1]}),
        ("[1]", ("object",), "[1]"),
        (" [1, {}]\n", ("array",), [1, {}]),
        ("{}", ("array",), "{}"),
        ("{a: 1}", ("object",), "{a: 1}"),
        ("[NaN]", ("array",), [float("nan")]),
        ("5", ("string",), "5"),
        ("5", ("string", "integer"), 5),
        ("5", ("date", "integer"), 5),
        ("1", ("boolean", "integer"), True),
        ("1", ("integer", "boolean"), 1),
        ("x", ("integer", "number", "boolean", "null", "object", "array"), "x"),
        ("null", ("integer", "null"), None),
        ("5", (), "5"),
    ],
)
def test_typed(text: str, types: tuple[str, ...], value: Any) -> None:
    assert repr(typed(text, types)) == repr(value)
    assert repr(_coerce(text, types)) == repr(value)


@pytest.mark.parametrize(
    ("text", "types", "ours", "reference"),
    [
        ("9007199254740993", ("number",), 9007199254740993, 9007199254740992),
        ("-9007199254740993", ("number",), -9007199254740993, -9007199254740992),
        ("1e24", ("integer",), 10**24, 999999999999999983222784),
        ("1e24", ("number",), 10**24, 999999999999999983222784),
        (" 1_2.5e23", ("integer",), 125 * 10**22, 1250000000000000113246208),
        ("9007199254740993.00", ("integer",), 9007199254740993, 9007199254740992),
        ("9007199254740993.0", ("number",), 9007199254740992.0, 9007199254740992.0),
        ("9007199254740993.5", ("integer",), 9007199254740994, 9007199254740994),
    ],
)
def test_large_integers_are_exact(text: str, types: tuple[str, ...], ours: Any, reference: Any) -> None:
    assert repr(typed(text, types)) == repr(ours)
    assert repr(_coerce(text, types)) == repr(reference)


@pytest.mark.parametrize("name", ["integer", "number"])
@pytest.mark.parametrize(
    "text",
    [
        "1e900000000",
        "1e-900000000",
        "0e900000000",
        "0.0e999999999999999999999",
        "1e" + "9" * 5000,
        "9" * 5000,
        "-" + "9" * 1_000_000,
        "0." + "1" * 1_000_000,
        "9007199254740993." + "0" * 1_000_000,
        "0" * 5000 + "9007199254740993",
        "1" * 300 + "." + "0" * 10_000,
        "9007199254740993e" + "0" * 5000,
        "\ud800",
        "1\ud800",
        "９００７１９９２５４７４０９９３e0",
    ],
)
def test_numbers_of_any_size_are_quick_and_never_raise(text: str, name: str) -> None:
    value = typed(text, (name,))
    assert value == text if isinstance(value, str) else float(value) == float(text)


@pytest.mark.parametrize(("text", "name"), [("[" * 100_000, "array"), ('{"a":' * 100_000, "object")])
def test_deep_json_stays_text(text: str, name: str) -> None:
    assert typed(text, (name,)) == text
    with pytest.raises(RecursionError):
        _coerce(text, (name,))


def test_json_with_too_many_digits_stays_text() -> None:
    text = "[" + "1" * 5000 + "]"
    assert typed(text, ("array",)) == text


NUMBERS = st.one_of(
    st.integers(-(2**53), 2**53).map(str),
    st.floats().map(repr).filter(lambda text: "e+" not in text),
    st.text("0123456789.-+e_ ", max_size=8),
    st.decimals(-1000, 1000, places=2).map(str),
)
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=4,
).map(json.dumps)
TEXTS = st.one_of(
    st.text(max_size=6), NUMBERS, JSONS, st.sampled_from(["true", " False", "None", "null ", "1", "0", "\ufeff[]"])
)


@given(TEXTS, st.lists(st.sampled_from(TYPE_NAMES), max_size=4))
@example("\x1c[1]", ["array"])
@settings(max_examples=400, deadline=None)
def test_typed_agrees_with_the_reference(text: str, types: list[str]) -> None:
    reference = _coerce(text, tuple(types))
    if isinstance(reference, int) and abs(reference) >= 2**53:
        return  # see test_large_integers_are_exact
    assert repr(typed(text, tuple(types))) == repr(reference)


# Schemas


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "integer", "description": "n"}, ("integer",)),
        ({"type": ["integer", "null"]}, ("integer", "null")),
        ({"type": ["integer", 3, None, ["string"]]}, ("integer",)),
        ({"type": "integer", "nullable": True}, ("integer", "null")),
        ({"type": ["null", "integer"], "nullable": True}, ("null", "integer")),
        ({"type": "integer", "nullable": False}, ("integer",)),
        ({"nullable": True}, ("null",)),
        ({"anyOf": [{"type": "string"}, {"type": ["number", "null"]}, {}]}, ("string", "number", "null")),
        ({"oneOf": [{"type": "array"}], "anyOf": [{"type": "object"}], "type": "null"}, ("null", "object", "array")),
        (
            {"anyOf": [{"anyOf": [{"type": "boolean"}]}, {"type": "integer", "nullable": True}]},
            ("boolean", "integer", "null"),
        ),
        ({"anyOf": None, "oneOf": [], "type": "integer"}, ("integer",)),
        ({"anyOf": ["integer", 1, None], "type": "integer"}, ("integer",)),
        ({"enum": [1, 2]}, ()),
        ({}, ()),
        (True, ()),
        (None, ()),
        ("integer", ()),
        ({"type": None}, ()),
        ({"type": {"integer": 1}}, ()),
    ],
)
def test_schema_types(schema: Any, types: tuple[str, ...]) -> None:
    assert types_of(schema) == types
    assert tuple(dict.fromkeys(_schema_types(schema))) == types


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"allOf": [{"type": ["string", "integer", "null"]}, {"type": ["null", "integer"]}]}, ("integer", "null")),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}], "default": 3}, ("integer",)),
        ({"type": ["string", "integer"], "allOf": [{"type": "integer"}]}, ("integer",)),
        ({"allOf": [{"type": "integer"}, {"type": "string"}]}, ()),
        ({"allOf": [{"type": ["number", "string"]}, {"type": ["integer", "string"]}]}, ("integer", "string")),
        ({"allOf": [{"type": "integer"}, {"type": "number"}]}, ("integer",)),
        ({"allOf": [{"type": ["number", "integer"]}, {"type": "integer"}]}, ("integer",)),
        ({"allOf": [{"type": "integer"}], "nullable": True}, ("integer", "null")),
        ({"allOf": [{}, 3, None]}, ()),
        ({"allOf": "integer"}, ()),
        ({"$ref": "#/$defs/Size"}, ("integer",)),
        ({"$ref": "#/definitions/Old"}, ("boolean", "null")),
        ({"$ref": "#/$defs/a~1b~0c"}, ("array",)),
        ({"$ref": "#/$defs/My%20Type"}, ("number",)),
        ({"$ref": "#/$defs/Alias"}, ("integer",)),
        ({"$ref": "#/$defs/Choice/anyOf/1"}, ("null",)),
        ({"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}]}, ("integer", "null")),
        ({"allOf": [{"$ref": "#/$defs/Choice"}], "default": None}, ("integer", "null")),
        ({"$ref": "#/$defs/Size", "nullable": True}, ("integer", "null")),
        ({"$ref": "#/$defs/Cycle"}, ()),
        ({"$ref": "#/$defs/Tree"}, ("object", "array")),
        ({"$ref": "#/$defs/Missing"}, ()),
        ({"$ref": "#/$defs/Choice/anyOf/7"}, ()),
        ({"$ref": "#/$defs/Choice/anyOf/²"}, ()),
        ({"$ref": "https://example.org/size.json"}, ()),
        ({"$ref": "#/$defs/Missing", "type": "integer"}, ("integer",)),
        ({"$ref": 5}, ()),
    ],
)
def test_references_and_all_of(schema: dict[str, Any], types: tuple[str, ...]) -> None:
    definitions = {
        "Size": {"type": "integer"},
        "a/b~c": {"type": "array"},
        "My Type": {"type": "number"},
        "Alias": {"$ref": "#/$defs/Size"},
        "Choice": {"anyOf": [{"$ref": "#/$defs/Alias"}, {"type": "null"}]},
        "Cycle": {"$ref": "#/$defs/Cycle"},
        "Tree": {"anyOf": [{"type": "object"}, {"$ref": "#/$defs/Tree"}, {"type": "array"}]},
    }
    known = {"$defs": definitions, "definitions": {"Old": {"type": "boolean", "nullable": True}}}
    assert types_of(schema, **known) == types
    if "nullable" not in schema and "type" not in schema and "anyOf" not in schema:
        assert _schema_types(schema) == ()


def test_parameters_that_are_a_reference() -> None:
    parameters = {
        "$ref": "#/$defs/Node",
        "$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}, "n": {"type": "integer"}}}},
    }
    assert tool_types([{"name": "f", "parameters": parameters}]) == {"f": {"next": (), "n": ("integer",)}}


def test_tools() -> None:
    inner = {"name": "g", "parameters": {"properties": {"a": {"type": "integer"}}}}
    tools = [
        tool({"a": {"type": "string"}, "b": {"type": "null"}}),
        inner,
        {"name": "bare"},
        {"name": "f2", "parameters": {"properties": []}},
        {"name": "f3", "parameters": "none"},
    ]
    assert tool_types(tools) == {
        "f": {"a": ("string",), "b": ("null",)},
        "g": {"a": ("integer",)},
        "bare": {},
        "f2": {},
        "f3": {},
    }
    assert tool_types([inner, {"name": "g"}]) == {"g": {}}


@pytest.mark.parametrize(
    "tools", [None, [], [None, 3, "f", {}, {"name": 3}, {"function": None}, {"function": {"name": None}}, [], object()]]
)
def test_what_is_no_tool_is_skipped(tools: Any) -> None:
    assert tool_types(tools) == {}


def test_schemas_deep_cyclic_or_branching() -> None:
    deep: dict[str, Any] = {"type": "integer"}
    for _ in range(100_000):
        deep = {"anyOf": [deep]}
    cyclic: dict[str, Any] = {"type": "integer"}
    cyclic["anyOf"] = [cyclic, {"allOf": [cyclic]}]
    branching = {f"D{i}": {"anyOf": [{"$ref": f"#/$defs/D{i + 1}"}] * 3} for i in range(60)}
    branching["D60"] = {"type": "integer"}
    assert types_of(deep) == ()
    assert types_of(cyclic) == ("integer",)
    assert types_of({"$ref": "#/$defs/D0"}, **{"$defs": branching}) == ("integer",)
    while "anyOf" in deep:  # taken apart from outside: freeing it all at once would recurse
        deep = deep["anyOf"].pop()


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([*TYPE_NAMES, "#/$defs/A", "#/$defs", "#/%zz/~"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "anyOf",
                    "oneOf",
                    "allOf",
                    "$ref",
                    "nullable",
                    "name",
                    "function",
                    "parameters",
                    "properties",
                    "$defs",
                    "A",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(ODD)
@settings(max_examples=200, deadline=None)
def test_odd_schemas_never_raise(schema: Any) -> None:
    tool_types(
        [
            schema,
            tool({"x": schema}),
            {"name": "f", "parameters": schema},
            {"name": "f", "parameters": {"properties": schema}},
        ]
    )
    assert all(isinstance(name, str) for name in types_of(schema))


PLAIN = st.recursive(
    st.fixed_dictionaries({"type": st.sampled_from(TYPE_NAMES) | st.lists(st.sampled_from(TYPE_NAMES), max_size=3)})
    | st.just({}),
    lambda inner: (
        st.dictionaries(st.sampled_from(["anyOf", "oneOf"]), st.lists(inner, max_size=3), max_size=2)
        | st.tuples(inner, st.booleans()).map(lambda pair: pair[0] | {"nullable": pair[1]})
    ),
    max_leaves=6,
)


@given(PLAIN)
@settings(max_examples=200, deadline=None)
def test_types_agree_with_the_reference(schema: dict[str, Any]) -> None:
    assert types_of(schema) == tuple(dict.fromkeys(_schema_types(schema)))


# Functions


class Color(Enum):
    RED = "red"
    NONE = None


class Level(IntEnum):
    LOW = 1


class Box:
    """A class that no JSON is known for."""

    def method(self, a: int, b: list[str]) -> None:
        """Do it.

        Args:
            a: one
            b: two
        """

    @classmethod
    def made(cls, a: bool) -> None:
        """Make it.

        Args:
            a: one
        """


HINTS = [
    *(int, float, str, bool, None, list, tuple, dict, Any, list[int], tuple[int, str], dict[str, int]),
    *(int | None, str | int, str | float | None, int | float | str, list | tuple, list[int] | None),
    *(str | list[int] | int, dict | list | None, Literal["b", 1, "a"], Literal[None, True], Literal["a"] | int),
    *(Color, Level, Color | None, int | Color),
    *(Optional[int], Optional[Any], Union[int, Any], Union[str, None, int]),  # noqa: UP007, UP045
]


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_hints_agree_with_the_reference(hint: Any) -> None:
    def f(x):  # type: ignore[no-untyped-def]
        """Do it.

        Args:
            x: that
        """

    f.__annotations__ = {"x": hint, "return": Box}
    schema = get_json_schema(f)
    assert tool_types([f]) == {
        "f": {"x": tuple(dict.fromkeys(_schema_types(schema["function"]["parameters"]["properties"]["x"])))}
    }


def test_methods() -> None:
    assert tool_types([Box().method, Box.made]) == {
        "method": {"a": ("integer",), "b": ("array",)},
        "made": {"a": ("boolean",)},
    }
    for method in (Box().method, Box.made):
        (properties,) = tool_types([method]).values()
        reference = get_json_schema(method)["function"]["parameters"]["properties"]
        assert properties == {name: _schema_types(schema) for name, schema in reference.items()}


def test_functions_are_read_leniently() -> None:
    """No docstring, no hint, a class that is unknown or not there: the other parameters are typed all the same."""

    def f(  # type: ignore[no-untyped-def]
        a: int,
        b,
        c: Missing,  # type: ignore[name-defined]  # noqa: F821
        d: Box,
        e: list[Box],
        g: tuple[int, ...],
        *args: int,
        h: int | None = None,
    ): ...

    assert tool_types([f]) == {
        "f": {
            "a": ("integer",),
            "c": (),
            "d": (),
            "e": ("array",),
            "g": ("array",),
            "args": ("integer",),
            "h": ("integer", "null"),
        }
    }
    with pytest.raises(Exception, match="docstring"):
        get_json_schema(f)


def test_decorated_functions() -> None:
    def inner(a: int) -> None: ...

    @functools.wraps(inner)
    def outer(*args: Any) -> None: ...

    assert tool_types([outer]) == {"inner": {"a": ("integer",)}}
    assert tool_types([functools.partial(inner), len, Box]) == {}


# Calls

TOOLS = [
    tool(
        {
            "n": {"type": "integer"},
            "s": {"type": "string"},
            "a": {"type": ["array", "integer"]},
            "o": {"type": "object"},
            "free": {},
        }
    ),
    tool({"n": {"type": "boolean"}}, "g"),
    {"name": "empty"},
]
TYPES = tool_types(TOOLS)


def reference_calls(value: Any) -> Any:
    template = {"fields": {"content": {"content": "text"}}, "start_anchor": "x"}
    return ResponseParser(template, prefix="", tools=TOOLS)._coerce_tool_calls(value)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (call(n="5", s="5", free="5", other="5"), call(n=5, s="5", free="5", other="5")),
        (call(n=5, s=None, o=[1]), call(n=5, s=None, o=[1])),
        (
            call(n=["1", "x", 2, None, ["3"]], s=["1"], free=["1"]),
            call(n=[1, "x", 2, None, ["3"]], s=["1"], free=["1"]),
        ),
        (call(a=["1", "2"], o=["{}", "[]"]), call(a=["1", "2"], o=[{}, "[]"])),
        (call(a="[1]", o='{"k": "1"}'), call(a=[1], o={"k": "1"})),
        ([call(n="1"), "x", [call(n="2")], None], [call(n=1), "x", [call(n=2)], None]),
        (
            {"function": {"name": "g", "arguments": {"n": "true"}}},
            {"function": {"name": "g", "arguments": {"n": True}}},
        ),
        ({"function": {"name": "h", "arguments": {"n": "1"}}}, {"function": {"name": "h", "arguments": {"n": "1"}}}),
        (
            {"function": {"name": "empty", "arguments": {"n": "1"}}},
            {"function": {"name": "empty", "arguments": {"n": "1"}}},
        ),
        (
            {"function": {"name": ["f"], "arguments": {"n": "1"}}},
            {"function": {"name": ["f"], "arguments": {"n": "1"}}},
        ),
        (
            {"function": {"name": "f", "arguments": '{"n": "1"}'}},
            {"function": {"name": "f", "arguments": '{"n": "1"}'}},
        ),
        ({"function": {"name": "f"}}, {"function": {"name": "f"}}),
        ({"function": "f"}, {"function": "f"}),
        ({"calls": [call(n="1")]}, {"calls": [call(n="1")]}),
        ("text", "text"),
        (None, None),
        (7, 7),
        ([], []),
    ],
)
def test_type_calls(value: Any, result: Any) -> None:
    expected = repr(result)
    assert repr(reference_calls(json.loads(json.dumps(value)))) == expected
    assert repr(type_calls(value, TYPES)) == expected


def test_no_tools_no_work() -> None:
    value = [call(n="1")]
    assert type_calls(value, {}) is value
    assert value == [call(n="1")]


def test_lists_of_calls_nested_to_any_depth() -> None:
    value: Any = call(n="1")
    for _ in range(100_000):
        value = [value]
    result = type_calls(value, TYPES)
    while isinstance(result, list):
        (result,) = result
    assert result == call(n=1)


@given(
    st.dictionaries(
        st.sampled_from(["n", "s", "a", "o", "free", "x"]), TEXTS | st.lists(TEXTS | st.integers(), max_size=3)
    ),
    st.sampled_from(["f", "g", "h"]),
)
@settings(max_examples=150, deadline=None)
def test_calls_agree_with_the_reference(arguments: dict[str, Any], name: str) -> None:
    def value() -> Any:
        return [{"function": {"name": name, "arguments": json.loads(json.dumps(arguments))}}]

    reference = repr(reference_calls(value()))
    numbers = [item.lower() for item in arguments.get("n", []) if isinstance(item, str)]
    if not any("e" in number for number in numbers):  # 1e24, say, is ours exactly
        assert repr(type_calls(value(), TYPES)) == reference
