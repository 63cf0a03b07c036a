"""What a client makes of deltas, and what it should."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from untemplate.integrations.deltas import (
    CONTENT,
    REASONING,
    CallEnd,
    CallPiece,
    CallStart,
    Delta,
    DeltaStream,
    Extra,
    Problem,
    Text,
)


@dataclass
class Collected:
    """A message as an API has it; calls are `(own id, name, JSON of the arguments)`, written in one way."""

    content: str = ""
    reasoning: str = ""
    calls: list[tuple[str | None, str, str]] = field(default_factory=list)
    extra: str = "{}"


def collect(deltas: Iterable[Delta]) -> Collected:
    """Adds up deltas as a careful client does: what a problem declares void does not count."""
    texts = {CONTENT: "", REASONING: ""}
    calls: dict[int, tuple[str | None, str]] = {}
    pieces: dict[int, str] = {}
    extra = "{}"
    ended: set[int] = set()
    for delta in deltas:
        match delta:
            case Text(channel, piece):
                assert piece
                texts[channel] += piece
            case CallStart(index, own_id, name):
                assert index == len(calls) + len([1 for i in range(index) if i not in calls])
                calls[index], pieces[index] = (own_id, name), ""
            case CallPiece(index, piece):
                assert piece
                assert index not in ended
                pieces[index] += piece
            case CallEnd(index, arguments):
                ended.add(index)
                assert canonical(json.loads(pieces[index])) == canonical(arguments)
            case Extra(fields):
                extra = canonical(fields)
            case Problem():
                if delta.channel:
                    texts[delta.channel] = ""
                for index in delta.calls:
                    del calls[index]
    assert ended >= calls.keys()
    made = [(*calls[index], canonical(json.loads(pieces[index]))) for index in sorted(calls)]
    return Collected(texts[CONTENT], texts[REASONING], made, extra)


def expected(message: dict[str, Any]) -> Collected:
    """What the deltas of a message have to add up to."""
    rest = {key: value for key, value in message.items() if key != "role"}
    reasoning = next((rest.pop(key) for key in ("reasoning_content", "reasoning", "thinking") if key in rest), "")
    content, calls = rest.pop("content", ""), []
    for value in _flat(rest.pop("tool_calls", [])):
        function = value.get("function") if isinstance(value, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str) and function["name"]:
            calls.append((_own_id(value), function["name"], canonical(function.get("arguments", {}))))
    return Collected(_text(content), _text(reasoning), calls, canonical(rest))


def run(parser: Any, chunks: Iterable[str], overwrites: Any = "send") -> tuple[DeltaStream, list[Delta]]:
    """All deltas of a reply."""
    stream = DeltaStream(parser, overwrites)
    deltas: list[Delta] = []
    for chunk in chunks:
        deltas += stream.feed(chunk)
    deltas += stream.finish()
    return stream, deltas


def canonical(value: Any) -> str:
    """JSON that tells 1 from 1.0 and from true, and keeps the order of keys."""
    return json.dumps(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _own_id(call: dict[str, Any]) -> str | None:
    own_id = call.get("id")
    return (own_id or None) if isinstance(own_id, str) else str(own_id) if type(own_id) is int else None


def _flat(value: Any) -> list[Any]:
    return [item for part in value for item in _flat(part)] if isinstance(value, list) else [value]
