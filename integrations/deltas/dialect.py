"""JSON in the dialects of the content `json`, rewritten to plain JSON while it is written."""

from __future__ import annotations

import re
from typing import Any

from untemplate.runtime.literals import held_from

from .values import written

# White space of the dialect: that of the `regex` package, which U+001C to U+001F do not belong to.
_SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_in_string = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_spaces = re.compile(rf"[{_SPACE}]*+")
_maybe_key = re.compile(rf'([^{_SPACE}"{{}}\[\],:]*+)([{_SPACE}]*+)(:?)')
_LONGEST_KEY = 1_000  # a word that goes on longer is passed on as it is: no text is read again and again


class Dialect:
    """Rewrites text that comes in pieces: keys without quotes get them, delimited strings become JSON strings.

    A delimited string is passed on when it ends, a bare key when its colon is there, all else at once.

    Args:
        options: those of the content parser, with at most one pair of string delimiters.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self._bare_keys = bool(options.get("unquoted_keys"))
        pairs = options.get("string_delims") or ()
        self._opening: str
        self._closing: str
        self._opening, self._closing = pairs[0] if pairs else ("", "")
        stops = [re.escape(self._opening)] if self._opening else []
        self._stop = re.compile("|".join([*stops, '["{,]' if self._bare_keys else '"']))
        self._held = ""
        self._at_key = False
        self._in_string = False
        self._delimited: list[str] | None = None

    def feed(self, text: str) -> str:
        """The plain JSON that `text`, behind what came before, decides."""
        text, self._held = self._held + text, ""
        done: list[str] = []
        at = 0
        while at < len(text):
            if self._delimited is not None:
                at = self._read_delimited(text, at, self._delimited, done)
            elif self._in_string:
                at = self._read_string(text, at, done)
            elif self._at_key:
                at = self._read_key(text, at, done)
            else:
                at = self._read_plain(text, at, done)
        return "".join(done)

    def _hold(self, text: str, at: int) -> int:
        self._held = text[at:]
        return len(text)

    def _read_delimited(self, text: str, at: int, content: list[str], done: list[str]) -> int:
        end = text.find(self._closing, at)
        if end < 0:
            end = held_from(text, at, self._closing)
            content.append(text[at:end])
            return self._hold(text, end)
        content.append(text[at:end])
        done.append(written("".join(content)))
        self._delimited = None
        return end + len(self._closing)

    def _read_string(self, text: str, at: int, done: list[str]) -> int:
        match = _in_string.match(text, at)
        assert match is not None
        end = match.end()
        if end < len(text) and text[end] == '"':
            self._in_string = False
            end += 1
        done.append(text[at:end])
        return end if end == len(text) or not self._in_string else self._hold(text, end)

    def _read_plain(self, text: str, at: int, done: list[str]) -> int:
        found = self._stop.search(text, at)
        # The opening may hold quotes and commas: one at the end, where it is not complete, does not count.
        decided = held_from(text, at, self._opening) if self._opening else len(text)
        if found is None or (found[0] != self._opening and found.start() >= decided):
            done.append(text[at:decided])
            return self._hold(text, decided)
        if found[0] == self._opening:
            done.append(text[at : found.start()])
            self._delimited = []
            return found.end()
        done.append(text[at : found.end()])
        self._in_string = found[0] == '"'
        self._at_key = not self._in_string
        return found.end()

    def _read_key(self, text: str, at: int, done: list[str]) -> int:
        """Behind a bracket or a comma: a bare key, or anything else."""
        spaces = _spaces.match(text, at)
        assert spaces is not None
        done.append(spaces[0])
        at = spaces.end()
        match = _maybe_key.match(text, at)
        assert match is not None
        word, more_space, colon = match.groups()
        if match.end() == len(text) and not colon and len(text) - at < _LONGEST_KEY:
            return self._hold(text, at)
        self._at_key = False
        if not (word and colon) or (self._opening and word.startswith(self._opening)):
            return at
        done.append(f"{written(word)}{more_space}{colon}")
        return match.end()
