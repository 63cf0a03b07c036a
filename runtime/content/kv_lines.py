"""The content `kv-lines`: a key and a value on every line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import ContentError
from .quoting import shown


def parse_kv_lines(
    body: str,
    value_parser: Callable[[str], Any] | None = None,
    *,
    line_sep: str = "\n",
    kv_sep: str = ":",
    strip: bool = True,
) -> dict[str, Any]:
    """Key → value of each line that has a `kv_sep`, the first of which divides them; the last of equal keys wins.

    Args:
        value_parser: applied to each value; without it values are strings.
        line_sep, kv_sep: what ends a line, and what ends a key; neither is empty.
        strip: whether lines, keys and values lose the white space around them.

    Raises `ContentError` if a value does not parse.
    """
    found: dict[str, Any] = {}
    for number, line in enumerate(body.split(line_sep), 1):
        key, separator, value = (line.strip() if strip else line).partition(kv_sep)
        if not separator:
            continue
        if strip:
            key, value = key.strip(), value.strip()
        found[key] = value if value_parser is None else _parsed_line_value(key, number, value, value_parser)
    return found


def _parsed_line_value(key: str, number: int, raw: str, value_parser: Callable[[str], Any]) -> Any:
    try:
        return value_parser(raw)
    except ContentError as error:
        raise ContentError(f"line {number}, {shown(key)}: {error}") from error
