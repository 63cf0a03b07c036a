"""The content `json`: strict, in a dialect, and with text allowed.

Where this differs from the reference on purpose (each has a test that shows both results):

- a body with U+0001 or U+0002 is read like any other under `string_delims`; the reference refuses it;
- an earlier pair's string inside a later pair's string is kept; the reference leaves its bookkeeping characters there;
- a delimiter made of digits can not match inside a string already made; in the reference it can;
- `allow_non_json` covers all failures; in the reference deep nesting and too many digits still raise;
- deep nesting raises `ContentError`; in the reference a `RecursionError` leaves the parser.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.content_parsers import parse_content

from untemplate.runtime.content import json_or_text, parse_json, parse_loose_json
from untemplate.runtime.errors import ContentError

REJECTED = "rejected"
QUOTE = '<|"|>'
DELIMS = ((QUOTE, QUOTE),)
bare_keys = partial(parse_loose_json, unquoted_keys=True)
dialect = partial(parse_loose_json, unquoted_keys=True, string_delims=DELIMS)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (' {"a": [1, 2.5, null, true]}\n', {"a": [1, 2.5, None, True]}),
        ('"text"', "text"),
        ("12345678901234567890123", 12345678901234567890123),
        ("-Infinity", -float("inf")),
        ('"\\ud83d\\ude00 \\ud800"', "😀 \ud800"),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_strict(body: str, value: Any) -> None:
    assert parse_json(body) == value


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "line 1, column 1.*the end"),
        ('{"a": 1,\n "b" 2}', "line 2, column 6.*'2}'"),
        ("[1] x", "line 1, column 5.*'x'"),
        ("\ufeff[1]", "line 1, column 1"),
        ("{a: 1}", "line 1, column 2"),
        ('"line\nbreak"', "line 1, column 6"),
        ("\ud800", "line 1, column 1"),
    ],
)
def test_strict_rejects_with_the_place(body: str, message: str) -> None:
    with pytest.raises(ContentError, match=message) as caught:
        parse_json(body)
    assert isinstance(caught.value.__cause__, json.JSONDecodeError)


def test_too_many_digits() -> None:
    long = "1" * 5000
    body = f'["{long}", 0.{long}, {long}]'
    with pytest.raises(ContentError, match=rf"5000 at character {body.rindex(long)}"):
        parse_json(body)


def test_messages_stay_short() -> None:
    with pytest.raises(ContentError) as caught:
        parse_json("x" * 100_000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, '[{"a":' * 50_000 + "1" + "}]" * 50_000])
def test_deep_nesting(body: str) -> None:
    with pytest.raises(ContentError, match="nested too deep"):
        parse_json(body)
    with pytest.raises(RecursionError):
        parse_content(body, "json", {})
    assert json_or_text(body) == body
    with pytest.raises(ContentError, match="nested too deep"):
        parse_loose_json(body, unquoted_keys=True, string_delims=DELIMS)


def test_deep_nesting_from_deep_in_the_stack() -> None:
    """With few frames left the body's depth is still reported as such; with none the call itself can not be made."""

    def descend(frames: int) -> str:
        if frames:
            return descend(frames - 1)
        try:
            return str(parse_json("[" * 100_000))
        except ContentError as error:
            return str(error)

    used = 0
    frame = sys._getframe()
    while frame is not None:
        used, frame = used + 1, frame.f_back
    outcomes = []
    for left in range(60, 0, -1):
        try:
            outcomes.append("nested too deep" in descend(sys.getrecursionlimit() - used - left))
        except RecursionError:
            outcomes.append(False)
    reported = outcomes.index(False) if False in outcomes else len(outcomes)
    assert reported >= 50
    assert not any(outcomes[reported:])


def test_json_or_text() -> None:
    assert json_or_text(" [1] ") == [1]
    assert json_or_text(" not [json\n") == "not [json"
    assert json_or_text("") == ""
    assert json_or_text("{a: 1}", bare_keys) == {"a": 1}
    assert json_or_text("{a: }\n", bare_keys) == "{a: }"
    assert json_or_text("9" * 5000) == "9" * 5000


@pytest.mark.parametrize("body", ["9" * 5000, "[" * 100_000])
def test_reference_does_not_take_every_failure_as_text(body: str) -> None:
    with pytest.raises((ValueError, RecursionError)):
        parse_content(body, "json", {"allow_non_json": True})
    assert json_or_text(body) == body


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("{a: 1, b_2 : {c:[{d :2}]}}", {"a": 1, "b_2": {"c": [{"d": 2}]}}),
        ('{"a": 1, b: 2}', {"a": 1, "b": 2}),
        ("{\n  key\n:\t1\u2003}".replace("\u2003", " "), {"key": 1}),
        ("{मौसम: 1, Ⅷ: 2, e\u0301: 3}", {"मौसम": 1, "Ⅷ": 2, "e\u0301": 3}),
        ("{1: 2, true: false}", {"1": 2, "true": False}),
        ('{"text": "{a: 1, b: 2}", c: "\\", d: 1"}', {"text": "{a: 1, b: 2}", "c": '", d: 1'}),
        ('{a: "x:y", b: ","}', {"a": "x:y", "b": ","}),
        ("[1, 2]", [1, 2]),
        ("{}", {}),
    ],
)
def test_unquoted_keys(body: str, value: Any) -> None:
    assert bare_keys(body) == value


@pytest.mark.parametrize("body", ["{a-b: 1}", "{a b: 1}", "{a}", "{: 1}", "{a: b}", "[a: 1]", '{a: "x}', "{\x1ca: 1}"])
def test_unquoted_keys_rejects(body: str) -> None:
    with pytest.raises(ContentError):
        bare_keys(body)


def test_white_space_around_keys_is_that_of_the_dialect() -> None:
    """Every character: the class written out here is the `regex` package's `\\s`."""
    from untemplate.runtime.content.loose_json import _SPACE

    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert regex.findall(rf"[{_SPACE}]", every) == regex.findall(r"\s", every)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('{name:<|"|>Ana "Ann", née\n{x: 1}<|"|>,n:1}', {"name": 'Ana "Ann", née\n{x: 1}', "n": 1}),
        ('[<|"|><|"|>, <|"|>\\n<|"|>]', ["", "\\n"]),
        ('{<|"|>a b<|"|>: <|"|>c<|"|>}', {"a b": "c"}),
        ('<|"|>\ud83d<|"|>', "\ud83d"),
    ],
)
def test_string_delims(body: str, value: Any) -> None:
    assert dialect(body) == value


def test_string_delims_in_order_and_shortest() -> None:
    pairs = (("<<", ">>"), ("'", "'"))
    assert parse_loose_json("[<<a>>, 'b', <<it's>>]", string_delims=pairs) == ["a", "b", "it's"]
    assert parse_loose_json("[<<a<<b>>]", string_delims=pairs) == ["a<<b"]
    assert parse_loose_json("''''", string_delims=(("''", "''"),)) == ""


def test_string_over_an_earlier_string() -> None:
    body, pairs = "['say <<hi>> now', 1]", (("<<", ">>"), ("'", "'"))
    assert parse_loose_json(body, string_delims=pairs) == ['say "hi" now', 1]
    assert parse_content(body, "json", {"string_delims": pairs}) == ["say \x010\x02 now", 1]


def test_sentinel_characters_are_text() -> None:
    body = '{a:<|"|>\x01 and \x02<|"|>}'
    assert dialect(body) == {"a": "\x01 and \x02"}
    with pytest.raises(ValueError, match="reserved"):
        parse_content(body, "json", {"unquoted_keys": True, "string_delims": DELIMS})


def test_digits_as_delimiters() -> None:
    body, pairs = "[<<a>>, 0b0]", (("<<", ">>"), ("0", "0"))
    assert parse_loose_json(body, string_delims=pairs) == ["a", "b"]
    with pytest.raises(ValueError, match="json"):
        parse_content(body, "json", {"string_delims": pairs})


def test_errors_after_rewriting_say_so() -> None:
    with pytest.raises(ContentError, match=r"line 1, column 6.*as rewritten"):
        bare_keys("{a:b}")
    with pytest.raises(ContentError) as caught:
        bare_keys("[b]")
    assert "rewritten" not in str(caught.value)


@pytest.mark.parametrize(
    "unit", ["{", ",", "{ ", "{a", "{a ", '"', '\\"', "a", " ", "{a:", QUOTE, "'", '{"', '"\\', "<|", "{é", "\x01"]
)
def test_hostile_repetition_is_linear(unit: str) -> None:
    """Sizes at which anything quadratic takes minutes."""
    pairs = (("'", ">"), ("{", "}}"), DELIMS[0], ("a", "b"))
    for body in (unit * 200_000, "{" + unit * 200_000, "{" + " " * 100_000 + unit * 100_000, '"' + unit * 200_000):
        with pytest.raises(ContentError):
            bare_keys(body)
        with pytest.raises(ContentError):
            parse_loose_json(body, unquoted_keys=True, string_delims=pairs)


def test_many_strings_are_linear() -> None:
    body = "[" + ",".join(["<<a>>", "'b <<c>>'"] * 50_000) + "]"
    value = parse_loose_json(body, string_delims=(("<<", ">>"), ("'", "'"), ("~", "~")))
    assert value == ["a", 'b "c"'] * 50_000


def outcome(parse: Callable[[], Any], rejections: type[Exception]) -> str:
    """The value in a form that tells `True`, `1` and `1.0` apart."""
    try:
        return repr(parse())
    except rejections:
        return REJECTED


PIECES = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "'",
    "<<",
    ">>",
    QUOTE,
    "a",
    "é",
    "²",
    "Ⅷ",
    "1",
    " ",
    "\n",
    "\x1c",
    "null",
    "{a:",
    ', "b": 2',
    "<<x>>",
]
BODIES = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "k_1", "naïve", "x y", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


def bare(value: Any) -> str:
    """`value` in the dialect: keys without quotes, strings in `QUOTE`."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {bare(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(bare, value)) + "]"
    return QUOTE + value + QUOTE if isinstance(value, str) else json.dumps(value)


@given(BODIES | VALUES.map(json.dumps) | VALUES.map(bare))
@example('{"<<": a:1, "b": ">>"}')
@example('{"abc<<:>> def", k: 1}')
@settings(max_examples=400, deadline=None)
def test_agrees_with_the_reference(body: str) -> None:
    for unquoted in (False, True):
        for pairs in ((), DELIMS, (("<<", ">>"), (QUOTE, QUOTE))):
            ours = partial(parse_loose_json, unquoted_keys=unquoted, string_delims=pairs)
            args = {"unquoted_keys": unquoted, "string_delims": pairs}
            if "<<" in body and body.count(QUOTE) > 1 and len(pairs) > 1:
                continue  # strings over strings: see test_string_over_an_earlier_string
            if pairs and ("\x01" in body or "\x02" in body):
                continue  # characters that the reference keeps for itself
            assert outcome(lambda ours=ours: ours(body), ContentError) == outcome(
                lambda args=args: parse_content(body, "json", args), Exception
            )
            as_text = outcome(lambda args=args: parse_content(body, "json", args | {"allow_non_json": True}), Exception)
            assert outcome(lambda ours=ours: json_or_text(body, ours), ContentError) == as_text
    assert outcome(lambda: parse_json(body), ContentError) == outcome(
        lambda: parse_content(body, "json", {}), Exception
    )


@given(st.text(max_size=12))
@settings(max_examples=150, deadline=None)
def test_only_content_errors_leave(body: str) -> None:
    for parse in (parse_json, bare_keys, dialect):
        outcome(lambda parse=parse: parse(body), ContentError)
