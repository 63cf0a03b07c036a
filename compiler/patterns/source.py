"""A cursor over the text of a pattern, with the rules of verbose mode about what is skipped."""

from __future__ import annotations

from collections.abc import Collection

from untemplate.compiler.patterns.error import PatternError


class Source:
    """The pattern's text and how far it has been read.

    Attributes:
        text: the whole pattern (`str`).
        at: index (`int`) of the next character.
        verbose: whether white space and `#` comments are skipped, as under the flag `x`.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.verbose = False

    def skip(self) -> None:
        """Moves past what verbose mode does not count."""
        while self.verbose and self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif self.text[self.at] == "#":
                line_end = self.text.find("\n", self.at)
                self.at = len(self.text) if line_end < 0 else line_end
            else:
                break

    def peek(self) -> str:
        """The next character that counts, empty at the end."""
        self.skip()
        return self.text[self.at : self.at + 1]

    def take(self) -> str:
        """Reads the next character that counts; empty at the end."""
        self.skip()
        return self.take_raw()

    def take_raw(self) -> str:
        """Reads the next character, white space too; empty at the end."""
        char = self.text[self.at : self.at + 1]
        self.at += len(char)
        return char

    def take_while(self, allowed: Collection[str], most: int | None = None) -> str:
        """Reads characters for as long as they are `allowed`, at most `most` of them."""
        taken = ""
        while (most is None or len(taken) < most) and (char := self.peek()) and char in allowed:
            taken += char
            self.at += 1
        return taken

    def take_until(self, stops: Collection[str]) -> str:
        """Reads characters up to one of `stops` or the end."""
        taken = ""
        while (char := self.peek()) and char not in stops:
            taken += char
            self.at += 1
        return taken

    def match(self, expected: str) -> bool:
        """Reads `expected` if it comes next, else reads nothing."""
        start = self.at
        for char in expected:
            if self.take() != char:
                self.at = start
                return False
        return True

    def expect(self, expected: str, opened: int, what: str) -> None:
        """Reads `expected`, which ends `what`.

        Raises:
            PatternError: it does not come next; the error points at `opened`, where `what` starts.
        """
        if not self.match(expected):
            raise PatternError(f"{what} is not closed", opened, f"add the missing {expected!r}")
