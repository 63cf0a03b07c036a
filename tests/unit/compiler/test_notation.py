"""Patterns in the notation of generated modules mean what they mean to the `regex` package."""

from __future__ import annotations

import re
import warnings

import pytest
import regex

from untemplate.compiler.patterns import read_pattern
from untemplate.compiler.patterns.notation import notation
from untemplate.runtime.expressions import spelled


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"[^\s<]+", r"[^\s<]+"),
        (r"[\s\S]*?x", r".*?x"),
        (r"(?P<name>[a-z]+)(?:\s|<b>)?", r"(?P<name>[a-z]+)(?:\s|<b>)?"),
        (r"\x41\n", r"A\n"),
        (r"[-\]^\[\\]", r"[\-\[-\^]"),
        (r"a\\s\S", r"a\\s\S"),
        (r"<tool>(?=\s*<)", r"<tool>(?=\s*<)"),
        (r"\w+", None),
        (r"[^\d]", None),
        (r"a{2,3}", None),
        (r"(?:ab)+", None),
        (r"a(?!b)", None),
        (r"(?<=a)b", None),
        (r"a$", None),
        (r"a(*FAIL)", None),
        ("\x00", None),
        ("é\u2028", None),
        ("x" * 65, None),
        ("(?:x|y)" * 300, None),
    ],
)
def test_what_is_written(pattern: str, expected: str | None) -> None:
    assert notation(read_pattern(pattern)) == expected


@pytest.mark.parametrize(
    "pattern", [r"\s", r"\S", r"[\s.]", r"[^\s<]", ".", r"[a\-z]", r"[\]\\^]", r"[&~|\-]", r"\\s", r"[\\s]", r"[\n-\r]"]
)
def test_sets_hold_the_same_characters(pattern: str) -> None:
    text = notation(read_pattern(pattern))
    assert text is not None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = re.compile(spelled(text), re.DOTALL)
    theirs = regex.compile(pattern, regex.DOTALL)
    everything = [chr(code) for code in [*range(0x3100), 0xFEFF, 0xD800, 0xFFFF, 0x10FFFF]] + [r"\s", r"\\"]
    assert [char for char in everything if ours.fullmatch(char)] == [
        char for char in everything if theirs.fullmatch(char)
    ]
