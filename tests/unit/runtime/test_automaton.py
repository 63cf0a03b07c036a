"""The automaton against the `regex` package: the same match and captures, whole or character by character."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import regex
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from support.patterns import ALPHABET, patterns, subjects
from untemplate.compiler.patterns import PatternError, read_pattern
from untemplate.compiler.plan.searches import context
from untemplate.runtime.automaton import Automaton, Match
from untemplate.runtime.states import DECIDED

Found = tuple[int, int, dict[str, str]] | None

TRICKY = [
    (r"(a+)+b", "a" * 30),
    (r"(?:\s|\n)*X", " \n" * 20),
    (r"(?:(?P<n>[ab]{0,2}))*", "b\nab\n"),
    (r"(?:(?:<)?|\s|(?P<n>[^a]))*", "<\nb\n\n"),
    (r"(?:ab|a)(?:c|bcd)(?:d*)", "xabcd"),
    (r"a*?$", "aab"),
    (r"(?<=ab)c|b(?=c)", "abc"),
    (r"\bfoo\b", "a foo, food"),
    (r"(?<!^|\n)", "\n"),
    (r"(?<=|ab)b", "abb"),
    (r"(?=(?:(?!</t>)[\s\S])*</t>)", "ab</t>"),
    (r"x(?:$|\n)", "ax\n"),
]


def searched(pattern: str, text: str, start: int = 0) -> Found:
    """What the `regex` package finds."""
    match = regex.compile(pattern, regex.DOTALL).search(text, start, timeout=5)
    if match is None:
        return None
    return match.start(), match.end(), {name: value for name, value in match.groupdict().items() if value is not None}


def as_found(match: Match | None, text: str) -> Found:
    return None if match is None else (match.start, match.end, match.captures(text))


def read_whole(automaton: Automaton, text: str) -> Found:
    cursor = automaton.enter("")
    at = 0 if cursor.state.winners else automaton.read(cursor, text, 0, 0, DECIDED)
    match = automaton.decided(cursor, at) if cursor.state.winners else automaton.finish(cursor, at)
    return as_found(match, text)


def read_by_character(automaton: Automaton, text: str) -> Iterator[Found]:
    """The decision after each character, as soon as there is one; what it is at the end, last."""
    cursor = automaton.enter("")
    for at, char in enumerate(text):
        if cursor.state.winners:
            yield as_found(automaton.decided(cursor, at), text)
            return
        automaton.read(cursor, char, 0, at, DECIDED)
    end = len(text)
    match = automaton.decided(cursor, end) if cursor.state.winners else automaton.finish(cursor, end)
    yield as_found(match, text)


@given(patterns(), subjects(ALPHABET))
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
def test_agrees_with_regex(pattern: str, text: str) -> None:
    try:
        tree = read_pattern(pattern)
    except PatternError:
        assume(False)
    automaton = Automaton([tree], context([tree]))
    try:
        expected = searched(pattern, text)
    except TimeoutError:
        assume(False)
    assert read_whole(automaton, text) == expected
    assert list(read_by_character(automaton, text))[-1] == expected


@pytest.mark.parametrize(("pattern", "text"), TRICKY)
def test_tricky_patterns(pattern: str, text: str) -> None:
    tree = read_pattern(pattern)
    automaton = Automaton([tree], context([tree]))
    for end in range(len(text) + 1):
        part = text[:end]
        expected = searched(pattern, part) if pattern != "(a+)+b" else None
        assert read_whole(automaton, part) == expected
        assert list(read_by_character(automaton, part))[-1] == expected


@given(patterns(), subjects(ALPHABET), st.integers(0, 3))
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_agrees_with_regex_if_it_is_known_what_is_ahead(pattern: str, text: str, start: int) -> None:
    start = min(start, len(text))
    tree = read_pattern(pattern)
    automaton = Automaton([tree], context([tree]))
    outlooks = automaton.last_foresight.outlooks(text, start)
    cursor = automaton.enter(text[max(0, start - automaton.context) : start], outlooks[0])
    at = start
    if not cursor.state.winners:
        at = automaton.read_foreseen(cursor, text, start, DECIDED, outlooks)
    match = automaton.decided(cursor, at) if cursor.state.winners else automaton.finish(cursor, at)
    try:
        expected = searched(pattern, text, start)
    except TimeoutError:
        assume(False)
    assert as_found(match, text) == expected


def test_exponential_patterns_take_no_longer_than_others() -> None:
    automaton = Automaton([read_pattern("(?:a|a)*b|(a+)+c")])
    assert read_whole(automaton, "a" * 200_000) is None
    assert read_whole(automaton, "a" * 200_000 + "c") == (0, 200_001, {})


@pytest.mark.parametrize("part", ["(?:a*)?", "(?:(?:a*){0,3}b*)?", "(?:a*b*){0,2}", r"(?:\s*(?:\w*)?)?"])
def test_so_do_those_with_many_parts_that_may_match_nothing(part: str) -> None:
    automaton = Automaton([read_pattern("<" + part * 60 + ">")])
    assert read_whole(automaton, "<" + "a" * 20 + ">") == (0, 22, {})


@pytest.mark.parametrize(
    ("pattern", "text", "decided_after"),
    [
        ("<a>", "<a>", 3),
        (r"\)(?:\]<end>)?", ")]<end>", 7),
        (r"\)(?:\]<end>)?", ")]x", 3),
        (r"<u>\s*|$", "<u> \nx", 6),
        ("a(?!b)", "ac", 2),
        ("a.*?b", "axxb", 4),
    ],
)
def test_a_match_is_decided_by_the_character_that_decides_it(pattern: str, text: str, decided_after: int) -> None:
    automaton = Automaton([read_pattern(pattern)])
    cursor = automaton.enter("")
    decided = [
        bool(automaton.read(cursor, char, 0, at, DECIDED) and cursor.state.winners) for at, char in enumerate(text)
    ]
    assert decided == [number + 1 >= decided_after for number in range(len(text))]


def test_states_are_dropped_and_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("untemplate.runtime.automaton._STATE_LIMIT", 8)
    automaton = Automaton([read_pattern("(?P<n>[ab]+)x.{0,6}y")])
    for text in ("abxababy", "bbbxy", "axaaaaaaay", "abab"):
        assert read_whole(automaton, text) == searched("(?P<n>[ab]+)x.{0,6}y", text)
