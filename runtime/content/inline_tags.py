"""The content `xml-inline`: tags in a row, each a key and a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..errors import ContentError
from .quoting import shown

TagFinder = Callable[[str], Iterable[tuple[str | None, str | None]]]
"""Body → (key, value) of each match of the tag pattern, in order; None for a group that took no part in the match."""


def parse_xml(
    body: str, tags: TagFinder, value_parser: Callable[[str], Any] | None = None, *, merge_duplicates: bool = False
) -> dict[str, Any]:
    """Key → value of all tags in the body; text between tags is passed over.

    Args:
        value_parser: applied to each value; without it values are strings, or None where the pattern found none.
        merge_duplicates: whether the values of a repeated key become a list, instead of the last one winning.

    Raises `ContentError`: a tag without a key, without a value to parse, or with a value that does not parse.
    """
    found: dict[str, Any] = {}
    merged: set[str] = set()
    for number, (key, raw) in enumerate(tags(body), 1):
        if key is None:
            raise ContentError(f"tag {number} has no key")
        value = raw if value_parser is None else _parsed_tag_value(key, number, raw, value_parser)
        if not merge_duplicates or key not in found:
            found[key] = value
        elif key in merged:
            found[key].append(value)
        else:
            found[key] = [found[key], value]
            merged.add(key)
    return found


def _parsed_tag_value(key: str, number: int, raw: str | None, value_parser: Callable[[str], Any]) -> Any:
    if raw is None:
        raise ContentError(f"tag {number}, {shown(key)}, has no value")
    try:
        return value_parser(raw)
    except ContentError as error:
        raise ContentError(f"tag {number}, {shown(key)}: {error}") from error
