"""The state graph: what the pictures show."""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.compiler.explain.notes import OUTSIDE, Explanation
from untemplate.compiler.plan.origins import printable

_MOST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Box:
    """A state: its key in the picture, and what is written in it."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """A way from one box to another (by their keys), and the delimiter that leads there."""

    start: str
    end: str
    label: str


def graph(explanation: Explanation) -> tuple[list[Box], list[Arrow]]:
    """The states, the outside first, and the ways between them, in the order of the explanation."""
    keys = {state.name if number else OUTSIDE: f"s{number}" for number, state in enumerate(explanation.states)}
    # A field may be called as the outside is; the first state is never a field's.
    inside = {state.name: f"s{number}" for number, state in enumerate(explanation.states) if number}
    boxes = []
    arrows = []
    for number, state in enumerate(explanation.states):
        key = f"s{number}" if number else keys[OUTSIDE]
        boxes.append(Box(key, cut(printable(state.name))))
        for delimiter in state.delimiters:
            end = inside[delimiter.field] if delimiter.opens else "s0"
            arrows.append(Arrow(key, end, cut(delimiter.written)))
    return boxes, arrows


def cut(text: str) -> str:
    """The text, not too long for a picture."""
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
