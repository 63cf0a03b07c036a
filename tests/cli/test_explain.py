"""`untemplate explain`: whether what it says is so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from untemplate.compiler import load_parser
from untemplate.compiler.explain import Explanation, explain
from untemplate.compiler.explain.mermaid import mermaid
from untemplate.compiler.explain.svg import svg
from untemplate.compiler.pipeline import make_plan


def explained(**fields: Any) -> Explanation:
    return explain(make_plan({"start_anchor": "@", "fields": fields}, "tried"))


def closing(**delimiter: Any) -> tuple[tuple[str, ...], bool]:
    """What is said of the close of a region, and whether it stalls."""
    note = explained(inner={"open": "<in>", **delimiter}, content={}).states[1].delimiters[0]
    return note.words, note.stalls


def opening(pattern: str, **more: Any) -> tuple[tuple[str, ...], bool]:
    note = explained(inner={"open_pattern": pattern, **more}, content={}).states[0].delimiters[0]
    return note.words, note.stalls


def held(pattern: str, text: str) -> str:
    """What a parser holds back of `text` inside a region that the pattern closes."""
    fields = {"inner": {"open": "<in>", "close_pattern": pattern}, "content": {}}
    parser = load_parser({"start_anchor": "@", "fields": fields}).ResponseParser("")
    events = parser.feed(f"<in>{text}")
    shown = "".join(event["text"] for event in events if event["type"] == "region_chunk")
    assert text.startswith(shown)
    return text[len(shown) :]


def test_a_literal() -> None:
    words, stalls = closing(close="</tool>")
    assert words == (
        'holds back from "<" on, at most 6 characters, until "</tool>" is complete or impossible; '
        "the region closes with its last character",
    )
    assert not stalls


def test_one_character() -> None:
    assert closing(close="#")[0] == (
        '"#" is found at once, nothing is held back; the region closes with its last character',
    )


def test_space_around_a_literal() -> None:
    words, stalls = closing(close_pattern=r"\s*</tool>\s*")
    assert words == (
        'holds back runs of white space and from "<" on until "</tool>" is complete or impossible; '
        'the region closes at "</tool>"; white space after it is swallowed',
    )
    assert not stalls
    assert held(r"\s*</tool>\s*", "a \n") == " \n"
    assert held(r"\s*</tool>\s*", "a </to") == " </to"


def test_a_run_that_has_to_be_there() -> None:
    (words,), _ = closing(close_pattern=r"\s+</tool>")
    assert "until /\\s+</tool>/ is complete or impossible; the region closes with its last character" in words


def test_a_tail_of_a_pattern() -> None:
    (words,), _ = closing(close_pattern=r"</(?:tool|call)>\s*(?:</all>)?")
    assert words.endswith('/; white space and an optional "</all>" after it is swallowed')


def test_a_look_ahead_that_can_not_stream() -> None:
    (words,), stalls = opening(r"(?=[\s\S]*?</think>)", close="</think>")
    assert stalls
    assert words.startswith("holds back from any character on until it is known what follows")
    assert "counts only where /.*?</think>/ follows" in words
    assert words.endswith("it can not stream")


def test_a_look_ahead_that_decides_soon() -> None:
    words, stalls = closing(close_pattern=r"</a>\s*|(?=<b>)")
    assert [part.split("; ")[1] for part in words] == [
        'the region closes at "</a>"',
        "the region closes once the text behind it decides",
    ]
    assert not stalls
    assert held(r"</a>\s*|(?=<b>)", "x<b") == "<b"


def test_a_header_without_limit() -> None:
    (words,), stalls = opening(r"<head[^<]*><body>", close="#")
    assert stalls
    assert 'behind "<head" prose of any length is held back' in words


def test_a_capture_at_the_end() -> None:
    (words,), _ = opening(r"<call (?P<name>\w+)", close="#", transform="{name}")
    assert words.endswith("the rest of name after it is swallowed")
    parser = load_parser(
        {
            "start_anchor": "@",
            "fields": {
                "inner": {"open_pattern": r"<call (?P<name>\w+)", "close": "#", "transform": "{name}"},
                "content": {},
            },
        }
    ).ResponseParser("")
    assert parser.feed("<call f") == [{"type": "region_open", "field": "inner"}]
    assert parser.feed("oo") == []


def test_the_end_of_the_reply() -> None:
    (words,), _ = closing(close_pattern=r"(?:</s>\s*)+$")
    assert "the region closes only at the end of the reply" in words


def test_alternatives_that_differ_by_what_follows_are_told_apart() -> None:
    words, _ = closing(close_pattern=r"\)(?:</end>\s*|(?=\n[a-z]+\())")
    assert len(words) == 2
    assert words[0].startswith('holds back from ")" on')
    assert "white space after it is swallowed" in words[0]
    assert "counts only where" in words[1]


def test_what_is_said_early() -> None:
    assert not explained(inner={"open": "<in>", "close": "</in>"}, content={}).early
    early = explained(inner={"open_pattern": "(?:ab)?", "close": "<"}, content={}).early
    assert "before that is decided" in early
    assert "5,000 steps at one place" in early


def test_no_close() -> None:
    state = explained(inner={"open": "<in>"}, content={}).states[1]
    assert state.search == "nothing is watched: the region runs to the end of the reply"
    assert state.delimiters == ()


def test_states_and_fields() -> None:
    found = explained(
        a={"open": "<a>", "close": "</a>", "repeats": True, "join": "\n", "optional": False},
        b={"open": "<b>", "close": "</b>", "content": "json", "content_args": {"allow_non_json": True}},
    )
    assert [state.name for state in found.states] == ["outside", "a", "b"]
    assert found.states[0].means == "no region is open; text is dropped"
    assert [(one.field, one.opens, one.leads_to) for one in found.states[0].delimiters] == [
        ("a", True, "a"),
        ("b", True, "b"),
    ]
    assert found.required == ("a",)
    assert found.fields[0].store == 'regions are joined with "\\n"'
    assert found.fields[1].content == "json, what is no JSON stays text"
    assert found.fields[1].store == "the last region counts"


HOSTILE = {
    'a"]; x --> y': {"open": "<&]]>\n--> \x1b\u202e\ud800", "close_pattern": "[\"';:#]+\\n"},
    "outside": {"open": "o"},
}


def test_pictures_of_hostile_templates() -> None:
    found = explained(**HOSTILE)
    tree = ElementTree.fromstring(svg(found))
    assert tree.tag.endswith("svg")
    lines = mermaid(found).splitlines()
    assert lines[0] == "stateDiagram-v2"
    assert all(set(line) <= set(' -->:[]*"#;_') | {char for char in line if char.isalnum()} for line in lines[1:])
    assert sum(" --> " in line for line in lines) == 1 + 3


@pytest.mark.parametrize("form", ["text", "mermaid", "svg", "json"])
def test_forms(form: str, run: Any, template: Path) -> None:
    result = run("explain", template, "--format", form)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\x1b" not in result.stdout
    if form == "json":
        assert json.loads(result.stdout)["states"][0]["name"] == "outside"
    if form == "text":
        assert "state thinking: method _inside_thinking" in result.stdout


def test_a_bad_template(run: Any, here: Path) -> None:
    result = run("explain", "gone.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "[no-such-file]" in result.stderr


@pytest.mark.parametrize("name", ["smollm3", "gpt_oss", "olmo3", "llama4_pythonic", "dots"])
def test_families(name: str) -> None:
    from importlib.resources import files

    template = json.loads((files("untemplate.templates") / f"{name}.json").read_text("utf-8"))
    found = explain(make_plan(template, name))
    assert found.name == name
    assert all(words for state in found.states for one in state.delimiters for words in one.words)
