"""Fuzzes one target, driven by coverage: `python tests/fuzz/by_coverage.py TARGET [OPTION OF LIBFUZZER...]`.

Needs atheris (`pip install atheris`), which is not among the development dependencies. `-max_total_time=600` ends it
after ten minutes; it ends at the first failure otherwise, and prints the case.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import atheris

sys.path.insert(0, str(Path(__file__).parents[1]))

with atheris.instrument_imports(include=["untemplate"]):
    from fuzz.targets import TARGETS
from hypothesis import HealthCheck, given, settings


def main() -> None:
    """Runs the command line; the process ends with the search."""
    cases, check = TARGETS[sys.argv[1]]

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(cases)
    def attempt(case: Any) -> None:
        try:
            check(case)
        except BaseException:
            print(f"fails: {case!r}", flush=True)
            raise

    atheris.Setup([sys.argv[0], *sys.argv[2:]], attempt.hypothesis.fuzz_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
