"""Delimiters that are decided by their own last character, found with the standard library's regular expressions.

Of such a delimiter a text holds all, or a beginning at its end, or nothing; which of it, two regular expressions tell:
the delimiter's own, and one of its beginnings, made from it. A generated module names both by the text of the first.
"""

from __future__ import annotations

import re

_SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"

_class_or_escape = re.compile(r"\[(?:\\.|[^]\\])*\]|\\.", re.DOTALL)
_escape = re.compile(r"\\.", re.DOTALL)
_SPELLED = {r"\s": f"[{_SPACE}]", r"\S": f"[^{_SPACE}]"}


def spelled(pattern: str) -> str:
    """The pattern with `\\s` and `\\S` spelled out: white space is not the same set for `re`."""
    return _class_or_escape.sub(_spelled, pattern)


def _spelled(found: re.Match[str]) -> str:
    text = found[0]
    if text[0] == "[":
        return _escape.sub(lambda one: _SPACE if one[0] == r"\s" else one[0], text)
    return _SPELLED.get(text, text)
