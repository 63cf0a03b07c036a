"""The layout of generated source: black's, in a fixed mode, whatever settings lie about."""

from __future__ import annotations

import ast

import black

_MODE = black.Mode(target_versions={black.TargetVersion.PY311}, line_length=120, magic_trailing_comma=False)


def formatted(source: str) -> str:
    """The source in its final layout.

    Raises:
        SyntaxError: it is no Python; then the back end is at fault, never a template.
    """
    ast.parse(source)
    return black.format_str(source, mode=_MODE)
