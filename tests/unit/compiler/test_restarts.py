"""Where starts that fail are tried one after the other, little of the text is read again."""

from __future__ import annotations

import re
from itertools import product

import pytest
import regex

from untemplate.compiler.patterns import read_pattern, render
from untemplate.compiler.patterns.restarts import skipped

LETTERS = "ab< "


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["<a>[^<]*</a>"], ""),
        (["<a>", "<b>x"], ""),
        (["[a-z]+:"], "[a-z]+"),
        (["a[^b]*b"], "a[^b]*"),
        ([r"a (?P<x>[^\s<]+)(?: [^<]*)?<m>"], r"a [^\s<]+(?: [^<]*)?"),
        ([r"(?:<c>x\s+)?t=(?P<n>[^\s<]+)(?:\s[^<]*)?(?:<c>[^<]*)?<m>"], r"(?:<c>x\s+)?t=[^\s<]+(?:\s[^<]*)?"),
        ([r"t=\S+ [^<]*<m>"], None),
        (["a.*?b"], None),
        (["a[ab]*?b"], None),
        (["<[^>]*>|<a[^<]*<x"], None),
        ([r"#+ [^\n]*\n"], r"#+ [^\n]*|#+"),
        ([r"<a>[^\n]*\n[^b]*b"], r"<a>[^\n]*\n[^b]*|<a>[^\n]*"),
        (["<[^<>]*>|<a[^<]*<x"], ""),
        (["<[^>]*>|<a[^<]*x"], None),
    ],
)
def test_what_is_skipped(patterns: list[str], expected: str | None) -> None:
    found = skipped([read_pattern(pattern) for pattern in patterns])
    assert (None if found is None else render(found).replace("(*FAIL)", "")) == expected


def test_too_much_is_not_looked_into() -> None:
    many = "|".join(f"x{number:04}" for number in range(200))
    assert skipped([read_pattern(f"(?:{many})[^y]*y")]) is None


@pytest.mark.parametrize("pattern", ["a[^b]*b", r"a(?P<x>[^\s<]+)(?: [^<]*)?<b", "[ab]+<", "a(?: [^<]*)?<b"])
def test_no_match_starts_where_it_is_skipped(pattern: str) -> None:
    """In all short texts: if nothing matches at a place, nothing does within what is skipped from there."""
    cut = skipped([read_pattern(pattern)])
    assert cut is not None
    skip = re.compile(render(cut).replace("(*FAIL)", "(?!)"), re.DOTALL)
    whole = regex.compile(pattern, regex.DOTALL)
    tried = 0
    for letters in product(LETTERS, repeat=7):
        text = "".join(letters)
        if whole.match(text) or not (found := skip.match(text)):
            continue
        tried += 1
        assert not any(whole.match(text, start) for start in range(1, found.end())), text
    assert tried


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        (r"#+ [^\n]*\n", "#"),
        (r"-+> [^\n]*\n", "-"),
        (r"=+\s[^=]*=\n", "="),
        (r"<a>[^\n]*\n[^b]*b", "<a>"),
        (r"a (?P<x>[^\s<]+)(?: [^<]*)?<m>", "a b "),
    ],
)
def test_few_starts_are_tried(pattern: str, unit: str) -> None:
    """Of a text that is all beginnings, none of which goes on, a few are tried: all others are skipped."""
    cut = skipped([read_pattern(pattern)])
    assert cut is not None
    skip = re.compile(render(cut), re.DOTALL)
    text = unit * 1_000 + "<x"
    tried = at = 0
    while (start := text.find(unit[0], at)) >= 0:
        tried += 1
        found = skip.match(text, start)
        at = found.end() if found else start + 1
    assert tried <= 4
