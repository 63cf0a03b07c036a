"""Any text gives a message or a `ResponseParseError`, with every template and every content parser."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from safety.replies import BODIES, delimiters, hostile_replies, rejection_or_message
from support.chunking import at_random, every_char, fixed
from untemplate.compiler import load_parser
from untemplate.generated import FAMILIES
from untemplate.runtime import ResponseParseError

TAGS = r"<(?P<key>\w+)>(?P<value>.*?)</>"
VALUE = {"name": "json", "args": {"allow_non_json": True}}
CONTENTS: list[dict[str, Any]] = [
    {"content": "text"},
    {"content": "text", "content_args": {"strip": False}},
    {"content": "int"},
    {"content": "float"},
    {"content": "bool"},
    {"content": "json"},
    {"content": "json", "content_args": {"unquoted_keys": True}},
    {"content": "json", "content_args": {"string_delims": [["«", "»"], ['"', '"']]}},
    {"content": "json", "content_args": {"allow_non_json": True}},
    {"content": "json", "content_args": {"unquoted_keys": True, "string_delims": [["m", "a"]], "allow_non_json": True}},
    {"content": "json", "transform": {"n": "{content.name}", "a": "{content.arguments}"}},
    {"content": "json", "transform": {"function": {"name": "{name}", "arguments": "{a}"}}, "transform_each": True},
    {"content": "json", "repeats": True, "join": ","},
    {"content": "xml-inline", "content_args": {"tag_pattern": TAGS}},
    {"content": "xml-inline", "content_args": {"tag_pattern": TAGS, "value_parser": VALUE, "merge_duplicates": True}},
    {"content": "kv-lines"},
    {"content": "kv-lines", "content_args": {"strip": False, "line_sep": ",", "kv_sep": "a"}},
    {"content": "kv-lines", "content_args": {"line_sep": "[", "kv_sep": ",", "value_parser": {"name": "int"}}},
    {"content": "kv-lines", "content_args": {"value_parser": {"name": "kv-lines", "args": {"value_parser": VALUE}}}},
    {"content": "python-call-list"},
    {"content": "python-call-list", "transform": {"function": "{name}", "a": "{arguments}"}, "transform_each": True},
]
TOOLS = [
    {
        "name": "f",
        "parameters": {
            "properties": {
                "a": {"type": ["integer", "number", "boolean", "null", "object", "array"]},
                "n": {"type": "integer"},
                "text": {"anyOf": [{"type": "object"}, {"type": "number"}]},
            }
        },
    }
]


def cuts(text: str) -> Iterator[list[str]]:
    """Ways of cutting that take no longer than they must for a long text."""
    yield [text]
    yield at_random(text, Random(len(text)), max(4.0, len(text) / 2_000))
    yield every_char(text) if len(text) <= 2_000 else fixed(len(text) // 500)(text)


def check(module: ModuleType, text: str, required: bool = False) -> None:
    """Reads a text, whole and cut: in both modes the same comes out, and only what may."""
    for mode in ("raise", "event"):
        found = [
            rejection_or_message(module.ResponseParser, chunks, on_malformed=mode, tools=TOOLS) for chunks in cuts(text)
        ]
        assert all(repr(one) == repr(found[0]) for one in found), mode
        if mode == "event" and not required:
            assert found[0][0] == "message"
        if found[0][0] == "message":
            message = module.parse_response(text, prefix="", tools=TOOLS, on_malformed=mode)
            assert repr(message) == repr(found[0][1])
        else:
            with pytest.raises(ResponseParseError) as caught:
                module.parse_response(text, prefix="", tools=TOOLS, on_malformed=mode)
            error = caught.value
            assert repr((error.field, error.raw, error.position, error.message)) == repr(found[0][1])


def content_parser(field: dict[str, Any]) -> ModuleType:
    """A parser whose whole reply is one region."""
    return load_parser({"start_anchor": "@", "fields": {"value": field}})


@pytest.mark.parametrize("field", CONTENTS, ids=str)
def test_hostile_bodies(field: dict[str, Any]) -> None:
    module = content_parser(field)
    for text in BODIES.values():
        check(module, text)


@pytest.mark.parametrize("family", FAMILIES)
def test_hostile_replies(family: str) -> None:
    module = FAMILIES[family]
    required = any(field.get("optional") is False for field in module.TEMPLATE["fields"].values())
    for _, text in hostile_replies(module.TEMPLATE, large=False):
        check(module, text, required)


def test_tags_that_match_everywhere() -> None:
    """A tag pattern of which every part is optional: each character is a tag, and many have no key."""
    options = {"tag_pattern": r"(?P<key>\w)?(?P<value>\W)?", "merge_duplicates": True}
    module = content_parser({"content": "xml-inline", "content_args": options})
    for text in BODIES.values():
        check(module, text[:5_000])


LARGE = ("smollm3", "qwen3_coder", "gpt_oss", "command_r7b", "llama4_pythonic")


@pytest.mark.parametrize("family", LARGE)
def test_large_hostile_replies(family: str) -> None:
    module = FAMILIES[family]
    for _, text in hostile_replies(module.TEMPLATE):
        if len(text) > 30_000:
            for mode in ("raise", "event"):
                whole, cut = (
                    rejection_or_message(module.ResponseParser, chunks, on_malformed=mode, tools=TOOLS)
                    for chunks in ([text], fixed(10_007)(text))
                )
                assert repr(whole) == repr(cut)


PIECES = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    ":",
    ",",
    "=",
    "(",
    ")",
    "\\",
    "\\u",
    "d800",
    "\n",
    " ",
    "f",
    "a",
    "1",
    "-",
    ".",
    "e",
]
PIECES += [
    "true",
    "None",
    "NaN",
    "\x00",
    "\ud800",
    "\ufffd",
    "²",
    "\u2028",
    "<a>",
    "</>",
    "«",
    "»",
    '{"name": "f", "arguments": ',
]


@seed(60)
@settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=25).map("".join))
def test_random_bodies(text: str) -> None:
    for field in CONTENTS:
        check(content_parser(field), text)


@seed(61)
@settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_random_replies_of_all_families(data: st.DataObject) -> None:
    for family in FAMILIES:
        template = FAMILIES[family].TEMPLATE
        marks = delimiters(template)
        pieces = st.sampled_from([*marks, *(mark[:-1] for mark in marks), *(mark[1:] for mark in marks), *PIECES])
        text = "".join(data.draw(st.lists(pieces, max_size=12)))
        required = any(field.get("optional") is False for field in template["fields"].values())
        check(FAMILIES[family], text, required)


def test_a_missing_field_is_an_error_in_both_modes() -> None:
    module = load_parser({"start_anchor": "@", "fields": {"a": {"open": "<a>", "close": "</a>", "optional": False}}})
    for mode in ("raise", "event"):
        with pytest.raises(ResponseParseError, match="not optional"):
            module.parse_response("<b>", prefix="", on_malformed=mode)


def test_hostile_prompts() -> None:
    for family in LARGE:
        module = FAMILIES[family]
        anchor = next(iter(delimiters({"fields": {}, "start_anchor": module.TEMPLATE.get("start_anchor", "@")})))
        for text in BODIES.values():
            prefix = f"{text[:20_000]}{anchor}{text[:20_000]}"
            rejection_or_message(module.ResponseParser, ["x"], prefix, "event")
