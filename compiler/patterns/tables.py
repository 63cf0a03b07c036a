"""Writes `runtime/unicode.py`: `python -m untemplate.compiler.patterns.tables`, after an update of `regex`.

Generated parsers work without the `regex` package, so its idea of words, white space and digits is kept in the
runtime as tables. A test compares them with the installed package on every code point.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

import untemplate.runtime.unicode as written
from untemplate.compiler.patterns.every import characters_of
from untemplate.runtime.pattern import Chars

_TEMPLATE = '''\
"""The character classes of the `regex` package: `\\\\w`, `\\\\s` and `\\\\d`, as it reads Unicode.

Not those of the standard library: combining marks and numbers such as `²` are word characters here, and U+001C to
U+001F are not white space. Written by `python -m untemplate.compiler.patterns.tables`.
"""

from __future__ import annotations

from itertools import accumulate

from untemplate.runtime.pattern import Chars


def _decoded(steps: str) -> Chars:
    """The set whose bounds (first, last, first, last, …) are each written as the distance from the one before."""
    bounds = accumulate(map(int, steps.split()))
    return Chars(tuple(zip(bounds, bounds, strict=True)))


DIGIT = _decoded("""
{digit}
""")
"""`\\\\d`: decimal digits of all scripts."""

SPACE = _decoded("""
{space}
""")
"""`\\\\s`: white space, line ends included."""

WORD = _decoded("""
{word}
""")
"""`\\\\w`: letters, marks, numbers and connectors such as `_`."""
'''


def source() -> str:
    """What `runtime/unicode.py` has to hold, by the installed `regex` package."""
    classes = {"digit": r"\d", "space": r"\s", "word": r"\w"}
    return _TEMPLATE.format(**{name: _steps(characters_of(pattern)) for name, pattern in classes.items()})


def _steps(chars: Chars) -> str:
    """The bounds of all ranges, each as the distance from the one before, in lines of 120 characters."""
    bounds = [bound for span in chars.ranges for bound in span]
    steps = [after - before for before, after in zip([0, *bounds], bounds, strict=False)]
    return fill(" ".join(map(str, steps)), 120)


if __name__ == "__main__":
    Path(written.__file__).resolve().write_text(source(), encoding="utf-8")
