"""Values as JSON text, and calls as a message holds them."""

from __future__ import annotations

import json
import re
from json.encoder import encode_basestring as _quoted
from typing import Any, NamedTuple

_encoded = json.JSONEncoder(ensure_ascii=False).encode
_only_strings = frozenset((str,))
_surrogate = re.compile("[\ud800-\udfff]")


class Call(NamedTuple):
    """One call of a message; `own_id` is the id that the message gives it, or `None`."""

    own_id: str | None
    name: str
    arguments: Any


class NotACall(ValueError):
    """A value among the calls of a message has not the shape of one."""


def written(value: Any) -> str:
    """`value` as JSON text that can be encoded.

    Raises:
        NotACall: it is nested too deep, or holds a number with too many digits, to be written.
    """
    try:
        text = _quoted(value) if type(value) is str else _encoded(value)
        return json.dumps(value) if not text.isascii() and _surrogate.search(text) else text
    except (ValueError, TypeError, RecursionError) as error:
        raise NotACall(f"its arguments can not be written as JSON: {error}") from error


def reads_as(text: str, value: Any) -> bool:
    """Whether `text` is JSON for `value`, to the type of every number and the order of the keys."""
    try:
        read = json.loads(text)
        if type(read) is type(value) is dict and _only_strings.issuperset(map(type, read.values())):
            return read == value and list(read) == list(value)
        return json.dumps(read) == json.dumps(value)
    except (ValueError, TypeError, RecursionError):
        return False


def text_of(value: Any) -> str:
    """What a text of an API says for a field's value: a string itself, JSON for all else, "" for nothing."""
    return value if isinstance(value, str) else "" if value is None else written(value)


def flattened(value: Any) -> list[Any]:
    """The values of all calls under a field: one, a list of them, or lists in a list."""
    if not isinstance(value, list):
        return [] if value is None else [value]
    flat: list[Any] = []
    left = value[::-1]
    while left:
        item = left.pop()
        if isinstance(item, list):
            left += item[::-1]
        else:
            flat.append(item)
    return flat


def as_call(value: Any) -> Call:
    """The call that `value`, `{"function": {"name": str, "arguments": …}}`, stands for; no arguments count as `{}`.

    Raises:
        NotACall: it has another shape.
    """
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(function, dict):
        raise NotACall('a call has to be an object with an object "function"')
    name = function.get("name")
    if not isinstance(name, str) or not name:
        raise NotACall('the "name" of a call has to be a string that is not empty')
    return Call(as_id(value.get("id")), name, function.get("arguments", {}))


def as_id(value: Any) -> str | None:
    """An id as APIs have it, a string; `None` for a value that is no id."""
    if isinstance(value, str):
        return value or None
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None
