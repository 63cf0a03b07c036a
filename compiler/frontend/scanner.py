"""A JSON reader that knows where everything stands.

It reads what Python's `json` reads, but that a key may stand only once in an object, numbers must be finite and nesting
has a limit.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from untemplate.compiler.diagnostics import JsonPath, printable, quoted
from untemplate.compiler.frontend import limits

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]+')
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4}))')
_LOW_SURROGATE = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_CONSTANT = re.compile(r"true|false|null|NaN|-?Infinity")
_WORD = re.compile(r"\w+")
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CONSTANTS = {"true": True, "false": False, "null": None}
_PYTHON_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "nil": "null"}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something a document must not have.

    Attributes:
        offset: where, in characters of the text; `None` when the document was given as a dict.
        value_lost: the value at `path` could not be kept; the decoded document has `None` there.
    """

    code: str
    path: JsonPath
    message: str
    hint: str = ""
    offset: int | None = None
    value_lost: bool = False


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands: offset of its key (`None` for what has none), and of the value itself."""

    key: int | None
    value: int


class Lines:
    """Lines and columns of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        while after := text.find("\n", self._starts[-1]) + 1:
            self._starts.append(after)

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


class UnreadableDocument(Exception):
    """Reading can not go on after this fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


def decode(text: str) -> tuple[Any, tuple[Fault, ...]]:
    """The value that the text stands for, and the faults that reading could go on after.

    Raises:
        UnreadableDocument: the text is not JSON, or is nested too deep.
    """
    scanner = _Scanner(text, None)
    return scanner.document(), tuple(scanner.faults)


def find_spots(text: str) -> dict[JsonPath, Spot]:
    """Where each value stands, in a text that `decode` accepts; of a repeated key the last one counts."""
    spots: dict[JsonPath, Spot] = {}
    _Scanner(text, spots).document()
    return spots


def offset_in_string(text: str, start: int, index: int) -> int:
    """Offset of the character `index` of the JSON string that starts (with its quote) at `start`."""
    passed = 0
    at = start + 1
    for piece, at, after in _string_pieces(text, start + 1):
        if index < passed + len(piece):
            return at + index - passed if after - at == len(piece) else at
        passed += len(piece)
        at = after
    return at


def _string_pieces(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Pieces of the JSON string whose first character is at `at`: (meaning, start, end), escapes one by one."""
    while True:
        if plain := _PLAIN.match(text, at):
            yield plain[0], at, plain.end()
            at = plain.end()
        char = text[at : at + 1]
        if char == '"':
            return
        if char != "\\":
            raise UnreadableDocument(_broken_string(at, char))
        escape = _ESCAPE.match(text, at)
        if escape is None:
            raise UnreadableDocument(
                Fault(
                    "invalid-json",
                    (),
                    f"this is not JSON: {printable(text[at : at + 2])} is not an escape",
                    "a backslash itself is written twice, in patterns too: \\\\s",
                    at,
                )
            )
        after = escape.end()
        if escape[1]:
            yield _ESCAPED[escape[1]], at, after
        else:
            code = int(escape[2], 16)
            if 0xD800 <= code <= 0xDBFF and (low := _LOW_SURROGATE.match(text, after)):
                code = 0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00
                after = low.end()
            yield chr(code), at, after
        at = after


def _broken_string(at: int, char: str) -> Fault:
    if not char:
        return Fault("invalid-json", (), "this is not JSON: the text ends inside a string", 'end it with "', at)
    name, escape = {"\n": ("a line break", "\\n"), "\r": ("a line break", "\\r"), "\t": ("a tab", "\\t")}.get(
        char, (f"the control character U+{ord(char):04X}", f"\\u{ord(char):04x}")
    )
    return Fault("invalid-json", (), f"this is not JSON: {name} inside a string", f"write it as {escape}", at)


class _Scanner:
    """One reading of one text; `spots`, if given, is filled."""

    def __init__(self, text: str, spots: dict[JsonPath, Spot] | None) -> None:
        self.text = text
        self.spots = spots
        self.faults: list[Fault] = []
        self.at = 0
        self._lines: Lines | None = None

    def document(self) -> Any:
        value = self._value((), None)
        if self._peek():
            raise self._unexpected("nothing more after the end of the value")
        return value

    def _peek(self) -> str:
        """Skips white space; the next character, empty at the end of the text."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _value(self, path: JsonPath, key: int | None) -> Any:
        char = self._peek()
        if self.spots is not None:
            self.spots[path] = Spot(key, self.at)
        if char == '"':
            return self._string()
        if char and char in "{[":
            if len(path) >= limits.NESTING:
                raise UnreadableDocument(too_deep(path, self.at))
            return self._object(path) if char == "{" else self._list(path)
        if constant := _CONSTANT.match(self.text, self.at):
            return self._constant(path, constant)
        if number := _NUMBER.match(self.text, self.at):
            return self._number(path, number)
        raise self._unexpected("a value")

    def _object(self, path: JsonPath) -> dict[str, Any]:
        self.at += 1
        members: dict[str, Any] = {}
        starts: dict[str, int] = {}
        if self._peek() == "}":
            self.at += 1
            return members
        while True:
            if self._peek() != '"':
                raise self._unexpected("a key in double quotes")
            start = self.at
            key = self._string()
            if key in starts:
                self.faults.append(self._repeated((*path, key), starts[key], start))
            starts[key] = start
            if self._peek() != ":":
                raise self._unexpected(f"a colon after the key {quoted(key)}")
            self.at += 1
            members[key] = self._value((*path, key), start)
            if not self._another("}"):
                return members

    def _list(self, path: JsonPath) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        if self._peek() == "]":
            self.at += 1
            return items
        while True:
            items.append(self._value((*path, len(items)), None))
            if not self._another("]"):
                return items

    def _another(self, close: str) -> bool:
        """Passes the comma before another member, or the closing bracket."""
        char = self._peek()
        if char not in (",", close):
            raise self._unexpected(f"a comma or {close}")
        comma = self.at
        self.at += 1
        if char == "," and self._peek() == close:
            message = f"this is not JSON: a comma stands before the closing {close}"
            raise UnreadableDocument(Fault("invalid-json", (), message, "remove the comma", comma))
        return char == ","

    def _string(self) -> str:
        self.at += 1
        parts: list[str] = []
        for piece, _, after in _string_pieces(self.text, self.at):
            parts.append(piece)
            self.at = after
        self.at += 1
        return "".join(parts)

    def _constant(self, path: JsonPath, match: re.Match[str]) -> Any:
        start, self.at = self.at, match.end()
        if match[0] in _CONSTANTS:
            return _CONSTANTS[match[0]]
        self.faults.append(not_finite(path, match[0], start))
        return None

    def _number(self, path: JsonPath, match: re.Match[str]) -> int | float | None:
        start, self.at = self.at, match.end()
        if match[3] or match[4]:
            number = float(match[0])
            if math.isfinite(number):
                return number
            self.faults.append(not_finite(path, match[0], start))
            return None
        if len(match[2]) <= limits.INTEGER_DIGITS:
            return int(match[0])
        self.faults.append(integer_too_long(path, start))
        return None

    def _repeated(self, path: JsonPath, first: int, second: int) -> Fault:
        self._lines = self._lines or Lines(self.text)
        line, column = self._lines.place(first)
        message = f"the key {quoted(str(path[-1]))} stands twice in this object"
        return Fault("duplicate-key", path, message, f"keep one; the other is at {line}:{column}", second)

    def _unexpected(self, wanted: str) -> UnreadableDocument:
        """The error for whatever stands here instead of what is wanted."""
        char = self.text[self.at : self.at + 1]
        found = quoted(char) if char else "the end of the text"
        hint = ""
        word = _WORD.match(self.text, self.at)
        if word and word[0] in _PYTHON_WORDS:
            found, hint = word[0], f"JSON writes it {_PYTHON_WORDS[word[0]]}"
        elif char and char in "'`":
            hint = 'keys and strings stand in double quotes: "…"'
        elif char and char in "/#":
            hint = "JSON has no comments"
        elif word and wanted.startswith("a key"):
            hint = f"write {quoted(word[0])}"
        message = f"this is not JSON: expected {wanted}, found {found}"
        return UnreadableDocument(Fault("invalid-json", (), message, hint, self.at))


def too_deep(path: JsonPath, offset: int | None = None) -> Fault:
    """Lists and objects beyond the limit of nesting."""
    message = f"lists and objects are nested more than {limits.NESTING} deep"
    # The whole path would fill the screen: its start tells where to look.
    return Fault("too-deep", path[:8], message, f"the limit is {limits.NESTING}", offset, value_lost=True)


def not_finite(path: JsonPath, written: str, offset: int | None = None) -> Fault:
    """A number that JSON does not have, or that a float can not hold."""
    message = f"{written if len(written) < 30 else 'this number'} is not a finite number"
    return Fault("not-finite", path, message, "use a number that a float can hold", offset, value_lost=True)


def integer_too_long(path: JsonPath, offset: int | None = None) -> Fault:
    """An integer with more digits than the limit."""
    message = f"an integer of more than {limits.INTEGER_DIGITS} digits"
    return Fault("integer-too-long", path, message, f"the limit is {limits.INTEGER_DIGITS}", offset, value_lost=True)
