"""Values as Python source. Nothing else in the compiler turns text of a template into code."""

from __future__ import annotations

from typing import Any


def literal(value: Any) -> str:
    """A Python expression for a JSON value, or a tuple of such, that is equal to it and fresh at each evaluation.

    Raises:
        TypeError: the value is of another type.
    """
    if value is None or isinstance(value, bool):
        return repr(value)
    if type(value) in (int, float):
        return repr(value)
    if type(value) is str:
        return _string(value)
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    raise TypeError(f"no literal for a {type(value).__name__}")


def _string(text: str) -> str:
    """`repr`, in double quotes wherever that needs no more escapes: what does not print is escaped by it already."""
    plain = repr(text)
    if plain[0] == '"' or '"' in text:
        return plain
    return '"' + plain[1:-1].replace("\\'", "'") + '"'


def pattern_literal(text: str) -> str:
    """A Python expression for the text of a regular expression: a raw string, wherever that shows it as it is."""
    quote = "'" if '"' in text else '"'
    if text.isprintable() and quote not in text and not text.endswith("\\"):
        return f"r{quote}{text}{quote}"
    return literal(text)
