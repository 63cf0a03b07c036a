"""Ways of cutting a text into chunks, and what a parser makes of the chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise
from random import Random
from typing import Any

Event = dict[str, Any]


def whole(text: str) -> list[str]:
    return [text]


def every_char(text: str) -> list[str]:
    return list(text)


def one_then_rest(text: str) -> list[str]:
    return [text[:1], text[1:]]


def rest_then_one(text: str) -> list[str]:
    return [text[:-1], text[-1:]]


def fixed(size: int) -> Callable[[str], list[str]]:
    """A way of cutting into chunks of `size` characters, the last one shorter."""
    return lambda text: [text[start : start + size] for start in range(0, len(text), size)]


def at_random(text: str, rng: Random, mean: float = 4.0) -> list[str]:
    """Chunks of random sizes, some of them empty."""
    chunks, start = [], 0
    while start < len(text):
        size = min(int(rng.expovariate(1 / mean)), len(text) - start)
        chunks.append(text[start : start + size])
        start += size
    return chunks


def all_cuts(text: str) -> Iterator[list[str]]:
    """All ways of cutting a text, 2^(length - 1): for short texts only."""
    for count in range(len(text)):
        for places in combinations(range(1, len(text)), count):
            edges = [0, *places, len(text)]
            yield [text[start:end] for start, end in pairwise(edges)]


def usual_cuts(text: str, rng: Random) -> Iterator[list[str]]:
    """The ways that find most mistakes, and two random ones."""
    for cut in (whole, every_char, one_then_rest, rest_then_one, fixed(3)):
        yield cut(text)
    yield at_random(text, rng)
    yield at_random(text, rng, 15.0)


def merge(events: Iterable[Event]) -> list[Event]:
    """The events with neighbouring chunks of one region made one, and without what words a parser has for an error."""
    merged: list[Event] = []
    for event in events:
        last = merged[-1] if merged else None
        if event["type"] == "region_chunk" and last is not None and last["type"] == "region_chunk":
            merged[-1] = {**last, "text": last["text"] + event["text"]}
        else:
            merged.append({key: value for key, value in event.items() if key != "error"})
    return merged


def stream(
    module: Any, prefix: str, chunks: Iterable[str], tools: list[Any] | None = None, on_malformed: str = "raise"
) -> tuple[dict[str, Any], list[Event]]:
    """The message and the merged events of a compiled parser that is fed `chunks`. Raises what the parser raises."""
    parser = module.ResponseParser(prefix, tools=tools, on_malformed=on_malformed)
    events = list(parser.initial_events)
    for chunk in chunks:
        events += parser.feed(chunk)
    message, last = parser.finalize()
    return message, merge([*events, *last])


Item = tuple[str, ...]


def items(events: Iterable[Event]) -> list[Item]:
    """The events as the smallest things that can be decided: a region's opening, a character, a region's end."""
    flat: list[Item] = []
    for event in events:
        kind, name = event["type"], event["field"]
        match kind:
            case "region_chunk":
                flat += [("char", name, character) for character in event["text"]]
            case "region_close":
                flat.append(("close", name, repr(event["value"])))
            case "region_malformed":
                flat.append(("malformed", name, event["text"]))
            case _:
                flat.append(("open", name))
    return flat


def shared_start(one: list[Item], other: list[Item]) -> list[Item]:
    """The longest common start of two streams."""
    for place, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return one[:place]
    return one if len(one) <= len(other) else other
