"""What a region's value asks of captures, found out by making it with others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from .events import Event

Asked = Mapping[str, str | bool]
"""By the names of captures: that text, any text (`True`), or none (`False`). What is not named does not matter."""

Make = Callable[[dict[str, str]], Event | None]
"""What comes of a region with captures: its value or an error; `None` if one is missing that is always there."""


def asked_by(make: Make, captures: Mapping[str, str], names: Collection[str], is_cheap: bool = True) -> Asked:
    """What captures have to be like for the same to come of a region as with `captures`.

    A text that is captured becomes part of a value as it is. Of an error it is no part; which captures there are may
    be, each for itself. Makes the value once, an error three times, or once more for each name.

    Args:
        names: those of all that may be captured.
        is_cheap: whether it may be made so often; else captures that matter are not told from others in the end.
    """
    event = make({name: _mark(name) for name in captures})
    if event is None or event["type"] == "region_close":
        shown = repr(event)
        return {name: text for name, text in captures.items() if _mark(name) in shown}
    if event == make({}) == make(dict.fromkeys(names, "")):
        return {}
    return {name: name in captures for name in names if not (is_cheap and event == make(_changed(captures, name)))}


def exactly(captures: Mapping[str, str], names: Collection[str]) -> Asked:
    """That captures are the very same."""
    return {name: captures.get(name, False) for name in names}


def _mark(name: str) -> str:
    """A text that is nowhere but where it is captured; were it there by chance, the capture would seem to matter."""
    return f"[what is captured as {name}]"


def _changed(captures: Mapping[str, str], name: str) -> dict[str, str]:
    """The captures without that one, or with it, if it is not there."""
    changed = {**captures, name: ""}
    if name in captures:
        del changed[name]
    return changed
