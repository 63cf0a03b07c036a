"""Calls that are written like Python's, `[f(a=1), g.h(b='x')]`, sent argument by argument."""

from __future__ import annotations

import re
from typing import Any

from untemplate.runtime.content.call_list import parse_calls
from untemplate.runtime.errors import ContentError
from untemplate.runtime.tools import ToolTypes

from .arguments import typed_entry
from .sending import RegionCalls, SentCall

_blank = " \t\n\r"
_stop = re.compile(r"""['"(\[{,}\])]""")
_in_string = {quote: re.compile(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+", re.DOTALL) for quote in "'\""}


class CallList:
    """Reads a region's body, and sends the calls in it; what is no such list is left to the end of the region.

    Args:
        own_id: the id of all calls of the region.
    """

    passing = None

    def __init__(self, own_id: str | None, calls: RegionCalls, types: ToolTypes) -> None:
        self._own_id = own_id
        self._calls = calls
        self._types = types
        self._call: SentCall | None = None
        self._text: list[str] = []  # of the name, or the argument, that is being read
        self._brackets: list[str] = []
        self._quote = ""
        self._escaped = False
        self._lost = False

    def feed(self, text: str) -> None:
        """Reads the next piece of the body."""
        at = start = 0
        while at < len(text) and not self._lost:
            if self._quote:
                at = self._read_string(text, at)
                continue
            found = _stop.search(text, at)
            if found is None:
                break
            at = found.end()
            if self._bracket(found[0]):
                self._text.append(text[start : at - 1])
                self._separate(found[0])
                start = at
        self._text.append(text[start:])

    def _read_string(self, text: str, at: int) -> int:
        if self._escaped:
            at += 1
            self._escaped = False
        match = _in_string[self._quote].match(text, at)
        assert match is not None
        at = match.end()
        if at < len(text):
            self._escaped = text[at] == "\\"
            self._quote = self._quote if self._escaped else ""
        return at + 1

    def _bracket(self, char: str) -> bool:
        """Keeps count of quotes and brackets; returns whether `char` separates calls or arguments."""
        if char in "'\"":
            self._quote = char
            return False
        if self._call is None:
            return True
        if char in "[{":
            self._brackets.append("]" if char == "[" else "}")
            return False
        if self._brackets:
            self._lost = char != "," and char != self._brackets.pop()
            return False
        return True

    def _separate(self, char: str) -> None:
        text = "".join(self._text).strip(_blank)
        self._text = []
        if self._call is not None and char in ",)":
            if text:
                self._send(self._call, text)
            if char == ")":
                self._call.close()
                self._call = None
        elif self._call is None and char == "(" and self._is_call(f"{text}()"):
            self._call = self._calls.start(text, self._own_id)
        elif self._call is not None or text or char == "(":
            self._lost = True

    def _is_call(self, text: str) -> bool:
        try:
            return len(parse_calls(f"[{text}]")) == 1
        except ContentError:
            return False

    def _send(self, call: SentCall, text: str) -> None:
        arguments: dict[str, Any]
        try:
            arguments = parse_calls(f"[{call.name}({text})]")[0]["arguments"]
        except ContentError:
            self._lost = True
            return
        for key, value in arguments.items():
            call.deliver(call.entry(key, typed_entry(call.name, key, value, self._types)))
