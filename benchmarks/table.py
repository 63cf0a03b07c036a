"""Results as text."""

from __future__ import annotations

from statistics import median

import memory
from cases import OURS, REFERENCE
from results import Result, spread

_SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def shown(seconds: list[float]) -> str:
    """The median and its spread."""
    middle = median(seconds)
    scale, unit = next((one for one in _SCALES if middle >= one[0]), _SCALES[-1])
    return f"{middle / scale:.3g} {unit} ±{spread(seconds):.0%}"


def table(results: list[Result]) -> str:
    """One line for each case."""
    rows = [("measure", "template", "size", "per", OURS, REFERENCE, "other", "compared")]
    for result in results:
        case, seconds = result.case, result.seconds
        others = [name for name in seconds if name not in (OURS, REFERENCE)]
        compared = [goal.shown(value) for goal, value in zip(case.goals, result.values, strict=True)]
        rows.append(
            (
                case.measure,
                case.template,
                f"{case.size:,}" if case.size else "",
                case.unit,
                shown(seconds[OURS]),
                shown(seconds[REFERENCE]),
                ", ".join(f"{name} {shown(seconds[name])}" for name in others),
                "; ".join([*compared, *result.notes]),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def memory_lines(held: dict[str, float]) -> str:
    """What waiting parsers hold."""
    return "\n".join(
        f"{name:12} {value:6.0f} bytes (at most {memory.GOAL:,}: {'met' if value <= memory.GOAL else 'MISSED'})"
        for name, value in held.items()
    )


def summary(results: list[Result], held: dict[str, float]) -> str:
    """How many goals are met, and those that are not."""
    goals = sum(goal.is_met(1.0) is not None for result in results for goal in result.case.goals) + len(held)
    missed = [
        f"  {result.case.measure}, {result.case.template}, {result.case.size:,}: {one}"
        for result in results
        for one in result.missed
    ]
    missed += [f"  waiting, {name}: {value:.0f} bytes" for name, value in held.items() if value > memory.GOAL]
    return "\n".join([f"{goals - len(missed)} of {goals} goals met" + (", missed:" if missed else ""), *missed])
