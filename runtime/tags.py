"""Tags that the standard library's regular expressions find in linear time, in a body that is complete."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .expressions import spelled


class Tags:
    """Finds the tags of a body.

    Args:
        head: what stands before a value that may be any text, with the group `key`; or the pattern of the whole tag.
        tail: what ends the value; "" if `head` is all. Where a head has no tail behind it, no later one has.
    """

    __slots__ = ("_find", "head", "tail")

    def __init__(self, head: str, tail: str = "") -> None:
        self.head = head
        self.tail = tail
        lost = head.replace("(?P<key>", "(?:")
        pattern = f"{head}(?P<value>.*?){tail}|{lost}" if tail else head
        self._find = re.compile(spelled(pattern), re.DOTALL).finditer

    def tags(self, body: str) -> Iterator[tuple[str, str]]:
        """Key and value of each tag."""
        for match in self._find(body):
            key, value = match.group("key", "value")
            if value is None:
                return
            yield key, value
