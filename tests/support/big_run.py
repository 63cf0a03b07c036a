"""Compare the compiled parsers, the oracle and the baseline on many random cases.

    python tests/support/big_run.py --cases 20000 --seed 1

Every template is used for twenty outputs; each output is read at once and streamed in several ways. Prints how often
who agreed, and the first differences; exits with 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.baseline import Baseline, Rejects, same
from support.chunking import at_random, every_char, fixed, stream
from support.comparison import Expected, explain, oracle_result
from support.oracle import EndlessScan
from support.strategies import random_run, random_template
from untemplate.compiler import TemplateError, load_parser
from untemplate.runtime import ResponseParseError

OUTPUTS_PER_TEMPLATE = 20


def _readings(module: Any, prefix: str, output: str, tools: Any, rng: Random) -> Iterator[tuple[str, Any]]:
    """What the compiled parser gives: a message, or a message and events, by the way of reading."""

    def attempt(read: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        try:
            return read(*arguments, **options)
        except ResponseParseError as error:
            return Rejects(str(error))

    yield "at once", attempt(module.parse_response, output, prefix=prefix, tools=tools)
    ways = {"by character": every_char(output), "by threes": fixed(3)(output), "cut at random": at_random(output, rng)}
    for way, chunks in ways.items():
        yield way, attempt(stream, module, prefix, chunks, tools)
    yield "malformed as events", attempt(stream, module, prefix, at_random(output, rng), tools, "event")


def _streamed(expected: Expected) -> Any:
    return expected.message if isinstance(expected.message, Rejects) else (expected.message, expected.events)


def run(cases: int, seed: int, show: int) -> int:
    """Run and report; the number of differences found."""
    rng, counts, shown, started = Random(seed), Counter[str](), 0, time.perf_counter()
    for _ in range(-(-cases // OUTPUTS_PER_TEMPLATE)):
        plan = random_template(rng)
        baseline = Baseline(plan.template)
        try:
            module = load_parser(plan.template)
        except TemplateError as error:
            counts["templates refused"] += 1
            if (shown := shown + 1) <= show:
                print(f"\n--- refused: {error}\n{json.dumps(plan.template, ensure_ascii=False)}")
            continue
        counts["templates"] += 1
        for _ in range(OUTPUTS_PER_TEMPLATE):
            prefix, output, tools = random_run(rng, plan)
            try:
                expected = oracle_result(plan.template, prefix, output, tools)
                lenient = oracle_result(plan.template, prefix, output, tools, "event")
            except EndlessScan:
                counts["endless, skipped"] += 1
                continue
            counts["rejected" if isinstance(expected.message, Rejects) else "messages"] += 1
            wanted_of = {"at once": expected.message, "malformed as events": _streamed(lenient)}
            results = [("baseline", baseline.message(prefix, output, tools), expected.message)]
            for way, found in _readings(module, prefix, output, tools, rng):
                results.append((way, found, wanted_of.get(way, _streamed(expected))))
            for way, found, wanted in results:
                if same(found, wanted):
                    continue
                counts[f"DIFFERENT: {way}"] += 1
                if (shown := shown + 1) <= show:
                    print(f"\n--- {way}" + explain((plan.template, prefix, output, tools), found, wanted))
    seconds = time.perf_counter() - started
    print(f"\n{cases} cases, seed {seed}, {seconds:.1f} s, {cases / seconds:.0f} cases/s")
    for what, count in sorted(counts.items()):
        print(f"{count:8} {what}")
    return sum(count for what, count in counts.items() if what.startswith("DIFFERENT"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare compiled parsers with the oracle and the baseline.")
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="how many differences to print")
    arguments = parser.parse_args()
    return 1 if run(arguments.cases, arguments.seed, arguments.show) else 0


if __name__ == "__main__":
    sys.exit(main())
