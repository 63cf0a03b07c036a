"""Reads delimiters: literals under one key, or a pattern under the key with `_pattern` at its end."""

from __future__ import annotations

from typing import Any

from untemplate.compiler.diagnostics import JsonPath, quoted
from untemplate.compiler.frontend import limits
from untemplate.compiler.frontend.reading import ObjectView, wrong_type
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.schema import Delimiter, LiteralDelimiter, PatternDelimiter
from untemplate.compiler.patterns import PatternError, read_pattern
from untemplate.compiler.patterns.analysis import group_names


def read_delimiter(view: ObjectView, key: str) -> Delimiter | None:
    """The delimiter of this name; `None` if there is none, or something is wrong with it."""
    pattern_key = f"{key}_pattern"
    if key in view and pattern_key in view:
        message = f"{quoted(key)} and {quoted(pattern_key)} are both given"
        view.report.add("conflicting-keys", view.below(pattern_key), message, "keep one of the two", at_key=True)
        # Both are read, for what is wrong inside of them.
        read_pattern_member(view, pattern_key)
    if key in view:
        return _read_literals(view.report, view.below(key), key, view.members[key])
    return read_pattern_member(view, pattern_key)


def read_pattern_member(view: ObjectView, key: str) -> PatternDelimiter | None:
    """The pattern that is this member of the object; `None` if there is none, or something is wrong with it."""
    text = view.string(key)
    if text is None:
        return None
    path = view.below(key)
    try:
        tree = read_pattern(text)
    except PatternError as error:
        view.report.add("bad-pattern", path, error.message, error.hint, index=error.position)
        return None
    return PatternDelimiter(text, tree, group_names(tree), path)


def check_literal(report: Report, path: JsonPath, what: str, text: Any) -> bool:
    """Whether this is a string that can be looked for: neither empty nor too long."""
    if not isinstance(text, str):
        wrong_type(report, path, what, text, "a string")
    elif not text:
        report.add("empty-literal", path, f"{what} is empty", "it must have at least one character")
    elif len(text) > limits.LITERAL_CHARACTERS:
        message = f"{what} has {len(text):,} characters"
        report.add("over-limit", path, message, f"the limit is {limits.LITERAL_CHARACTERS:,}")
    else:
        return True
    return False


def _read_literals(report: Report, path: JsonPath, key: str, value: Any) -> LiteralDelimiter | None:
    if isinstance(value, str):
        return LiteralDelimiter((value,), path) if check_literal(report, path, quoted(key), value) else None
    if not isinstance(value, list):
        wrong_type(report, path, quoted(key), value, "a string or a list of strings")
        return None
    if not value:
        report.add("empty-list", path, f"{quoted(key)} is an empty list", "name at least one literal")
        return None
    if len(value) > limits.LITERALS:
        message = f"{quoted(key)} has {len(value):,} literals"
        report.add("over-limit", path, message, f"the limit is {limits.LITERALS:,}")
        return None
    sound = [check_literal(report, (*path, at), f"a literal of {quoted(key)}", text) for at, text in enumerate(value)]
    return LiteralDelimiter(tuple(dict.fromkeys(value)), path) if all(sound) else None
