"""A checked template: what the rest of the compiler works on. It holds no raw JSON but for defaults and constants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from untemplate.compiler.diagnostics import JsonPath
from untemplate.runtime.pattern import Node


@dataclass(frozen=True, slots=True)
class LiteralDelimiter:
    """Any of these texts: at least one, none empty, none twice, in the order of the template."""

    literals: tuple[str, ...]
    path: JsonPath


@dataclass(frozen=True, slots=True)
class PatternDelimiter:
    """A pattern, as written and as read; `groups` are the names of its groups, in order, none twice."""

    pattern: str
    tree: Node
    groups: tuple[str, ...]
    path: JsonPath


Delimiter = LiteralDelimiter | PatternDelimiter
Anchor = Delimiter


@dataclass(frozen=True, slots=True)
class Text:
    """The body itself, stripped of white space at both ends if `strip`."""

    parser: ClassVar[str] = "text"
    strip: bool = True


@dataclass(frozen=True, slots=True)
class Int:
    """An integer."""

    parser: ClassVar[str] = "int"


@dataclass(frozen=True, slots=True)
class Float:
    """A float."""

    parser: ClassVar[str] = "float"


@dataclass(frozen=True, slots=True)
class Bool:
    """True or false."""

    parser: ClassVar[str] = "bool"


@dataclass(frozen=True, slots=True)
class Json:
    """JSON, with the dialect options; `string_delims` are pairs (open, close), none empty."""

    parser: ClassVar[str] = "json"
    unquoted_keys: bool = False
    string_delims: tuple[tuple[str, str], ...] = ()
    allow_non_json: bool = False


@dataclass(frozen=True, slots=True)
class XmlInline:
    """An object with one entry a match of the tag pattern, whose groups `key` and `value` it surely has."""

    parser: ClassVar[str] = "xml-inline"
    tag_pattern: str
    tag_tree: Node
    value_parser: Content | None = None
    merge_duplicates: bool = False


@dataclass(frozen=True, slots=True)
class KvLines:
    """An object with one entry a line; no separator is empty."""

    parser: ClassVar[str] = "kv-lines"
    line_sep: str = "\n"
    kv_sep: str = ":"
    strip: bool = True
    value_parser: Content | None = None


@dataclass(frozen=True, slots=True)
class PythonCallList:
    """A list of calls, each an object with `name` and `arguments`."""

    parser: ClassVar[str] = "python-call-list"


Content = Text | Int | Float | Bool | Json | XmlInline | KvLines | PythonCallList


@dataclass(frozen=True, slots=True)
class Constant:
    """A string without placeholder, a number, true, false or null."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A name, and the keys to follow from its value: `{content.a.b}` is `("content", "a", "b")`."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectOf:
    """An object: its keys, in order, each with what makes its value."""

    items: tuple[tuple[str, Transform], ...]


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list: what makes each item."""

    items: tuple[Transform, ...]


Transform = Constant | Placeholder | ObjectOf | ListOf


@dataclass(frozen=True, slots=True)
class Field:
    """One key of the message. `open` is `None` for the implicit field, `close` where the region runs to the end."""

    name: str
    open: Delimiter | None
    close: Delimiter | None
    repeats: bool
    join: str | None
    optional: bool
    content: Content
    transform: Transform | None
    transform_each: bool
    path: JsonPath


@dataclass(frozen=True, slots=True)
class Template:
    """A whole template. `raw` is the JSON it was made of; all paths start at its top."""

    defaults: dict[str, Any]
    anchor: Anchor
    fields: tuple[Field, ...]
    raw: dict[str, Any]
