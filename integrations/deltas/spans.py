"""JSON that is followed while it is written: where its keys and values begin and end, as they come.

Text that is no JSON is followed as far as it makes sense; whether it is valid is for the parser to say.
"""

from __future__ import annotations

import json
import re
from typing import Protocol

_STRING_TEXT = r'[^"\\]*+(?:\\.[^"\\]*+)*+'
_in_string = re.compile(_STRING_TEXT, re.DOTALL)
in_string = _in_string.fullmatch
marks = re.compile(r'["\\{}\[\]]').search
brackets = re.compile(r"[\\{}\[\]]").search
# By the bracket that ends a value: all up to the next bracket of its kind, or a string that does not end.
_up_to_bracket = {
    closing: re.compile(rf'[^"{pair}]*+(?:"{_STRING_TEXT}"[^"{pair}]*+)*+', re.DOTALL).match
    for closing, pair in (("}", "{}"), ("]", r"\[\]"))
}
_scalar = re.compile(r"[^ \t\n\r,\]}]*+")


def key_text(raw: str) -> str | None:
    """What a key, with its quotes, says; `None` if it is no JSON string."""
    if "\\" not in raw:
        return raw[1:-1]
    try:
        key: str = json.loads(raw)
    except ValueError:
        return None
    return key


class Sink(Protocol):
    """What is told about the spans of JSON text."""

    def begin(self, char: str) -> bool:
        """A value begins with `char`. Returns whether its members are followed too, if it is an object or a list."""

    def key(self, raw: str) -> None:
        """The key, with its quotes, of the member whose value comes next."""

    def text(self, piece: str) -> None:
        """More of a value whose members are not followed."""

    def end(self) -> None:
        """The value that began last, and has not ended yet, ends."""


# What comes next in the text. Plain numbers: they are compared for every character between values.
_VALUE, _FIRST, _KEY, _IN_KEY, _COLON, _NEXT, _STRING, _NESTED, _SCALAR, _OVER = range(10)
# _FIRST: a member, or the end of the container; _NEXT: a comma, or its end; _STRING, _NESTED, _SCALAR: more of a value
# whose members are not followed; _OVER: nothing, the value has ended or is no JSON.
_OPAQUE, _BEFORE_END, _BEFORE_KEY = (_STRING, _NESTED), (_FIRST, _NEXT), (_KEY, _FIRST)


class Spans:
    """Tells `sink` of one JSON value that comes in pieces; space around it, and what follows it, is left out."""

    __slots__ = ("_at", "_closing", "_depth", "_escaped", "_key", "_open", "_quoted", "sink")

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self._at = _VALUE
        self._open: list[str] = []  # the brackets that close the containers whose members are followed
        self._closing = ""  # the character that ends the value that is not followed
        self._depth = 0  # of brackets of its own kind in it: in JSON the others pair
        self._quoted = False  # whether a string is open in it
        self._escaped = False  # whether the last character was a backslash
        self._key: list[str] = []

    def feed(self, text: str) -> None:
        """Reads the next piece of the text."""
        at, size = 0, len(text)
        while at < size:
            state = self._at
            if state in _OPAQUE:
                at = self._inside(text, at, at)
            elif state == _IN_KEY:
                at = self._in_key(text, at)
            elif state == _SCALAR:
                at = self._scalar(text, at)
            elif state == _OVER:
                return
            elif text[at] in " \t\n\r":
                at += 1
            else:
                at = self._between(state, text, at)

    @property
    def ending(self) -> str:
        """The character that the value whose members are not followed ends with; "" if all text has to be read."""
        return self._closing if self._at in _OPAQUE and not self._escaped else ""

    @property
    def quoted(self) -> bool:
        """Whether a string is open in that value, and the next character is not escaped."""
        return self._quoted and not self._escaped

    @quoted.setter
    def quoted(self, quoted: bool) -> None:
        self._quoted = quoted

    def skip(self, text: str) -> None:
        """Reads text of that value that is told already, and that the value does not end in."""
        if "{" in text or "[" in text or "\\" in text or self._escaped:
            self._end_in(text, 0)
        elif text.count('"') & 1:
            self._quoted = not self._quoted

    def _between(self, state: int, text: str, at: int) -> int:
        """Reads the character at index `at`, which is between keys and values; returns the index to go on at."""
        char = text[at]
        if state == _COLON and char == ":":
            self._at = _VALUE
        elif state == _VALUE:
            return self._begin(text, at)
        elif state == _NEXT and char == ",":
            self._at = _KEY if self._open[-1] == "}" else _VALUE
        elif state in _BEFORE_END and char == self._open[-1]:
            self._open.pop()
            self._end()
        elif state == _FIRST and self._open[-1] == "]":
            return self._begin(text, at)
        elif state in _BEFORE_KEY and char == '"':
            self._key = [char]
            self._at = _IN_KEY
        else:
            self._at = _OVER
        return at + 1

    def _begin(self, text: str, at: int) -> int:
        char = text[at]
        if char in ",:]}":
            self._at = _OVER
            return at
        followed = self.sink.begin(char)
        if char == '"':
            self._at, self._closing, self._quoted = _STRING, char, True
            return self._inside(text, at, at + 1)
        if char not in "{[":
            self._at = _SCALAR
            return at
        closing = "}" if char == "{" else "]"
        if not followed:
            self._at, self._closing, self._depth = _NESTED, closing, 1
            return self._inside(text, at, at + 1)
        self._open.append(closing)
        self._at = _FIRST
        return at + 1

    def _end(self) -> None:
        self._at = _NEXT if self._open else _OVER
        self.sink.end()

    def _inside(self, text: str, start: int, at: int) -> int:
        """Reads on at index `at` in a string, or a container whose members are not followed, told of up to `start`."""
        end = self._end_in(text, at)
        self.sink.text(text[start : end or None])
        if not end:
            return len(text)
        self._end()
        return end

    def _end_in(self, text: str, at: int) -> int:
        """Where the value that is read on at index `at` ends; 0 if that is not in this text."""
        up_to_bracket = _up_to_bracket.get(self._closing)
        while at < len(text):
            if self._quoted:
                at = self._string_end(text, at)
                if at < len(text):
                    at += 1
                    self._quoted = False
                    if up_to_bracket is None:
                        return at
                continue
            assert up_to_bracket is not None
            match = up_to_bracket(text, at)
            assert match is not None
            at = match.end() + 1
            if at > len(text):
                break
            char = text[at - 1]
            if char == '"':
                self._quoted = True
            elif char != self._closing:
                self._depth += 1
            else:
                self._depth -= 1
                if not self._depth:
                    return at
        return 0

    def _string_end(self, text: str, at: int) -> int:
        """The index of the quote that ends the open string, or the text's length."""
        if self._escaped:
            at += 1
            self._escaped = False
        match = _in_string.match(text, at)
        assert match is not None
        end = match.end()
        if end < len(text) and text[end] == "\\":  # the last character: what it escapes is still to come
            self._escaped = True
            return len(text)
        return end

    def _scalar(self, text: str, at: int) -> int:
        match = _scalar.match(text, at)
        assert match is not None
        if match.end() > at:
            self.sink.text(match[0])
        if match.end() < len(text):
            self._end()
        return match.end()

    def _in_key(self, text: str, at: int) -> int:
        end = self._string_end(text, at)
        self._key.append(text[at : end + 1])
        if end < len(text):
            self._at = _COLON
            self.sink.key("".join(self._key))
        return end + 1
