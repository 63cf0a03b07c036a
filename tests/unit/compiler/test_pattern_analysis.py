"""What the analysis says about a pattern holds for every match that the `regex` package finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from support.patterns import compiled, patterns, subjects
from untemplate.compiler.patterns import (
    behind_width,
    first,
    group_names,
    lead,
    literal_prefix,
    looks_ahead,
    looks_at_start,
    nullable,
    read_pattern,
    render,
    required_literals,
    width,
)
from untemplate.compiler.patterns.analysis import constant_groups, looks_back, wanted
from untemplate.runtime.pattern import Repeat, Sequence, one_of
from untemplate.runtime.unicode import SPACE


@settings(max_examples=200, deadline=None)
@given(pattern=patterns(), subject=subjects())
def test_every_match_keeps_to_the_analysis(pattern: str, subject: str) -> None:
    node = read_pattern(pattern)
    match = compiled(pattern).match
    least, most = width(node)
    start_set = first(node)
    for at in range(len(subject) + 1):
        found = match(subject, at)
        if not found:
            continue
        assert least <= len(found[0])
        assert most is None or len(found[0]) <= most
        assert found[0] or nullable(node)
        assert at == len(subject) or start_set is None or subject[at] in start_set
        assert found[0].startswith(literal_prefix(node))
        assert all(text in found[0] for text in required_literals(node))
        assert set(found.groupdict()) == set(group_names(node))
        assert constant_groups(node) <= {name for name, text in found.groupdict().items() if text is not None}


@settings(max_examples=200, deadline=None)
@given(pattern=patterns(), subject=subjects())
def test_text_out_of_reach_does_not_matter(pattern: str, subject: str) -> None:
    node = read_pattern(pattern)
    match = compiled(pattern).match
    for at in range(len(subject) + 1):
        found = match(subject, at)
        if not looks_at_start(node):
            cut = max(0, at - behind_width(node))
            again = match(subject[cut:], at - cut)
            assert (again and again[0]) == (found and found[0])
        if found and not looks_ahead(node):
            again = match(subject[: found.end()], at)
            assert again
            assert again[0] == found[0]


@settings(max_examples=200, deadline=None)
@given(pattern=patterns(), subject=subjects())
def test_lead_is_a_whole_run_before_the_rest(pattern: str, subject: str) -> None:
    for quantifier in (r"\s*", r"[a<]+?", r"a{2,}"):
        led = lead(read_pattern(f"{quantifier}(?:{pattern})"))
        if led is None:
            continue
        chars, rest = led
        rest_matches = compiled(render(rest)).match
        for at in range(len(subject)):
            found = compiled(f"{quantifier}(?:{pattern})").match(subject, at)
            end = at
            while end < len(subject) and subject[end] in chars:
                end += 1
            behind = rest_matches(subject, end)
            long_enough = end - at >= {"*": 0, "?": 1, "}": 2}[quantifier[-1]]
            assert (found and found.span()) == ((at, behind.end()) if behind and long_enough else None)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", (3, 3)),
        ("a?b*", (0, None)),
        ("a{2,3}|b", (1, 3)),
        (r"^\b(?=abc)$", (0, 0)),
        ("(?:a{2}){3}", (6, 6)),
        ("a(*FAIL)|bc", (2, 2)),
        ("(*FAIL)", (0, 0)),
    ],
)
def test_width(pattern: str, expected: tuple[int, int | None]) -> None:
    assert width(read_pattern(pattern)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"), [("a*", True), ("a", False), ("$", True), ("a|", True), ("(*F)", False)]
)
def test_nullable(pattern: str, expected: bool) -> None:
    assert nullable(read_pattern(pattern)) is expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", "a"),
        ("a?b", "ab"),
        ("a|b|<", "<ab"),
        ("$", "\n"),
        ("a*$", "\na"),
        (r"\Z", ""),
        ("(?=[ab])[bc]", "b"),
        ("(?=a)", "a"),
        ("(?![a-y])[x-z]", "z"),
        ("(?:a*)+b", "ab"),
        (r"^\bab", "a"),
        ("(*FAIL)", ""),
    ],
)
def test_first(pattern: str, expected: str) -> None:
    assert first(read_pattern(pattern)) == one_of(expected)


@pytest.mark.parametrize("pattern", ["", "a*", ".", "a|", "^", "(?!ab)", r"\b"])
def test_first_is_open(pattern: str) -> None:
    assert first(read_pattern(pattern)) is None


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("abc", 0), ("(?<=ab)c", 2), (r"a\b", 0), (r"\ba", 1), ("a(?<=bca)", 2), (r"a?\b", 1), ("(?=(?<!abc)a)", 3)],
)
def test_behind_width(pattern: str, expected: int) -> None:
    assert behind_width(read_pattern(pattern)) == expected


@pytest.mark.parametrize(
    ("pattern", "prefix", "required"),
    [
        (r"<tool_call>\s*", "<tool_call>", ("<tool_call>",)),
        ("(?:<a>|<b>)x", "<", ("<", "x")),
        ("(?:foo){2}a*bar", "foofoo", ("foofoo", "bar")),
        ("(?P<n>ab)c[xy]d", "abc", ("abc", "d")),
        ("(?:xab|ab)", "", ("ab",)),
        ("ab(?=c)", "ab", ("ab",)),
        (r".*?<\|message\|>", "", ("<|message|>",)),
        ("a*", "", ()),
    ],
)
def test_literals(pattern: str, prefix: str, required: tuple[str, ...]) -> None:
    node = read_pattern(pattern)
    assert literal_prefix(node) == prefix
    assert required_literals(node) == required


def test_group_names_come_once_in_order() -> None:
    assert group_names(read_pattern("(?P<b>x)(?:(?P<a>y)|(?P<b>z))")) == ("b", "a")


def test_lead() -> None:
    assert lead(read_pattern(r"\s*<call>")) == (SPACE, read_pattern("<call>"))
    assert lead(read_pattern(" +?<call> x")) == (one_of(" "), read_pattern("<call> x"))
    assert lead(read_pattern("a{3,}(?:b|cd)")) == (one_of("a"), read_pattern("(?:b|cd)"))


@pytest.mark.parametrize("pattern", ["abc", r"\s*", r"\s*$", "a?b", "a{1,3}b", "a*ab", ".*b", r"(?:ab)*c", r"a*(?:b|)"])
def test_no_lead(pattern: str) -> None:
    assert lead(read_pattern(pattern)) is None
    assert isinstance(read_pattern(pattern), Sequence | Repeat) or pattern == "abc"


@pytest.mark.parametrize(("pattern", "expected"), [("ab*", False), ("a(?=b)", True), ("a$", True), (r"a\b", True)])
def test_looks_ahead(pattern: str, expected: bool) -> None:
    assert looks_ahead(read_pattern(pattern)) is expected


def test_looks_at_start() -> None:
    assert looks_at_start(read_pattern("(?<=^|b)a"))
    assert not looks_at_start(read_pattern(r"(?<=b)\ba"))


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a(?P<x>b)", {"x"}),
        ("(?P<x>a(?P<y>b))+", {"x", "y"}),
        ("(?P<x>a)?(?P<y>b)", {"y"}),
        ("(?P<x>a)|b", set()),
        ("(?:(?P<x>a)|b)(?:(?P<y>c))", {"y"}),
        ("(?P<x>a){0,2}", set()),
        ("(a)", set()),
    ],
)
def test_groups_of_every_match(pattern: str, expected: set[str]) -> None:
    assert constant_groups(read_pattern(pattern)) == expected


@pytest.mark.parametrize(
    ("pattern", "back", "asked"),
    [
        ("(?<=a)b", False, ""),
        ("b(?<=a)", True, ""),
        (r"(?:a*|\n)^b", True, ""),
        ("(?=ab)c", False, ""),
        ("c(?=ab)", False, "ab"),
        ("c?(?:x|(?=[^b]y[cd]))", False, "bcdy"),
        (r"(?:c(?=\w))+", False, ""),
        (r"c(?=a.b[\s\S]*?</c>)", False, "ab"),
        (r"c(?=a*b)", False, "ab"),
    ],
)
def test_what_is_looked_at_behind_taken_text(pattern: str, back: bool, asked: str) -> None:
    tree = read_pattern(pattern)
    assert looks_back(tree) is back
    assert wanted(tree) == set(asked)
