"""The layout of generated source: black's, in a fixed mode, whatever settings lie about."""

from __future__ import annotations

import ast


def formatted(source: str) -> str:
    """The source in its final layout.

    Raises:
        SyntaxError: it is no Python; then the back end is at fault, never a template.
    """
    import black  # here, as parsers that are compiled in memory are not laid out

    ast.parse(source)
    mode = black.Mode(target_versions={black.mode.TargetVersion.PY311}, line_length=120, magic_trailing_comma=False)
    return black.format_str(source, mode=mode)
