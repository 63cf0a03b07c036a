"""Where this project differs from the interpreted baseline on purpose: each with its reason, and both results."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

import pytest

from support.baseline import Baseline, Rejects, same
from support.chunking import every_char, stream
from support.ours import message_of, parser_of
from untemplate.compiler import TemplateError
from untemplate.runtime import ResponseParseError

DEEP = "[" * 100_000
HUGE = "9" * 5_000


def template_of(**fields: Any) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": fields}


def json_field(**args: Any) -> dict[str, Any]:
    return template_of(a={"open": "⟦", "close": "⟧", "content": "json", "content_args": args})


def call_of(schema: dict[str, Any], raw: str) -> tuple[dict[str, Any], str, list[Any]]:
    """A template, an output and tools: one call of `f` with the string `raw` as its argument `p`."""
    field = {
        "open": "⟦",
        "close": "⟧",
        "content": "xml-inline",
        "content_args": {"tag_pattern": "(?P<key>p)=(?P<value>.*)"},
        "transform": {"function": {"name": "f", "arguments": "{content}"}},
    }
    definitions = {"$defs": {"Count": {"type": "integer"}}}
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"p": schema}, **definitions}}
    return template_of(a=field), f"⟦p={raw}⟧", [tool]


@dataclass(frozen=True)
class Difference:
    """An output that the two read differently; `baseline` and `ours` are values of the field `a`."""

    name: str
    reason: str
    template: dict[str, Any]
    output: str
    baseline: Any
    ours: Any
    tools: list[Any] | None = None


def cast(name: str, reason: str, schema: dict[str, Any], raw: str, baseline: Any, ours: Any) -> Difference:
    template, output, tools = call_of(schema, raw)
    values = [
        value if isinstance(value, Rejects) else {"function": {"name": "f", "arguments": {"p": value}}}
        for value in (baseline, ours)
    ]
    return Difference(name, reason, template, output, *values, tools=tools)


OF_OUTPUT = [
    Difference(
        "control characters beside string_delims",
        "the marks that the baseline puts in place of strings are no reason to refuse a body that holds them",
        json_field(string_delims=[["<q>", "<q>"]]),
        '⟦{"k": <q>\x01\x02<q>}⟧',
        Rejects(),
        {"k": "\x01\x02"},
    ),
    Difference(
        "deep nesting under allow_non_json",
        "what can not be parsed is text, whatever the reason",
        json_field(allow_non_json=True),
        f"⟦{DEEP}⟧",
        Rejects(),
        DEEP,
    ),
    Difference(
        "too many digits under allow_non_json",
        "what can not be parsed is text, whatever the reason",
        json_field(allow_non_json=True),
        f"⟦{HUGE}⟧",
        Rejects(),
        HUGE,
    ),
    cast(
        "whole numbers under number",
        "an identifier must not become another one",
        {"type": "number"},
        "9007199254740993",
        9007199254740992,
        9007199254740993,
    ),
    cast(
        "exponents under integer",
        "the number that is written, not the float next to it",
        {"type": "integer"},
        "1e24",
        999999999999999983222784,
        10**24,
    ),
    cast("references", "schemas made from classes use them", {"$ref": "#/$defs/Count"}, "7", "7", 7),
    cast("allOf", "schemas made from classes use it", {"allOf": [{"type": "integer"}]}, "7", "7", 7),
    Difference(
        "a choice of two negated sets",
        "the regex package takes the choice for the characters that neither set lacks, as it does in no other place",
        template_of(a={"open": "⟦", "close_pattern": "(?:[^a]|[^<])⟧"}),
        "⟦ba⟧",
        "ba⟧",
        "b",
    ),
    cast("deep nesting under array", "a value that does not fit stays text", {"type": "array"}, DEEP, Rejects(), DEEP),
]


@pytest.mark.parametrize("difference", OF_OUTPUT, ids=lambda difference: difference.name)
def test_messages_that_differ(difference: Difference) -> None:
    for found, value in (
        (Baseline(difference.template).published("", difference.output, difference.tools), difference.baseline),
        (message_of(difference.template, difference.output, tools=difference.tools), difference.ours),
    ):
        assert same(found, value if isinstance(value, Rejects) else {"a": value}), difference.reason


@pytest.mark.parametrize(
    ("template", "output", "raised"),
    [
        (json_field(), f"⟦{DEEP}⟧", RecursionError),
        (template_of(a={"open": "⟦", "close": "⟧", "content": "json", "transform": "{missing}"}), "⟦1⟧", KeyError),
    ],
    ids=["deep nesting", "a placeholder without a value"],
)
def test_one_class_of_error_for_all_output(template: dict[str, Any], output: str, raised: type[Exception]) -> None:
    """A caller that catches the documented error must not be hit by another one."""
    with pytest.raises(raised):
        Baseline(template).streamed("", [output])
    with pytest.raises((ResponseParseError, TemplateError)):
        parser_of(template).parse_response(output, prefix="")


REFUSED = {
    "options no parser has": (
        "a misspelt option would be ignored for ever",
        {"open": "<", "close": ">", "content": "json", "content_args": {"unqoted_keys": True}},
    ),
    "a default that can not be extended": (
        "every output with the field would fail",
        {"open": "<", "close": ">", "repeats": True},
    ),
    "a tag_pattern without its groups": (
        "every output with a tag would fail",
        {"open": "<", "close": ">", "content": "xml-inline", "content_args": {"tag_pattern": "x"}},
    ),
    "a value_parser that is unknown": (
        "every output with a value would fail",
        {"open": "<", "close": ">", "content": "kv-lines", "content_args": {"value_parser": {"name": "yaml"}}},
    ),
    "a switch that is no boolean": (
        '"no" would switch it on',
        {"open": "<", "close": ">", "repeats": "no"},
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_templates_that_only_we_refuse(name: str) -> None:
    reason, field = REFUSED[name]
    template = template_of(a=field)
    if "default" in name:
        template["defaults"] = {"a": "x"}
    Baseline(template)
    with pytest.raises(TemplateError):
        parser_of(template)
    assert reason


ENDLESS = template_of(a={"open_pattern": "(?=<)", "close_pattern": ">|(?=<)"}, content={})


def test_an_open_and_a_close_that_match_nothing_are_refused() -> None:
    """The baseline opens and closes the region at one place for ever."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("no timer to stop the baseline with")

    def stop(signal_number: int, frame: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(TimeoutError):
            Baseline(ENDLESS).streamed("", ["x<y"])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(TemplateError):
        parser_of(ENDLESS)


LEAKS = [
    (
        "a close or the end",
        template_of(content={"close_pattern": r"<\|user\|>\s*|$"}),
        "Hello<|user|>",
        {"content": "Hello<|user|>"},
        {"content": "Hello"},
    ),
    (
        "an optional wrapper after a close",
        template_of(
            calls={"open": "[", "close_pattern": r"\)(?:\]<\|tool_call_end\|>)?\s*", "repeats": True}, content={}
        ),
        "[ping()]<|tool_call_end|>Hi",
        {"calls": ["ping("], "content": "]<|tool_call_end|>Hi"},
        {"calls": ["ping("], "content": "Hi"},
    ),
    (
        "an optional tail of a close",
        template_of(a={"open": "[", "close_pattern": r"\](?:END)?"}, content={}),
        "[x]ENDy",
        {"a": "x", "content": "ENDy"},
        {"a": "x", "content": "y"},
    ),
    (
        "an optional tail of an open",
        template_of(a={"open_pattern": r"\[(?:OPEN)?", "close": "]"}, content={}),
        "[OPENx]y",
        {"a": "OPENx", "content": "y"},
        {"a": "x", "content": "y"},
    ),
]


@pytest.mark.parametrize(("name", "template", "output", "baseline", "ours"), LEAKS, ids=[leak[0] for leak in LEAKS])
def test_streams_that_leak_delimiters(
    name: str, template: dict[str, Any], output: str, baseline: dict[str, Any], ours: dict[str, Any]
) -> None:
    """The baseline takes a complete match for the last word, although the next chunk may make a longer one."""
    assert Baseline(template).published("", output) == ours
    assert Baseline(template).streamed("", every_char(output))[0] == baseline
    assert stream(parser_of(template), "", every_char(output))[0] == ours


def test_a_delimiter_that_begins_in_the_prompt() -> None:
    """To the baseline the end of the prompt is the end of a chunk, even when all the output is there at once."""
    _, template, output, _, ours = LEAKS[0]
    prompt, rest = "@" + output[:8], output[8:]
    assert Baseline(template).published(prompt, rest) == {"content": "Hello<|user|>"}
    assert message_of(template, rest, prefix=prompt) == ours
