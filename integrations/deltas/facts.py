"""What is asked of a parser beyond its events: the one place that looks inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from untemplate.runtime.errors import ResponseParseError

if TYPE_CHECKING:
    from untemplate.runtime.finder import Finder
    from untemplate.runtime.parser import Parser
    from untemplate.runtime.tags import Tags
    from untemplate.runtime.tools import ToolTypes


def template_of(parser: type[Parser]) -> dict[str, Any]:
    """The template that a parser class was generated from."""
    return cast("dict[str, Any]", _module_of(parser)["TEMPLATE"])


def error_of(parser: type[Parser]) -> type[ResponseParseError]:
    """What the parser raises: a module that stands alone has a class of its own."""
    return cast("type[ResponseParseError]", _module_of(parser).get("ResponseParseError", ResponseParseError))


def tags_of(parser: type[Parser], field: str) -> Finder | Tags | None:
    """What finds the tags of an `xml-inline` field; `None` unless it is the only one that the field uses."""
    module = _module_of(parser)
    names = list(_names_in(parser, parser.REGIONS[field].close))
    for name in names:
        if name.startswith("_add_"):  # which does the rest for a body
            names += _names_in(parser, name)
    # Not by class: a module that stands alone brings its own.
    found = [module[name] for name in names if hasattr(module.get(name), "tags")]
    return found[0] if len(found) == 1 else None


def _names_in(parser: type[Parser], method: str) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(parser, method).__code__.co_names
    return names


def captures_of(parser: Parser) -> dict[str, str] | None:
    """What the open of the present region captured; `None` as long as that is not decided."""
    is_open = getattr(parser, "_swallowed", None) is not None or bool(getattr(parser, "_told", False))
    return None if is_open else parser._captures


def types_of(parser: Parser) -> ToolTypes:
    """Tool → property → types, as the parser casts them."""
    return parser._tools or {}


def _module_of(parser: type[Parser]) -> dict[str, Any]:
    """The names of the module that a parser class stands in."""
    return parser._cut.__globals__
