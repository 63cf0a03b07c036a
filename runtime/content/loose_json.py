"""The content `json` in the dialects models write: bare keys, and strings in delimiters of their own.

The dialect is rewritten to JSON, in time linear in the body, and that is parsed.
"""

from __future__ import annotations

import re
from functools import cache
from json import dumps
from typing import Any

from ..errors import ContentError
from .strict_json import parse_json

StringDelims = tuple[tuple[str, str], ...]


def parse_loose_json(body: str, *, unquoted_keys: bool = False, string_delims: StringDelims = ()) -> Any:
    """The JSON value that the body writes in its dialect.

    Args:
        unquoted_keys: whether a word between `{` or `,` and `:` is a key.
        string_delims: `(open, close)` pairs, neither empty, applied in order: each shortest `open…close` is a string.

    Raises `ContentError`; where the rewriting moved text, its line and column are those of the rewritten body.
    """
    text = _quote_strings(body, string_delims) if string_delims else body
    if unquoted_keys:
        text = _literal_or_key().sub(_quote_key, text)
    try:
        return parse_json(text)
    except ContentError as error:
        if text == body:
            raise
        raise ContentError(f"{error} (in the body as rewritten to plain JSON)") from error.__cause__


def _quote_strings(body: str, string_delims: StringDelims) -> str:
    """`body` with every delimited string as a JSON string; delimiters inside a string already made do not count."""
    parts = [body]
    for opening, closing in string_delims:
        parts = _quote_between(parts, opening, closing)
    return "".join(parts)


def _quote_between(parts: list[str], opening: str, closing: str) -> list[str]:
    """One pass, for one pair. `parts`, and the result, are plain text and JSON strings in turn, plain text at the ends.

    A string may reach over JSON strings made before: it then contains them as they were written into the body.
    """
    done: list[str] = []
    content: list[str] | None = None  # of the string that is open, so far
    opened = 0  # index of the part it was opened in
    for index, part in enumerate(parts):
        if index % 2:
            (done if content is None else content).append(part)
            continue
        start = 0
        while True:
            if content is None:
                found = part.find(opening, start)
                if found < 0:
                    done.append(part[start:])
                    break
                done.append(part[start:found])
                start = found + len(opening)
                content, opened = [], index
            found = part.find(closing, start)
            if found < 0:
                content.append(part[start:])
                break
            content.append(part[start:found])
            done.append(dumps("".join(content)))
            start = found + len(closing)
            content = None
    if content is not None:  # never closed, so no opening after it can be either: all stays as it was
        done[-1] += opening + content[0]
        done += parts[opened + 1 :]
    return done


# U+001C to U+001F are white space to the standard library's `\s`, but not in the dialect (see `runtime.unicode`).
_SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


@cache
def _literal_or_key() -> re.Pattern[str]:
    """A string literal, to be passed over, or what may be a key with the bracket or comma before and the colon after.

    No two attempts read the same text: one starts at `"`, `{` or `,`, and reads no further than the next of these.
    """
    return re.compile(
        rf'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|([{{,][{_SPACE}]*+)([^{_SPACE}"{{,:]++)([{_SPACE}]*+:)',
        re.DOTALL,
    )


def _quote_key(match: re.Match[str]) -> str:
    before, key, after = match.groups()
    return f'{before}"{key}"{after}' if key is not None and _is_word(key) else match[0]


def _is_word(text: str) -> bool:
    """Whether `\\w+` of the `regex` package matches all of `text`."""
    if text.isascii():
        return text.replace("_", "0").isalnum()
    from ..unicode import WORD  # a table that few replies need

    return all(char in WORD for char in text)
