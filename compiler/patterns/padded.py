"""Patterns that are no more than literals, with a run of one class before or behind."""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.compiler.patterns.analysis import common, one_char
from untemplate.runtime.pattern import Chars, Choice, Literal, Node, Repeat, Sequence, one_of

_MOST = 16


@dataclass(frozen=True, slots=True)
class Padded:
    """One of `literals`, behind any number of `lead` and before as many `tail` as there are; `None`: no such run."""

    literals: tuple[str, ...]
    lead: Chars | None
    tail: Chars | None


def padded(node: Node) -> Padded | None:
    """The pattern in that form, or `None` if it is of another."""
    items = list(node.items) if isinstance(node, Sequence) else [node]
    lead = _run(items[0]) if len(items) > 1 else None
    if lead is not None:
        items = items[1:]
    tail = _run(items[-1]) if len(items) > 1 else None
    if tail is not None and isinstance(items[-1], Repeat) and not items[-1].lazy:
        items = items[:-1]
    else:
        tail = None
    literals = _spelled(Sequence(*items))
    if not literals or "" in literals:
        return None
    if lead is not None and any(common(lead, one_of(text[0])).ranges for text in literals):
        return None
    return Padded(tuple(dict.fromkeys(literals)), lead, tail)


def _run(node: Node) -> Chars | None:
    """The class that `node` repeats without limits."""
    if isinstance(node, Repeat) and node.least == 0 and node.most is None:
        return one_char(node.item)
    return None


def _spelled(node: Node) -> list[str] | None:
    """All texts that the node matches, if they are few."""
    match node:
        case Literal(text):
            return [text]
        case Chars(ranges):
            if sum(last - first + 1 for first, last in ranges) > _MOST:
                return None
            return [chr(code) for first, last in ranges for code in range(first, last + 1)]
        case Sequence(items):
            texts = [""]
            for item in items:
                more = _spelled(item)
                if more is None or len(texts) * len(more) > _MOST:
                    return None
                texts = [text + end for text in texts for end in more]
            return texts
        case Choice(options):
            found: list[str] = []
            for option in options:
                more = _spelled(option)
                if more is None or len(found) + len(more) > _MOST:
                    return None
                found += more
            return found
        case _:
            return None
