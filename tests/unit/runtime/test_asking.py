"""What values ask of captures, told by making them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from untemplate.runtime.asking import asked_by, exactly
from untemplate.runtime.errors import ContentError
from untemplate.runtime.events import Event
from untemplate.runtime.transform import each, lookup

NAMES = ["m", "n"]


def asked(value: Callable[[dict[str, str]], Any], captures: dict[str, str]) -> dict[str, str | bool]:
    def make(captures: dict[str, str]) -> Event | None:
        try:
            return {"type": "region_close", "field": "x", "value": value(captures)}
        except ContentError as error:
            return {"type": "region_malformed", "field": "x", "text": "…", "error": str(error)}
        except KeyError:
            return None

    return dict(asked_by(make, captures, NAMES))


@pytest.mark.parametrize(
    ("value", "captures", "expected"),
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
        (lambda captures: each([captures["n"], 7]), {"n": "a"}, {"n": True}),
    ],
)
def test_what_is_asked(
    value: Callable[[dict[str, str]], Any], captures: dict[str, str], expected: dict[str, str | bool]
) -> None:
    assert asked(value, captures) == expected


def test_it_takes_few_tries() -> None:
    """A value is made once, an error that is there anyhow three times."""
    tried = []

    def make(captures: dict[str, str]) -> Event:
        tried.append(captures)
        if "n" in captures:
            return {"type": "region_close", "field": "x", "value": captures["n"]}
        return {"type": "region_malformed", "field": "x", "text": "…", "error": "no n"}

    assert asked_by(make, {"n": "a"}, NAMES) == {"n": "a"}
    assert len(tried) == 1
    tried.clear()
    assert asked_by(make, {}, ["m", "l"]) == {}
    assert len(tried) == 3


def test_of_a_long_body_it_is_asked_what_there_is() -> None:
    def make(captures: dict[str, str]) -> Event:
        return {
            "type": "region_malformed",
            "field": "x",
            "text": "…",
            "error": f"m is {'' if 'm' in captures else 'not'}",
        }

    assert asked_by(make, {"n": "a"}, NAMES) == {"m": False}
    assert asked_by(make, {"n": "a"}, NAMES, is_cheap=False) == {"m": False, "n": True}


def test_all_is_asked_where_it_is_not_found_out() -> None:
    assert exactly({"n": "a"}, NAMES) == {"n": "a", "m": False}
