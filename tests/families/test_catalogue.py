"""The catalogue of families, the command that lists it, and the page made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import regex
from click.testing import CliRunner

from support.cases import TEMPLATES, TRANSCRIPTS
from untemplate.compiler.cli.families import command
from untemplate.compiler.families import catalogue as module
from untemplate.compiler.families.boundaries import BOUNDARIES
from untemplate.compiler.families.catalogue import Family, catalogue
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.frontend.schema import LiteralDelimiter, PatternDelimiter

PAGE = Path(__file__).parents[2] / "docs/families.md"


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, arguments)
    return result.exit_code, result.stdout


def test_there_is_a_family_for_each_template_and_each_transcript() -> None:
    assert set(catalogue()) == {path.stem for path in TEMPLATES.glob("*.json")}
    assert set(catalogue()) == {path.stem for path in TRANSCRIPTS.glob("*.json")}


def test_the_catalogue_is_sorted() -> None:
    names = [line[1:-1] for line in (TEMPLATES / "families.toml").read_text("utf-8").splitlines() if line[:1] == "["]
    names = [name for name in names if not name.endswith(".lint_allow")]
    assert names == sorted(names) == list(catalogue())


@pytest.mark.parametrize("family", catalogue().values(), ids=lambda family: family.id)
def test_family_is_complete(family: Family) -> None:
    assert family.template()["fields"]
    for text in (family.title, family.reasoning, family.calls, family.prompt, family.notes):
        assert text
    for texts in (family.models, family.markers, family.ends, family.sources):
        assert texts
        assert all(texts)
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("family", catalogue().values(), ids=lambda family: family.id)
def test_the_anchor_of_the_template_is_in_the_prompt(family: Family) -> None:
    anchor = load_template(family.template()).anchor
    match anchor:
        case LiteralDelimiter(literals=literals):
            assert any(literal in family.prompt for literal in literals)
        case PatternDelimiter(pattern=pattern):
            assert regex.search(pattern, family.prompt, regex.DOTALL)


def test_no_two_families_have_the_same_markers() -> None:
    markers = [frozenset(family.markers) for family in catalogue().values()]
    assert len(set(markers)) == len(markers)


def test_boundaries_name_families_and_every_gap_has_one() -> None:
    named = {family for boundary in BOUNDARIES for family in boundary.families}
    assert named <= set(catalogue())
    assert named >= {family.id for family in catalogue().values() if family.status == "gap"}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('status = "gap"', "must have the status"),
        ('status = "perfect"', "must have the status"),
        ('status = "complete"\ngap = "something"', "must have the status"),
        ('status = "complete"\ncolour = "red"', "colour"),
    ],
)
def test_a_wrong_table_is_reported(table: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = "".join(f'{key} = "x"\n' for key in ("title", "reasoning", "calls", "prompt", "notes"))
    lists = "".join(f'{key} = ["x"]\n' for key in ("models", "model_ids", "markers", "ends", "sources"))
    (tmp_path / "families.toml").write_text(f"[one]\n{texts}{lists}{table}\n", "utf-8")
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    with pytest.raises(ValueError, match=words):
        catalogue.__wrapped__()


def test_the_page_is_up_to_date(update: bool) -> None:
    code, page = run("--format", "markdown")
    assert code == 0
    if update:
        PAGE.write_text(page, "utf-8")
    assert page == PAGE.read_text("utf-8"), "write it anew: untemplate families --format markdown > docs/families.md"


def test_the_page_names_every_family_and_links_to_it() -> None:
    page = PAGE.read_text("utf-8")
    for family in catalogue():
        assert f"| [{family}](#{family}) |" in page
        assert f"\n### {family}\n" in page


def test_table() -> None:
    code, out = run()
    assert code == 0
    assert len(out.splitlines()) == len(catalogue()) + 3
    assert out.splitlines()[-1].startswith(f"{len(catalogue())} families, ")


def test_filter() -> None:
    code, out = run("SmolLM")
    assert code == 0
    assert out.splitlines()[1].split()[:2] == ["smollm3", "complete"]
    code, out = run("--format", "json", "gap", "mistral")
    assert code == 0
    assert {family["id"] for family in json.loads(out)} == {"magistral"}
    code, out = run("--format", "markdown", "qwq")
    assert code == 0
    assert "### qwq" in out
    assert "### qwen3" not in out


def test_filter_without_a_finding() -> None:
    assert run("no such family") == (1, "")
