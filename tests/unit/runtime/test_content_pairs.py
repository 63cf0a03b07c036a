"""The contents `xml-inline` and `kv-lines`: keys with values, in tags or on lines.

Where this differs from the reference on purpose: `kv-lines` and `xml-inline` raise `ContentError` for every value that
their `value_parser` rejects, and for a value it could not be given; the reference then raises whatever happens to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.content_parsers import parse_content

from untemplate.runtime.content import json_or_text, parse_bool, parse_int, parse_json, parse_kv_lines, parse_xml
from untemplate.runtime.errors import ContentError

REJECTED = "rejected"
TAG = r"<(?P<key>\w+)>(?P<value>.*?)</(?P=key)>"
OPTIONAL = r"<(?P<key>\w+)?(?:=(?P<value>[^<>]*))?>"


def finder(pattern: str) -> Callable[[str], Iterator[tuple[str | None, str | None]]]:
    compiled = regex.compile(pattern, regex.DOTALL)

    def tags(body: str) -> Iterator[tuple[str | None, str | None]]:
        return ((match["key"], match["value"]) for match in compiled.finditer(body))

    return tags


tags, optional_tags = finder(TAG), finder(OPTIONAL)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("", {}),
        ("no tags", {}),
        ("<a>1</a> and <b> x\ny </b>", {"a": "1", "b": " x\ny "}),
        ("<a></a>", {"a": ""}),
        ("<a>1</a><b>2</b><a>3</a>", {"a": "3", "b": "2"}),
    ],
)
def test_xml(body: str, value: dict[str, str]) -> None:
    assert parse_xml(body, tags) == value


def test_xml_merges_duplicates_in_order() -> None:
    body = "<a>1</a><b>2</b><a>3</a><a>1</a>"
    assert parse_xml(body, tags, merge_duplicates=True) == {"a": ["1", "3", "1"], "b": "2"}
    body = "<a>[1]</a><a>[2]</a><a>3</a>"
    assert parse_xml(body, tags, parse_json, merge_duplicates=True) == {"a": [[1], [2], 3]}


def test_xml_value_parser() -> None:
    assert parse_xml("<a>1</a><b> [2] </b>", tags, parse_json) == {"a": 1, "b": [2]}
    assert parse_xml("<a>1</a><b> x </b>", tags, json_or_text) == {"a": 1, "b": "x"}
    nested = partial(parse_xml, tags=finder(TAG), value_parser=parse_int)
    assert parse_xml("<f><x>1</x><y>2</y></f>", tags, nested) == {"f": {"x": 1, "y": 2}}


def test_xml_groups_that_took_no_part() -> None:
    """A value that is not there is None, as in the reference, unless it would have to be parsed."""
    assert parse_xml("<a><b=1>", optional_tags) == {"a": None, "b": "1"}
    assert parse_content("<a><b=1>", "xml-inline", {"tag_pattern": OPTIONAL}) == {"a": None, "b": "1"}
    with pytest.raises(ContentError, match="tag 2, 'b', has no value"):
        parse_xml("<a=true><b>", optional_tags, parse_bool)
    with pytest.raises(AttributeError):
        parse_content("<a=true><b>", "xml-inline", {"tag_pattern": OPTIONAL, "value_parser": {"name": "bool"}})
    with pytest.raises(ContentError, match="tag 2 has no key"):
        parse_xml("<a><=1>", optional_tags)


def test_xml_rejected_value_names_the_tag() -> None:
    with pytest.raises(ContentError, match="tag 2, 'b': not JSON at line 1, column 2") as caught:
        parse_xml("<a>1</a><b>{x}</b>", tags, parse_json)
    assert isinstance(caught.value.__cause__, ContentError)


@pytest.mark.parametrize(
    ("body", "options", "value"),
    [
        ("", {}, {}),
        ("a: 1\n\n  b :x:y \nnothing\n:empty", {}, {"a": "1", "b": "x:y", "": "empty"}),
        ("a: 1\na: 2", {}, {"a": "2"}),
        (" a = 1 ; b=2;", {"line_sep": ";", "kv_sep": "="}, {"a": "1", "b": "2"}),
        (" a : 1 \n  \n b:2\r", {"strip": False}, {" a ": " 1 ", " b": "2\r"}),
        ("k  v\n  ", {"kv_sep": " ", "strip": False}, {"k": " v", "": " "}),
        ("k  v\n  ", {"kv_sep": " "}, {"k": "v"}),
        ("a=>1<br>b=>2", {"line_sep": "<br>", "kv_sep": "=>"}, {"a": "1", "b": "2"}),
    ],
)
def test_kv_lines(body: str, options: dict[str, Any], value: dict[str, str]) -> None:
    assert parse_kv_lines(body, **options) == value
    assert parse_content(body, "kv-lines", options) == value


def test_kv_lines_value_parser() -> None:
    assert parse_kv_lines("a: 1\nb: [2]", parse_json) == {"a": 1, "b": [2]}
    with pytest.raises(ContentError, match="line 3, 'b': expected an integer, found 'x'"):
        parse_kv_lines("a: 1\n\nb: x\nc: 3", parse_int)


def outcome(parse: Callable[[], Any]) -> str:
    try:
        return repr(parse())
    except ContentError:
        return REJECTED


def reference(body: str, name: str, args: dict[str, Any]) -> str:
    try:
        return repr(parse_content(body, name, args))
    except Exception:
        return REJECTED


PARSERS: list[tuple[dict[str, Any], Callable[[str], Any] | None]] = [
    ({}, None),
    ({"value_parser": {"name": "json"}}, parse_json),
    ({"value_parser": {"name": "json", "args": {"allow_non_json": True}}}, json_or_text),
    ({"value_parser": {"name": "text"}}, str.strip),
]
LINES = st.lists(st.sampled_from(["a", "b", ":", "=", ";", "\n", " ", "1", '"x"', "[", "é", "\x1d"]), max_size=14).map(
    "".join
)
TAGS = st.lists(
    st.sampled_from(["<a>", "</a>", "<b=", "<b>", "</b>", ">", "<", "1", " ", "[2]", "\n"]), max_size=14
).map("".join)


@given(LINES, st.booleans(), st.sampled_from(["\n", ";", "a"]), st.sampled_from([":", "=", " ", "b"]))
@settings(max_examples=150, deadline=None)
def test_kv_lines_agree_with_the_reference(body: str, strip: bool, line_sep: str, kv_sep: str) -> None:
    options = {"strip": strip, "line_sep": line_sep, "kv_sep": kv_sep}
    for args, parser in PARSERS:
        ours = outcome(lambda parser=parser: parse_kv_lines(body, parser, **options))
        assert ours == reference(body, "kv-lines", options | args)


@given(TAGS, st.sampled_from([TAG, OPTIONAL]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_xml_agrees_with_the_reference(body: str, pattern: str, merge: bool) -> None:
    for args, parser in PARSERS:
        ours = outcome(lambda parser=parser: parse_xml(body, finder(pattern), parser, merge_duplicates=merge))
        assert ours == reference(body, "xml-inline", {"tag_pattern": pattern, "merge_duplicates": merge, **args})
