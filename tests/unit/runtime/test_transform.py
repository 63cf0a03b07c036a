"""Placeholders in region values, and lists that are transformed element by element."""

from __future__ import annotations

from typing import Any

import pytest

from untemplate.runtime.errors import ContentError
from untemplate.runtime.transform import each, lookup


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        ([1], (), [1]),
        ({"a": None}, ("a",), None),
        ({"a": {"b": {"c": 0}}}, ("a", "b", "c"), 0),
        ({"": {"é": "x"}}, ("", "é"), "x"),
    ],
)
def test_lookup(value: Any, path: tuple[str, ...], found: Any) -> None:
    assert lookup(value, path, "{x}") == found


def test_lookup_keeps_the_object_itself() -> None:
    inner = {"k": 1}
    assert lookup({"a": inner}, ("a",), "{content.a}") is inner


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": {"y": 1, "x": 2}}, r"^{content.a.b}: no 'b' among the keys 'x', 'y'$"),
        ({"a": {}}, "no 'b' among no keys at all"),
        ({"c": 1}, "no 'a' among the keys 'c'"),
        ({"a": [1]}, "no 'b' in a list, which is no object"),
        ({"a": "b"}, "no 'b' in a string"),
        ({"a": True}, "no 'b' in a boolean"),
        ({"a": 1.5}, "no 'b' in a number"),
        ({"a": None}, "no 'b' in null"),
        (7, "no 'a' in a number"),
        ({"a": {f"key{i}": i for i in range(100_000)}}, "'key0', 'key1', 'key10', .* and 99992 more$"),
    ],
)
def test_lookup_says_what_is_missing(value: Any, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        lookup(value, ("a", "b"), "{content.a.b}")


def test_lookup_cuts_long_keys() -> None:
    with pytest.raises(ContentError) as caught:
        lookup({"k" * 100_000: 1}, ("a",), "{content.a}")
    assert len(str(caught.value)) < 150


def test_each() -> None:
    items = [{"a": 1}, {}]
    assert each(items) is items
    assert each([]) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": 1}, "expected a list of objects, found an object"),
        ("[]", "found a string"),
        (None, "found null"),
        ([{}, [1]], "item 2 is a list"),
        ([3], "item 1 is a number"),
    ],
)
def test_each_rejects(value: Any, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        each(value)
