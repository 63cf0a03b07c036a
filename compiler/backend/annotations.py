"""Source without its annotations, line for line."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Place = tuple[int, int]
"""Line, from 1, and column in bytes, from 0."""


def without_annotations(text: str) -> str:
    """The source without the types of parameters, results and variables; every line stays where it is.

    The fields of data classes and typed dictionaries are left alone: there the annotation is what counts.
    """
    lines = [line.encode() for line in text.split("\n")]
    for (first, start), (last, end) in sorted(_spans(ast.parse(text), lines), reverse=True):
        rest = lines[last - 1][end:]
        for line in range(first + 1, last + 1):
            lines[line - 1] = b""
        lines[first - 1] = lines[first - 1][:start] + rest
    return "\n".join(line.decode() for line in lines)


def _spans(tree: ast.Module, lines: list[bytes]) -> Iterator[tuple[Place, Place]]:
    """From where to where each annotation extends, with what joins it to the rest."""
    fields = {
        id(one) for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and _has_fields(node) for one in node.body
    }
    for node in ast.walk(tree):
        match node:
            case ast.arg(arg=name, annotation=ast.expr() as annotation):
                yield (node.lineno, node.col_offset + len(name.encode())), _end(annotation)
            case ast.FunctionDef(returns=ast.expr() as returns):
                arrow = lines[returns.lineno - 1].rindex(b" ->", 0, returns.col_offset)
                yield (returns.lineno, arrow), _end(returns)
            case ast.AnnAssign(target=target, annotation=annotation, value=ast.expr()) if id(node) not in fields:
                yield _end(target), _end(annotation)


def _has_fields(node: ast.ClassDef) -> bool:
    """Whether the class is made from the annotations in its body."""
    return bool(node.decorator_list) or any(
        isinstance(base, ast.Name) and base.id == "TypedDict" for base in node.bases
    )


def _end(node: ast.expr) -> Place:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
