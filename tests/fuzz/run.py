"""Fuzzes the loader, the pattern reader and whole modules: `python tests/fuzz/run.py --minutes N [--target NAME]`.

Prints how many cases each target was tried with, and a shrunk case of every kind of failure.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from hypothesis import HealthCheck, Phase, given, seed, settings

from fuzz.targets import TARGETS

SECONDS_A_CASE = 20
BATCH = 500


class TooSlow(Exception):
    """A case took longer than any should."""


def _alarm(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow(f"more than {SECONDS_A_CASE} seconds")


def batch(name: str, number: int, until: float) -> tuple[int, str]:
    """One batch of cases: how many were tried, and the report of a failure or ""."""
    cases, check = TARGETS[name]
    tried = 0
    failing: list[Any] = []

    @seed(number)
    @settings(
        max_examples=BATCH,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def attempt(case: Any) -> None:
        nonlocal tried
        if time.monotonic() > until and not failing:
            return
        tried += 1
        signal.alarm(SECONDS_A_CASE)
        try:
            check(case)
        except BaseException:
            failing[:] = [case]
            raise
        finally:
            signal.alarm(0)

    try:
        attempt()
    except Exception as error:
        frames = "".join(traceback.format_tb(error.__traceback__)[-2:])
        return (
            tried,
            f"{name}, seed {number}: {failing[0] if failing else '?'!r}\n{frames}{type(error).__name__}: {error}",
        )
    return tried, ""


def with_hypothesis(names: list[str], minutes: float, first: int) -> int:
    """Tries the targets in turn until the time is over; returns the number of failures."""
    signal.signal(signal.SIGALRM, _alarm)
    until = time.monotonic() + 60 * minutes
    tried = dict.fromkeys(names, 0)
    failures: dict[str, int] = {}
    number = first
    while time.monotonic() < until:
        for name in names:
            count, report = batch(name, number, until)
            tried[name] += count
            if report:
                last = report.rpartition("  File ")[2][:200]
                failures[last] = failures.get(last, 0) + 1
                if failures[last] == 1:
                    print(report, flush=True)
        number += 1
    for name, count in tried.items():
        print(f"{name}: {count:,} cases")
    print(f"{len(failures)} kinds of failures")
    return len(failures)


def main() -> int:
    """Runs the command line; 1 if there was a failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--target", choices=TARGETS, action="append", help="by default all")
    parser.add_argument("--seed", type=int, default=1, help="of the first batch")
    options = parser.parse_args()
    names = options.target or list(TARGETS)
    return 1 if with_hypothesis(names, options.minutes, options.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
