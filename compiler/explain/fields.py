"""How the regions of a field become part of the message, in words."""

from __future__ import annotations

import json

from untemplate.compiler.explain.notes import FieldNote
from untemplate.compiler.explain.wording import text_words
from untemplate.compiler.frontend.schema import Content, Json, KvLines, Text, XmlInline
from untemplate.compiler.plan.nodes import FieldPlan, Plan
from untemplate.compiler.plan.origins import printable


def field_note(plan: Plan, field: FieldPlan) -> FieldNote:
    """The note on one field."""
    raw = plan.raw["fields"][field.name]
    transform = ""
    if "transform" in raw:
        transform = printable(json.dumps(raw["transform"], ensure_ascii=False))
        transform += ", of every element" if field.each else ""
        transform += "; arguments get the types that the tools declare" if field.typed else ""
    streams = "chunks are raw text, only the value at the end counts" if field.dirty else "chunks are the final text"
    return FieldNote(field.name, streams, content_words(field.content.content), transform, _store(field))


def content_words(content: Content) -> str:
    """What a content parser makes of a body."""
    match content:
        case Text(strip):
            return "text, stripped at both ends" if strip else "text, as it is"
        case Json():
            return f"json{_json_options(content)}"
        case XmlInline():
            double = ", a repeated key makes a list" if content.merge_duplicates else ""
            return (
                f"xml-inline: an object of the matches of /{printable(content.tag_pattern)}/{_values(content)}{double}"
            )
        case KvLines():
            separators = f"lines end with {text_words(content.line_sep)}, keys with {text_words(content.kv_sep)}"
            return f"kv-lines: an object, {separators}{_values(content)}"
        case _:
            return content.parser


def _values(content: XmlInline | KvLines) -> str:
    return f", values as {content_words(content.value_parser)}" if content.value_parser else ", values as text"


def _json_options(content: Json) -> str:
    options = ["keys without quotes allowed"] if content.unquoted_keys else []
    options += [
        f"strings also between {text_words(first)} and {text_words(last)}" for first, last in content.string_delims
    ]
    options += ["what is no JSON stays text"] if content.allow_non_json else []
    return "".join(f", {option}" for option in options)


def _store(field: FieldPlan) -> str:
    if field.store == "append":
        return "each region is appended to a list"
    if field.store == "join":
        return f"regions are joined with {text_words(field.joint)}"
    return "the last region counts"
