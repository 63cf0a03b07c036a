"""The runtime's character classes are those of the installed `regex` package."""

from __future__ import annotations

from pathlib import Path

import pytest
import regex

import untemplate.runtime.unicode as written
from untemplate.compiler.patterns import tables
from untemplate.compiler.patterns.every import every_character
from untemplate.runtime.pattern import Chars
from untemplate.runtime.unicode import DIGIT, SPACE, WORD


@pytest.mark.parametrize(("chars", "pattern"), [(DIGIT, r"\d"), (SPACE, r"\s"), (WORD, r"\w")])
def test_table_agrees_on_every_code_point(chars: Chars, pattern: str) -> None:
    every = every_character()
    assert len(every) == 0x110000
    held = "".join(every[first : last + 1] for first, last in chars.ranges)
    assert held == "".join(regex.findall(pattern, every))


@pytest.mark.parametrize("chars", [DIGIT, SPACE, WORD])
def test_table_is_normal(chars: Chars) -> None:
    bounds = [bound for span in chars.ranges for bound in span]
    assert bounds == sorted(bounds)
    assert all(last + 1 < first for (_, last), (first, _) in zip(chars.ranges, chars.ranges[1:], strict=False))


def test_file_is_what_the_maintenance_command_writes() -> None:
    assert Path(written.__file__).read_text(encoding="utf-8") == tables.source(), (
        "out of date: run python -m untemplate.compiler.patterns.tables"
    )
