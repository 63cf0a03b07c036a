"""How findings are shown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from untemplate.compiler.diagnostics import Diagnostic, TemplateError, render
from untemplate.compiler.frontend.source import Source
from untemplate.compiler.lint.rule import Severity
from untemplate.compiler.lint.run import Problem

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


@dataclass(frozen=True, slots=True)
class Linted:
    """A template and what was found in it; `text` is its document, for the lines to show."""

    origin: str
    text: str | None
    problems: tuple[Problem, ...]
    loads: bool = True

    @property
    def shown(self) -> list[Problem]:
        """The findings that are not allowed."""
        return [problem for problem in self.problems if problem.reason is None]


def linted(source: Source, problems: Iterable[Problem]) -> Linted:
    """A template that loads."""
    return Linted(source.origin, source.text, tuple(problems))


def unloadable(error: TemplateError) -> Linted:
    """A template that does not load: its faults, under their own codes."""
    problems = tuple(Problem(diagnostic, diagnostic.code, Severity.ERROR) for diagnostic in error.diagnostics)
    return Linted(error.origin, error.text, problems, loads=False)


def as_text(results: list[Linted]) -> str:
    """For people: each finding with its line, and a summary."""
    reports = [_report(result, problem) for result in results for problem in result.shown]
    return "\n".join([*reports, _summary(results)])


def as_json(results: list[Linted]) -> str:
    """For programs: a list of templates, each with its findings; those that are allowed have a reason."""
    return json.dumps([_as_object(result) for result in results], ensure_ascii=False, indent=2)


def as_github(results: list[Linted]) -> str:
    """Workflow commands, which GitHub shows beside the lines of a change."""
    return "\n".join(_command(result, problem) for result in results for problem in result.shown)


def _report(result: Linted, problem: Problem) -> str:
    diagnostic = replace(problem.diagnostic, code=_title(problem))
    return render(diagnostic, result.origin, result.text, str(problem.severity))


def _title(problem: Problem) -> str:
    code = problem.diagnostic.code
    return code if code == problem.name else f"{code} {problem.name}"


def _summary(results: list[Linted]) -> str:
    counts = dict.fromkeys(Severity, 0)
    for result in results:
        for problem in result.shown:
            counts[problem.severity] += 1
    allowed = sum(len(result.problems) - len(result.shown) for result in results)
    parts = [
        _count(counts[Severity.ERROR], "error"),
        _count(counts[Severity.WARNING], "warning"),
        f"{counts[Severity.INFO]} info",
    ]
    return f"{_count(len(results), 'template')}: {', '.join(parts)}" + (f" ({allowed} allowed)" if allowed else "")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _as_object(result: Linted) -> dict[str, Any]:
    return {
        "template": result.origin,
        "loads": result.loads,
        "findings": [_finding(problem) for problem in result.problems],
    }


def _finding(problem: Problem) -> dict[str, Any]:
    diagnostic: Diagnostic = problem.diagnostic
    return {
        "code": diagnostic.code,
        "name": problem.name,
        "severity": str(problem.severity),
        "path": diagnostic.path,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "allowed": problem.reason,
    }


def _command(result: Linted, problem: Problem) -> str:
    diagnostic = problem.diagnostic
    properties = {"file": result.origin, "line": diagnostic.line, "col": diagnostic.column, "title": _title(problem)}
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    message = "\n".join(part for part in (diagnostic.message, diagnostic.hint) if part)
    return f"::{_GITHUB[problem.severity]} {shown}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
