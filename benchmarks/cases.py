"""All that is measured, and what each result is compared with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from chunks import even, tokens, train
from clock import BoundedCalls, Calls, Stopwatch, Stream
from dialects import Dialect
from goals import Versus
from parsers import Compiled, Interpreted, floor
from texts import prose
from tokenizers import Tokenizer

SIZES = (700, 5_000, 50_000, 260_000)
COUNTS = (1_000, 4_000)
ARGUMENT = 200_000
PREFIX = 1_000_000
TOOLS = 50

OURS, REFERENCE, FLOOR = "ours", "reference", "floor"

_FASTER = dict(zip(SIZES, (7, 9, 12, 25), strict=True))
_FLOORS = dict(zip(SIZES, (2.3, 1.8, 1.7, 1.7), strict=True))
_ONE_SHOT = dict(zip(SIZES, (5, 4, 3, 2.5), strict=True))
_CALLS = dict(zip(COUNTS, (15, 45), strict=True))


@dataclass(frozen=True)
class Case:
    """One row of the table.

    Attributes:
        measure: what is measured.
        template: for which template.
        size: characters, calls or tools.
        unit: what the times are per.
        runs: the candidates by name.
        goals: how they are compared.
    """

    measure: str
    template: str
    size: int
    unit: str
    runs: dict[str, Stopwatch]
    goals: tuple[Versus, ...] = field(default=())


@dataclass(frozen=True)
class Extent:
    """How much is measured.

    Attributes:
        least: seconds that a measurement takes at least.
        longest: seconds that the reference may take for a reply in chunks.
        longest_whole: seconds that it may take for a reply in one piece.
        counts: how many calls messages have.
    """

    least: float
    longest: float
    longest_whole: float
    counts: tuple[int, ...] = COUNTS


class Floor:
    """A parser that does the least: it passes on every chunk."""

    feed = staticmethod(floor)

    def finalize(self) -> None:
        """Nothing is left to do."""


def cases(dialects: list[Dialect], extent: Extent) -> list[Case]:
    """All cases of the dialects.

    Raises:
        SystemExit: a candidate gets a message wrong, so that its time would mean nothing.
    """
    tokenizer = train()
    return [case for dialect in dialects for case in _of_dialect(dialect, tokenizer, extent)]


def _of_dialect(dialect: Dialect, tokenizer: Tokenizer, extent: Extent) -> Iterator[Case]:
    ours, reference = Compiled(dialect), Interpreted(dialect)
    for size in SIZES:
        text = dialect.message(size)
        _agree(dialect, ours, reference, text)
        yield _streamed("stream, 4 characters", dialect, ours, reference, size, even(text), extent)
        pieces = tokens(tokenizer, text, dialect.special)
        yield _streamed("stream, tokens", dialect, ours, reference, size, pieces, extent)
        yield Case(
            "one-shot",
            dialect.name,
            size,
            "message",
            {
                OURS: Calls(partial(ours.parse, text), 1, extent.least),
                REFERENCE: Calls(partial(reference.parse, text), 1, extent.least),
            },
            (Versus("faster", REFERENCE, OURS, at_least=_ONE_SHOT[size]),),
        )
    yield from _created(dialect, ours, reference, extent)
    yield from _called(dialect, ours, reference, extent)
    yield _argument(dialect, ours, reference, extent)


def _agree(dialect: Dialect, ours: Compiled, reference: Interpreted, text: str) -> None:
    if ours.parse(text) != reference.parse(text):
        raise SystemExit(f"{dialect.name}: the parsers do not agree on a message of {len(text)} characters")


def _streamed(
    measure: str,
    dialect: Dialect,
    ours: Compiled,
    reference: Interpreted,
    size: int,
    chunks: list[str],
    extent: Extent,
) -> Case:
    return Case(
        measure,
        dialect.name,
        size,
        "chunk",
        {
            OURS: Stream(partial(ours.create, ""), chunks, extent.least),
            REFERENCE: Stream(partial(reference.create, ""), chunks, extent.least, extent.longest),
            FLOOR: Stream(Floor, chunks, extent.least),
        },
        (
            Versus("faster", REFERENCE, OURS, at_least=_FASTER[size]),
            Versus("of the floor", OURS, FLOOR, at_most=_FLOORS[size]),
        ),
    )


def _created(dialect: Dialect, ours: Compiled, reference: Interpreted, extent: Extent) -> Iterator[Case]:
    def compared(*others: Callable[[], object]) -> dict[str, Stopwatch]:
        return {name: Calls(call, 1, extent.least) for name, call in zip((OURS, REFERENCE), others, strict=True)}

    faster = Versus("faster", REFERENCE, OURS)
    yield Case(
        "creation",
        dialect.name,
        0,
        "parser",
        compared(partial(ours.create, ""), partial(reference.create, "")),
        (faster, Versus("µs", OURS, at_most=2.0)),
    )
    document = prose(PREFIX, seed=7)
    prefix = document + dialect.anchor
    runs = compared(partial(ours.create, prefix), partial(reference.create, prefix))
    # The document alone, without the anchor at its end: a search that has to go over all of it.
    runs["search"] = Calls(partial(document.rfind, dialect.anchor), 1, extent.least)
    yield Case(
        "creation, 1 MB prefix",
        dialect.name,
        PREFIX,
        "parser",
        runs,
        (faster, Versus("of a search", OURS, "search", at_most=1.0)),
    )
    tools = [_tool(number) for number in range(TOOLS)]
    yield Case(
        "creation, tools",
        dialect.name,
        TOOLS,
        "parser",
        compared(partial(ours.create, "", tools), partial(reference.create, "", tools)),
        (faster,),
    )


def _tool(number: int) -> dict[str, Any]:
    properties = {
        "city": {"type": "string", "description": "where"},
        "days": {"type": "integer"},
        "exact": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
    }
    parameters = {"type": "object", "properties": properties, "required": ["city"]}
    return {"type": "function", "function": {"name": f"tool_{number}", "parameters": parameters}}


def _called(dialect: Dialect, ours: Compiled, reference: Interpreted, extent: Extent) -> Iterator[Case]:
    fewest, *_ = extent.counts
    if len(ours.parse(dialect.many_calls(fewest))["tool_calls"]) != fewest:
        raise SystemExit(f"{dialect.name}: {fewest} calls were not found")
    smallest: dict[str, Calls] = {}
    for count in extent.counts:
        text = dialect.many_calls(count)
        bodies = dialect.call_bodies(count)
        runs: dict[str, Stopwatch] = {}
        for name, parse in ((OURS, ours.parse), (REFERENCE, reference.parse)):
            whole = Calls(partial(parse, text), count, extent.least)
            smaller = smallest.setdefault(name, whole)
            is_least = smaller is whole
            runs[name] = whole if is_least else BoundedCalls(whole, smaller, count, fewest, extent.longest_whole)
        goals: tuple[Versus, ...] = (Versus("faster", REFERENCE, OURS, at_least=_CALLS[count] if bodies else None),)
        if bodies:
            runs["json.loads"] = Calls(partial(_load_all, bodies), count, extent.least)
            goals += (Versus("of json.loads", OURS, "json.loads", at_most=2.2),)
        yield Case("calls, one-shot", dialect.name, count, "call", runs, goals)
        chunks = even(text)
        per_call = len(chunks) / count
        yield Case(
            "calls, streamed",
            dialect.name,
            count,
            "call",
            {
                OURS: Stream(partial(ours.create, ""), chunks, extent.least, weight=per_call),
                REFERENCE: Stream(partial(reference.create, ""), chunks, extent.least, extent.longest, weight=per_call),
            },
            (Versus("faster", REFERENCE, OURS, at_least=10),),
        )


def _load_all(bodies: list[str]) -> None:
    for body in bodies:
        json.loads(body)


def _argument(dialect: Dialect, ours: Compiled, reference: Interpreted, extent: Extent) -> Case:
    long, plain = even(dialect.long_argument(ARGUMENT)), even(dialect.plain(ARGUMENT))
    return Case(
        "long argument",
        dialect.name,
        ARGUMENT,
        "chunk",
        {
            OURS: Stream(partial(ours.create, ""), long, extent.least),
            "plain text": Stream(partial(ours.create, ""), plain, extent.least),
            "json.loads": Calls(partial(json.loads, dialect.long_body(ARGUMENT)), len(long), extent.least),
            REFERENCE: Stream(partial(reference.create, ""), long, extent.least, extent.longest),
        },
        (
            Versus("faster", REFERENCE, OURS),
            Versus("of plain text", OURS, "plain text", at_most=1.0),
            Versus("of plain text is json.loads", "json.loads", "plain text"),
        ),
    )
