"""Tags most of which one of the standard library's regular expressions finds, in a body that is complete."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .expressions import spelled
from .finder import Finder
from .pattern import Chars, Node


class SureTags(Finder):
    """Finds the tags of a body: by a regular expression as long as that is sure of them, from there on as a `Finder`.

    Args:
        pattern: what a tag is.
        opening: what a tag begins with, with the group `key`.
        rest: what follows that, with the group `value`, if nothing can change what the tag is.
        end: what every tag, or what it looks at, has behind the opening.
        starts, first, lead, wary: see `Finder`.

    Attributes:
        find: finds the tags. An opening with another rest it finds without a `value`; with the group `open` if nothing
            that could end the tag follows.
    """

    __slots__ = ("find",)

    def __init__(
        self,
        pattern: Node,
        opening: str,
        rest: str,
        end: str,
        starts: tuple[str, ...] = (),
        first: Chars | None = None,
        lead: str | Chars = "",
        wary: bool = False,
    ) -> None:
        super().__init__(pattern, starts, first, lead, wary)
        bare = opening.replace("(?P<key>", "(?:")
        sure = f"(?>{opening}){rest}|{bare}(?:(?P<open>(?!.*?(?:{end})))|)"
        self.find = re.compile(spelled(sure), re.DOTALL)

    def tags(self, body: str, at: int = 0) -> Iterator[tuple[str | None, str | None]]:
        """Key and value of each tag; `None` for one that took no part in the match."""
        for match in self.find.finditer(body, at):
            key, value, is_open = match.group("key", "value", "open")
            if value is None:
                if is_open is None:
                    yield from super().tags(body, match.start())
                return
            yield key, value
