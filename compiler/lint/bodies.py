"""Rules about what is made of a body."""

from __future__ import annotations

from collections.abc import Iterator

from untemplate.compiler.frontend.schema import Json, KvLines, PatternDelimiter, Text, XmlInline
from untemplate.compiler.lint.fields import group_index
from untemplate.compiler.lint.rule import Finding, Severity, rule
from untemplate.compiler.lint.shapes import holds
from untemplate.compiler.lint.subject import Subject
from untemplate.compiler.patterns.analysis import one_char, walk
from untemplate.runtime.pattern import Group, Node, Repeat, Sequence
from untemplate.runtime.unicode import SPACE


@rule("UT501", "guessed-types", Severity.WARNING, "values are typed by their look, not by the tool's schema")
def guessed_types(subject: Subject) -> Iterator[Finding]:
    """A json `value_parser` on values that are plain text."""
    for _, path, content in subject.contents():
        if not isinstance(content, (XmlInline, KvLines)):
            continue
        inner = content.value_parser
        if isinstance(inner, Json) and inner.allow_non_json and not inner.string_delims:
            message = "the text 75001 becomes a number, also where the tool asks for a string, such as a zip code"
            hint = 'remove "value_parser": values stay text, and the schemas given as tools type them'
            yield Finding((*path, "value_parser"), message, hint, at_key=True)


@rule("UT502", "stripped-value", Severity.WARNING, "white space of a value is lost to the tag")
def stripped_value(subject: Subject) -> Iterator[Finding]:
    """`\\s*` beside the group `value` of a tag pattern."""
    for _, path, content in subject.contents():
        if not isinstance(content, XmlInline) or not isinstance(content.value_parser, Text | None):
            continue
        before, after = _around(content.tag_tree)
        place = ((*path, "tag_pattern"), group_index(content.tag_pattern, "value"))
        if before:
            message = "white space before the value belongs to the tag: code loses the indentation of its first line"
            yield Finding(place[0], message, r"allow one line end, \n?, or nothing before the group", place[1])
        elif after:
            message = "white space behind the value belongs to the tag: the value loses its last line ends"
            hint = r"allow one line end, \n?, or nothing behind the group"
            yield Finding(place[0], message, hint, place[1], severity=Severity.INFO)


def _around(tree: Node) -> tuple[bool, bool]:
    """Whether any amount of white space is taken right before the group `value`, and right behind it."""
    for node in walk(tree):
        if isinstance(node, Sequence):
            for at, item in enumerate(node.items):
                if isinstance(item, Group) and item.name == "value":
                    before = node.items[at - 1] if at else None
                    after = node.items[at + 1] if at + 1 < len(node.items) else None
                    return _takes_space(before), _takes_space(after)
    return False, False


def _takes_space(node: Node | None) -> bool:
    chars = one_char(node.item) if isinstance(node, Repeat) and node.most is None else None
    return chars is not None and holds(chars, SPACE)


@rule("UT503", "stripped-body", Severity.WARNING, "an unstripped text loses white space to its delimiters")
def stripped_body(subject: Subject) -> Iterator[Finding]:
    """`\\s*` at the inner side of a delimiter of a text that is not to be stripped."""
    for field in subject.template.fields:
        if not isinstance(field.content, Text) or field.content.strip:
            continue
        for delimiter, side in ((field.open, -1), (field.close, 0)):
            tree = delimiter.tree if isinstance(delimiter, PatternDelimiter) else None
            if delimiter is not None and isinstance(tree, Sequence) and tree.items and _takes_space(tree.items[side]):
                message = '"strip" is false, but this delimiter takes the white space at the end of the body'
                hint = r'remove the \s* at this side, or "strip": false'
                yield Finding(delimiter.path, message, hint)
