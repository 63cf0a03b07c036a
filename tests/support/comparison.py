"""The oracle's result of a case in the form in which all readers' results are compared, and words for differences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from support import oracle
from support.baseline import Rejects
from support.chunking import Event
from support.strategies import Case


@dataclass(frozen=True)
class Expected:
    """What every reader must give. Events are there only for output that is not rejected."""

    message: dict[str, Any] | Rejects
    events: list[Event]


def oracle_result(
    template: dict[str, Any], prefix: str, output: str, tools: list[Any] | None, on_malformed: str = "raise"
) -> Expected:
    """The oracle's message and events. Raises `EndlessScan` for a template that has no meaning."""
    try:
        reading = oracle.interpret(template, prefix, output, tools, on_malformed)
    except oracle.Rejected as error:
        return Expected(Rejects(str(error)), [])
    return Expected(reading.message, reading.events)


def explain(case: Case, found: Any, expected: Any) -> str:
    """A difference, with all that is needed to see it again."""
    template, prefix, output, tools = case
    lines = [
        f"template: {json.dumps(template, ensure_ascii=False)}",
        f"prefix:   {prefix!r}",
        f"output:   {output!r}",
        *([f"tools:    {json.dumps(tools, ensure_ascii=False)}"] if tools else []),
        f"found:    {_words(found)}",
        f"expected: {_words(expected)}",
    ]
    return "\n" + "\n".join(lines)


def _words(result: Any) -> str:
    return f"rejects: {result.reason}" if isinstance(result, Rejects) else repr(result)
