"""Says what came of a verification, for people and for programs."""

from __future__ import annotations

import json
from typing import Any

from untemplate.compiler.diagnostics import path_text
from untemplate.compiler.verify.comparison import MISSING
from untemplate.compiler.verify.verification import Fault, Result

_BEFORE, _AFTER, _MOST_SHOWN = 30, 50, 300


def as_text(result: Result) -> str:
    """A line for the conversation, and below it, indented, what is wrong and the notes."""
    if result.skipped:
        return f"skipped  {result.conversation}\n    {result.skipped}"
    lines = [f"{'wrong' if result.fault else 'ok':<8} {result.conversation}"]
    lines += [f"    {line}" for line in (described(result.fault, result.output) if result.fault else [])]
    lines += [f"    note: {note}" for note in result.notes]
    return "\n".join(lines)


def as_json(result: Result) -> dict[str, Any]:
    """The same as JSON values."""
    fault = result.fault
    report: dict[str, Any] = {
        "conversation": result.conversation,
        "result": "skipped" if result.skipped else "wrong" if fault else "ok",
        "prompt": result.prompt,
        "output": result.output,
        "notes": [result.skipped] if result.skipped else list(result.notes),
    }
    if fault is not None:
        report["fault"] = {"how": fault.how, "error": fault.error, "position": fault.position}
        if fault.difference is not None:
            report["fault"]["path"] = path_text(fault.difference.path)
            values = {"expected": fault.difference.expected, "found": fault.difference.found}
            report["fault"] |= {key: value for key, value in values.items() if value is not MISSING}
    return report


def described(fault: Fault, output: str) -> list[str]:
    """The report of a fault, line by line."""
    if fault.difference is None:
        lines = [f"{fault.how}, the parser rejects the reply: {fault.error}"]
    else:
        lines = [
            f"{fault.how}, first difference at {path_text(fault.difference.path)}",
            f"  put in:  {_shown(fault.difference.expected)}",
            f"  got out: {_shown(fault.difference.found)}",
        ]
    start, end = max(0, fault.position - _BEFORE), fault.position + _AFTER
    excerpt = json.dumps(output[start:end], ensure_ascii=False)
    before, after = "…" if start else "", "…" if end < len(output) else ""
    return [*lines, f"  in the reply at character {fault.position}: {before}{excerpt}{after}"]


def _shown(value: Any) -> str:
    text = repr(value) if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
