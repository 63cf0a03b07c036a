"""Parsers that find delimiters with regular expressions do what those with an automaton do, and no later."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

import pytest

from support.chunking import Item, at_random, items, merge, stream
from support.oracle import interpret
from untemplate.compiler import TemplateError, load_parser
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.pipeline import compile_in_memory
from untemplate.compiler.plan import searches

TEMPLATES = 40
TEXTS = 6
PIECES = ["a", "b", "c", "<", ">", "<a>", "<b>", "ab", "aab", "aaaa", "bbb"]
PARTS = [
    *("a", "b", "<", "ab", "<a>", "c", "[^<]*", "[^<]+", "(?P<x>[^<>]+)", "a*", "[ab]*", "b?", "<b>", "(?:ab)?"),
    *("(?:ab)??", "a??", "[^<]*?", "(?P<x>[ab])??", "(?:<b>)??"),
    *("[^ab]*", "c+", "(?:<a>|b)", "(?:<b>[^<]*)?", "(?:a|<)", "[^>]", "<a", "ca*<"),
]
AHEAD = ["<", "a", "ab", "<b>", "[^<]*<"]


def random_pattern(rng: Random) -> str:
    text = "".join(rng.choice(PARTS) for _ in range(rng.randint(1, 4)))
    kind = rng.random()
    if kind < 0.15:
        text += f"(?={rng.choice(AHEAD)})"
    elif kind < 0.3:
        text += rng.choice(["a*", "b*"])
    elif kind < 0.45:
        text += f"(?:{rng.choice(PARTS)}|{rng.choice(PARTS)}b*|(?={rng.choice(AHEAD)}))"
    return f"{text}|{rng.choice(PARTS)}{rng.choice(PARTS)}" if rng.random() < 0.2 else text


def random_template(rng: Random) -> dict[str, Any]:
    plain = {"repeats": True, "content_args": {"strip": False}}
    fields = {"x": {"open_pattern": random_pattern(rng), "close_pattern": random_pattern(rng), **plain}}
    if "(?P<x>" in "".join(map(str, fields["x"].values())) and rng.random() < 0.6:
        fields["x"]["transform"] = ["{x}", "{content}"]
    if rng.random() < 0.6:
        fields["z"] = {"open_pattern": random_pattern(rng), "close": rng.choice(["<", "b", "ab"]), **plain}
    if rng.random() < 0.7:
        fields["y"] = {**plain, "join": ""}
    return {"start_anchor": "@", "fields": fields}


def compiled(template: dict[str, Any]) -> ModuleType:
    module = ModuleType("compiled")
    exec(compile_in_memory(read_source(template))[1], module.__dict__)
    return module


def templates() -> list[dict[str, Any]]:
    """Random templates of which some delimiters are found with regular expressions."""
    found: list[dict[str, Any]] = []
    rng = Random(7)
    while len(found) < TEMPLATES:
        template = random_template(rng)
        try:
            if compile_in_memory(read_source(template))[0].searches:
                found.append(template)
        except TemplateError:
            continue
    return found


@pytest.mark.parametrize(
    ("pattern", "is_near"),
    [
        ("a(?=b)", True),
        ("a(?=b?c)", True),
        ("<a>(?=[^<]*<b>)", True),
        ("a(?=[^b]*b)", False),
        (r"<a>(?=[^\n]*\n)", False),
        (r"<a>(?=\{[^\n]*\n)", False),
    ],
)
def test_what_is_looked_at_is_not_read_again_for_each_match(pattern: str, is_near: bool) -> None:
    template = {"start_anchor": "@", "fields": {"x": {"open_pattern": pattern, "close": "c", "repeats": True}}}
    assert bool(compile_in_memory(read_source(template))[0].searches) is is_near


@pytest.mark.parametrize("pattern", ["(?:<a|<b)(?P<n>a+)??(?=b)", "<(?:a(?P<n>b)|b(?P<n>a))", "<(?:a|(?:ab)??)b"])
def test_forms_of_groups(pattern: str) -> None:
    """Lazy options, and a name that two groups have, which `re` does not take."""
    template = {
        "start_anchor": "@",
        "fields": {"x": {"open": "@", "close_pattern": pattern, **({"transform": "{n}"} if "(?P" in pattern else {})}},
    }
    text = "@..<aab<bab"
    message, events = stream(load_parser(template), "", list(text), None, "event")
    expected = interpret(template, "", text, on_malformed="event")
    assert (message, events) == (expected.message, merge(expected.events))


def read(module: ModuleType, chunks: list[str]) -> tuple[Any, list[Item], list[int]]:
    """The message, the events, and how many of them there were after each chunk."""
    parser = module.ResponseParser("", on_malformed="event")
    events: list[dict[str, Any]] = []
    counts = []
    for chunk in chunks:
        events += parser.feed(chunk)
        counts.append(len(items(events)))
    message, last = parser.finalize()
    return message, items(events + last), counts


@pytest.mark.parametrize("template", templates(), ids=lambda template: template["fields"]["x"]["open_pattern"])
def test_as_the_automaton(template: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    module = compiled(template)
    assert module.ResponseParser.EXPRESSIONS
    monkeypatch.setattr(searches, "expressions", lambda *_: None)
    other = compiled(template)
    assert not getattr(other.ResponseParser, "EXPRESSIONS", {})
    rng = Random(str(template))
    for _ in range(TEXTS):
        text = "".join(rng.choice(PIECES) for _ in range(rng.choice([3, 6, 12, 30])))
        message, events, counts = read(module, list(text))
        expected = read(other, list(text))
        assert (message, events) == expected[:2], text
        assert all(one >= least for one, least in zip(counts, expected[2], strict=True)), text
        for chunks in ([text], at_random(text, rng), at_random(text, rng, 12.0)):
            assert read(module, chunks)[:2] == (message, events), chunks
