"""Lints one template."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from untemplate.compiler.diagnostics import Diagnostic, path_text
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.frontend.source import Locator, Source
from untemplate.compiler.lint.allow import Allowance
from untemplate.compiler.lint.registry import RULES, UNUSED_ALLOWANCE
from untemplate.compiler.lint.rule import Rule, Severity
from untemplate.compiler.lint.subject import Subject
from untemplate.compiler.plan.build import plan_template


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding with its place in the file; `reason` says why it is allowed, `None` if it is not."""

    diagnostic: Diagnostic
    name: str
    severity: Severity
    reason: str | None = None


def lint(
    source: Source,
    *,
    prompt: str | None = None,
    ends: tuple[str, ...] = (),
    allowed: Iterable[Allowance] = (),
    rules: tuple[Rule, ...] = RULES,
) -> list[Problem]:
    """What the rules find in a template, in the order of the places; allowed findings are among them.

    Args:
        prompt: a prompt of the model, up to where its reply begins.
        ends: the tokens that can end a reply.
        allowed: the entries of an allow-list. One that came from a file and covers nothing is a finding itself.

    Raises:
        TemplateError: the template does not load.
    """
    template = load_template(source)
    plan_template(template, source.module_name, source)
    subject = Subject(template, prompt, ends)
    locator = Locator(source)
    entries = list(allowed)
    used: set[Allowance] = set()
    placed: list[tuple[tuple[int, int], Problem]] = []
    for rule in rules:
        for finding in rule.check(subject):
            full = source.root + finding.path
            place = locator.place(full, finding.at_key, finding.index)
            path = path_text(full)
            cover = next(
                (entry for entry in entries if entry.covers(rule.code, rule.name, path_text(finding.path))), None
            )
            used |= {cover} if cover else set()
            diagnostic = Diagnostic(rule.code, path, finding.message, finding.hint, place.line, place.column)
            severity = rule.severity if finding.severity is None else finding.severity
            placed.append((place.rank, Problem(diagnostic, rule.name, severity, cover.reason if cover else None)))
    placed.sort(key=lambda pair: pair[0])
    return [problem for _, problem in placed] + [
        _unused(entry) for entry in entries if entry.origin and entry not in used
    ]


def _unused(entry: Allowance) -> Problem:
    code, name = UNUSED_ALLOWANCE
    where = f" at {entry.path}" if entry.path else ""
    message = f"{entry.origin} allows {entry.code}{where}, but there is no such finding"
    return Problem(Diagnostic(code, "", message, "remove the entry"), name, Severity.WARNING)
