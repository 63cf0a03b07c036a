"""Character sets in brackets."""

from __future__ import annotations

from untemplate.compiler.patterns.error import PatternError
from untemplate.compiler.patterns.escapes import read_escape, read_posix_class
from untemplate.compiler.patterns.every import characters_of
from untemplate.compiler.patterns.source import Source
from untemplate.runtime.pattern import Chars, Part, none_of, one_of


def read_set(source: Source, ignore_case: bool) -> Chars:
    """Reads a set; white space in it counts, in verbose mode too.

    Args:
        source: just behind the `[`.
        ignore_case: whether the set takes in the other cases of its characters.

    Raises:
        PatternError: the set is not closed, or something in it is wrong.
    """
    start = source.at - 1
    verbose, source.verbose = source.verbose, False
    negative = source.match("^")
    members = _member(source, start)
    while not source.match("]"):
        members += _member(source, start)
    source.verbose = verbose
    if ignore_case:
        return characters_of("(?i)" + source.text[start : source.at])
    return none_of(*members) if negative else one_of(*members)


def _member(source: Source, start: int) -> list[Part]:
    """One item, or a range; a hyphen that joins no two characters stands for itself."""
    at = source.at
    low = _item(source, start)
    if isinstance(low, Chars) or not source.match("-"):
        return [low]
    if source.peek() == "]":
        return [low, "-"]
    high = _item(source, start)
    if isinstance(high, Chars):
        return [low, "-", high]
    if low > high:
        raise PatternError(f"the range {source.text[at : source.at]} runs backwards", at)
    return [(low, high)]


def _item(source: Source, start: int) -> str | Chars:
    if source.match("\\"):
        return read_escape(source, in_set=True, ignore_case=False)
    posix = read_posix_class(source)
    if posix is not None:
        return posix
    char = source.take()
    if not char:
        raise PatternError(
            "the set is not closed", start, "add the missing ']'; a ']' right after '[' stands for itself"
        )
    return char
