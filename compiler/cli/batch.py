"""Parsing many replies, given as lines of JSON: the lines' own work, and spreading it over processes.

Worker processes import this module, so it imports nothing of the compiler.
"""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import chain, islice
from multiprocessing import get_context
from types import ModuleType
from typing import Any, Literal

from untemplate.runtime.errors import ResponseParseError

_BATCH_LINES, _BATCH_BYTES = 256, 1 << 20


@dataclass(frozen=True, slots=True)
class ParserSpec:
    """A parser as it is sent to a process: the code of its module, or only the name of one that is built in."""

    name: str
    code: str

    def load(self) -> ModuleType:
        """The parser's module."""
        if not self.code:
            return import_module(f"untemplate.generated.{self.name}")
        module = ModuleType(f"untemplate.loaded.{self.name}")
        exec(compile(self.code, f"<response template {self.name}>", "exec"), module.__dict__)
        return module


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts for all lines, where a line says nothing else."""

    prefix: str | None
    tools: list[Any] | None
    on_malformed: Literal["raise", "event"]


@dataclass(slots=True)
class Outcome:
    """What became of some lines.

    Attributes:
        data: the lines of output, one for each line of input.
        lines: how many there are.
        size: of the input, in bytes.
        rejected: lines whose reply was rejected, at least a part of it; numbers and reasons.
        bad: lines that hold no reply.
    """

    data: bytes = b""
    lines: int = 0
    size: int = 0
    rejected: list[tuple[int, str]] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)


class BadLine(ValueError):
    """A line that holds no reply: a short name for why, and the reason."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


def parse_lines(lines: Iterable[bytes], parser: ParserSpec, settings: Settings, workers: int) -> Iterator[Outcome]:
    """The outcomes of all lines, in their order, a batch at a time.

    Never more than a few batches for each worker are held in memory.
    """
    batches = _batches(lines)
    first = list(islice(batches, 2))
    if workers == 1 or len(first) < 2:
        module = parser.load()
        yield from (parse_batch(module, settings, start, batch) for start, batch in chain(first, batches))
    else:
        yield from _spread(chain(first, batches), parser, settings, workers)


def _spread(
    batches: Iterator[tuple[int, list[bytes]]], parser: ParserSpec, settings: Settings, workers: int
) -> Iterator[Outcome]:
    from concurrent.futures import Future, ProcessPoolExecutor

    with ProcessPoolExecutor(workers, get_context("spawn"), _set_up, (parser, settings)) as pool:
        waiting: deque[Future[Outcome]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_work, *batch))
                if len(waiting) > 3 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


_worker: tuple[ModuleType, Settings] | None = None


def _set_up(parser: ParserSpec, settings: Settings) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the pool
    _worker = parser.load(), settings


def _work(start: int, batch: list[bytes]) -> Outcome:
    assert _worker is not None
    return parse_batch(*_worker, start, batch)


def _batches(lines: Iterable[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """The lines in groups, each with the number of its first line, counted from 1."""
    start, batch, size = 1, list[bytes](), 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if len(batch) >= _BATCH_LINES or size >= _BATCH_BYTES:
            yield start, batch
            start, batch, size = start + len(batch), [], 0
    if batch:
        yield start, batch


def parse_batch(module: ModuleType, settings: Settings, start: int, batch: list[bytes]) -> Outcome:
    """Parses the replies in these lines, the first of which has the number `start`."""
    outcome = Outcome(lines=len(batch), size=sum(map(len, batch)))
    found = [_parse_line(module, settings, number, line, outcome) for number, line in enumerate(batch, start)]
    outcome.data = b"".join(found)
    return outcome


def _parse_line(module: ModuleType, settings: Settings, number: int, line: bytes, outcome: Outcome) -> bytes:
    try:
        text, prefix, tools = read_line(line, settings)
        result = _parsed(module, text, prefix, tools, settings, number, outcome)
        return _written(result)
    except BadLine as error:
        outcome.bad.append((number, str(error)))
        kept = line.decode("utf-8", "backslashreplace").rstrip("\r\n")
        return _written({"error": {"line": number, "kind": error.kind, "reason": str(error), "input": kept}})
    except ResponseParseError as error:
        outcome.rejected.append((number, str(error)))
        return _written({"error": {"line": number, "kind": "rejected", **rejection(error)}})


def rejection(error: ResponseParseError) -> dict[str, Any]:
    """All that an error carries, for JSON."""
    return {
        "reason": error.reason,
        "field": error.field,
        "raw": error.raw,
        "position": error.position,
        "message": error.message,
    }


def _parsed(
    module: ModuleType,
    text: str,
    prefix: str,
    tools: list[Any] | None,
    settings: Settings,
    number: int,
    outcome: Outcome,
) -> dict[str, Any]:
    if settings.on_malformed == "raise":
        return {"message": module.parse_response(text, prefix=prefix, tools=tools)}
    parser = module.ResponseParser(prefix, tools, "event")
    events = parser.initial_events + parser.feed(text)
    message, last = parser.finalize()
    malformed = [event for event in events + last if event["type"] == "region_malformed"]
    if not malformed:
        return {"message": message}
    outcome.rejected.append((number, f"field {malformed[0]['field']!r}: {malformed[0]['error']}"))
    return {
        "message": message,
        "malformed": [{key: event[key] for key in event if key != "type"} for event in malformed],
    }


def read_line(line: bytes, settings: Settings) -> tuple[str, str, list[Any] | None]:
    """Text, prefix and tools of one line.

    Raises:
        BadLine: it has not what is needed.
    """
    try:
        entry = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadLine("not-utf8", f"not UTF-8: byte 0x{line[error.start]:02X} at {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise BadLine("invalid-json", f"not JSON: {error}") from error
    if not isinstance(entry, dict):
        raise BadLine("not-an-object", 'no JSON object; a line looks like {"text": "…", "prefix": "…"}')
    text = entry.get("text")
    if not isinstance(text, str):
        raise BadLine("no-text", 'the object has no "text" that is a string')
    prefix = entry.get("prefix", settings.prefix)
    if prefix is None:
        raise BadLine("no-prefix", 'the object has no "prefix", and none was given for all lines')
    if not isinstance(prefix, str):
        raise BadLine("bad-prefix", 'the "prefix" is no string')
    tools = entry.get("tools", settings.tools)
    if tools is not None and not (isinstance(tools, list) and all(isinstance(tool, dict) for tool in tools)):
        raise BadLine("bad-tools", '"tools" is no list of objects')
    return text, prefix, tools


def _written(result: dict[str, Any]) -> bytes:
    try:
        return json.dumps(result, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair, which UTF-8 has no form for
        return json.dumps(result).encode("ascii") + b"\n"
