"""The templates of model families have no finding but those that the catalogue gives a reason for."""

from __future__ import annotations

from pathlib import Path

import pytest

from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.lint import lint
from untemplate.compiler.lint.allow import CATALOGUE, read_entry

TEMPLATES = Path(__file__).parents[2] / "templates"


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.json")), ids=lambda path: path.stem)
def test_shipped_template(path: Path) -> None:
    entry = read_entry(TEMPLATES / CATALOGUE, path.stem)
    problems = lint(read_source(path), prompt=entry.prompt, ends=entry.ends, allowed=entry.allowed)
    assert [problem.diagnostic for problem in problems if problem.reason is None] == []
