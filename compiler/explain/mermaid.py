"""An explanation as a state diagram of Mermaid (https://mermaid.js.org)."""

from __future__ import annotations

from untemplate.compiler.explain.graph import graph
from untemplate.compiler.explain.notes import Explanation


def mermaid(explanation: Explanation) -> str:
    """The diagram's text."""
    boxes, arrows = graph(explanation)
    lines = ["stateDiagram-v2"]
    lines += [f'    state "{_escaped(box.title)}" as {box.key}' for box in boxes]
    lines += ["    [*] --> s0"]
    lines += [f"    {arrow.start} --> {arrow.end}: {_escaped(arrow.label)}" for arrow in arrows]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """The text with all that Mermaid might read as its own written as character codes."""
    return "".join(char if char.isalnum() or char in " _" else f"#{ord(char)};" for char in text)
