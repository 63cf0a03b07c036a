"""Calls whose arguments are tags or lines of the body, sent one by one as they are decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from untemplate.runtime.automaton import Cursor
from untemplate.runtime.content import (
    json_or_text,
    parse_bool,
    parse_calls,
    parse_float,
    parse_int,
    parse_json,
    parse_kv_lines,
    parse_loose_json,
)
from untemplate.runtime.errors import ContentError
from untemplate.runtime.states import DECIDED, IDLE

from .arguments import typed_entry
from .sending import SentCall
from .values import NotACall

if TYPE_CHECKING:
    from untemplate.runtime.finder import Finder
    from untemplate.runtime.tools import ToolTypes

ValueParser = Callable[[str], Any]
Entry = tuple[str | None, Any]


class Entries(Protocol):
    """Finds the arguments in a body that comes in pieces."""

    def feed(self, text: str) -> Iterator[Entry]:
        """The arguments, key and value, that the next piece decides. Raises `ContentError`."""


class EntryCall:
    """Sends the arguments of the region's one call as they are found."""

    def __init__(self, call: SentCall, entries: Entries, types: ToolTypes) -> None:
        self._call = call
        self._entries = entries
        self._types = types
        self._lost = False

    def feed(self, text: str) -> None:
        """Reads the next piece of the body."""
        if self._lost:
            return
        try:
            for key, value in self._entries.feed(text):
                if key is None:
                    self._lost = True
                    return
                self._call.entry(key, typed_entry(self._call.name, key, value, self._types))
        except (ContentError, NotACall):  # the end of the region is going to report it
            self._lost = True


class Tags:
    """The matches of a tag pattern, each from when no further text can change it."""

    def __init__(self, finder: Finder, parse: ValueParser | None) -> None:
        self._finder = finder
        self._automaton = finder._automaton
        self._context = finder._context
        self._mask = DECIDED if finder.everywhere else DECIDED | IDLE
        self._parse = parse
        self._cursor: Cursor | None = None
        self._parts: list[str] = []  # the text from where the next match can start, behind its context
        self._size = 0
        self._at = 0  # where reading goes on, in that text

    def feed(self, text: str) -> Iterator[Entry]:
        self._parts.append(text)
        cursor = self._cursor
        if cursor is not None:
            at = self._automaton.read(cursor, text, 0, self._size, self._mask) + self._size
            self._size += len(text)
            if at == self._size and not cursor.state.stop & self._mask:
                return
        else:
            at = self._at
        body = "".join(self._parts)
        yield from self._search(body, at)

    def _search(self, body: str, at: int) -> Iterator[Entry]:
        cursor, self._cursor = self._cursor, None
        size, context, keep = len(body), self._context, 0
        while True:
            if cursor is None:
                at, hot = self._finder.spot(body, at)
                if not hot or at > size:
                    keep = at
                    break
                cursor = self._automaton.enter(body[max(0, at - context) : at])
                if not cursor.state.winners:
                    at = self._automaton.read(cursor, body, at, 0, self._mask)
            if cursor.state.winners:
                match = self._automaton.decided(cursor, at)
                yield self._entry(match.captures(body))
                at = match.end if match.end > match.start else match.end + 1
                cursor = None
            elif cursor.state.stop & self._mask and at < size:
                cursor = None
            elif cursor.state.holds:
                keep = cursor.starts[0]
                self._cursor = cursor
                break
            else:
                keep = at
                break
        drop = max(0, min(keep, size) - context)
        if self._cursor is not None:
            self._cursor.shift(drop)
        self._parts = [body[drop:]]
        self._size = size - drop
        self._at = at - drop

    def _entry(self, captures: dict[str, str]) -> Entry:
        key, raw = captures.get("key"), captures.get("value")
        if self._parse is None:
            return key, raw
        if raw is None:
            raise ContentError("a tag has no value")
        return key, self._parse(raw)


class Lines:
    """The lines of a body, each when its end is there."""

    def __init__(self, parse: ValueParser | None, options: dict[str, Any]) -> None:
        self._separator = options.get("line_sep", "\n")
        self._read = partial(
            parse_kv_lines,
            value_parser=parse,
            line_sep=self._separator,
            kv_sep=options.get("kv_sep", ":"),
            strip=options.get("strip", True),
        )
        self._parts: list[str] = []

    def feed(self, text: str) -> Iterator[Entry]:
        # The last part is long enough to hold what a separator can have before its last character.
        tail = self._parts.pop() if self._parts else ""
        lines = (tail + text).split(self._separator)
        for line in lines[:-1]:
            self._parts.append(line)
            whole, self._parts = "".join(self._parts), []
            yield from self._read(whole).items()
        keep = max(0, len(lines[-1]) - len(self._separator) + 1)
        self._parts += [lines[-1][:keep], lines[-1][keep:]] if keep else [lines[-1]]


def value_parser(spec: dict[str, Any] | None) -> ValueParser | None:
    """The function for a `value_parser` of the template; `None` for none.

    Raises:
        LookupError: it is one that only the generated module has.
    """
    if spec is None:
        return None
    name, args = spec["name"], spec.get("args") or {}
    if name == "text":
        return str.strip if args.get("strip", True) else str
    if name == "json":
        return _json_parser(args)
    if name == "kv-lines":
        inner = value_parser(args.get("value_parser"))
        options = {key: value for key, value in args.items() if key != "value_parser"}
        return partial(parse_kv_lines, value_parser=inner, **options)
    return _SIMPLE[name]


def _json_parser(args: dict[str, Any]) -> ValueParser:
    delims = tuple((opening, closing) for opening, closing in args.get("string_delims") or ())
    parse: ValueParser = parse_json
    if delims or args.get("unquoted_keys"):
        parse = partial(parse_loose_json, unquoted_keys=bool(args.get("unquoted_keys")), string_delims=delims)
    return partial(json_or_text, parse=parse) if args.get("allow_non_json") else parse


_SIMPLE: dict[str, ValueParser] = {
    "int": parse_int,
    "float": parse_float,
    "bool": parse_bool,
    "python-call-list": parse_calls,
}
