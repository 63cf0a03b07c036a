"""The content `json`, without dialect options."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from json import JSONDecodeError, JSONDecoder
from typing import Any

from ..errors import ContentError
from .quoting import shown_at

_decoder: Any = JSONDecoder()
_scan_once = _decoder.scan_once  # what `decode` calls between two searches for blanks
_BLANKS = " \t\n\r"


def parse_json(body: str) -> Any:
    """What Python's `json` makes of the body, which may be any JSON value. Raises `ContentError`."""
    text = body.strip(_BLANKS)
    try:
        value, end = _scan_once(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return _decode(body)
    return value if end == len(text) else _decode(body)


def _decode(body: str) -> Any:
    """The value all the same, or why there is none."""
    try:
        return _decoder.decode(body)
    except JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ContentError(f"not JSON at {place}: {error.msg}, found {shown_at(body, error.pos)}") from error
    except ValueError as error:
        raise ContentError(f"a JSON number has too many digits, {_number_place(body)}") from error
    except RecursionError as error:
        raise ContentError("lists and objects are nested too deep to be read as JSON") from error


def json_or_text(body: str, parse: Callable[[str], Any] = parse_json) -> Any:
    """What `parse` makes of the body, or the stripped body (`str`) if `parse` raises `ContentError`."""
    try:
        return parse(body)
    except ContentError:
        return body.strip()


def _number_place(body: str) -> str:
    """Where the first integer is that has more digits than `int` reads, in words; string literals are passed over."""
    limit = sys.get_int_max_str_digits()
    for match in re.finditer(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|([0-9]++)([.eE][0-9.eE+-]*+)?+', body, re.DOTALL):
        if match[1] and not match[2] and len(match[1]) > limit:
            return f"{len(match[1])} at character {match.start()}"
    return f"more than {limit}"
