"""The imports of a module: those of the runtime's names that its body uses."""

from __future__ import annotations

import ast

_HOMES = {
    "untemplate.runtime.api": ("require",),
    "untemplate.runtime.content": (
        *("as_string", "json_or_text", "parse_bool", "parse_calls", "parse_float", "parse_int"),
        *("parse_json", "parse_kv_lines", "parse_loose_json", "parse_xml"),
    ),
    "untemplate.runtime.errors": ("ContentError",),
    "untemplate.runtime.events": ("Event",),
    "untemplate.runtime.expressions": ("Expressions", "captured"),
    "untemplate.runtime.foretelling": ("ForetellingParser",),
    "untemplate.runtime.finder": ("Finder",),
    "untemplate.runtime.literals": ("WHITE_SPACE", "Literals"),
    "untemplate.runtime.parser": ("Events", "OnMalformed", "Parser", "Region", "cut_after", "parse_all"),
    "untemplate.runtime.pattern": (
        *("ANY", "Ahead", "Behind", "Choice", "Group", "Literal", "Repeat", "Sequence", "TextEnd", "TextStart"),
        *("WordEdge", "none_of", "one_of"),
    ),
    "untemplate.runtime.scanning": ("ScanningParser",),
    "untemplate.runtime.searching": ("SearchingParser",),
    "untemplate.runtime.sure_tags": ("SureTags",),
    "untemplate.runtime.tags": ("Tags",),
    "untemplate.runtime.tools": ("type_calls",),
    "untemplate.runtime.transform": ("each", "lookup"),
    "untemplate.runtime.unicode": ("DIGIT", "SPACE", "WORD"),
    "untemplate.runtime.watch": ("Watch", "closing", "opening"),
}

RUNTIME_NAMES = frozenset(name for names in _HOMES.values() for name in names)
"""Every name of the runtime that a generated module may use."""


def imports_for(body: str) -> str:
    """The import lines that the source `body` needs."""
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    lines = [
        f"from {home} import {', '.join(name for name in names if name in used)}"
        for home, names in _HOMES.items()
        if not used.isdisjoint(names)
    ]
    return "\n".join(lines)
