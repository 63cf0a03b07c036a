"""Which characters the `regex` package lets a one-character pattern match, found by asking it about all of them."""

from __future__ import annotations

from array import array
from functools import cache

import regex

from untemplate.runtime.pattern import Chars


@cache
def every_character() -> str:
    """All 0x110000 code points in order, lone surrogates included, so that the index is the code point."""
    return array("I", range(0x110000)).tobytes().decode("utf-32", "surrogatepass")


@cache
def characters_of(pattern: str) -> Chars:
    """The characters that `pattern`, which must match exactly one character, matches (`regex`, V0, Unicode).

    Raises:
        regex.error: `pattern` is not one that the package takes.
    """
    runs = regex.compile(f"(?:{pattern})+", regex.DOTALL, cache_pattern=False)
    return Chars(tuple((run.start(), run.end() - 1) for run in runs.finditer(every_character())))
