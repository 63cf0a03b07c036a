"""Which parsers look for what is certain before delimiters are: those that can find something."""

from __future__ import annotations

from collections import OrderedDict
from itertools import product
from random import Random
from typing import Any

import pytest

from support.chunking import merge
from support.oracle import interpret
from support.tiny import letters_of, tiny_template
from untemplate.compiler import load_parser, loading
from untemplate.compiler.pipeline import make_plan
from untemplate.compiler.plan import build
from untemplate.runtime.foretelling import ForetellingParser


def template(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": fields}


SOMETHING = [
    template(x={"open_pattern": "(?:ab)?", "close": "<"}, y={}),
    template(z={"open_pattern": "ab|a", "close": "<"}, y={"close_pattern": "ab|a"}),
    template(x={"open_pattern": "a(?=b)"}, y={"close_pattern": "a(?!b)"}),
    template(x={"open": "<", "close_pattern": "a(?:a(?=[^b]*b))?"}, z={"open_pattern": "(?=a)|(?!a)", "close": "b"}),
    template(x={"open": "<", "close_pattern": "a(?:b(?=[^b]*b))?"}),
    template(x={"open_pattern": "(?:ab)?(?=[^b]*b)", "close": "<"}, y={"close": "<"}),
    template(x={"open_pattern": "(?:ab)?b(?:<b)?", "close": "<"}),
    template(x={"open_pattern": "bb(?<!b)", "close": "a"}, y={}),
    template(x={"open_pattern": "<(?:.(?=b))?"}),
    template(x={"open_pattern": r"<think>(?:\s(?=\n))?", "close": "</think>"}, y={}),
    template(x={"open_pattern": ".(?=b)|^"}, z={"open": "a"}),
    template(x={"open": "<", "close_pattern": "."}),
    template(x={"open": "<", "close_pattern": "a|[^a]"}, y={}),
    template(x={"open_pattern": "(?<=a)."}, y={}),
    template(x={"open": "<", "close_pattern": r"a(?P<n>a)?\s*", "transform": "{n}"}, y={}),
]
NOTHING = [
    template(
        x={"open_pattern": r"<a>\s*(?P<n>\w+)", "close": "</a>", "transform": "{n}"}, y={"close_pattern": "<end>|$"}
    ),
    template(x={"open": "<a>", "close_pattern": r"</a>|(?=<b>[^<]*</b>)"}, z={"open": "<b>", "close": "</b>"}, y={}),
    template(x={"open": "<a>", "close": "</a>"}, y={}),
]


@pytest.mark.parametrize("one", SOMETHING)
def test_something_can_be_certain(one: dict[str, Any]) -> None:
    assert make_plan(one).probes


@pytest.mark.parametrize("one", NOTHING)
def test_nothing_can_be_certain(one: dict[str, Any]) -> None:
    assert not make_plan(one).probes


@pytest.mark.parametrize("number", range(3_000, 3_040))
def test_no_parser_that_does_not_look_would_find_anything(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = tiny_template(Random(number))
    if make_plan(tiny).probes:
        return
    look_always(monkeypatch)
    module = load_parser(tiny)
    assert issubclass(module.ResponseParser, ForetellingParser)
    found: list[int] = []
    monkeypatch.setattr(ForetellingParser, "_say", lambda parser, events, told, count: found.append(count))
    for letters in product(letters_of(tiny), repeat=4):
        parser = module.ResponseParser("", on_malformed="event")
        for letter in letters:
            parser.feed(letter)
    assert not found


def test_what_a_close_captures_is_not_said_before_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    look_always(monkeypatch)
    call = {"open": "aab", "close_pattern": r"aba(?P<status>\w*)\s*", "repeats": True, "transform": "{status}"}
    parser = load_parser(template(x=call, y={"close_pattern": r">>\s*|(?=;)"})).ResponseParser("")
    assert isinstance(parser, ForetellingParser)
    events = [event for char in "aabnanabaok;" for event in parser.feed(char)]
    assert [event["value"] for event in events if event["type"] == "region_close"] == ["ok"]


def test_opens_and_closes_without_a_character_between_them_come_to_an_end() -> None:
    """Whether they match is open as long as the text is: none may be guessed to match at one place over and over."""
    fields = {"x": {"open_pattern": r"(?:b<)?(?P<n>\w*)(?=[^b]*b)", "close_pattern": "a|$", "transform": "{n}"}}
    module = load_parser(template(**fields))
    for text in ("", "a", "\nb", "a\n", "ba<ab\nb", "<\n<b\n"):
        parser = module.ResponseParser("")
        events = [event for char in text for event in parser.feed(char)]
        message, last = parser.finalize()
        expected = interpret(template(**fields), "", text)
        assert (message, merge([*parser.initial_events, *events, *last])) == (expected.message, expected.events)


def look_always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has every parser that is loaded in this test look, and no other test find it."""
    monkeypatch.setattr(loading, "_kept", OrderedDict())
    monkeypatch.setattr(build, "_foretold", lambda template, states: ("".join(build._kinds(template)), True))
