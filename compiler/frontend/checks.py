"""What must hold between the parts of a template, each of which is well-formed: one function a code.

A check that needs a part which something is wrong with is left out: it could only repeat that in other words.
"""

from __future__ import annotations

import re
from typing import Any

from untemplate.compiler.diagnostics import quoted
from untemplate.compiler.frontend.kinds import captures, content_kinds, field_kinds, placeholder_kinds
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.schema import Field, PatternDelimiter, Placeholder
from untemplate.compiler.frontend.transforms import placeholders

_CONTENT = ("content", "content_args")
_VALUE = (*_CONTENT, "transform", "transform_each")
_CAPTURES = ("open", "open_pattern", "close", "close_pattern")


def check_field(report: Report, field: Field) -> None:
    """All checks of one field."""
    check_join_without_repeats(report, field)
    check_join_not_string(report, field)
    check_each_without_transform(report, field)
    check_each_without_list(report, field)
    check_unused_group(report, field)
    check_unresolvable_placeholder(report, field)


def check_join_without_repeats(report: Report, field: Field) -> None:
    """`join` puts the values of several regions together, so that the field must repeat."""
    if field.join is not None and not field.repeats and _sound(report, field, "repeats"):
        hint = 'add "repeats": true, or remove "join"'
        report.add("join-without-repeats", (*field.path, "join"), '"join" needs "repeats"', hint, at_key=True)


def check_join_not_string(report: Report, field: Field) -> None:
    """What is joined must be able to be a string."""
    if field.join is None or not _sound(report, field, "join", *_VALUE, *_CAPTURES):
        return
    kinds = field_kinds(field)
    if kinds and "string" not in kinds:
        message = f'"join" needs strings, but each value of this field is {_any_of(kinds)}'
        hint = 'remove "join" to get a list of the values'
        report.add("join-not-string", (*field.path, "join"), message, hint, at_key=True)


def check_each_without_transform(report: Report, field: Field) -> None:
    """`transform_each` says how `transform` is applied."""
    if field.transform_each and field.transform is None and _sound(report, field, "transform"):
        path = (*field.path, "transform_each")
        report.add("each-without-transform", path, '"transform_each" needs "transform"', "add one", at_key=True)


def check_each_without_list(report: Report, field: Field) -> None:
    """`transform_each` needs content that can be a list."""
    if not field.transform_each or not _sound(report, field, "transform_each", *_CONTENT):
        return
    kinds = content_kinds(field.content)
    if "list" not in kinds:
        message = f'"transform_each" needs a list, but {quoted(field.content.parser)} gives {_any_of(kinds)}'
        hint = 'only "json" and "python-call-list" give lists; without "transform_each" the whole is transformed'
        report.add("each-without-list", (*field.path, "transform_each"), message, hint, at_key=True)


def check_unused_group(report: Report, field: Field) -> None:
    """A capture reaches the message by a transform only."""
    if field.transform is not None or not _sound(report, field, "transform"):
        return
    for delimiter in (field.open, field.close):
        if isinstance(delimiter, PatternDelimiter):
            for name in delimiter.groups:
                message = f"the group {quoted(name)} is never used, as the field has no transform"
                hint = f'add a "transform" with "{{{name}}}", or write the group (?:…)'
                index = _group_index(delimiter.pattern, name)
                report.add("unused-group", delimiter.path, message, hint, index=index)


def check_unresolvable_placeholder(report: Report, field: Field) -> None:
    """A placeholder must be able to have a value. Under `transform_each` any name may be a key of an element."""
    transform = field.transform
    if transform is None or field.transform_each or not _sound(report, field, *_CONTENT, "transform_each", *_CAPTURES):
        return
    for path, placeholder in placeholders(transform, (*field.path, "transform")):
        if not placeholder_kinds(field, placeholder):
            message, hint = _why_unresolvable(field, placeholder)
            report.add("unresolvable-placeholder", path, message, hint, index=1)


def check_default_not_extendable(report: Report, field: Field, default: Any) -> None:
    """Regions add to the default value of their field, which must be of the kind that they add to."""
    if not field.repeats or not report.sound(("defaults", field.name)) or not _sound(report, field, "repeats", "join"):
        return
    path = ("defaults", field.name)
    if field.join is not None and not isinstance(default, str):
        message = f'the field {quoted(field.name)} has "join" and can only extend a string'
        report.add("default-not-extendable", path, message, 'give a string, such as ""')
    elif field.join is None and not isinstance(default, list):
        message = f"the field {quoted(field.name)} repeats and can only extend a list"
        report.add("default-not-extendable", path, message, "give a list, such as []")


def check_several_implicit(report: Report, fields: list[Field]) -> None:
    """Text outside of all regions can go to one field only."""
    implicit = [field for field in fields if field.open is None and _sound(report, field, "open", "open_pattern")]
    for field in implicit[1:]:
        message = f'no "open" here, and none in the field {quoted(implicit[0].name)}'
        hint = "only one field can take the text outside of all regions; all others need an open or open_pattern"
        report.add("several-implicit", field.path, message, hint, at_key=True)


def _sound(report: Report, field: Field, *keys: str) -> bool:
    return report.sound(*((*field.path, key) for key in keys))


def _any_of(kinds: frozenset[str]) -> str:
    return " or ".join(f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in sorted(kinds))


def _group_index(pattern: str, name: str) -> int:
    opening = re.search(rf"\(\?P?<{re.escape(name)}>", pattern)
    return opening.start() if opening else 0


def _why_unresolvable(field: Field, placeholder: Placeholder) -> tuple[str, str]:
    """Message and hint for a placeholder that never has a value."""
    root, *keys = placeholder.path
    whole = "{" + ".".join(placeholder.path) + "}"
    if root == "content":
        message = f"{whole} looks for a key where {quoted(field.content.parser)} never gives an object"
        return message, "use {content}, or another content parser"
    if root in captures(field):
        return f"{whole} looks for the key {quoted(keys[0])} in a capture, which is a string", f"use {{{root}}}"
    message = f"{whole} names neither the content nor a group of the field's patterns"
    return message, f"known here: {', '.join(f'{{{name}}}' for name in ('content', *captures(field)))}"
