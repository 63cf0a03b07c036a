"""Source without what is only for settings that a class leaves as they are."""

from __future__ import annotations

import ast
from collections.abc import Collection


def without_unset(text: str, settings: Collection[str]) -> str:
    """The source without statements that do nothing; every other line stays where it is.

    Such are `if self.NAME:` and `for … in self.NAME:` where NAME, which is false or empty by itself, is not set.
    """
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.If(test=ast.Attribute(value=ast.Name(id="self"), attr=name), orelse=[]):
                pass
            case ast.For(iter=ast.Attribute(value=ast.Name(id="self"), attr=name), orelse=[]):
                pass
            case _:
                continue
        if name.isupper() and name not in settings:
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[line - 1] = ""
    return "\n".join(lines)
