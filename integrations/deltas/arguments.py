"""The JSON text of a call's arguments on its way: as it was written, but for strings that a tool's types may cast."""

from __future__ import annotations

import json
import re

from untemplate.runtime.tools import ToolTypes, Types, type_calls

from .sending import SentCall
from .spans import key_text
from .values import written

CASTING = frozenset(("integer", "number", "boolean", "null", "object", "array"))

_in_string = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_structure = re.compile(r'["{}\[\]]')
_gap = re.compile(r"[ \t\n\r:]*+")


class TypedArguments:
    """Sends the text as it comes, but a value that the types may cast only when it is complete and cast.

    Args:
        call: the call, which text without quotes and brackets may be added to meanwhile where this is `inside`.
        types: the types of all tools' properties.
    """

    def __init__(self, call: SentCall, types: ToolTypes) -> None:
        self._call = call
        self._known = len(call.pieces)  # how many of its pieces were read
        self._send = call.piece
        self._tool = call.name
        self._types = types
        self._casts = casting(types, call.name)
        self._depth = 0
        self._quoted = False
        self._escaped = False
        self._string: list[str] = []  # the string that is open
        self._key: str | None = None  # a property to cast, if its name was read last: its value may be next
        self._colon = False
        self._held: list[str] | None = None  # the value of that property

    @property
    def inside(self) -> bool:
        """Whether text without quotes and brackets is to be sent as it is."""
        return self._held is None and self._key is None and self._depth > 0

    def passes(self, text: str) -> bool:
        """Reads `text`, without backslashes and brackets, if it is to be sent as it is; else does nothing."""
        self._catch_up()
        if self._depth > 1:
            self._quoted ^= text.count('"') % 2 == 1
            self._known += 1
            return True
        parts = text.split('"')
        if self._quoted:
            parts[0] = "".join([*self._string, parts[0]])
        for ended in parts[0 if self._quoted else 1 : -1 : 2]:
            if ended in self._casts or "\\" in ended:
                return False
        self._quoted ^= not len(parts) % 2
        self._string = [parts[-1]]
        self._known += 1
        return True

    def feed(self, text: str) -> None:
        """Takes the next piece of the text."""
        self._catch_up()
        start = at = 0
        while at < len(text):
            if self._quoted:
                at = self._read_string(text, at)
            elif self._key is not None and self._held is None:
                gap = _gap.match(text, at)
                assert gap is not None
                self._colon = self._colon or ":" in gap[0]
                at = gap.end()
                if at < len(text):
                    if self._is_cast(text[at]):
                        self._pass(text[start:at])
                        start, self._held = at, []
                    else:
                        self._key = None
            else:
                at = self._read_plain(text, at)
            if self._held is not None and self._depth == 1 and not self._quoted and at > start:
                self._held.append(text[start:at])
                self._send(self._cast("".join(self._held)))
                start, self._held, self._key = at, None, None
        if self._held is not None:
            self._held.append(text[start:])
        else:
            self._pass(text[start:])
        self._known = len(self._call.pieces)

    def _catch_up(self) -> None:
        """Reads what was sent as it is meanwhile: it neither begins nor ends a string."""
        pieces = self._call.pieces
        if len(pieces) > self._known:
            if self._quoted and self._depth == 1:
                self._string += pieces[self._known :]
            self._known = len(pieces)

    def _pass(self, text: str) -> None:
        if text:
            self._send(text)

    def _is_cast(self, char: str) -> bool:
        """Whether a value that begins with `char` may be cast."""
        if not self._colon or self._key is None:
            return False
        return char == '"' or (char == "[" and "array" not in self._casts[self._key])

    def _read_plain(self, text: str, at: int) -> int:
        """Reads on to the next bracket, or into the next string."""
        found = _structure.search(text, at)
        if found is None:
            return len(text)
        char = found[0]
        if char == '"':
            self._quoted = True
            self._string = []
        else:
            self._depth += 1 if char in "{[" else -1
        return found.end()

    def _read_string(self, text: str, at: int) -> int:
        """Reads on to the end of the open string."""
        start = at
        if self._escaped:
            at += 1
            self._escaped = False
        match = _in_string.match(text, at)
        assert match is not None
        end = match.end()
        self._string.append(text[start : end + 1])
        if end < len(text):
            self._escaped = text[end] == "\\"
            if not self._escaped:
                self._quoted = False
                self._end_string()
        return end + 1

    def _end_string(self) -> None:
        if self._depth != 1 or self._held is not None:
            return
        key = key_text('"' + "".join(self._string))
        self._key = key if key in self._casts else None
        self._colon = False

    def _cast(self, text: str) -> str:
        try:
            return written(typed_entry(self._tool, self._key or "", json.loads(text), self._types))
        except (ValueError, RecursionError):  # no JSON, and the parser is going to say so
            return text


def casting(types: ToolTypes, tool: str) -> dict[str, Types]:
    """The properties of a tool whose types cast strings."""
    return {key: names for key, names in types.get(tool, {}).items() if not CASTING.isdisjoint(names)}


def typed_entry(tool: str, key: str, value: object, types: ToolTypes) -> object:
    """The value of one argument, cast as the parser casts it."""
    if not types:
        return value
    arguments = {key: value}
    type_calls({"function": {"name": tool, "arguments": arguments}}, types)
    return arguments[key]
