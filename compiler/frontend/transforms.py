"""Reads a transform: the shape of the output, and the placeholders in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import regex

from untemplate.compiler.diagnostics import JsonPath, quoted
from untemplate.compiler.frontend.reading import ObjectView, wrong_type
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.schema import Constant, ListOf, ObjectOf, Placeholder, Transform

# What counts as a word character is for the `regex` package to say, as in patterns; the standard library differs.
_PLACEHOLDER = regex.compile(r"\{(\w+(?:\.\w+)*)\}")


def read_transform(field: ObjectView) -> Transform | None:
    """The transform of a field; `None` if there is none, or it has the wrong type."""
    if "transform" not in field:
        return None
    path, value = field.below("transform"), field.members["transform"]
    if not isinstance(value, (dict, list, str)):
        wrong_type(field.report, path, '"transform"', value, "an object, a list or a string")
        return None
    return _read(field.report, path, value)


def placeholders(transform: Transform, path: JsonPath) -> Iterator[tuple[JsonPath, Placeholder]]:
    """All placeholders of a transform that stands at `path`, each with its own path."""
    match transform:
        case Placeholder():
            yield path, transform
        case ObjectOf():
            for key, item in transform.items:
                yield from placeholders(item, (*path, key))
        case ListOf():
            for index, item in enumerate(transform.items):
                yield from placeholders(item, (*path, index))


def _read(report: Report, path: JsonPath, value: Any) -> Transform:
    if isinstance(value, dict):
        return ObjectOf(tuple((key, _read(report, (*path, key), member)) for key, member in value.items()))
    if isinstance(value, list):
        return ListOf(tuple(_read(report, (*path, index), item) for index, item in enumerate(value)))
    if not isinstance(value, str):
        return Constant(value)
    if whole := _PLACEHOLDER.fullmatch(value):
        return Placeholder(tuple(whole[1].split(".")))
    if part := _PLACEHOLDER.search(value):
        message = f"the placeholder {quoted(part[0])[1:-1]} stands beside other text"
        hint = "a placeholder must be the whole string; captures of the patterns can take a text apart"
        report.add("mixed-placeholder", path, message, hint, index=part.start())
    return Constant(value)
