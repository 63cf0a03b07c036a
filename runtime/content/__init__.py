"""Content parsers: each turns the body of a region (`str`) into its value, or raises `ContentError`.

A parser's module is loaded when the parser is first asked for: a template needs few of them, and some compile patterns.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .call_list import parse_calls
    from .inline_tags import parse_xml
    from .kv_lines import parse_kv_lines
    from .loose_json import parse_loose_json
    from .scalars import parse_bool, parse_float, parse_int
    from .strict_json import json_or_text, parse_json
    from .strings import as_string

__all__ = [
    "as_string",
    "json_or_text",
    "parse_bool",
    "parse_calls",
    "parse_float",
    "parse_int",
    "parse_json",
    "parse_kv_lines",
    "parse_loose_json",
    "parse_xml",
]

_MODULES = {
    "as_string": "strings",
    "json_or_text": "strict_json",
    "parse_bool": "scalars",
    "parse_calls": "call_list",
    "parse_float": "scalars",
    "parse_int": "scalars",
    "parse_json": "strict_json",
    "parse_kv_lines": "kv_lines",
    "parse_loose_json": "loose_json",
    "parse_xml": "inline_tags",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    parser = globals()[name] = getattr(import_module(f".{module}", __name__), name)
    return parser
