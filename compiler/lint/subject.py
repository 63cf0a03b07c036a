"""What the rules look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from untemplate.compiler.diagnostics import JsonPath
from untemplate.compiler.frontend.schema import (
    Content,
    Delimiter,
    Field,
    KvLines,
    PatternDelimiter,
    Template,
    XmlInline,
)
from untemplate.compiler.plan.searches import literal_tree
from untemplate.runtime.pattern import Node


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of the template.

    Attributes:
        role: "anchor", "open", "close" or "tag".
        field: whose it is; `None` for the anchor.
    """

    text: str
    tree: Node
    path: JsonPath
    role: str
    field: Field | None


@dataclass(frozen=True, slots=True)
class Subject:
    """A template that loads, and what is known about the model it is for.

    Attributes:
        prompt: a prompt of the model, up to where its reply begins; `None` if there is none at hand.
        ends: the tokens that can end a reply; empty if they are not known.
    """

    template: Template
    prompt: str | None = None
    ends: tuple[str, ...] = ()

    @property
    def implicit(self) -> Field | None:
        """The field of the text outside of all regions."""
        return next((field for field in self.template.fields if field.open is None), None)

    @property
    def explicit(self) -> tuple[Field, ...]:
        """The fields with an open."""
        return tuple(field for field in self.template.fields if field.open is not None)

    def delimiters(self) -> Iterator[tuple[str, Field, Delimiter]]:
        """All delimiters, each with its role ("open" or "close") and its field."""
        for field in self.template.fields:
            for role, delimiter in (("open", field.open), ("close", field.close)):
                if delimiter is not None:
                    yield role, field, delimiter

    def patterns(self) -> Iterator[Pattern]:
        """All patterns, those of `xml-inline` too, in the order of the template."""
        anchor = self.template.anchor
        if isinstance(anchor, PatternDelimiter):
            yield Pattern(anchor.pattern, anchor.tree, anchor.path, "anchor", None)
        for role, field, delimiter in self.delimiters():
            if isinstance(delimiter, PatternDelimiter):
                yield Pattern(delimiter.pattern, delimiter.tree, delimiter.path, role, field)
        yield from self.tags()

    def tags(self) -> Iterator[Pattern]:
        """The tag patterns of `xml-inline`."""
        for field, path, content in self.contents():
            if isinstance(content, XmlInline):
                yield Pattern(content.tag_pattern, content.tag_tree, (*path, "tag_pattern"), "tag", field)

    def contents(self) -> Iterator[tuple[Field, JsonPath, Content]]:
        """All content parsers, those of values too, each with its field and the path of its options."""
        for field in self.template.fields:
            path, content = (*field.path, "content_args"), field.content
            yield field, path, content
            while isinstance(content, (XmlInline, KvLines)) and content.value_parser is not None:
                path, content = (*path, "value_parser", "args"), content.value_parser
                yield field, path, content


def tree_of(delimiter: Delimiter) -> Node:
    """The delimiter as a pattern."""
    return delimiter.tree if isinstance(delimiter, PatternDelimiter) else literal_tree(delimiter.literals)
