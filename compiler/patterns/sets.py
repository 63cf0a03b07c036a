"""Sets of characters, counted and written out."""

from __future__ import annotations

from untemplate.runtime.pattern import Chars


def count(chars: Chars | None) -> int:
    """How many characters the set holds."""
    return sum(last - first + 1 for first, last in chars.ranges) if chars is not None else 0


def members(chars: Chars | None) -> str:
    """The characters of a small set."""
    return "".join(chr(code) for first, last in chars.ranges for code in range(first, last + 1)) if chars else ""
