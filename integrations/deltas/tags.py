"""The tags in a body that comes in pieces."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from untemplate.runtime.automaton import Cursor
from untemplate.runtime.expressions import spelled
from untemplate.runtime.finder import Finder
from untemplate.runtime.pattern import (
    Ahead,
    Behind,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    WordEdge,
    one_of,
)
from untemplate.runtime.program import MATCH
from untemplate.runtime.states import DECIDED, IDLE

from .notation import tree_of

if TYPE_CHECKING:
    from untemplate.runtime.states import State
    from untemplate.runtime.sure_tags import SureTags
    from untemplate.runtime.tags import Tags

_LONGEST = 512  # characters of a tag that is read anew whenever it may be complete

Find = Callable[[str, int], "re.Match[str] | None"]

Tag = tuple[str | None, str | None]
"""Key and value; `None` for one that took no part in the match."""


class Search:
    """How the tags of one pattern are looked for, for all streams.

    Attributes:
        finder: knows where the automaton has to look.
        automaton: reads any text.
        mask: what stops it.
        last: see `last_character`.
        ending: see `last_literal`.
        least: how many times `last` is at least in what decides a match; 0 if there is no such character.
        find: a regular expression that finds tags whose text is all there. It also finds a head behind which there is
            no tag that it is sure of: with the group `open` if no text that could end one follows.
    """

    def __init__(self, tags: Finder | Tags) -> None:
        self.find: Find | None = None
        if hasattr(tags, "head"):  # not by class: a module that stands alone brings its own
            tree, pattern = _read_back(cast("Tags", tags))
            self.find = re.compile(spelled(pattern), re.DOTALL).search
            self.finder = Finder(tree, _start(tree))
        else:
            self.finder = tags
            if hasattr(tags, "find"):
                self.find = cast("SureTags", tags).find.search
        self.automaton = self.finder._automaton
        self.context = self.finder._context
        self.mask = DECIDED if self.finder.everywhere else DECIDED | IDLE
        self.last = last_character(self.finder._pattern)
        self.ending = last_literal(self.finder._pattern) if self.last else ""
        self.least = least_count(self.finder._pattern, self.last) if self.last else 0


class TagStream:
    """The matches of a tag pattern, each from when no further text can change it.

    Text is only kept until one comes that can decide a match: then it is read, all at once. Tags that are short are
    found by a regular expression, each time anew; all others are read on by an automaton.
    """

    def __init__(self, tags: Finder | Tags) -> None:
        self._search = search_of(tags)
        self._decides = self._search.last
        self._due = self._search.least  # how many times that has to come before a match can be decided
        self._cursor: Cursor | None = None
        self._read: list[str] = []  # what the cursor has read, from where the match starts, behind its context
        self._size = 0
        self._tail = ""  # the end of that: what decides a match may begin there
        self._unread: list[str] = []
        self._at = 0  # without a cursor: where to go on in the text that is not read

    def feed(self, text: str) -> list[Tag]:
        """The tags that the next piece decides."""
        self._unread.append(text)
        decides = self._decides
        if decides not in text:
            return []
        if self._due > 0:
            self._due -= text.count(decides)
        return self._find() if self._due <= 0 and self._may_decide() else []

    def _may_decide(self) -> bool:
        """Whether what every match ends with may be in the last piece; the pieces before it have at most its begin."""
        ending = self._search.ending
        return not self._decides or ending in "".join([self._tail, *self._unread[-len(ending) :]])

    def _find(self) -> list[Tag]:
        found: list[Tag] = []
        search, cursor = self._search, self._cursor
        text = "".join(self._unread)
        if cursor is None:
            at = self._at
        else:
            self._read.append(text)
            at = self._size + search.automaton.read(cursor, text, 0, self._size, search.mask)
            self._size += len(text)
            if at == self._size and not cursor.state.stop & search.mask:
                self._keep_reading(cursor, text)
                return found
            text = "".join(self._read)
        at = self._search_on(text, at, found)
        cursor = self._cursor
        if cursor is None:
            drop = max(0, min(at, len(text)) - search.context)
            self._unread = [text[drop:]]
            self._at = at - drop
            self._tail = ""
            self._decides = search.last
            self._due = search.least - (text.count(search.last, at) if search.least else 0)
        else:
            self._due = 0
            drop = max(0, cursor.starts[0] - search.context)
            # In place: a module that stands alone may have no method for it.
            cursor.starts = [start - drop for start in cursor.starts]
            cursor.slots = [slot - drop for slot in cursor.slots]
            self._read = [text[drop:]]
            self._size = len(text) - drop
            self._keep_reading(cursor, text)
        return found

    def _keep_reading(self, cursor: Cursor, text: str) -> None:
        """Notes that `text` was read, to its end."""
        self._unread = []
        self._tail = text[1 - len(self._search.ending) :] if len(self._search.ending) > 1 else ""
        self._decides = "" if self._is_close(cursor.state) else self._search.last

    def _search_on(self, body: str, at: int, found: list[Tag]) -> int:
        """Adds the tags in `body` from index `at` on to `found`; returns where to go on if there is no cursor then."""
        cursor, self._cursor = self._cursor, None
        search, size = self._search, len(body)
        automaton, find = search.automaton, search.find
        while True:
            if cursor is None:
                is_open: bool | None = None
                if find is not None:  # it finds all that it is sure of: what is left is for the automaton
                    at, is_open = _add_complete(search, find, body, at, found)
                    if is_open and size - at < _LONGEST:
                        return at
                    find = None
                at, hot = search.finder.spot(body, at)
                if not hot or at > size or (is_open is not None and size - at < _LONGEST):
                    return at
                cursor = automaton.enter(body[max(0, at - search.context) : at])
                if not cursor.state.winners:
                    at = automaton.read(cursor, body, at, 0, search.mask)
            if cursor.state.winners:
                match = automaton.decided(cursor, at)
                captures = match.captures(body)
                found.append((captures.get("key"), captures.get("value")))
                at = match.end if match.end > match.start else match.end + 1
                cursor, find = None, search.find
            elif cursor.state.stop & search.mask and at < size:
                cursor = None
            else:
                self._cursor = cursor if cursor.state.holds else None
                return at

    def _is_close(self, state: State) -> bool:
        """Whether any character may decide a match: one is complete, but another may be preferred, or barred."""
        code = self._search.automaton.program.code
        for row in state.threads:
            for at, _, _, waits in row:
                if code[at].op == MATCH and (not waits or any(negative for negative, _ in waits)):
                    return True
        return False


def _add_complete(search: Search, find: Find, body: str, at: int, found: list[Tag]) -> tuple[int, bool | None]:
    """Adds the tags that are all there to `found`.

    Returns:
        Where to go on, and whether a tag may have begun there that is not decided yet; `None` if it may be decided.
    """
    while (match := find(body, at)) is not None:
        key, value = match.group("key", "value")
        if value is None:
            return match.start(), None if match["open"] is None else True
        found.append((key, value))
        at = match.end()
        if search.least and body.count(search.last, at) < search.least:
            return at, True
    return at, False


@lru_cache
def search_of(tags: Finder | Tags) -> Search:
    """The search for a tag pattern; `tags` is a constant of a module."""
    return Search(tags)


def _read_back(tags: Tags) -> tuple[Node, str]:
    """The pattern as a tree; and as one of tags whose head ends where it ends first, or of heads alone."""
    if not tags.tail:
        return tree_of(tags.head), tags.head
    value = f"(?P<value>.*?){tags.tail}"
    bare = tags.head.replace("(?P<key>", "(?:")
    return tree_of(tags.head + value), f"(?>{tags.head}){value}|{bare}(?P<open>)"


def _start(tree: Node) -> tuple[str, ...]:
    """The literal that every match starts with, if there is one."""
    first = tree.items[0] if isinstance(tree, Sequence) else tree
    return (first.text,) if isinstance(first, Literal) else ()


def last_character(pattern: Node) -> str:
    """The one character that completes a match, or what a match waits for; "" if there is no such character.

    A match that is complete may wait for what follows it, too.
    """
    last: list[str | Chars] = []
    if _add_last(pattern, last):
        return ""
    for part in _walk(pattern):
        match part:
            case TextEnd() | WordEdge():
                return ""
            case Ahead(item, False):
                if any(isinstance(inner, Ahead) for inner in _walk(item)):
                    return ""
                _add_last(item, last)
    chars = one_of(*last)
    only = chr(chars.ranges[0][0]) if chars.ranges else ""
    return only if chars == one_of(only) else ""


def last_literal(pattern: Node) -> str:
    """A text that is complete with the last character of every match, and of whatever a match waits for; else ""."""
    if any(isinstance(part, Ahead) and not part.negative for part in _walk(pattern)):
        return ""
    while isinstance(pattern, (Sequence, Group)):
        last = pattern.items[-1:] if isinstance(pattern, Sequence) else (pattern.item,)
        pattern = last[0] if last else Literal("")
    return pattern.text if isinstance(pattern, Literal) else ""


def least_count(node: Node, char: str, ends: bool = True) -> int:
    """How many times `char` is at least in a match and, if the node ends the pattern, in what that waits for."""
    match node:
        case Literal(text):
            return text.count(char)
        case Chars():
            return int(node == one_of(char))
        case Sequence(items) if items:
            return sum(least_count(item, char, False) for item in items[:-1]) + least_count(items[-1], char, ends)
        case Choice(options) if options:
            return min(least_count(option, char, ends) for option in options)
        case Repeat(item, least):
            return least * least_count(item, char, False)
        case Group(_, item):
            return least_count(item, char, ends)
        case Ahead(item, False) if ends:
            return least_count(item, char)
    return 0


def _add_last(node: Node, last: list[str | Chars]) -> bool:
    """Adds the characters with which matches can be complete to `last`; returns whether some need none."""
    match node:
        case Literal(text):
            last.append(text[-1])
            return False
        case Chars():
            last.append(node)
            return False
        case Sequence(items):
            return all(_add_last(item, last) for item in reversed(items))
        case Choice(options):
            need_none = [_add_last(option, last) for option in options]
            return any(need_none)
        case Repeat(item, least):
            return _add_last(item, last) or not least
        case Group(_, item) | Ahead(item, False):
            return _add_last(item, last)
    return True


def _walk(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Sequence(inner) | Choice(inner):
            for part in inner:
                yield from _walk(part)
        case Repeat(item) | Group(_, item) | Ahead(item) | Behind(item):
            yield from _walk(item)
