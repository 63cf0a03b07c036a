"""Timing: CPU time of this thread, so that other processes do not count, with the garbage collector kept out."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol

_ONCE = 10.0  # seconds; what takes longer is measured in one round only


class Stopwatch(Protocol):
    """Something whose cost is measured; `note` is a remark on how."""

    @property
    def note(self) -> str:
        """The remark, or ""."""
        ...

    def measure(self) -> float:
        """Seconds for one unit of its work."""
        ...


@contextmanager
def quiet() -> Iterator[None]:
    """Keeps the garbage collector from running in a block; what is garbage already is collected before."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def elapsed(call: Callable[[], object], number: int = 1) -> float:
    """Seconds that `number` calls take."""
    begin = time.thread_time()
    for _ in range(number):
        call()
    return time.thread_time() - begin


class Calls:
    """A call, repeated so often that the clock's grain does not matter.

    Args:
        call: what is measured.
        units: how many units of work one call is.
        least: seconds that a measurement should take at least.
    """

    def __init__(self, call: Callable[[], object], units: int, least: float) -> None:
        self.note = ""
        self.last = 0.0
        self._call = call
        self._units = units
        self._least = least
        self._number = 0

    def measure(self) -> float:
        """Seconds for one unit; the first time also finds out how many calls make a measurement."""
        if self.last * self._units < _ONCE:
            with quiet():
                self.last = self._measured() / self._units
            if self.last * self._units >= _ONCE:
                self.note = "one run"
        return self.last

    def _measured(self) -> float:
        if not self._number:
            first = elapsed(self._call)
            self._number = 1
            if first > 10 * self._least:
                return first
            self._number = max(1, round(self._least / max(elapsed(self._call), 1e-7)))
        return elapsed(self._call, self._number) / self._number


class BoundedCalls:
    """A call whose cost grows with the square of its units, and that may take too long.

    In that case the cost of a unit in a smaller call is given instead: a lower bound.

    Args:
        whole: the call.
        smaller: the same for less units.
        units: how many units the call is.
        smaller_units: how many the smaller one is.
        longest: seconds that the call may take.
    """

    def __init__(self, whole: Calls, smaller: Calls, units: int, smaller_units: int, longest: float) -> None:
        self._whole = whole
        self._smaller = smaller
        self._growth = units / smaller_units
        self._units = units
        self._longest = longest

    @property
    def note(self) -> str:
        """Whether the call was too long."""
        return "at least: too long to run" if self._is_too_long else self._whole.note

    @property
    def _is_too_long(self) -> bool:
        return self._smaller.last * self._growth * self._units > self._longest

    def measure(self) -> float:
        """Seconds for one unit."""
        if not self._smaller.last:
            self._smaller.measure()
        return self._smaller.last if self._is_too_long else self._whole.measure()


class Stream:
    """A whole reply in chunks: a parser is made, fed, and finished.

    Where that would take too long, only some windows of chunks are timed, evenly spread; the text between them is fed
    in one piece each, which leaves the parser as if it had come in chunks.

    Args:
        create: makes a parser.
        chunks: the reply.
        least: see `Calls`.
        longest: seconds that a whole reply may take.
        weight: how many chunks are a unit of work.
    """

    _WINDOWS = 20
    _WIDTH = 100

    def __init__(
        self,
        create: Callable[[], Any],
        chunks: Sequence[str],
        least: float,
        longest: float = float("inf"),
        weight: float = 1.0,
    ) -> None:
        self.note = ""
        self._weight = weight
        self._create = create
        self._chunks = chunks
        self._longest = longest
        self._whole: Calls | None = Calls(self._run, len(chunks), least)
        self._unknown = len(chunks) > 4 * self._WINDOWS * self._WIDTH and longest != float("inf")

    def measure(self) -> float:
        """Seconds for one unit."""
        return self._weight * self._per_chunk()

    def _per_chunk(self) -> float:
        if self._unknown:
            self._unknown = False
            sampled = self._sample()
            if sampled * len(self._chunks) > self._longest:
                self.note = "sampled"
                self._whole = None
                return sampled
        return self._sample() if self._whole is None else self._whole.measure()

    def _run(self) -> None:
        parser = self._create()
        _feed_all(parser.feed, self._chunks)
        parser.finalize()

    def _sample(self) -> float:
        feed = self._create().feed
        chunks = self._chunks
        stride = len(chunks) // self._WINDOWS
        total = 0.0
        with quiet():
            for begin in range(0, stride * self._WINDOWS, stride):
                timed = begin + stride - self._WIDTH
                feed("".join(chunks[begin:timed]))
                total += elapsed(partial(_feed_all, feed, chunks[timed : begin + stride]))
        return total / (self._WINDOWS * self._WIDTH)


def _feed_all(feed: Callable[[str], object], chunks: Sequence[str]) -> None:
    for chunk in chunks:
        feed(chunk)
