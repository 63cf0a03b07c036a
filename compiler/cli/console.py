"""Whether, and how, output is coloured."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console


def is_rich(stream: TextIO) -> bool:
    """Whether to write to this stream in colour: it is a terminal, and nobody asks for plain text."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console(stream: TextIO) -> Console:
    """A console on this stream that takes text as it is, without markup."""
    from rich.console import Console

    return Console(file=stream, markup=False, emoji=False, highlight=False)


def shown(text: str) -> str:
    """The text with what would steer a terminal escaped; line ends stay."""
    return "".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return "    " if char == "\t" else repr(char)[1:-1]
