"""What the rules know about patterns."""

from __future__ import annotations

import pytest

from untemplate.compiler.frontend.schema import Delimiter, LiteralDelimiter, PatternDelimiter
from untemplate.compiler.lint.cost import EXPONENTIAL, LINEAR, QUADRATIC, growth
from untemplate.compiler.lint.overlaps import same_place
from untemplate.compiler.lint.shapes import eats_space, empty_nearly_everywhere
from untemplate.compiler.lint.syntax import pieces
from untemplate.compiler.patterns import read_pattern

COSTS = [
    (r"<call>", LINEAR),
    (r"</call>\s*", LINEAR),
    (r"<a>[^<]*<b>", LINEAR),
    (r"<a>(?:[^<]|<(?!b))*<b>", LINEAR),
    (r"\s*</call>", QUADRATIC),
    (r"<a>\s*[^<]*\s*<b>", QUADRATIC),
    (r"(?<=\})\s*<b>", LINEAR),
    (r"(?:a+)+b", EXPONENTIAL),
    (r"(?:a|aa)+b", EXPONENTIAL),
    (r"(?:\s*x?\s*)*b", EXPONENTIAL),
    (r"(?:a+,)+b", QUADRATIC),
]


@pytest.mark.parametrize(("pattern", "expected"), COSTS)
def test_growth(pattern: str, expected: int) -> None:
    assert growth(read_pattern(pattern))[0] == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"</a>\s*", True),
        (r"</a>", False),
        (r"</a>\s?", False),
        (r"</a>\n*", False),
        (r"</a>\s*(?:<b>\s*)?", True),
        (r"</a>\s*(?:<b>)?", False),
        (r"</a>(?:\s*<b>)?", False),
        (r"</a>\s*|(?=<b>)", True),
        (r"</a>\s*(?:<b>\s*|(?=<c>))", True),
        (r"</a>(?=\s)", False),
        (r"</a>\s*$", True),
    ],
)
def test_space_behind_a_close(pattern: str, expected: bool) -> None:
    assert eats_space(read_pattern(pattern)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        *((pattern, True) for pattern in (r"\s*", r"a|", r"(?!a)", r"\b", r"(?=\s*)")),
        *((pattern, False) for pattern in (r"(?=a)", r"$", r"^", r"a?b", r"(?<=a)")),
    ],
)
def test_empty_nearly_everywhere(pattern: str, expected: bool) -> None:
    assert empty_nearly_everywhere(read_pattern(pattern)) == expected


def literal(*texts: str) -> LiteralDelimiter:
    return LiteralDelimiter(texts, ())


def pattern(text: str) -> PatternDelimiter:
    return PatternDelimiter(text, read_pattern(text), (), ())


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (literal("<a>"), literal("<b>"), None),
        (literal("<a>"), literal("<a>"), ("<a>", 3, 3)),
        (literal("<a"), literal("<a>"), ("<a>", 2, 3)),
        (literal("<ab>"), pattern(r"<\w+>"), ("<ab>", 4, 4)),
        (literal("<ab>"), pattern(r"<(?!ab)\w+>"), None),
        (pattern(r"<a>(?=\[)"), pattern(r"<a>(?=\{)"), None),
        (pattern(r"<a>(?=\[)"), pattern(r"<a>\s*\["), ("<a>[", 3, 4)),
        (pattern(r"a{2}x"), pattern(r"a*x"), ("aax", 3, 3)),
        (pattern(r"(?<=z)<a>"), literal("<a>"), None),
    ],
)
def test_same_place(left: Delimiter, right: Delimiter, expected: tuple[str, int, int] | None) -> None:
    assert same_place(left, right) == expected


def test_pieces() -> None:
    found = [(piece.kind, piece.text) for piece in pieces(r"(?P<n>[^\]a]*+)|\p{L}{2,}?(?=x)(?i:\.)")]
    assert found == [
        ("group", "(?P<n>"),
        ("set", r"[^\]a]"),
        ("repeat", "*+"),
        ("other", ")"),
        ("bar", "|"),
        ("escape", r"\p{L}"),
        ("repeat", "{2,}?"),
        ("group", "(?="),
        ("other", "x"),
        ("other", ")"),
        ("group", "(?i:"),
        ("escape", r"\."),
        ("other", ")"),
    ]
