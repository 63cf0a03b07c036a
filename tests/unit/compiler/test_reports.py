"""Every kind of fault has a bad template in tests/cases/errors, with the report that it must give."""

from __future__ import annotations

from pathlib import Path

import pytest

from untemplate.compiler.diagnostics import CODES, Diagnostic, TemplateError, path_text, printable, quoted, render
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.plan.build import plan_template

CASES = Path(__file__).parents[2] / "cases" / "errors"
INPUTS = sorted(path.name for path in CASES.iterdir() if path.suffix != ".txt")

# These need a file that is too large to keep, a file that is not there, or Python objects: see the other tests.
WITHOUT_CASE = {"no-such-file", "unreadable-file", "too-large", "over-limit", "not-json-value"}


def load_and_plan(name: str) -> None:
    """All stages that report faults."""
    source = read_source(name)
    plan_template(load_template(source), "t", source)


@pytest.mark.parametrize("name", INPUTS)
def test_report(name: str, update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES)
    with pytest.raises(TemplateError) as caught:
        load_and_plan(name)
    report = f"{caught.value}\n"
    expected = CASES / f"{name.removesuffix('.json')}.txt"
    if update:
        expected.write_text(report, encoding="utf-8")
    assert report == expected.read_text(encoding="utf-8")
    assert name.split(".")[0] in {diagnostic.code for diagnostic in caught.value.diagnostics}


def test_every_code_has_a_case() -> None:
    assert {name.split(".")[0] for name in INPUTS} | WITHOUT_CASE == set(CODES)


def test_every_report_has_its_case() -> None:
    assert {path.stem for path in CASES.glob("*.txt")} == {name.removesuffix(".json") for name in INPUTS}


def test_path_text() -> None:
    assert path_text(()) == "$"
    assert path_text(("fields", "a b", 0, "c", "", 'q"')) == '$.fields["a b"][0].c[""]["q\\""]'
    assert path_text(("\ud800", "内容")) == '$["\\ud800"].内容'


def test_messages_are_safe_to_print() -> None:
    assert printable("a\x1b[0m\u202e\ud800") == "a\\u001b[0m\\u202e\\ud800"
    assert quoted("x" * 100) == f'"{"x" * 59}…"'


def test_long_lines_are_clipped_around_the_column() -> None:
    text = f"{'é' * 300}!{'a' * 300}\r\nsecond"
    lines = render(Diagnostic("invalid-json", "", "m", "", 1, 301), "f", text).split("\n")
    assert lines[0] == "f:1:301: error: m [invalid-json]"
    assert lines[1] == f"  1 | …{'é' * 50}!{'a' * 49}…"
    assert lines[2].index("^") == lines[1].index("!")


def test_many_faults_are_all_kept_but_not_all_shown() -> None:
    template = {"start_anchor": "a", "fields": {f"f{number}": 0 for number in range(60)}}
    with pytest.raises(TemplateError) as caught:
        load_template(template)
    assert len(caught.value.diagnostics) == 60
    assert str(caught.value).endswith("\n… and 10 more")
