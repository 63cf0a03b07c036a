"""How an error message shows the text it speaks of: never more than a line of it."""

from __future__ import annotations

LONGEST = 60


def shown(text: str) -> str:
    """`text` as a Python string literal, cut after its first characters."""
    return repr(text) if len(text) <= LONGEST else f"{text[:LONGEST]!r}…"


def shown_at(text: str, at: int) -> str:
    """What stands at the index `at`: a cut excerpt that begins there, or words for the end of `text`."""
    return shown(text[at : at + LONGEST + 1]) if at < len(text) else "the end"
