"""What is raised for a pattern that can not be read exactly, and the limits that patterns have to keep."""

from __future__ import annotations

MAX_LENGTH = 10_000
"""Characters of a pattern."""

MAX_DEPTH = 60
"""Levels of nesting, of groups in the text and of nodes in the tree. Python itself gives up on 200 open brackets."""

MAX_SIZE = 5_000
"""Leaves of the tree, counted repeats multiplied out."""


class PatternError(ValueError):
    """A pattern that is wrong, or that can not be matched exactly while a text streams in.

    Attributes:
        message: what is wrong (`str`).
        position: index (`int`) of the character of the pattern where the offending part starts.
        hint: what to write instead (`str`), empty if there is nothing to suggest.
    """

    def __init__(self, message: str, position: int, hint: str = "") -> None:
        super().__init__(message, position, hint)
        self.message = message
        self.position = position
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} (character {self.position})" + (f"; {self.hint}" if self.hint else "")
