"""Lines of source, with their indentation."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

_WIDTH = 110
_MOST_LINES = 6


class Writer:
    """Collects lines; its nesting mirrors that of the code it writes."""

    def __init__(self, depth: int = 0) -> None:
        self._depth = depth
        self._lines: list[str] = []

    def line(self, text: str = "") -> None:
        """Adds one line."""
        self._lines.append("    " * self._depth + text if text else "")

    def comment(self, text: str) -> None:
        """Adds a comment, wrapped between words, and cut where it gets long. The text must hold no line end."""
        width = _WIDTH - 4 * self._depth
        if len(text) > width * _MOST_LINES:
            text = text[: width * (_MOST_LINES - 1)] + " …"
        for one in textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]:
            self.line(f"# {one}".rstrip())

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Adds `head`, and indents what is added inside."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    def text(self) -> str:
        """All lines, each with its line end."""
        return "".join(f"{line}\n" for line in self._lines)
