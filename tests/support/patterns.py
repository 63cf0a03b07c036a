"""Random patterns, in the dialect that templates use, and random texts to match them against."""

from __future__ import annotations

from typing import Any

import regex
from hypothesis import strategies as st

from untemplate.compiler.patterns import PatternError, read_pattern

ALPHABET = "ab<\n "
"""The characters that random patterns are made of; texts drawn from them are matched often."""

_LITERALS = ["a", "b", "<", r"\n", r"\x61", r"\ ", "ab", "<a", "aab"]
_CLASSES = [
    ".",
    r"\w",
    r"\s",
    r"\d",
    r"\W",
    r"\S",
    "[ab]",
    "[^a]",
    "[a-b<]",
    r"[\s<]",
    r"[^\w]",
    "[[:alpha:]]",
    r"\p{L}",
]
_ASSERTIONS = ["^", "$", r"\A", r"\Z", r"\b", r"\B", r"\m", r"\M"]
_GREEDY = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "{0}"]
_QUANTIFIERS = [count + kind for count in _GREEDY for kind in ("", "?", "+")]
_FLAGS = ["i", "s", "-s", "m", "x", "i-s"]


def patterns() -> st.SearchStrategy[str]:
    """Texts of patterns over `ALPHABET` that `read_pattern` takes, with all constructs it knows."""
    return _pattern().filter(_readable)


def subjects(alphabet: str = ALPHABET, most: int = 8) -> st.SearchStrategy[str]:
    """Texts of at most `most` characters of `alphabet`."""
    return st.text(alphabet, max_size=most)


def compiled(pattern: str) -> Any:
    """`pattern` as the `regex` package compiles it for templates; past its cache, which draws random numbers."""
    return regex.compile(pattern, regex.DOTALL, cache_pattern=False)


def _readable(pattern: str) -> bool:
    try:
        read_pattern(pattern)
    except PatternError:
        return False
    return True


def _pattern() -> st.SearchStrategy[str]:
    atoms = st.sampled_from(_LITERALS) | st.sampled_from(_CLASSES) | st.sampled_from(_ASSERTIONS)
    return st.recursive(atoms, _larger, max_leaves=8)


def _larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(parts, min_size=2, max_size=3).map("".join),
        st.lists(parts | st.just(""), min_size=2, max_size=3).map(lambda options: f"(?:{'|'.join(options)})"),
        st.builds("(?:{}){}".format, parts, st.sampled_from(_QUANTIFIERS)),
        st.builds("{}{}".format, st.sampled_from(_CLASSES), st.sampled_from(_QUANTIFIERS)),
        st.builds("({})".format, parts),
        st.builds("(?P<{}>{})".format, st.sampled_from(["x", "y", "z"]), parts),
        st.builds("(?{}:{})".format, st.sampled_from(_FLAGS), parts),
        st.builds("(?{}{})".format, st.sampled_from(["=", "!", ">"]), parts),
        st.builds("(?<{}{})".format, st.sampled_from(["=", "!"]), _behind()),
    )


def _behind() -> st.SearchStrategy[str]:
    parts = st.sampled_from(_LITERALS) | st.sampled_from(_CLASSES) | st.just("^")
    return st.lists(parts, min_size=1, max_size=2).map("".join) | st.lists(parts, min_size=2, max_size=2).map("|".join)
