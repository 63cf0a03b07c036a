"""Text for nobody, which is not looked at before the literal is there that all openings end in."""

from __future__ import annotations

import json

import pytest

from untemplate.compiler import load_parser
from untemplate.generated import gpt_oss
from untemplate.runtime.errors import ResponseParseError

HEADER = "<|channel|>final<|message|>"


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("", ""),
        ("a word for nobody", ""),
        ("a word <|chan", "<|chan"),
        ("a word <|channel|>final ", "<|channel|>final "),
        ("<|channel|>final<|message", "<|channel|>final<|message"),
        ("<|channel|>other<|message", ""),
        ("<|channel|>other<|message|", ""),
        ("<|channel|>other<|message|><|ch", "<|ch"),
        ("x" * 1_000 + "to=functions.f", "to=functions.f"),
    ],
)
def test_only_what_may_begin_a_header_is_held(text: str, held: str) -> None:
    for step in (1, 7, 1_001):
        parser = gpt_oss.ResponseParser("")
        for at in range(0, len(text), step):
            assert parser.feed(text[at : at + step]) == []
        assert parser.held == held
        assert parser.feed(HEADER[-1]) == [] or held.startswith("<|channel|>final<")


def test_a_look_at_what_is_held_changes_nothing() -> None:
    text = f"a word <|start|>{HEADER}text<|end|> <|channel|>commentary to=functions.f<|message|>{{}}<|call|>"
    one, other = gpt_oss.ResponseParser(""), gpt_oss.ResponseParser("")
    for char in text:
        events = one.feed(char)
        assert len(other.held) <= len(text)
        assert other.feed(char) == events
    assert other.finalize() == one.finalize()


def test_a_snapshot_has_read_what_is_for_nobody() -> None:
    bad = "<|channel|>commentary to=functions.f<|message|>nonsense<|call|>"
    for cut in range(12):
        parser = gpt_oss.ResponseParser("")
        parser.feed("for nobody "[:cut])
        state = json.loads(json.dumps(parser.snapshot()))
        assert state["held"] == ""
        restored = gpt_oss.ResponseParser.restore(state)
        with pytest.raises(ResponseParseError) as caught:
            restored.feed("for nobody "[cut:] + bad)
        assert caught.value.position == len("for nobody ") + bad.index("nonsense")


def test_nothing_is_read_behind_the_end() -> None:
    parser = gpt_oss.ResponseParser("")
    parser.feed("for nobody")
    parser.finalize()
    assert parser.held == ""
    with pytest.raises(RuntimeError, match="finished"):
        parser.feed("more")


@pytest.mark.parametrize(
    ("close", "chunks"),
    [(";+", ["<]a;", "<", ";]c"]), (";+", ["<]a;", ";", "x"]), (r"\s*\n\n\s*", ["<]a\n\n", "<", "]c"])],
)
def test_a_close_whose_end_is_open_is_read_on(close: str, chunks: list[str]) -> None:
    template = {"start_anchor": "@", "fields": {"x": {"open_pattern": r"<[^\]]*\]", "close_pattern": close}}}
    module = load_parser(template)
    assert module.ResponseParser.AWAITED == "]"
    parser = module.ResponseParser("")
    for chunk in chunks:
        parser.feed(chunk)
    assert parser.held == ""
    assert parser.finalize()[0] == module.parse_response("".join(chunks), "")
