"""Where the time of a short stream goes: what each of its chunks costs, as multiples of the floor.

Chunks that are plain text take the short way; all others turn a region, or may be part of a delimiter.
"""

from __future__ import annotations

import argparse
import gc
import logging
import sys
import time
from dataclasses import dataclass

from chunks import even
from dialects import DIALECTS
from parsers import Compiled, floor

ROUNDS = 400
SIZE = 700
GOAL = 2.3  # multiples of the floor, for a message of that size
_PLAIN = 2.4  # a chunk that costs less is plain text


@dataclass
class Costs:
    """The least seconds that each step of a stream took."""

    create: float
    chunks: list[float]
    finish: float

    @property
    def total(self) -> float:
        """All steps."""
        return self.create + sum(self.chunks) + self.finish


def reading() -> float:
    """What reading the clock takes."""
    clock = time.perf_counter
    return min(-(clock() - clock()) for _ in range(10_000))


def measure(parser: Compiled, chunks: list[str]) -> Costs:
    """What each step costs: the best of many rounds, without the reading of the clock."""
    clock = time.perf_counter
    empty = reading()
    costs = Costs(1.0, [1.0] * len(chunks), 1.0)
    for _ in range(ROUNDS):
        begin = clock()
        reader = parser.create("")
        costs.create = min(costs.create, clock() - begin - empty)
        feed = reader.feed
        for number, chunk in enumerate(chunks):
            begin = clock()
            feed(chunk)
            taken = clock() - begin - empty
            if taken < costs.chunks[number]:
                costs.chunks[number] = taken
        begin = clock()
        reader.finalize()
        costs.finish = min(costs.finish, clock() - begin - empty)
    return costs


def least(chunks: list[str]) -> float:
    """The floor's cost of a chunk, measured in the same way."""
    clock = time.perf_counter
    empty = reading()
    best = 1.0
    for chunk in chunks * ROUNDS:
        begin = clock()
        floor(chunk)
        best = min(best, clock() - begin - empty)
    return best


def main() -> int:
    """Prints the profile of one template."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("template", choices=[dialect.name for dialect in DIALECTS])
    options.add_argument("--all", action="store_true", help="every chunk that is not plain text")
    chosen = options.parse_args()
    logging.disable(logging.INFO)
    dialect = next(dialect for dialect in DIALECTS if dialect.name == chosen.template)
    chunks = even(dialect.message(SIZE))
    gc.disable()
    one = least(chunks)
    costs = measure(Compiled(dialect), chunks)
    multiples = [cost / one for cost in costs.chunks]
    plain = [cost for cost in multiples if cost < _PLAIN]
    others = [(cost, chunk) for cost, chunk in zip(multiples, chunks, strict=True) if cost >= _PLAIN]
    spare = GOAL * len(chunks) - sum(plain) - (costs.create + costs.finish) / one
    print(f"{dialect.name}, {len(chunks)} chunks; 1 is the floor, {one * 1e6:.3f} µs")
    print(f"creation and end  {(costs.create + costs.finish) / one:7.1f}")
    print(f"plain text        {sum(plain):7.1f}  {len(plain)} chunks, {sum(plain) / len(plain):.2f} each")
    print(f"all others        {sum(cost for cost, _ in others):7.1f}  {len(others)} chunks, on average", end=" ")
    print(f"{sum(cost for cost, _ in others) / len(others):.2f} each")
    print(f"together          {costs.total / one:7.1f}  {costs.total / one / len(chunks):.2f} a chunk")
    print(f"{GOAL} a chunk would leave {spare / len(others):.2f} for each of the others")
    if chosen.all:
        for cost, chunk in others:
            print(f"{cost:6.1f} {chunk!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
