"""An explanation as text."""

from __future__ import annotations

from collections.abc import Iterator

from untemplate.compiler.explain.notes import Explanation
from untemplate.compiler.plan.origins import printable

Line = tuple[int, str, str]
"""Depth, heading, text behind it."""


def lines(explanation: Explanation) -> Iterator[Line]:
    """The lines of the text."""
    yield 0, printable(explanation.name), f"template {explanation.digest[:12]}"
    yield 1, "prompt", explanation.anchor
    yield 1, "fast path", explanation.quick
    if explanation.early:
        yield 1, "early", explanation.early
    for state in explanation.states:
        yield 0, f"state {printable(state.name)}", f"method {state.method}"
        yield 1, "text", printable(state.means)
        yield 1, "search", state.search
        for delimiter in state.delimiters:
            action = "opens" if delimiter.opens else "closes"
            yield 1, f"{action} {printable(delimiter.field)}", delimiter.written
            for words in delimiter.words:
                yield 2, "-", words
    for field in explanation.fields:
        yield 0, f"field {printable(field.name)}", "required" if field.name in explanation.required else ""
        yield 1, "streaming", field.streams
        yield 1, "content", field.content
        if field.transform:
            yield 1, "transform", field.transform
        yield 1, "store", field.store


def plain(explanation: Explanation) -> str:
    """The text, for files and pipes."""
    return "\n".join(
        f"{'  ' * depth}{heading}{mark(heading)}{text}".rstrip() for depth, heading, text in lines(explanation)
    )


def mark(heading: str) -> str:
    """What stands between a heading and its text."""
    return " " if heading == "-" else ": "
