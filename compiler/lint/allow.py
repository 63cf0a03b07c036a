"""Findings that are allowed, and why."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CATALOGUE = "families.toml"
"""The file beside templates that says, for each of them, what is known about the model and what is allowed."""


class AllowError(ValueError):
    """An allow-list that can not be read."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """One entry of an allow-list.

    Attributes:
        code: code or name of the rule.
        path: JSON path below which the finding is allowed; empty for everywhere.
        reason: why; may be empty on the command line only.
        origin: the file it was read from; empty for the command line.
    """

    code: str
    path: str
    reason: str
    origin: str = ""

    def covers(self, code: str, name: str, path: str) -> bool:
        """Whether a finding of this code and name at this JSON path is allowed."""
        if self.code not in (code, name):
            return False
        return not self.path or path == self.path or path.startswith((f"{self.path}.", f"{self.path}["))


@dataclass(frozen=True, slots=True)
class Entry:
    """What a catalogue says about one template."""

    allowed: tuple[Allowance, ...] = ()
    prompt: str | None = None
    ends: tuple[str, ...] = ()


def read_allowance(text: str, reason: str = "", origin: str = "") -> Allowance:
    """`CODE` or `CODE:PATH`."""
    code, _, path = text.partition(":")
    return Allowance(code, path, reason, origin)


def read_entry(file: Path, name: str) -> Entry:
    """What the file says about the template of this name.

    Args:
        file: TOML with a table for each template (`[qwen3]`), in which `lint_allow` maps `CODE` or `CODE:PATH` to the
            reason; the same key outside of all tables is for every template.

    Raises:
        AllowError: the file can not be read, is not TOML, or has a table of another shape.
    """
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AllowError(f"{file}: {error}") from error
    table = document.get(name, {})
    if not isinstance(table, dict):
        raise AllowError(f"{file}: {name!r} is not a table")
    allowed = [*_allowances(file, document, "the top"), *_allowances(file, table, f"[{name}]")]
    prompt, ends = table.get("prompt"), table.get("ends", [])
    if not isinstance(prompt, str | None) or not _are_strings(ends):
        raise AllowError(f'{file}: [{name}] needs a string as "prompt" and a list of strings as "ends"')
    return Entry(tuple(allowed), prompt, tuple(ends))


def _allowances(file: Path, table: dict[str, Any], where: str) -> list[Allowance]:
    entries = table.get("lint_allow", {})
    if not isinstance(entries, dict) or not all(isinstance(reason, str) and reason for reason in entries.values()):
        raise AllowError(f'{file}: "lint_allow" at {where} has to map codes to reasons, none of them empty')
    return [read_allowance(code, reason, str(file)) for code, reason in entries.items()]


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
