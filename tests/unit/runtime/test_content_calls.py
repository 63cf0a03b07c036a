"""The content `python-call-list`. It agrees with the reference on every body: see `test_agrees_with_the_reference`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.content_parsers import parse_content

from untemplate.runtime.content import parse_calls
from untemplate.runtime.errors import ContentError

REJECTED = "rejected"


def value_of(text: str) -> Any:
    return parse_calls(f"[f(x={text})]")[0]["arguments"]["x"]


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("[]", []),
        (" [ ] \n", []),
        ("[f()]", [{"name": "f", "arguments": {}}]),
        ("[ping( ),\tg.h-2.i ( a = 1 ,b_='x' ) ]", [
            {"name": "ping", "arguments": {}},
            {"name": "g.h-2.i", "arguments": {"a": 1, "b_": "x"}},
        ]),
        ("[f(a-b.c=1)]", [{"name": "f", "arguments": {"a-b.c": 1}}]),
        ("[f(a=1), f(a=1)]", [{"name": "f", "arguments": {"a": 1}}] * 2),
    ],
)  # fmt: skip
def test_calls(body: str, calls: list[dict[str, Any]]) -> None:
    assert parse_calls(body) == calls


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it\"s'", 'it"s'),
        ('"it\'s"', "it's"),
        ("''", ""),
        ("'tab\tand é and \x00'", "tab\tand é and \x00"),
        (r"""'\\ \' \" \/ \b\f\n\r\t'""", "\\ ' \" / \b\f\n\r\t"),
        (r"'\u00e9\uD83D\ude00\\u0041'", "é😀\\u0041"),
        ("0", 0),
        ("-0", 0),
        ("-12", -12),
        ("9007199254740991", 2**53 - 1),
        ("-9007199254740991", 1 - 2**53),
        ("1.50", 1.5),
        ("-0.0", -0.0),
        ("1e2", 100.0),
        ("1E-2", 0.01),
        ("9007199254740993.0", 9007199254740992.0),
        ("True", True),
        ("true", True),
        ("False", False),
        ("false", False),
        ("None", None),
        ("null", None),
        ("[]", []),
        ("[ 1 , 'a',[ ],{ } ]", [1, "a", [], {}]),
        ("{}", {}),
        ("{ 'a' : 1, \"b\":[{'c': None}], '': {}}", {"a": 1, "b": [{"c": None}], "": {}}),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert repr(value_of(text)) == repr(value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", r"expected '\[' before the calls, at character 0: the end"),
        ("f(a=1)", r"expected '\[' before the calls, at character 0"),
        ("[f(a=1)", "expected ',' or ']' after a call, at character 7: the end"),
        ("[f(), ]", "expected a function name, at character 6"),
        ("[f() g()]", "expected ',' or ']' after a call, at character 5"),
        ("[f()] x", "nothing may follow.* at character 6: 'x'"),
        ("[1f()]", "expected a function name, at character 1"),
        ("[f]", r"expected '\(' after a function name, at character 2"),
        ("[f-(a=1)]", r"expected '\(' after a function name, at character 2"),
        ("[f(1)]", "expected an argument name.* at character 3"),
        ("[f(a)]", "expected '=' after an argument name.* at character 4"),
        ("[f(a=1,)]", "expected an argument name.* at character 7"),
        ("[f(a=1 b=2)]", r"expected ',' or '\)' after an argument, at character 7"),
        ("[f(a=1,a=2)]", "an argument is given twice, at character 7"),
        ("[f(a=)]", "expected a string, number.* at character 5"),
        ("[f(a=+1)]", "expected a string, number.* at character 5"),
        ("[f(a=Truex)]", "expected a string, number.* at character 5"),
        ("[f(a=01)]", r"expected ',' or '\)' after an argument, at character 6"),
        ("[f(a=1.)]", r"expected ',' or '\)' after an argument, at character 6"),
        ("[f(a=1\u00a0)]", "at character 6"),
        ("[f(a=9007199254740992)]", "an integer is beyond.* at character 5"),
        ("[f(a=1e999)]", "a number is too large, at character 5"),
        ("[f(a='x)]", "a string does not end, at character 5"),
        ("[f(a='x\ny')]", "a string holds a line break, at character 7"),
        ("[f(a='x\ud800')]", "a string holds half of a surrogate pair, at character 7"),
        (r"[f(a='x\q')]", "an escape is not known, at character 7"),
        (r"[f(a='x\u12g4')]", "an escape is not known, at character 7"),
        (r"[f(a='\udc00')]", "half of a surrogate pair is escaped in a string, at character 6"),
        (r"[f(a='\ud800\n')]", "half of a surrogate pair is escaped in a string, at character 6"),
        ("[f(a=[1,])]", "expected a string, number.* at character 8"),
        ("[f(a=[1 2])]", "expected ',' or ']', at character 8"),
        ("[f(a=[1}])]", "expected ',' or ']', at character 7"),
        ("[f(a={b: 1})]", "expected a string as a key, at character 6"),
        ("[f(a={1: 1})]", "expected a string as a key, at character 6"),
        ("[f(a={'b' 1})]", "expected ':' after a key, at character 10"),
        ("[f(a={'b': 1,})]", "expected a string as a key, at character 13"),
        ("[f(a={'b': 1, \"b\": 2})]", "a key is given twice, at character 14"),
        ("[f(a={'b'})]", "expected ':' after a key, at character 9"),
        ("[f(a=[", "expected a string, number.* at character 6: the end"),
    ],
)
def test_rejects_with_the_position(body: str, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        parse_calls(body)


def test_depth() -> None:
    assert repr(value_of("[" * 100 + "]" * 100)) == "[" * 100 + "]" * 100
    assert repr(value_of("{'k': [" * 50 + "]}" * 50)) == "{'k': [" * 50 + "]}" * 50
    with pytest.raises(ContentError, match="more than 100 deep, at character 105"):
        value_of("[" * 101 + "]" * 101)
    with pytest.raises(ContentError, match="more than 100 deep"):
        value_of("{'k':" * 100_000)


def test_depth_needs_no_stack() -> None:
    """A hundred levels are read with twenty frames left."""

    def descend(frames: int) -> Any:
        return descend(frames - 1) if frames else value_of("[" * 100 + "]" * 100)

    used = len(inspect.stack(0))
    assert repr(descend(sys.getrecursionlimit() - used - 20)) == "[" * 100 + "]" * 100


@pytest.mark.parametrize(
    "unit",
    ["[", "{", "f(", "f(a=", "a", "a.", "1", "'", "\\", "'\\", " ", "(", ",", "é", "f(a=1),", "[{'a':", "1.", "-"],
)
@pytest.mark.parametrize("start", ["", "[f(a=", "[f(a='", "[f(a=[", "["])
def test_hostile_repetition_is_linear(start: str, unit: str) -> None:
    """Sizes at which anything quadratic takes minutes."""
    with pytest.raises(ContentError):
        parse_calls(start + unit * 200_000)


def test_long_bodies() -> None:
    text = r"\u00e9\n" * 100_000 + "x" * 500_000
    body = "[" + ", ".join(f"f{i}(a=[{i}, {{'k': \"v\"}}])" for i in range(20_000)) + f", g(s='{text}')]"
    calls = parse_calls(body)
    assert len(calls) == 20_001
    assert calls[7] == {"name": "f7", "arguments": {"a": [7, {"k": "v"}]}}
    assert calls[-1]["arguments"]["s"] == "é\n" * 100_000 + "x" * 500_000


def outcome(parse: Callable[[], Any], rejections: type[Exception]) -> str:
    """The value in a form that tells `True`, `1` and `1.0` apart."""
    try:
        return repr(parse())
    except rejections:
        return REJECTED


TOKENS = [
    *"[](){},=:'\"\\-._ \n\t",
    *("\r", "\u00a0", "\ud800", "f", "g.h", "a", "b=", "é", "f(a=", "[f(", "'k': "),
    *("1", "-2", "0", "1.5", "e3", "1e400", "9" * 16, "9" * 20, "True", "null", "none"),
    *("'s'", '"t"', r"'\n'", r"\u0041", r"\ud83d", r"\ude00"),
]
TEXTS = st.text("ab'\"\\\n\t/é😀", max_size=5)
LITERALS = st.one_of(
    st.integers().map(str),
    st.integers(-(2**54), 2**54).map(str),
    st.floats().map(str),
    st.sampled_from(["True", "true", "False", "None", "null", "nan", r"'\ud83d\ude00'", r"'\u0041'"]),
    TEXTS.map(repr),
)
NESTED = st.recursive(
    LITERALS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{' , '.join(items)}]")
        | st.lists(st.tuples(TEXTS.map(repr), inner), max_size=3).map(
            lambda items: "{" + ",".join(f"{k}: {v}" for k, v in items) + "}"
        )
    ),
    max_leaves=6,
)
CALLS = st.lists(
    st.tuples(st.sampled_from(["f", "g.h", "x-1.2"]), st.lists(st.tuples(st.sampled_from("abcd"), NESTED), max_size=3)),
    max_size=3,
).map(lambda calls: "[" + ", ".join(f"{name}({', '.join(f'{k}={v}' for k, v in args)})" for name, args in calls) + "]")


@given(CALLS | st.lists(st.sampled_from(TOKENS), max_size=10).map(lambda tokens: "[f(a=" + "".join(tokens) + ")]"))
@example("[f(a='\\\n')]")
@example("[f(a=True-1)]")
@example("[f(a=1e5, b=-0e0)]")
@settings(max_examples=500, deadline=None)
def test_agrees_with_the_reference(body: str) -> None:
    for text in (body, body[:-1], body.replace("[f(", "", 1)):
        ours = outcome(lambda text=text: parse_calls(text), ContentError)
        assert ours == outcome(lambda text=text: parse_content(text, "python-call-list", {}), Exception)
