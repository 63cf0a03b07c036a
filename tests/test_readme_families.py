"""The README's table of families is that of docs/families.md, without the column of end tokens."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def rows_of(page: str) -> list[list[str]]:
    lines = (ROOT / page).read_text("utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| family |"))
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


def test_the_tables_agree() -> None:
    full = [[*row[:4], row[5]] for row in rows_of("docs/families.md")]
    expected = [[cell.replace("](#", "](docs/families.md#") for cell in row] for row in full]
    assert rows_of("README.md") == expected
    assert len(expected) == 72
