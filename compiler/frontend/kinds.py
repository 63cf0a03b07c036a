"""Which kinds of JSON values a content parser, a transform or a whole field can give at all."""

from __future__ import annotations

from untemplate.compiler.frontend.schema import (
    Bool,
    Constant,
    Content,
    Field,
    Float,
    Int,
    Json,
    KvLines,
    ListOf,
    ObjectOf,
    Placeholder,
    PythonCallList,
    Text,
    XmlInline,
)

ANYTHING = frozenset({"object", "list", "string", "integer", "float", "boolean", "null"})
NOTHING: frozenset[str] = frozenset()

_SCALARS = {Text: "string", Int: "integer", Float: "float", Bool: "boolean", PythonCallList: "list"}


def content_kinds(content: Content | None, keys: tuple[str, ...] = ()) -> frozenset[str]:
    """The kinds of values that may stand under these keys of the parsed body; none if the keys lead nowhere.

    `None` is the missing `value_parser`, under which a value stays a string.
    """
    if isinstance(content, Json):
        return ANYTHING
    if isinstance(content, (XmlInline, KvLines)):
        if not keys:
            return frozenset({"object"})
        kinds = content_kinds(content.value_parser, keys[1:])
        merged = isinstance(content, XmlInline) and content.merge_duplicates and len(keys) == 1
        return kinds | {"list"} if merged else kinds
    if keys:
        return NOTHING
    return frozenset({"string" if content is None else _SCALARS[type(content)]})


def field_kinds(field: Field) -> frozenset[str]:
    """The kinds of values that a region of the field may give."""
    transform = field.transform
    if field.transform_each:
        return frozenset({"list"})
    match transform:
        case None:
            return content_kinds(field.content)
        case ObjectOf():
            return frozenset({"object"})
        case ListOf():
            return frozenset({"list"})
        case Placeholder():
            return placeholder_kinds(field, transform)
        case Constant():
            # A transform as a whole is an object, a list or a string.
            return frozenset({"string"})


def placeholder_kinds(field: Field, placeholder: Placeholder) -> frozenset[str]:
    """The kinds of values that a placeholder may have in a field without `transform_each`."""
    root, *keys = placeholder.path
    if root == "content":
        return content_kinds(field.content, tuple(keys))
    return NOTHING if keys or root not in captures(field) else frozenset({"string"})


def captures(field: Field) -> tuple[str, ...]:
    """The names of the groups of the open and the close pattern, each once."""
    names: dict[str, None] = {}
    for delimiter in (field.open, field.close):
        names.update(dict.fromkeys(getattr(delimiter, "groups", ())))
    return tuple(names)
