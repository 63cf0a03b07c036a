"""What is aimed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

NOISE = 1.05
"""How far a measurement may be off a goal and still be taken to meet it."""


@dataclass(frozen=True)
class Versus:
    """One candidate's time over another's, or its own time where there is no other.

    Attributes:
        label: what the number is.
        over: the candidate whose time is divided.
        under: the candidate it is divided by; "" for microseconds.
        at_least: the goal, if it is a lower bound.
        at_most: the goal, if it is an upper bound.
    """

    label: str
    over: str
    under: str = ""
    at_least: float | None = None
    at_most: float | None = None

    def value(self, seconds: Mapping[str, Sequence[float]]) -> float:
        """The median over all rounds: what is divided was measured in one round, under like conditions."""
        if not self.under:
            return median(seconds[self.over]) * 1e6
        return median(a / b for a, b in zip(seconds[self.over], seconds[self.under], strict=True))

    def is_met(self, value: float) -> bool | None:
        """Whether the goal is met; `None` if there is none."""
        if self.at_least is not None:
            return value * NOISE >= self.at_least
        return None if self.at_most is None else value <= self.at_most * NOISE

    def shown(self, value: float) -> str:
        """The value and its goal."""
        met = self.is_met(value)
        if met is None:
            return f"{value:.3g} {self.label}"
        bound = f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"
        return f"{value:.3g} {self.label} ({bound}: {'met' if met else 'MISSED'})"
