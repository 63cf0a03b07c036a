"""All rules."""

from __future__ import annotations

from types import ModuleType

from untemplate.compiler.lint import anchors, bodies, delimiters, fields, patterns
from untemplate.compiler.lint.rule import Rule

_MODULES: tuple[ModuleType, ...] = (fields, delimiters, anchors, patterns, bodies)

RULES: tuple[Rule, ...] = tuple(
    sorted(
        (each for module in _MODULES for each in vars(module).values() if isinstance(each, Rule)), key=lambda r: r.code
    )
)
"""Every rule, in the order of the codes."""

UNUSED_ALLOWANCE = ("UT001", "unused-allowance")
"""Code and name of the finding that an allow-list has an entry without use."""
