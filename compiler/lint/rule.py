"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum

from untemplate.compiler.diagnostics import JsonPath
from untemplate.compiler.lint.subject import Subject


class Severity(IntEnum):
    """How bad a finding is, the worst first."""

    ERROR = 0
    WARNING = 1
    INFO = 2

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a template is likely not to do what its author wants.

    Attributes:
        path: of the value in the template.
        message: what is wrong, in one line.
        hint: what to write instead.
        index: the character of the value, a string, to point at; `None`: at its start.
        at_key: whether the key of the value is meant.
        severity: where it is not the rule's own.
    """

    path: JsonPath
    message: str
    hint: str
    index: int | None = None
    at_key: bool = False
    severity: Severity | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of mistake.

    Attributes:
        code: stable, such as `UT101`; its first digit is the subject.
        name: stable too, for people.
        severity: of its findings, if they do not say otherwise.
        summary: what the mistake is, in one line.
        check: the findings in one template.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    check: Callable[[Subject], Iterable[Finding]]


def rule(
    code: str, name: str, severity: Severity, summary: str
) -> Callable[[Callable[[Subject], Iterable[Finding]]], Rule]:
    """Makes a function from a template to its findings a rule."""
    return lambda check: Rule(code, name, severity, summary, check)
