"""Measuring in rounds, and what comes out of it."""

from __future__ import annotations

import gc
import os
import platform
import random
import sys
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from statistics import median, quantiles
from typing import Any

from cases import Case


@dataclass
class Result:
    """The seconds of each candidate of a case, one for each round."""

    case: Case
    seconds: dict[str, list[float]] = field(default_factory=dict)

    @property
    def values(self) -> list[float]:
        """The value of each comparison."""
        return [goal.value(self.seconds) for goal in self.case.goals]

    @property
    def missed(self) -> list[str]:
        """The comparisons whose goal is missed."""
        pairs = zip(self.case.goals, self.values, strict=True)
        return [goal.shown(value) for goal, value in pairs if goal.is_met(value) is False]

    @property
    def notes(self) -> list[str]:
        """Remarks on how candidates were measured."""
        return [f"{name} {run.note}" for name, run in self.case.runs.items() if run.note]


def spread(seconds: list[float]) -> float:
    """Half the distance of the quartiles, as a part of the median; 0 for fewer than three rounds."""
    if len(seconds) < 3:
        return 0.0
    low, middle, high = quantiles(seconds, n=4, method="inclusive")
    return (high - low) / 2 / middle


def measure(cases: list[Case], budget: float, most_rounds: int) -> list[Result]:
    """Measures every candidate once a round, in random order, for as many rounds as fit the budget in seconds."""
    chance = random.Random(8)
    results = [Result(case, {name: [] for name in case.runs}) for case in cases]
    gc.freeze()  # collecting before each measurement need not look at what is there for all of them
    begin = time.perf_counter()
    for done in range(most_rounds):
        used = time.perf_counter() - begin
        if done and used * (done + 1) / done > budget:
            break
        for result in chance.sample(results, len(results)):
            for name in chance.sample(list(result.case.runs), len(result.case.runs)):
                result.seconds[name].append(result.case.runs[name].measure())
        print(f"round {done + 1} after {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
    return results


def environment() -> dict[str, Any]:
    """Where the measurements were made."""
    return {
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        **{name: version(name) for name in ("untemplate", "transformers", "regex", "tokenizers")},
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        return platform.processor()


def as_json(results: list[Result], memory: dict[str, float], quick: bool) -> dict[str, Any]:
    """Everything that was measured, for a file."""
    return {
        "environment": environment(),
        "quick": quick,
        "memory": memory,
        "cases": [
            {
                "measure": result.case.measure,
                "template": result.case.template,
                "size": result.case.size,
                "unit": result.case.unit,
                "seconds": {
                    name: {"median": median(one), "spread": spread(one), "least": min(one), "rounds": len(one)}
                    for name, one in result.seconds.items()
                },
                "comparisons": [
                    {
                        "label": goal.label,
                        "value": value,
                        "at_least": goal.at_least,
                        "at_most": goal.at_most,
                        "met": goal.is_met(value),
                    }
                    for goal, value in zip(result.case.goals, result.values, strict=True)
                ],
                "notes": result.notes,
            }
            for result in results
        ],
    }
