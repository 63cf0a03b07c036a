"""What is found, what only begins, and what may come next without deciding anything."""

from __future__ import annotations

import pytest

from untemplate.runtime.expressions import Expressions, captured

HEADERS = Expressions(
    r"<c>final[^<]*<m>",
    r"(?:<c>tool\s+)?to=(?P<name>[^\s<]+)(?:\s(?P<rest>[^<]*))?<m>",
    starts=("<c>", "to="),
    end="<m>",
    skip=r"(?:<c>tool\s+)?to=[^\s<]+(?:\s[^<]*)?",
)
CLOSES = Expressions(r"</f>\s*</t>", r"</f>\s*(?=<t>|<f)", starts=("</f>",))


@pytest.mark.parametrize(
    ("text", "start", "group"),
    [
        ("<c>final<m>", 0, 1),
        ("x<c>final y<m>z", 1, 1),
        ("<c>tool to=a<m>", 0, 2),
        ("<c>tool to<c>tool\u2003to=a b<m>", 10, 2),
        ("<c>fin to=a<m>", 7, 2),
        ("to=a<x><m>", 10, 0),
        ("<c>tool\x1cto=a<m>", 8, 2),
    ],
)
def test_matches(text: str, start: int, group: int) -> None:
    at, found, more = HEADERS.find(text, 0)
    assert (at, found.lastindex if found else 0, more) == (start, group, "")


def test_captures() -> None:
    _, found, _ = HEADERS.find("to=a b<m>", 0)
    assert found is not None
    assert captured(found, ("name", "rest")) == {"name": "a", "rest": "b"}
    _, found, _ = HEADERS.find("to=a<m>", 0)
    assert found is not None
    assert captured(found, ("name", "rest")) == {"name": "a"}


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
    assert HEADERS.find(text, 0) == (hold, None, more)


@pytest.mark.parametrize(
    ("text", "more", "other"),
    [("<c>final to=", "to= x", "<"), ("to=a", "b", " "), ("<c>tool ", "\u2003", "t"), ("to=a b", " c", "<")],
)
def test_beginnings_that_end_in_a_run(text: str, more: str, other: str) -> None:
    hold, found, run = HEADERS.find(text, 0)
    assert (hold, found) == (0, None)
    assert not isinstance(run, str)
    assert run(more)
    assert not run(other)


def test_what_only_begins_is_nothing_at_the_end() -> None:
    assert HEADERS.find("<c>final to=a", 0, is_last=True)[1] is None
    at, found, _ = CLOSES.find("</f></f></t></f>", 0, is_last=True)
    assert (at, found is not None) == (4, True)


@pytest.mark.parametrize(
    ("text", "end"),
    [("</f> </t>", 9), ("</f> <t>", 5), ("</f><f", 4), ("</f> <x", None), ("</f> ", None), ("</f><t", None)],
)
def test_what_is_looked_ahead_for_is_not_taken(text: str, end: int | None) -> None:
    _, found, _ = CLOSES.find(text, 0)
    assert (found.end() if found else None) == end
