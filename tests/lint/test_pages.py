"""Every example of the pages, run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support.ours import parser_of
from untemplate.compiler.frontend.source import source_of_value
from untemplate.compiler.lint import RULES, lint
from untemplate.runtime import ResponseParseError

PAGES = Path(__file__).parents[2] / "docs" / "lint"
CODES = [rule.code for rule in RULES]
_FENCE = re.compile(r"^```(\w+)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """An output that a page shows, with what it says becomes of it: a message, or the text of an error."""

    prompt: str
    tools: list[Any] | None
    output: str
    message: Any = None
    error: str = ""


@dataclass(frozen=True)
class Shown:
    """A template that a page shows, with the examples behind it."""

    template: dict[str, Any]
    examples: list[Example] = field(default_factory=list)


def shown_on(page: str) -> list[Shown]:
    """The templates of a page. Every fenced block has to say what it is."""
    found: list[Shown] = []
    prompt, tools, output = "", None, None
    for language, kind, body in _FENCE.findall(page):
        value = json.loads(body) if language == "json" else body.rstrip("\n")
        match kind:
            case "template":
                found.append(Shown(value))
            case "prompt":
                prompt = value
            case "tools":
                tools = value
            case "output":
                output = value
            case "message" | "error":
                assert output is not None
                found[-1].examples.append(Example(prompt, tools, output, **{kind: value}))
                prompt, tools, output = "", None, None
            case _:
                raise AssertionError(f"a block of kind {kind!r}")
    assert output is None
    return found


def page_of(code: str) -> str:
    return (PAGES / f"{code}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_examples(code: str) -> None:
    for shown in shown_on(page_of(code)):
        for example in shown.examples:
            parse = parser_of(shown.template).parse_response
            if example.error:
                with pytest.raises(ResponseParseError) as caught:
                    parse(example.output, prefix=example.prompt, tools=example.tools)
                assert str(caught.value).split("\n")[0] == example.error
            else:
                assert parse(example.output, prefix=example.prompt, tools=example.tools) == example.message


@pytest.mark.parametrize("code", CODES)
def test_the_first_template_is_found_and_the_last_is_not(code: str) -> None:
    shown = shown_on(page_of(code))
    assert len(shown) == 2
    for at, expected in ((0, True), (-1, False)):
        prompt = next((example.prompt for example in shown[at].examples if example.prompt), None)
        problems = lint(source_of_value(shown[at].template), prompt=prompt)
        assert (code in {problem.diagnostic.code for problem in problems}) == expected


@pytest.mark.parametrize("code", CODES)
def test_the_templates_are_those_of_the_cases(code: str) -> None:
    cases = PAGES.parents[1] / "tests" / "cases" / "lint" / code
    for shown, name in zip(shown_on(page_of(code)), ("bad", "good"), strict=True):
        assert shown.template == json.loads((cases / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.md")), ids=lambda path: path.stem)
def test_links_lead_to_pages(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+\.md)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).is_file()
