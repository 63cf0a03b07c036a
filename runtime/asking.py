"""What a region's value asks of captures, found out by making it with others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

Asked = Mapping[str, str | bool]
"""By the names of captures: that text, any text (`True`), or none (`False`). What is not named does not matter."""

_OTHER = "?"


def asked_by(make: Callable[[dict[str, str]], str], captures: dict[str, str], names: Iterable[str]) -> Asked:
    """What captures have to be like, for the value to be the one that it is with `captures`.

    A text that is captured becomes part of the value as it is, or does not matter to it. So it is enough to change one
    capture at a time.

    Args:
        make: what is made of captures: a value, or an error, in words.
        names: the names of all that may be captured.
    """
    value = make(captures)
    found: dict[str, str | bool] = {}
    for name in names:
        text = captures.get(name)
        if make({**captures, name: f"{text}{_OTHER}"}) != value:
            found[name] = False if text is None else text
        elif text is not None and make({one: captures[one] for one in captures if one != name}) != value:
            found[name] = True
    return found


def exactly(captures: Mapping[str, str], names: Iterable[str]) -> Asked:
    """That captures are the very same."""
    return {name: captures.get(name, False) for name in names}
