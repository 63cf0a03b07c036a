"""Identifiers for the fields of a template, none of them twice."""

from __future__ import annotations

import re
from collections.abc import Iterable


def identifiers(fields: Iterable[str]) -> dict[str, str]:
    """A part of an identifier for each field: its name where that is one, else as near to it as ASCII allows."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for field in fields:
        name = re.sub(r"[^A-Za-z0-9_]+", "_", field)[:60].strip("_").lower() or "field"
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique)
        names[field] = unique
    return names
