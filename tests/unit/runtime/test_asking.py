"""What values ask of captures, told by making them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from untemplate.runtime.asking import asked_by, exactly
from untemplate.runtime.errors import ContentError
from untemplate.runtime.transform import each, lookup

NAMES = ["m", "n"]


def asked(make: Callable[[dict[str, str]], Any], captures: dict[str, str]) -> dict[str, str | bool]:
    def said(captures: dict[str, str]) -> str:
        try:
            return repr(make(captures))
        except ContentError as error:
            return str(error)

    return dict(asked_by(said, captures, NAMES))


@pytest.mark.parametrize(
    ("make", "captures", "expected"),
    [
        (lambda captures: 7, {"n": "a"}, {}),
        (lambda captures: captures["n"], {"n": "a"}, {"n": "a"}),
        (lambda captures: captures["n"], {"n": "a", "m": "b"}, {"n": "a"}),
        (lambda captures: captures["n"], {"n": ""}, {"n": ""}),
        (lambda captures: captures["n"] + captures["m"], {"n": "a", "m": "a"}, {"n": "a", "m": "a"}),
        (lambda captures: lookup(captures, ("n", "x"), "{n.x}"), {"n": "a"}, {"n": True}),
        (lambda captures: lookup(captures, ("n",), "{n}"), {"m": "a"}, {"n": False, "m": True}),
        (lambda captures: lookup(captures, ("n",), "{n}"), {}, {"n": False, "m": False}),
        (
            lambda captures: (lookup(captures, ("n",), "{n}"), lookup({}, ("x",), "{content.x}")),
            {"n": "a"},
            {"n": True},
        ),
        (lambda captures: each([], captures), {"n": "a"}, {}),
        (lambda captures: [item["n"] for item in each([{"n": 1}], captures)], {"n": "a"}, {}),
        (lambda captures: [item["n"] for item in each([{"n": 1}, {}], captures)], {"n": "a"}, {"n": "a"}),
        (lambda captures: each([7], captures), {"n": "a"}, {}),
    ],
)
def test_what_is_asked(
    make: Callable[[dict[str, str]], Any], captures: dict[str, str], expected: dict[str, str | bool]
) -> None:
    assert asked(make, captures) == expected


def test_a_text_that_looks_like_the_other_one_is_told() -> None:
    assert asked(lambda captures: captures.get("n"), {"n": "?"}) == {"n": "?"}


def test_all_is_asked_where_it_is_not_found_out() -> None:
    assert exactly({"n": "a"}, NAMES) == {"n": "a", "m": False}
