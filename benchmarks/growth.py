"""Whether cost grows with the text alone: time and memory for texts of growing length, plain and hostile.

Every shape is measured at lengths fourfold apart, in small chunks and in one. Time that grows more than sixfold, memory
that does, or a run that comes to no end within the limit is a failure (exit code 1). Needs a Unix system.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
import time
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from types import FrameType, ModuleType

from chunks import cut
from shapes import SHAPES, Shape

from untemplate.compiler import TemplateError, load_parser
from untemplate.runtime import ResponseParseError

LENGTHS = (64_000, 256_000, 1_000_000)
CHUNK = 4
MOST_GROWTH = 6.0
_SHORT = 0.25  # seconds; shorter runs are repeated
_REPEATS = 3
_TRACING = 4  # how much longer a run may take while memory is traced
_LEAST = 0.002  # seconds; what takes less is all noise


class TimeLimit(BaseException):
    """A run took too long; nothing that catches `Exception` stops it."""


@dataclass
class Growth:
    """What one way of feeding a shape cost.

    Attributes:
        seconds: for each length, as far as runs came to an end.
        stopped: the length at which the time limit was met, or 0.
        peaks: bytes allocated at the first two lengths.
    """

    seconds: list[float] = field(default_factory=list)
    stopped: int = 0
    peaks: list[int] = field(default_factory=list)

    @property
    def factors(self) -> list[float]:
        """By how much time grew from each length to the next."""
        times = [max(one, _LEAST) for one in self.seconds]
        return [after / before for before, after in pairwise(times)]

    @property
    def memory_factor(self) -> float:
        """By how much memory grew from the first length to the second."""
        return self.peaks[1] / self.peaks[0] if len(self.peaks) == 2 else 0.0

    @property
    def is_linear(self) -> bool:
        """Whether neither time nor memory grew more than is allowed."""
        return not self.stopped and max([*self.factors, self.memory_factor]) <= MOST_GROWTH


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises `TimeLimit` in a block that takes more CPU time."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeLimit

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run(module: ModuleType, shape: Shape, text: str, size: int) -> None:
    """Parses a text in chunks of `size` characters; 0 is all at once."""
    chunks: Iterable[str] = cut(text, size) if size else (text,)
    try:
        if shape.in_prefix:
            module.ResponseParser(text, on_malformed="event").finalize()
            return
        parser = module.ResponseParser("", on_malformed="event")
        feed = parser.feed
        for chunk in chunks:
            feed(chunk)
        parser.finalize()
    except ResponseParseError:
        pass  # refusing a text has to be fast, too


def seconds(module: ModuleType, shape: Shape, text: str, size: int) -> float:
    """CPU time of a run: the best of a few where one is short."""
    best = float("inf")
    for _ in range(_REPEATS):
        gc.collect()
        gc.disable()
        begin = time.thread_time()
        try:
            run(module, shape, text, size)
        finally:
            gc.enable()
        best = min(best, time.thread_time() - begin)
        if best > _SHORT:
            break
    return best


def peak(module: ModuleType, shape: Shape, text: str, size: int) -> int:
    """The most bytes that a run had allocated at a time."""
    gc.collect()
    tracemalloc.start()
    try:
        run(module, shape, text, size)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def measure(module: ModuleType, shape: Shape, size: int, lengths: tuple[int, ...], limit: float) -> Growth:
    """One way of feeding a shape, at all lengths until one meets the limit."""
    growth = Growth()
    run(module, shape, shape.fill(1_000), size)  # what is built when it is first needed, is built now
    length = 0
    try:
        for length in lengths:
            with at_most(limit):
                growth.seconds.append(seconds(module, shape, shape.fill(length), size))
        for _ in range(_REPEATS):
            if max(growth.factors) <= MOST_GROWTH:
                break
            for number, length in enumerate(lengths):  # is it noise?
                with at_most(limit):
                    again = seconds(module, shape, shape.fill(length), size)
                growth.seconds[number] = min(growth.seconds[number], again)
        for length in lengths[:2]:
            with at_most(limit * _TRACING):
                growth.peaks.append(peak(module, shape, shape.fill(length), size))
    except TimeLimit:
        growth.stopped = length
    return growth


def line(name: str, way: str, growth: Growth, lengths: tuple[int, ...]) -> str:
    """One row of the report."""
    times = " ".join(f"{one * 1e3:9.1f}" for one in growth.seconds).ljust(10 * len(lengths) - 1)
    factors = " ".join(f"{one:5.1f}" for one in growth.factors).ljust(6 * len(lengths) - 7)
    memory = f"{growth.peaks[1] / lengths[1]:8.1f} {growth.memory_factor:5.1f}" if len(growth.peaks) == 2 else " " * 14
    verdict = "" if growth.is_linear else f"STOPPED at {growth.stopped:,}" if growth.stopped else "NOT LINEAR"
    return f"{name[:60]:60} {way:5} {times}  {factors}  {memory}  {verdict}".rstrip()


def main() -> int:
    """Runs all shapes, or those whose name has a given part; returns the exit code."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    options.add_argument("--only", default="", metavar="TEXT", help="only shapes with this in their name")
    options.add_argument("--quick", action="store_true", help="shorter texts: 16,000 to 256,000 characters")
    options.add_argument("--limit", type=float, default=20.0, metavar="SECONDS", help="CPU time for one measurement")
    chosen = options.parse_args()
    lengths = (16_000, 64_000, 256_000) if chosen.quick else LENGTHS
    print("milliseconds at", ", ".join(f"{length:,}" for length in lengths), "characters; growth of time; bytes a")
    print(
        f"character at {lengths[1]:,} characters; growth of memory up to there. At most {MOST_GROWTH:g} is allowed.\n"
    )
    failed: list[str] = []
    gc.freeze()  # collecting before each run need not look at what is imported
    for shape in SHAPES:
        if chosen.only not in shape.name:
            continue
        try:
            module = load_parser(shape.template)
        except TemplateError as error:
            print(f"{shape.name[:60]:60} refused: {str(error).splitlines()[0]}")
            continue
        for way, size in (("whole", 0),) if shape.in_prefix else ((f"by {CHUNK}", CHUNK), ("whole", 0)):
            growth = measure(module, shape, size, lengths, chosen.limit)
            print(line(shape.name, way, growth, lengths), flush=True)
            if not growth.is_linear:
                failed.append(f"{shape.name} ({way})")
    print(f"\n{len(failed)} not linear" + "".join(f"\n  {name}" for name in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
