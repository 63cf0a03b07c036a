"""Parts of the template as one line of text, for comments."""

from __future__ import annotations

import json
from typing import Any


def origin(fragment: dict[str, Any]) -> str:
    """The members of `fragment` as JSON, without the outer braces and safe to stand in a comment."""
    return printable(json.dumps(fragment, ensure_ascii=False)[1:-1])


def printable(text: str) -> str:
    """The text with every character escaped that does not show, or that could end a line or turn its direction."""
    return "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
