"""Reading JSON strictly, and finding places in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from untemplate.compiler.diagnostics import Diagnostic, TemplateError
from untemplate.compiler.frontend import limits
from untemplate.compiler.frontend.digest import template_digest
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.scanner import Spot, find_spots, offset_in_string
from untemplate.compiler.frontend.source import (
    Locator,
    Source,
    source_of_bytes,
    source_of_text,
    source_of_value,
)

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


def fault(text: str | bytes) -> Diagnostic:
    """The one fault of a document that can not be read."""
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    with pytest.raises(TemplateError) as caught:
        source_of_bytes(data, "t.json")
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


@given(JSON_VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
@settings(max_examples=150)
def test_reads_what_json_writes(value: Any, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    source = source_of_text(text, "t.json")
    assert source.document == value
    assert json.dumps(source.document) == json.dumps(value)
    assert source.faults == ()


@given(st.text(alphabet='{}[]",:\\u0dD8cn1-.eE \n\x01/tINfl' + "é'", max_size=25) | st.text(max_size=10))
@settings(max_examples=500)
def test_refuses_what_json_refuses(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(TemplateError) as caught:
            source_of_text(text, "t.json")
        assert str(caught.value).startswith("t.json:")
    else:
        source = source_of_text(text, "t.json")
        assert source.faults or source.document == expected


def test_every_line_break_counts() -> None:
    assert (fault('{"a":\r\n x').line, fault('{"a":\r\n x').column) == (2, 2)
    assert (fault('{"a":\n\n\n').line, fault('{"a":\n\n\n').column) == (4, 1)


@pytest.mark.parametrize(
    ("text", "line", "column", "part"),
    [
        ("", 1, 1, "found the end of the text"),
        ("{} {}", 1, 4, "nothing more after the end"),
        ('{"a" 1}', 1, 6, 'a colon after the key "a"'),
        ("[1 2]", 1, 4, "a comma or ]"),
        ("[1,]", 1, 3, "a comma stands before the closing ]"),
        ("[01]", 1, 3, "a comma or ]"),
        ("[+1]", 1, 2, 'a value, found "+"'),
        ("{a: 1}", 1, 2, "a key in double quotes"),
        ('["a\nb"]', 1, 4, "a line break inside a string"),
        ('["a\tb"]', 1, 4, "a tab inside a string"),
        ('["a\x07b"]', 1, 4, "U+0007 inside a string"),
        ('["abc', 1, 6, "the text ends inside a string"),
        ('["\\x"]', 1, 3, "\\x is not an escape"),
        ("// a\n{}", 1, 1, 'found "/"'),
    ],
)
def test_place_of_a_syntax_error(text: str, line: int, column: int, part: str) -> None:
    diagnostic = fault(text)
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("invalid-json", line, column)
    assert part in diagnostic.message


def test_byte_order_mark_is_not_counted() -> None:
    assert source_of_bytes(b"\xef\xbb\xbf{}", "t.json").document == {}
    assert fault(b"\xef\xbb\xbfx").column == 1


def test_encodings() -> None:
    assert "byte 0xE9 at offset 2" in fault(b'["\xe9"]').message
    assert "UTF-16" in fault("{}".encode("utf-16")).hint
    assert fault(b'["\xed\xa0\x80"]').code == "not-utf8"


def test_size_limit() -> None:
    diagnostic = fault(b" " * (limits.FILE_BYTES + 1))
    assert diagnostic.code == "too-large"
    assert "16 MiB" in diagnostic.message


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_limit(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    inner = "1" if opening == "[" else "{}"
    depth = limits.NESTING - (opening != "[")
    assert source_of_text(opening * depth + inner + closing * depth, "t.json").faults == ()
    diagnostic = fault(opening * 100_000)
    assert diagnostic.code == "too-deep"
    assert diagnostic.column == limits.NESTING * len(opening) + 1


def test_faults_outside_of_the_template_do_not_count() -> None:
    text = '{"n": NaN, "a": 1, "a": 2, "response_template": {"x": NaN, "x": 1e999}}'
    report = Report(source_of_text(text, "t.json").at(("response_template",)))
    assert [(found.code, found.column) for found in report.diagnostics()] == [
        ("not-finite", text.rindex("NaN") + 1),
        ("duplicate-key", text.rindex('"x"') + 1),
        ("not-finite", text.index("1e999") + 1),
    ]


def test_integers_up_to_the_limit_are_exact() -> None:
    number = 10**limits.INTEGER_DIGITS - 1
    assert source_of_text(f"[{number}, -{number}]", "t.json").document == [number, -number]
    assert source_of_value([number]).faults == ()
    assert [found.code for found in source_of_value([number + 1]).faults] == ["integer-too-long"]
    assert [found.code for found in source_of_text(f"[{number + 1}]", "t.json").faults] == ["integer-too-long"]


def test_spots() -> None:
    text = ' {"a": [1, {"b": "x"}],\n"a b": null}'
    assert find_spots(text) == {
        (): Spot(None, 1),
        ("a",): Spot(2, 7),
        ("a", 0): Spot(None, 8),
        ("a", 1): Spot(None, 11),
        ("a", 1, "b"): Spot(12, 17),
        ("a b",): Spot(24, 31),
    }


@given(st.text(max_size=12), st.booleans(), st.data())
@settings(max_examples=100)
def test_characters_of_a_string_are_found(value: str, ascii_only: bool, data: st.DataObject) -> None:
    text = f"  {json.dumps(value, ensure_ascii=ascii_only)}"
    index = data.draw(st.integers(0, len(value)))
    at = offset_in_string(text, 2, index)
    # What stands before the place is the start of the string.
    assert json.loads(f'{text[2:at]}"') == value[:index]


def test_places_without_a_text_keep_the_order() -> None:
    locator = Locator(source_of_value({"b": [1, {"c": 2}], "a": 3}))
    paths: list[tuple[str | int, ...]] = [(), ("b",), ("b", 0), ("b", 1), ("b", 1, "c"), ("a",)]
    ranks = [locator.place(path).rank for path in paths]
    assert ranks == sorted(ranks)
    assert locator.place(("a",)).line is None


def test_python_values_that_are_not_json() -> None:
    value = {"t": (1, 2), "s": {1}, "n": float("nan"), "b": b"x", 3: "number", "l": [object()], None: 1}
    source = source_of_value(value)
    assert source.document == {"t": None, "s": None, "n": None, "b": None, "l": [None]}
    assert [(found.code, found.path) for found in source.faults] == [
        ("not-json-value", ("t",)),
        ("not-json-value", ("s",)),
        ("not-finite", ("n",)),
        ("not-json-value", ("b",)),
        ("not-json-value", ()),
        ("not-json-value", ("l", 0)),
        ("not-json-value", ()),
    ]
    assert source.faults[0].hint == "use a list"


def test_dicts_are_copied_and_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    inner: dict[str, Any] = {"a": [1]}
    source = source_of_value(inner)
    inner["a"].append(2)
    assert source.document == {"a": [1]}
    inner["a"].append(inner)
    with pytest.raises(TemplateError) as caught:
        source_of_value(inner)
    assert caught.value.diagnostics[0].code == "too-deep"
    assert str(caught.value).startswith("<dict>: error: lists and objects are nested more than 100 deep")
    monkeypatch.setattr(limits, "DICT_VALUES", 10)
    with pytest.raises(TemplateError) as caught:
        source_of_value([0] * 10)
    assert caught.value.diagnostics[0].code == "too-large"


def test_error_survives_pickling_and_has_a_text() -> None:
    import pickle

    with pytest.raises(TemplateError) as caught:
        source_of_text("[", "t.json")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.diagnostics == caught.value.diagnostics


def test_digest() -> None:
    raw = {"a": "é\ud800", "b": [1, 1.5, None]}
    text = json.dumps(raw, indent=3)
    assert template_digest(source_of_text(text, "t.json").template) == template_digest(raw)
    assert len(template_digest(raw)) == 64
    assert template_digest({"a": 1, "b": 2}) != template_digest({"b": 2, "a": 1})


def test_root() -> None:
    source = Source("t", None, {"a": {"b": 1}})
    assert source.template == {"a": {"b": 1}}
    assert source.at(("a", "b")).template == 1
