"""Rules about fields: what becomes of their values in the message."""

from __future__ import annotations

from collections.abc import Iterator

from untemplate.compiler.diagnostics import quoted
from untemplate.compiler.frontend.kinds import captures, field_kinds
from untemplate.compiler.frontend.schema import (
    Field,
    Json,
    ListOf,
    ObjectOf,
    PatternDelimiter,
    Placeholder,
    Text,
    Transform,
)
from untemplate.compiler.frontend.transforms import placeholders
from untemplate.compiler.lint.rule import Finding, Severity, rule
from untemplate.compiler.lint.subject import Subject
from untemplate.compiler.lint.syntax import pieces

_TEXTS = ("content", "reasoning_content")
_CALLS = "tool_calls"
_USUAL_NAMES = {
    **dict.fromkeys(("thinking", "reasoning", "thought", "thoughts", "reasoning_text"), "reasoning_content"),
    **dict.fromkeys(("tool_call", "function_call", "function_calls", "calls", "tools"), _CALLS),
    **dict.fromkeys(("text", "answer", "response"), "content"),
}


@rule("UT101", "overwritten-content", Severity.WARNING, "later text outside of all regions overwrites the content")
def overwritten_content(subject: Subject) -> Iterator[Finding]:
    """An implicit field that keeps only the text behind the last region, be it white space."""
    field = subject.implicit
    if field is None or field.repeats or not (subject.explicit or field.close):
        return
    message = f"text behind a region, even white space, overwrites what {quoted(field.name)} had before"
    yield Finding(field.path, message, 'add "repeats": true and "join": ""', at_key=True)


@rule("UT102", "last-region-wins", Severity.INFO, "a second region of a text field overwrites the first")
def last_region_wins(subject: Subject) -> Iterator[Finding]:
    """A text field with an open that keeps only its last region."""
    for field in subject.explicit:
        if isinstance(field.content, Text) and field.transform is None and not field.repeats and field.close:
            message = f"if the model writes a second region, {quoted(field.name)} keeps that one only"
            yield Finding(field.path, message, 'add "repeats": true and "join": "\\n"', at_key=True)


@rule("UT103", "list-of-texts", Severity.WARNING, "a text of the message becomes a list of texts")
def list_of_texts(subject: Subject) -> Iterator[Finding]:
    """`repeats` without `join` where the message should have a string."""
    for field in subject.template.fields:
        if field.name in _TEXTS and field.repeats and field.join is None and field_kinds(field) == {"string"}:
            message = f"{quoted(field.name)} becomes a list, where a chat template expects a string"
            yield Finding((*field.path, "repeats"), message, 'add "join": "" (or "\\n") to get one string', at_key=True)


@rule("UT104", "calls-not-a-list", Severity.WARNING, "tool_calls is not a list of calls")
def calls_not_a_list(subject: Subject) -> Iterator[Finding]:
    """`tool_calls` that is one call, or a list of lists."""
    for field in subject.template.fields:
        kinds = field_kinds(field)
        if field.name != _CALLS or field.join is not None:
            continue
        if field.repeats and kinds == {"list"}:
            message = "each region gives a list of calls already: with repeats, tool_calls is a list of lists"
            yield Finding((*field.path, "repeats"), message, 'remove "repeats"', at_key=True)
        elif not field.repeats and "list" not in kinds:
            message = "tool_calls is a single value, and a second call overwrites the first"
            yield Finding(field.path, message, 'add "repeats": true', at_key=True)


@rule("UT105", "call-shape", Severity.WARNING, "calls do not have the shape that chat templates and tools expect")
def call_shape(subject: Subject) -> Iterator[Finding]:
    """Calls that are not `{"type": "function", "function": {"name", "arguments"}}`."""
    hint = 'write "transform": {"type": "function", "function": {"name": …, "arguments": …}}'
    for field in subject.template.fields:
        if field.name != _CALLS:
            continue
        if field.transform is None:
            if not isinstance(field.content, Json):
                message = f"the value of {quoted(field.content.parser)} alone is no call"
                yield Finding(field.path, message, hint, at_key=True)
        elif (fault := _call_fault(field.transform)) is not None:
            yield Finding((*field.path, "transform"), fault, hint, at_key=True)


def _call_fault(transform: Transform) -> str | None:
    match transform:
        case ObjectOf(items=items):
            parts = dict(items)
            if "function" not in parts:
                return 'a call without the key "function": tools can not type its arguments'
            if "type" not in parts:
                return 'a call without the key "type": clients and chat templates ask for it'
            inner = parts["function"]
            if isinstance(inner, ObjectOf):
                lost = [key for key in ("name", "arguments") if key not in dict(inner.items)]
                return f"a function without the key {quoted(lost[0])}" if lost else None
        case ListOf(items=items):
            return next((fault for item in items if (fault := _call_fault(item))), None)
    return None


@rule("UT106", "unusual-name", Severity.WARNING, "a field has another name than chat templates read")
def unusual_name(subject: Subject) -> Iterator[Finding]:
    """`thinking` for `reasoning_content` and the like."""
    names = {field.name for field in subject.template.fields}
    for field in subject.template.fields:
        usual = _USUAL_NAMES.get(field.name)
        if usual is not None and usual not in names:
            message = f"chat templates look for {quoted(usual)}, not for {quoted(field.name)}"
            yield Finding(field.path, message, f"rename the field to {quoted(usual)}", at_key=True)


@rule("UT107", "hidden-missing", Severity.WARNING, "a default makes a required field always present")
def hidden_missing(subject: Subject) -> Iterator[Finding]:
    """`optional: false` without effect."""
    for field in subject.template.fields:
        if not field.optional and field.name in subject.template.defaults:
            message = f'{quoted(field.name)} has a default and so is never missing: "optional": false has no effect'
            hint = 'remove the default to get an error, or "optional": false to get the default'
            yield Finding((*field.path, "optional"), message, hint, at_key=True)


@rule("UT108", "default-kept-empty", Severity.INFO, "a default keeps an empty field in every message")
def default_kept_empty(subject: Subject) -> Iterator[Finding]:
    """An empty default of a field."""
    for field in subject.template.fields:
        default = subject.template.defaults.get(field.name, 0)
        if field.optional and default in (None, "", [], {}):
            message = f"every message has {quoted(field.name)}, empty where the model wrote none"
            hint = "remove the default, unless the key must always be there"
            yield Finding(("defaults", field.name), message, hint, at_key=True)


@rule("UT109", "dropped-text", Severity.INFO, "text outside of all regions is dropped")
def dropped_text(subject: Subject) -> Iterator[Finding]:
    """A template without implicit field."""
    if subject.implicit is None:
        message = "no field takes the text outside of all regions: it is dropped"
        yield Finding(("fields",), message, 'leave out the open of one field, such as "content"', at_key=True)


@rule("UT110", "missing-role", Severity.INFO, "messages have no role")
def missing_role(subject: Subject) -> Iterator[Finding]:
    """No default for `role`, and no field of that name."""
    if "role" not in subject.template.defaults and all(field.name != "role" for field in subject.template.fields):
        message = "the message has no role, which a chat template needs to render it"
        yield Finding((), message, 'add "defaults": {"role": "assistant"}')


@rule("UT111", "unused-capture", Severity.WARNING, "a named group is never used")
def unused_capture(subject: Subject) -> Iterator[Finding]:
    """A capture that the transform does not ask for."""
    for field in subject.template.fields:
        if field.transform is None:
            continue
        used = {placeholder.path[0] for _, placeholder in placeholders(field.transform, ())}
        for delimiter in (field.open, field.close):
            if isinstance(delimiter, PatternDelimiter):
                for name in set(delimiter.groups) - used - {"content"}:
                    message = f"the transform never uses the group {quoted(name)}"
                    hint = f'put "{{{name}}}" into the transform, or group with (?:…)'
                    yield Finding(delimiter.path, message, hint, group_index(delimiter.pattern, name))


@rule("UT112", "shadowed-content", Severity.WARNING, "a named group is called content and can not be read")
def shadowed_content(subject: Subject) -> Iterator[Finding]:
    """A capture of the name that stands for the body."""
    for field in subject.explicit:
        for delimiter in (field.open, field.close):
            if isinstance(delimiter, PatternDelimiter) and "content" in delimiter.groups:
                message = '{content} is the body of the region, so the group "content" can not be reached'
                yield Finding(
                    delimiter.path, message, "give the group another name", group_index(delimiter.pattern, "content")
                )


@rule("UT113", "constant-transform", Severity.WARNING, "a transform uses nothing of what the model wrote")
def constant_transform(subject: Subject) -> Iterator[Finding]:
    """A transform without placeholder."""
    for field in subject.template.fields:
        if field.transform is not None and not any(placeholders(field.transform, ())):
            names = ", ".join(f'"{{{name}}}"' for name in ("content", *captures(field)))
            message = "the transform has no placeholder: every region gives the same value"
            yield Finding((*field.path, "transform"), message, f"use {names}", at_key=True)


@rule("UT114", "useless-fallback", Severity.INFO, "allow_non_json where only an object or a list is of use")
def useless_fallback(subject: Subject) -> Iterator[Finding]:
    """Text that is let through as a string, only to fail in the transform."""
    for field in subject.template.fields:
        content = field.content
        if isinstance(content, Json) and content.allow_non_json and _needs_structure(field):
            message = "what is not JSON becomes a string, in which the transform finds no key: the error comes anyway"
            path = (*field.path, "content_args", "allow_non_json")
            yield Finding(path, message, 'remove "allow_non_json" to get the error of the JSON itself', at_key=True)


def _needs_structure(field: Field) -> bool:
    if field.transform is None:
        return False
    asked: list[Placeholder] = [placeholder for _, placeholder in placeholders(field.transform, ())]
    return field.transform_each or any(one.path[0] == "content" and len(one.path) > 1 for one in asked)


def group_index(pattern: str, name: str) -> int:
    """Where the group of this name starts in the pattern."""
    starts = (f"(?P<{name}>", f"(?<{name}>")
    return next((piece.at for piece in pieces(pattern) if piece.kind == "group" and piece.text in starts), 0)
