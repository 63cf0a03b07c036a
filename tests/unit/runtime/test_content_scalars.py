"""The contents `int`, `float` and `bool`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.content_parsers import parse_content

from untemplate.runtime.content import parse_bool, parse_float, parse_int
from untemplate.runtime.errors import ContentError

REJECTED = "rejected"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("7", 7),
        (" -12\n", -12),
        ("+3", 3),
        ("1_000", 1000),
        ("٤٢", 42),
        ("\u00a05\u2003", 5),
        ("9" * 400, int("9" * 400)),
    ],
)
def test_int(body: str, value: int) -> None:
    assert parse_int(body) == value


@pytest.mark.parametrize("body", ["", "  ", "7.0", "1e3", "0x10", "seven", "1 2", "_1", "\ud800", "²", "\0"])
def test_int_rejects(body: str) -> None:
    with pytest.raises(ContentError, match="expected an integer") as caught:
        parse_int(body)
    assert isinstance(caught.value.__cause__, ValueError)


def test_int_says_when_there_is_nothing() -> None:
    with pytest.raises(ContentError, match="only white space"):
        parse_int(" \n")


def test_int_digit_limit_is_a_content_error_with_a_short_message() -> None:
    with pytest.raises(ContentError, match="1000000 characters") as caught:
        parse_int("8" * 1_000_000)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("body", "value"), [("2.5", 2.5), (" 3 ", 3.0), ("1e999", float("inf")), ("-inf", -float("inf")), ("1_0.5", 10.5)]
)
def test_float(body: str, value: float) -> None:
    result = parse_float(body)
    assert result == value
    assert isinstance(result, float)


def test_float_reads_nan() -> None:
    assert repr(parse_float("NaN")) == "nan"


@pytest.mark.parametrize("body", ["", "1,5", "one", "1.5.2", "\udfff", "0x1p3"])
def test_float_rejects(body: str) -> None:
    with pytest.raises(ContentError, match="expected a number"):
        parse_float(body)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("true", True),
        ("TRUE\n", True),
        (" 1 ", True),
        ("false", False),
        ("0", False),
        ("yes", False),
        ("", False),
        ("11", False),
    ],
)
def test_bool(body: str, value: bool) -> None:
    assert parse_bool(body) is value


def outcome(parse: Callable[[], Any]) -> str:
    """The value in a form that tells `True`, `1` and `1.0` apart; ours may only raise `ContentError`."""
    try:
        return repr(parse())
    except ContentError:
        return REJECTED


def reference(body: str, name: str) -> str:
    try:
        return repr(parse_content(body, name, {}))
    except Exception:
        return REJECTED


@given(
    st.one_of(
        st.text(max_size=8), st.text("0123456789+-._eE \n", max_size=8), st.floats().map(str), st.integers().map(str)
    )
)
@example("tRUe ")
@example("1" * 5000)
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_reference(body: str) -> None:
    for name, parse in (("int", parse_int), ("float", parse_float), ("bool", parse_bool)):
        assert outcome(lambda parse=parse: parse(body)) == reference(body, name)
