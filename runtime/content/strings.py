"""The demand of `join`: each part has to be a string."""

from __future__ import annotations

from typing import Any

from ..errors import ContentError


def as_string(value: Any) -> str:
    """`value` itself, which has to be a string. Raises `ContentError`."""
    if not isinstance(value, str):
        raise ContentError(f"parts that are joined have to be strings, this is a {type(value).__name__}")
    return value
