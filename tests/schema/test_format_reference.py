"""The format reference: its examples are compiled and run, and it leaves no key or option out."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from support.cases import TEMPLATES
from support.chunking import stream
from untemplate.compiler import load_parser
from untemplate.compiler.json_schema import template_schema
from untemplate.runtime import ResponseParseError

TEXT = (TEMPLATES / "README.md").read_text("utf-8")
_BLOCK = re.compile(r"^```(\w+) (\w+)\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


@dataclass
class Example:
    """A template of the page, and the outputs below it with their messages; `None` for those that are rejected."""

    template: dict[str, Any]
    prefix: str = ""
    tools: list[Any] | None = None
    outputs: list[tuple[str, dict[str, Any] | None]] = field(default_factory=list)


def read_examples() -> list[Example]:
    """All examples of the page, in their order."""
    examples: list[Example] = []
    output = ""
    for _, kind, text in _BLOCK.findall(TEXT):
        if kind == "template":
            examples.append(Example(json.loads(text)))
        elif kind == "prefix":
            examples[-1].prefix = text
        elif kind == "tools":
            examples[-1].tools = json.loads(text)
        elif kind == "output":
            output = text
        elif kind == "message":
            examples[-1].outputs.append((output, json.loads(text)))
        elif kind == "rejected":
            examples[-1].outputs.append((text, None))
        else:
            raise AssertionError(f"a block of an unknown kind: {kind}")
    return examples


EXAMPLES = read_examples()
RUNS = [(example, *run) for example in EXAMPLES for run in example.outputs]


def test_every_code_block_is_read() -> None:
    assert len(_BLOCK.findall(TEXT)) == len(re.findall(r"^```\w+.*$", TEXT, re.MULTILINE))
    assert all(example.outputs for example in EXAMPLES)


@pytest.mark.parametrize(("example", "output", "message"), RUNS, ids=[repr(output[:30]) for _, output, _ in RUNS])
def test_example(example: Example, output: str, message: dict[str, Any] | None) -> None:
    parser = load_parser(example.template)
    if message is None:
        with pytest.raises(ResponseParseError):
            parser.parse_response(output, prefix=example.prefix, tools=example.tools)
        return
    assert parser.parse_response(output, prefix=example.prefix, tools=example.tools) == message
    assert stream(parser, example.prefix, list(output), example.tools)[0] == message


def used_names(value: Any) -> set[str]:
    """All keys of objects, and all texts, in a template."""
    if isinstance(value, dict):
        return set(value).union(*(used_names(member) for member in value.values()))
    if isinstance(value, list):
        return set().union(*(used_names(item) for item in value))
    return {value} if isinstance(value, str) else set()


def test_every_key_and_option_is_explained_and_used() -> None:
    schema = template_schema()
    definitions = schema["$defs"]
    keys = {key for part in (schema, *definitions.values()) for key in part.get("properties", {})}
    parsers = {choice["const"] for choice in definitions["parserName"]["oneOf"]}
    used = set().union(*(used_names(example.template) for example in EXAMPLES))
    assert keys | parsers <= used
    assert {key for key in keys if f"`{key}`" not in TEXT} <= {"name", "args"}, "these two stand inside value_parser"
    headings = ", ".join(re.findall(r"^### (.*)$", TEXT, re.MULTILINE)).split(", ")
    assert set(headings) == parsers
