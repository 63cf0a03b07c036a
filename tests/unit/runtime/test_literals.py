"""Literals are found, and what they begin with at the end of a text."""

from __future__ import annotations

from itertools import product

import pytest

from untemplate.runtime.literals import Literals, held_from

SETS = (
    ("<think>", "<tool_call>", "<|im_end|>"),
    ("ab", "ba"),
    ("aab", "b<a", "<<"),
    ("a", "<b"),
    ("aaab", "aab<"),
    ("<a*b", "<a+b", "(?:"),
)


def expected(literals: tuple[str, ...], text: str, at: int) -> tuple[int, str, bool] | None:
    """Start, text, and whether it is a beginning only: said plainly."""
    for start in range(at, len(text)):
        for literal in literals:
            if text.startswith(literal, start):
                return start, literal, False
        if any(literal.startswith(text[start:]) for literal in literals):
            return start, text[start:], True
    return None


@pytest.mark.parametrize("literals", SETS, ids=" ".join)
def test_find(literals: tuple[str, ...]) -> None:
    known = Literals(*literals)
    alphabet = sorted({*"".join(literals)[:4], "<", "x"})
    texts = ["".join(letters) for size in range(6) for letters in product(alphabet, repeat=size)]
    texts += [f"x{literal[:end]}" for literal in literals for end in range(len(literal) + 1)]
    for text in texts:
        for at in range(min(2, len(text) + 1)):
            found = known.find(text, at)
            seen = found and (found.start(), found[0], bool(found.lastindex))
            assert seen == expected(literals, text, at), (text, at)
            if found and found.lastindex:
                assert found[0] + known.rest[found[0]] in literals


@pytest.mark.parametrize("literal", ["</think>", "aab", "<<a", "x"])
def test_held_from(literal: str) -> None:
    for text in ("".join(letters) for size in range(7) for letters in product(f"{literal[:2]}x", repeat=size)):
        if literal not in text:
            begins = (start for start in range(len(text)) if literal.startswith(text[start:]))
            assert held_from(text, 0, literal) == next(begins, len(text)), text
