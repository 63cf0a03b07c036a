"""Finds what is allowed in a template, but seldom meant: rules with stable codes, one page each in `docs/lint`."""

from untemplate.compiler.lint.registry import RULES
from untemplate.compiler.lint.rule import Finding, Rule, Severity
from untemplate.compiler.lint.run import Problem, lint

__all__ = ["RULES", "Finding", "Problem", "Rule", "Severity", "lint"]
