"""The contents `int`, `float` and `bool`."""

from __future__ import annotations

from ..errors import ContentError
from .quoting import shown


def parse_int(body: str) -> int:
    """Python's `int` of the stripped body. Raises `ContentError`, for too many digits as well."""
    text = body.strip()
    try:
        return int(text)
    except ValueError as error:
        raise ContentError(_rejected("an integer", text)) from error


def parse_float(body: str) -> float:
    """Python's `float` of the stripped body, `nan` and `inf` included. Raises `ContentError`."""
    text = body.strip()
    try:
        return float(text)
    except ValueError as error:
        raise ContentError(_rejected("a number", text)) from error


def parse_bool(body: str) -> bool:
    """True for `true` and `1` in any case, else False: there is no body that it rejects."""
    return body.strip().lower() in ("true", "1")


def _rejected(wanted: str, text: str) -> str:
    if not text:
        return f"expected {wanted}, but there is only white space"
    size = f" ({len(text)} characters)" if len(text) > 60 else ""
    return f"expected {wanted}, found {shown(text)}{size}"
