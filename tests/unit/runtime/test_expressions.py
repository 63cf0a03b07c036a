"""What is found, what only begins, and what may come next without deciding anything."""

from __future__ import annotations

import re

import pytest

from untemplate.runtime.expressions import Expressions, captured

HEADERS = Expressions(
    r"<c>final[^<]*<m>",
    r"(?:<c>tool\s+)?to=(?P<name>[^\s<]+)(?:\s(?P<rest>[^<]*))?<m>",
    starts=("<c>", "to="),
    skip=r"(?:<c>tool\s+)?to=[^\s<]+(?:\s[^<]*)?",
)
CLOSES = Expressions(r"</f>\s*</t>", r"</f>\s*(?=<t>|<f)", starts=("</f>",))


def matched(text: str) -> re.Match[str]:
    found = HEADERS.seek(text, 0)
    assert isinstance(found, re.Match)
    return found


@pytest.mark.parametrize(
    ("text", "start", "group"),
    [
        ("<c>final<m>", 0, 1),
        ("x<c>final y<m>z", 1, 1),
        ("<c>tool to=a<m>", 0, 2),
        ("<c>tool to<c>tool\u2003to=a b<m>", 10, 2),
        ("<c>fin to=a<m>", 7, 2),
        ("<c>tool\x1cto=a<m>", 8, 2),
    ],
)
def test_matches(text: str, start: int, group: int) -> None:
    found = HEADERS.seek(text, 0)
    assert isinstance(found, re.Match)
    assert (found.start(), found.lastindex) == (start, group)


def test_text_without_any() -> None:
    assert HEADERS.seek("to=a<x><m>", 0) == (10, "")


def test_captures() -> None:
    assert captured(matched("to=a b<m>"), ("name", "rest")) == {"name": "a", "rest": "b"}
    assert captured(matched("to=a<m>"), ("name", "rest")) == {"name": "a"}


@pytest.mark.parametrize(
    ("text", "hold", "more"),
    [
        ("abc", 3, ""),
        ("abc<", 3, "c>"),
        ("to", 0, "="),
        ("<c>", 0, "final"),
        ("x<c>fi", 1, "nal"),
        ("<c>to", 0, "ol"),
        ("<c>tool to", 0, "="),
        ("<c>final<m", 0, ">"),
        ("<c>final<m ", 11, ""),
        ("<c>final to=a<x<c>t", 15, "ool"),
    ],
)
def test_beginnings_that_end_in_a_literal(text: str, hold: int, more: str) -> None:
    assert HEADERS.seek(text, 0) == (hold, more)


@pytest.mark.parametrize(
    ("text", "more", "other"),
    [("<c>final to=", "to= x", "<"), ("to=a", "b", " "), ("<c>tool ", "\u2003", "t"), ("to=a b", " c", "<")],
)
def test_beginnings_that_end_in_a_run(text: str, more: str, other: str) -> None:
    begun = HEADERS.seek(text, 0)
    assert isinstance(begun, tuple)
    hold, run = begun
    assert hold == 0
    assert not isinstance(run, str)
    assert run(more)
    assert not run(other)


def test_what_only_begins_is_nothing_at_the_end() -> None:
    assert isinstance(HEADERS.seek("<c>final to=a", 0, is_last=True), tuple)
    found = CLOSES.seek("</f></f></t></f>", 0, is_last=True)
    assert isinstance(found, re.Match)
    assert found.start() == 4


@pytest.mark.parametrize(
    ("text", "end"),
    [("</f> </t>", 9), ("</f> <t>", 5), ("</f><f", 4), ("</f> <x", None), ("</f> ", None), ("</f><t", None)],
)
def test_what_is_looked_ahead_for_is_not_taken(text: str, end: int | None) -> None:
    found = CLOSES.seek(text, 0)
    assert (found.end() if isinstance(found, re.Match) else None) == end


def test_older_modules_find_the_same() -> None:
    older = Expressions(r"<c>[^<]*<m>", starts=("<c>",), end="<m>")
    start, found, more = older.find("x<c>y<m>", 0)
    assert (start, found is not None, more) == (1, True, "")
    assert older.find("x<c>y<", 0) == (1, None, "m>")
