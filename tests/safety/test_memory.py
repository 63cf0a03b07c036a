"""Memory does not grow with text that a parser has no use for."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from random import Random
from typing import Any

from untemplate.compiler import load_parser
from untemplate.runtime.foretelling import ForetellingParser

NOISE = 20_000  # bytes


def growth(template: dict[str, Any], beginning: str, chunks: Callable[[int], str], feeds: int) -> int:
    """How many bytes more a parser holds at the end of a long stream than after its first tenth, at the most.

    What the test runner allocates meanwhile counts too, so that a larger number has to come up three times.
    """
    found = []
    while len(found) < 3 and (not found or found[-1] >= NOISE):
        found.append(_growth(template, beginning, chunks, feeds))
    return min(found)


def _growth(template: dict[str, Any], beginning: str, chunks: Callable[[int], str], feeds: int) -> int:
    parser = load_parser(template).ResponseParser("")
    parser.feed(beginning)
    for number in range(feeds // 10):
        parser.feed(chunks(number))
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(feeds):
        parser.feed(chunks(number))
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000, (before, after, peak)
    return peak - before


def template(**field: Any) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": {"a": {"open": "<a>", "close": "</a>", **field}}}


def test_a_million_feeds_that_are_dropped() -> None:
    assert growth(template(), "", lambda _: "word <", 1_000_000) < NOISE


def test_dropped_with_beginnings_of_a_pattern() -> None:
    patterns = {"start_anchor": "@", "fields": {"a": {"open_pattern": r"<a>\d+x", "close": "</a>"}}}
    assert growth(patterns, "", lambda _: "word <a>12", 50_000) < 100_000


def test_a_million_feeds_of_a_swallowed_tail() -> None:
    swallowing = {
        "start_anchor": "@",
        "fields": {"a": {"open": "<a>", "close_pattern": r"</a>\s*"}, "content": {}},
    }
    assert growth(swallowing, "<a>x</a>", lambda _: " \n", 1_000_000) < NOISE


def test_ignored_after_the_end_of_the_scan() -> None:
    ending = {"start_anchor": "@", "fields": {"content": {"close_pattern": r"\s*"}}}
    assert growth(ending, "", lambda _: "word ", 200_000) < NOISE


def test_what_is_kept_of_replies_is_short() -> None:
    """What is certain is known again by what texts are, not by copies of them."""
    call = {"open": "<", "close_pattern": r"(?P<n>\w*)b*", "transform": "{n}"}
    module = load_parser({"start_anchor": "@", "fields": {"x": call}})
    assert issubclass(module.ResponseParser, ForetellingParser)

    def read(number: int) -> None:
        module.ResponseParser("").feed(f"<{number}{'a' * 100_000}")

    read(0)
    tracemalloc.start()
    for number in range(1, 21):
        read(number)
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < 200_000


def test_states_of_an_automaton_are_bounded() -> None:
    """A pattern with a state for every combination of the last characters does not keep all of them."""
    pattern = "(?:a|b)*a(?:a|b){13}X"
    module = load_parser({"start_anchor": "@", "fields": {"a": {"open_pattern": pattern, "close": "</a>"}}})
    parser = module.ResponseParser("")
    text = "".join(Random(1).choices("ab", k=10_000))
    assert len({text[at : at + 14] for at in range(len(text))}) > 7_000, "so many states would be kept"
    before = states()
    for at in range(0, len(text), 50):
        parser.feed(text[at : at + 50] + "c" * (at % 100 == 0))
    assert before < states() < before + 5_000


def states() -> int:
    """How many states of automata there are, once what is not reached any more is gone."""
    gc.collect()
    return sum(type(one).__name__ == "State" for one in gc.get_objects())
