"""What a transform asks of a region's value: placeholders are looked up in it, or in each element of a list."""

from __future__ import annotations

from typing import Any

from .errors import ContentError

KEYS_SHOWN = 8


def lookup(value: Any, path: tuple[str, ...], placeholder: str) -> Any:
    """What `value` holds under the keys of `path`, each in the object found under the one before.

    `placeholder` is the transform's text, such as `{content.name}`, for the message of the `ContentError` that is
    raised where a key is missing, or is looked for in what is no object.
    """
    for key in path:
        if not isinstance(value, dict):
            raise ContentError(f"{placeholder}: no {key!r} in {_kind(value)}, which is no object")
        if key not in value:
            raise ContentError(f"{placeholder}: no {key!r} among {_keys(value)}")
        value = value[key]
    return value


def each(value: Any, captures: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """`value`, a list of objects, as `transform_each` needs it: with the captures that they do not hide.

    Raises:
        ContentError: it is something else.
    """
    if not isinstance(value, list):
        raise ContentError(f"expected a list of objects, found {_kind(value)}")
    for number, item in enumerate(value, 1):
        if not isinstance(item, dict):
            raise ContentError(f"expected a list of objects, but item {number} is {_kind(item)}")
    return [{**captures, **item} for item in value] if captures else value


def _kind(value: Any) -> str:
    """What JSON calls the type of `value`, with an article."""
    for kind, name in ((bool, "a boolean"), (str, "a string"), (list, "a list"), (dict, "an object")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "a number"


def _keys(value: dict[str, Any]) -> str:
    """The keys of an object in words, in order, cut if they are many or long."""
    keys = [repr(key if len(key) <= 40 else f"{key[:40]}…") for key in sorted(value)[:KEYS_SHOWN]]
    left = len(value) - len(keys)
    return "the keys " + ", ".join(keys) + (f" and {left} more" if left else "") if keys else "no keys at all"
