"""Every rule has a template that it is about, one that does it right, and a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.frontend.source import source_of_value
from untemplate.compiler.lint import RULES, Problem, Rule, Severity, lint

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "lint"
PAGES = ROOT / "docs" / "lint"

# The rule about prompts needs one.
PROMPTS = {"UT301": "<|user|>\nHi<|end|>\n<|assistant|>\n<think>\n"}


def problems_of(rule: Rule, name: str) -> list[Problem]:
    """What all rules find in a case of this rule."""
    return lint(read_source(CASES / rule.code / name), prompt=PROMPTS.get(rule.code))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_bad_template_is_found(rule: Rule) -> None:
    found = [problem for problem in problems_of(rule, "bad.json") if problem.diagnostic.code == rule.code]
    assert found
    for problem in found:
        assert problem.diagnostic.line is not None
        assert problem.diagnostic.hint
        assert "\n" not in problem.diagnostic.message


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_good_template_is_clean(rule: Rule) -> None:
    for problem in problems_of(rule, "good.json"):
        assert problem.diagnostic.code != rule.code
        assert problem.severity == Severity.INFO


def test_codes_and_names_are_unique_and_in_order() -> None:
    codes = [rule.code for rule in RULES]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(re.fullmatch(r"UT[1-5]\d\d", code) for code in codes)


def test_there_is_no_case_and_no_page_without_a_rule() -> None:
    codes = {rule.code for rule in RULES}
    assert {path.name for path in CASES.iterdir()} == codes
    assert {path.stem for path in PAGES.glob("*.md")} == codes | {"index"}


def test_the_index_lists_every_rule() -> None:
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    for rule in RULES:
        assert f"| [{rule.code}]({rule.code}.md) | `{rule.name}` | {rule.severity} | {rule.summary} |" in index


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_page_begins_with_the_rule(rule: Rule) -> None:
    page = (PAGES / f"{rule.code}.md").read_text(encoding="utf-8")
    head = f"# {rule.code} {rule.name}\n\n*{str(rule.severity).capitalize()}*: {rule.summary}.\n"
    assert page.startswith(head)


FIELDS = [
    ({"content": {}}, ["UT302"]),
    ({"content": {"close": "<|end|>"}}, ["UT101"]),
    ({"tool_calls": {"open": "<c>", "close": "</c>", "content": "python-call-list"}}, ["UT105", "UT109"]),
    ({"tool_calls": {"open": "<c>", "close": "</c>", "content": "json", "repeats": True}}, ["UT109"]),
    ({"content": {"open": "<c>", "close_pattern": r"\)(?=\s*,)"}}, ["UT102", "UT109", "UT205", "UT401"]),
    ({"content": {"open": "<c>", "close_pattern": r"(?=</d>)|</c>"}}, ["UT102", "UT109", "UT401"]),
    ({"content": {"open_pattern": r"<\|c\|>|\|x", "close": "</c>"}}, ["UT102", "UT109"]),
    ({"content": {"open_pattern": r"<c>[^<]*</c>", "close": "</d>"}}, ["UT102", "UT109"]),
    ({"content": {"open_pattern": r"<c>.*?</c>", "close": "</d>"}}, ["UT102", "UT109", "UT406"]),
]


@pytest.mark.parametrize(("fields", "codes"), FIELDS, ids=lambda value: json.dumps(value))
def test_exactly_these_codes(fields: dict[str, object], codes: list[str]) -> None:
    template = {"defaults": {"role": "assistant"}, "start_anchor": "<|assistant|>", "fields": fields}
    assert sorted(problem.diagnostic.code for problem in lint(source_of_value(template))) == codes


def test_findings_point_into_the_document_around_the_template() -> None:
    template = {"defaults": {"role": "x"}, "start_anchor": "<a>", "fields": {"content": {"close": "<e>"}}}
    (problem,) = lint(source_of_value({"response_template": template}).at(("response_template",)))
    assert problem.diagnostic.path == "$.response_template.fields.content"
