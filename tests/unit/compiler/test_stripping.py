"""What a standalone module leaves out of the runtime, line for line: annotations, and what is for unset settings."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from untemplate.compiler.backend.annotations import without_annotations
from untemplate.compiler.backend.unset import without_unset

RUNTIME = sorted((Path(__file__).parents[3] / "runtime").rglob("*.py"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a: int, *b: str, c: é = 'é', **d: T) -> list[int]:\n    pass", "def f(a, *b, c = 'é', **d):\n    pass"),
        ("x: int = 1", "x = 1"),
        ("é: dict[\n    str,\n    int,\n] = {}", "é = {}\n\n\n"),
        ("x: int", "x: int"),
        ("class A:\n    x: int = 1\n    def f(self) -> None: ...", "class A:\n    x = 1\n    def f(self): ..."),
        ("@dataclass\nclass A:\n    x: int = 1", "@dataclass\nclass A:\n    x: int = 1"),
        ("class A(TypedDict):\n    x: int", "class A(TypedDict):\n    x: int"),
        ("f(lambda x: x, a[1:2], '->')", "f(lambda x: x, a[1:2], '->')"),
    ],
)
def test_annotations(source: str, expected: str) -> None:
    assert without_annotations(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if self.LEAD:\n    f()\ng()", "\n\ng()"),
        ("for x in self.LEAD:\n    f()\ng()", "\n\ng()"),
        ("if self.SET:\n    f()\ng()", "if self.SET:\n    f()\ng()"),
        ("if self.LEAD:\n    f()\nelse:\n    g()", "if self.LEAD:\n    f()\nelse:\n    g()"),
        ("if self._lead:\n    f()", "if self._lead:\n    f()"),
        ("if not self.LEAD:\n    f()", "if not self.LEAD:\n    f()"),
    ],
)
def test_unset_settings(source: str, expected: str) -> None:
    assert without_unset(source, {"SET"}) == expected


@pytest.mark.parametrize("path", RUNTIME, ids=lambda path: path.stem)
def test_the_runtime_stays_python_line_for_line(path: Path) -> None:
    text = path.read_text("utf-8")
    stripped = without_unset(without_annotations(text), ())
    assert stripped.count("\n") == text.count("\n")
    before, after = (
        [(node.name, node.lineno) for node in ast.walk(ast.parse(one)) if isinstance(node, ast.FunctionDef)]
        for one in (text, stripped)
    )
    assert before == after
    assert not any(isinstance(node, ast.arg) and node.annotation for node in ast.walk(ast.parse(stripped)))
