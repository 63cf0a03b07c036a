"""Calls whose arguments are tags or lines of the body, sent one by one as they are decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

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

from .arguments import typed_entry
from .sending import SentCall
from .texts import Passing
from .values import NotACall

if TYPE_CHECKING:
    from untemplate.runtime.tools import ToolTypes

ValueParser = Callable[[str], Any]
Entry = tuple[str | None, str | None]


class Entries(Protocol):
    """Finds the arguments in a body that comes in pieces."""

    def feed(self, text: str) -> Sequence[Entry]:
        """The arguments, key and raw value, that the next piece decides."""


class EntryCall:
    """Sends the arguments of the region's one call as they are found.

    Args:
        parse: reads a raw value; `None`: it is what it is.
    """

    def __init__(self, call: SentCall, entries: Entries, parse: ValueParser | None, types: ToolTypes) -> None:
        self._call = call
        self._find = entries.feed
        self._parse = parse
        self._types = types
        self.target: str | int = call.index

    @property
    def passing(self) -> Passing:
        """All that comes is read in the same way."""
        return self

    def feed(self, text: str) -> None:
        """Reads the next piece of the body."""
        if sent := self.pass_on(text):
            self._call.deliver(sent)

    def pass_on(self, text: str) -> str:
        """What is to be sent now that `text` comes."""
        found = self._find(text)
        return self._written(found) if found else ""

    def _written(self, found: Sequence[Entry]) -> str:
        call, pieces = self._call, []
        try:
            for key, raw in found:
                if key is None:
                    raise ContentError("a tag has no key")
                value = raw if self._parse is None else self._parsed(raw)
                pieces.append(call.entry(key, typed_entry(call.name, key, value, self._types)))
        except (ContentError, NotACall):  # the end of the region is going to report it
            self._find = _find_nothing
        return "".join(pieces)

    def _parsed(self, raw: str | None) -> Any:
        if raw is None:
            raise ContentError("a tag has no value")
        assert self._parse is not None
        return self._parse(raw)


def _find_nothing(text: str) -> Sequence[Entry]:
    """What is found in a body that the parser is going to reject."""
    return ()


class Lines:
    """The lines of a body, each when its end is there."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._separator = options.get("line_sep", "\n")
        self._read = partial(
            parse_kv_lines,
            line_sep=self._separator,
            kv_sep=options.get("kv_sep", ":"),
            strip=options.get("strip", True),
        )
        self._parts: list[str] = []

    def feed(self, text: str) -> Sequence[Entry]:
        found: list[Entry] = []
        # The last part is long enough to hold what a separator can have before its last character.
        tail = self._parts.pop() if self._parts else ""
        lines = (tail + text).split(self._separator)
        for line in lines[:-1]:
            self._parts.append(line)
            whole, self._parts = "".join(self._parts), []
            found += self._read(whole).items()
        keep = max(0, len(lines[-1]) - len(self._separator) + 1)
        self._parts += [lines[-1][:keep], lines[-1][keep:]] if keep else [lines[-1]]
        return found


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
