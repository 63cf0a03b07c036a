"""Cases that were once wrong, each with the right value: whole, by character, with empty pieces, after a prefix."""

from __future__ import annotations

from typing import Any

import pytest

from support.chunking import stream
from untemplate.compiler import load_parser

OPTIONAL_THINK = {
    "start_anchor": "<|assistant|>",
    "fields": {"reasoning_content": {"open_pattern": r"^(?:<think>\s*)?", "close": "</think>"}, "content": {}},
}
OPTIONAL_CLOSE = {
    "start_anchor": "@",
    "fields": {"c": {"open": "<call>", "close_pattern": "(?:</call>)?", "repeats": True}, "y": {}},
}
EMPTY_OR_ONE = {
    "start_anchor": "@",
    "fields": {
        "y": {"open": "a", "close_pattern": r"(?:\W|)", "repeats": True},
        "z": {"close": ["baa", "a"], "content_args": {"strip": False}, "repeats": True, "join": ""},
    },
}
SAME_TEXT_TWICE = {
    "start_anchor": "@",
    "fields": {"x": {"open": "a", "close_pattern": "a(?=b)"}, "y": {"close_pattern": r"\s*a"}},
}
CAPTURE_OF_A_CLOSE_THAT_CLOSED_NOTHING = {
    "start_anchor": "@",
    "fields": {
        "a": {
            "close_pattern": r"\)#(?P<name>\d+)|<<",
            "transform": {"name": "{name}", "text": "{content}"},
            "repeats": True,
        }
    },
}
FAR_LOOK_AHEADS = {
    "start_anchor": "@",
    "fields": {
        "r": {"open_pattern": r"<think>(?=[\s\S]*?</think>)", "close": "<|end|>", "repeats": True},
        "c": {"repeats": True, "join": ""},
    },
}
LITERAL_IN_A_LEAD = {
    "start_anchor": "@",
    "fields": {"z": {"open_pattern": "(?:a|b)*<"}, "y": {"close_pattern": r"a\s*", "repeats": True}},
}

CASES = [
    (OPTIONAL_THINK, "<think>Hm.</think>Yes.", {"reasoning_content": "Hm.", "content": "Yes."}),
    (OPTIONAL_CLOSE, "<call></call>x<call>y", {"c": ["", ""], "y": "y"}),
    (EMPTY_OR_ONE, "ab<  a \n<baa", {"y": ["", ""], "z": "b<  \n<"}),
    (SAME_TEXT_TWICE, " ab", {"y": "b"}),
    (FAR_LOOK_AHEADS, "<think>a<|end|>" * 9 + "</think>", {"r": ["a"] * 9, "c": "</think>"}),
    (LITERAL_IN_A_LEAD, "ba<x", {"z": "x"}),
    (LITERAL_IN_A_LEAD, "ba cb", {"y": ["b", "cb"]}),
]


@pytest.mark.parametrize(("template", "text", "message"), CASES)
def test_however_it_is_cut(template: dict[str, Any], text: str, message: dict[str, Any]) -> None:
    module = load_parser(template)
    assert module.parse_response(text, prefix="") == message
    anchor = template["start_anchor"]
    assert module.parse_response(text, prefix=f"before{anchor}") == message
    pieces = [[text], list(text), ["", *text], [piece for char in text for piece in (char, "")]]
    results = [stream(module, "", chunks, None) for chunks in pieces]
    assert all(result == results[0] for result in results)
    assert results[0][0] == message


def test_captures_of_a_close_that_closed_nothing_are_forgotten() -> None:
    module = load_parser(CAPTURE_OF_A_CLOSE_THAT_CLOSED_NOTHING)
    with pytest.raises(ValueError, match="no 'name'"):
        module.parse_response(")#12 x<<", prefix="")


@pytest.mark.parametrize("pattern", [r"\Z", r"\Zx", r"[^\s\S]"])
def test_a_close_that_can_start_with_nothing(pattern: str) -> None:
    module = load_parser({"start_anchor": "@", "fields": {"content": {"close_pattern": pattern}}})
    assert module.parse_response("Yes.", prefix="") == {"content": "Yes."}


def test_nothing_is_held_once_the_scan_has_ended() -> None:
    module = load_parser({"start_anchor": "@", "fields": {"x": {"open": "<x>"}, "y": {"close_pattern": "|q"}}})
    parser = module.ResponseParser("")
    assert [parser.feed(text) for text in ("<", "y", "x>", "more")] == [[], [], [], []]
    assert parser.held == ""
    assert parser.finalize() == ({}, [])
