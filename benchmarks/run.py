"""Measures compiled parsers against the interpreter of transformers, and against the least that any parser must do."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

import memory
import table
from cases import Extent, cases
from dialects import DIALECTS, QUICK
from parsers import Compiled
from results import as_json, environment, measure


def main() -> int:
    """Runs the benchmark and prints its table; the exit code is 0 whatever was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="fewer templates and rounds: under a minute")
    options.add_argument("--template", action="append", metavar="NAME", help="only this template (may be repeated)")
    options.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    options.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the cost of a chunk against the length")
    chosen = options.parse_args()
    logging.disable(logging.INFO)
    names = chosen.template or (QUICK if chosen.quick else [dialect.name for dialect in DIALECTS])
    dialects = [dialect for dialect in DIALECTS if dialect.name in names]
    if len(dialects) != len(set(names)):
        options.error(f"templates are: {', '.join(dialect.name for dialect in DIALECTS)}")
    if chosen.quick:
        results = measure(
            cases(dialects, Extent(least=0.005, longest=0.3, longest_whole=1, counts=(1_000,))),
            budget=42,
            most_rounds=5,
        )
    else:
        results = measure(cases(dialects, Extent(least=0.06, longest=20, longest_whole=15)), budget=420, most_rounds=15)
    held = {dialect.name: memory.held(Compiled(dialect).create) for dialect in dialects}
    print("\n".join(f"{name}: {value}" for name, value in environment().items()), end="\n\n")
    print(table.table(results), end="\n\n")
    print("bytes that a waiting parser holds", table.memory_lines(held), sep="\n", end="\n\n")
    print(table.summary(results, held))
    if chosen.json:
        chosen.json.write_text(json.dumps(as_json(results, held, chosen.quick), indent=1) + "\n", encoding="utf-8")
    if chosen.plot:
        from plot import draw  # only a plot needs matplotlib

        draw(results, chosen.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
