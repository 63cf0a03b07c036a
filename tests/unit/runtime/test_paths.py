"""The ways in which a text may turn out: the one in which it does is among them to the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from support.oracle import interpret
from support.tiny import capturing_template, letters_of, looking_template, tiny_template, valued_template
from untemplate.compiler.pipeline import make_plan
from untemplate.compiler.plan.exploring import Exploration
from untemplate.runtime.paths import Happening, Path, Paths, TooManyError

MAKERS = [looking_template, capturing_template, valued_template, tiny_template]
PATIENCE = 10_000  # happenings: more than there are


def paths_of(template: dict[str, Any]) -> Paths:
    plan = make_plan(template)
    return Exploration(plan.states, plan.implicit, ("a",))._prospects.paths


def endings(paths: Paths, text: str) -> list[tuple[Happening, ...]]:
    """What happens on each path that goes on to the end of the text, which is read a character at a time."""
    ways = paths.follow(Path("_outside", None, 0), "")
    for end in range(1, len(text) + 1):
        ways = [after for path in ways for after in paths.follow(path.copy(), text[:end])]
    found = (paths.at_end(path, text, PATIENCE) for path in ways)
    return [ending for ending in found if ending is not None]


def happenings(template: dict[str, Any], text: str) -> Iterator[tuple[str, ...]]:
    for event in interpret(template, "", text, on_malformed="event").events:
        kind, field = event["type"].removeprefix("region_"), event["field"]
        if kind == "chunk":
            yield from (("text", field, char) for char in event["text"])
        else:
            yield ("close" if kind == "malformed" else kind), field


@pytest.mark.parametrize("number", range(60))
def test_a_text_turns_out_in_one_of_its_ways_alone(number: int) -> None:
    rng = Random(number)
    template = rng.choice(MAKERS)(rng)
    paths = paths_of(template)
    for _ in range(60):
        text = "".join(rng.choices(letters_of(template), k=rng.randint(0, 9)))
        try:
            found = endings(paths, text)
        except TooManyError:
            continue
        told = [[one if one[0] == "text" else one[:2] for one in ending[:-1]] for ending in found]
        assert told == [list(happenings(template, text))], (template["fields"], text)


def test_a_close_may_match_again_at_the_place_where_it_closed() -> None:
    """It closes the implicit region, then nothing, which ends all."""
    fields = {"y": {"close_pattern": "(?=<)"}, "x": {"open_pattern": "<[^<b]+b"}}
    template = {"start_anchor": "@", "fields": fields}
    for text in ("a<<", "a<a<", "a<ab", "a<a"):
        (ending,) = endings(paths_of(template), text)
        assert [one[:2] for one in ending[:-1] if one[0] != "text"] == [
            one[:2] for one in happenings(template, text) if one[0] != "text"
        ]
