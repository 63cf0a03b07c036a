"""What is wrong with a template: one `Diagnostic` a fault, all of them in one `TemplateError`."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass

JsonPath = tuple[str | int, ...]
"""Keys and indices that lead from the top of a JSON document to a value in it."""

CODES: dict[str, str] = {
    "ambiguous-folder": "a folder holds several templates, none of which has a name that says it is the one",
    "bad-pattern": "a pattern that can not be read, or uses what can not be compiled",
    "conflicting-keys": "a literal and a pattern are given for the same delimiter",
    "default-not-extendable": "a value of `defaults` that the field of that name can not extend",
    "duplicate-key": "a key is written twice in one object",
    "each-without-list": "`transform_each` on content that is never a list",
    "each-without-transform": "`transform_each` without `transform`",
    "empty-literal": "a literal without a character",
    "empty-list": "a list of literals without an entry",
    "empty-separator": "a `kv-lines` separator without a character",
    "endless-loop": "a field whose open and close can both match empty at one place",
    "integer-too-long": "an integer with more digits than Python is sure to read",
    "invalid-json": "text that is not JSON",
    "join-not-string": "`join` on a field whose value is never a string",
    "join-without-repeats": "`join` on a field that does not repeat",
    "misplaced-template": "the template is not where it is looked for, but deeper in the document",
    "missing-anchor": "neither `start_anchor` nor `start_anchor_pattern` is there",
    "missing-group": "the `tag_pattern` of `xml-inline` lacks the group `key` or `value`",
    "missing-key": "a key that must be there is not",
    "mixed-placeholder": "a string of a `transform` has text beside its placeholder",
    "no-fields": "`fields` is empty",
    "no-such-file": "there is no file or folder of that name",
    "no-template": "a folder, or a tokenizer_config.json, without a template",
    "not-a-pair": "an entry of `string_delims` that is not an opening and a closing delimiter",
    "not-a-template": "JSON that has nothing of a template",
    "not-finite": "NaN, Infinity, or a number too large for a float",
    "not-json-value": "a Python object that JSON has no form for",
    "not-utf8": "a file that is not encoded in UTF-8",
    "over-limit": "more fields, literals or characters than a template may have",
    "several-implicit": "more than one field without `open` and `open_pattern`",
    "too-deep": "lists and objects are nested too deep",
    "too-large": "a file, or a dict, that is too large for a template",
    "unknown-key": "a key that means nothing in its place",
    "unknown-parser": "a content parser of that name does not exist",
    "unknown-version": "a `version` other than 1",
    "unreadable-file": "the operating system refuses to give the file",
    "unresolvable-placeholder": "a placeholder of a `transform` that can never have a value",
    "unused-group": "a named group in a field without `transform`, so that it can not reach the message",
    "wrong-type": "a value of the wrong JSON type",
}
"""Every code that the front end reports, with its meaning in one line."""

_LINE_WIDTH = 100
_MOST_RENDERED = 50


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One fault.

    Attributes:
        code: short stable name of the kind of fault.
        path: JSON path (`$.fields.content.open`) in the document; empty when the fault is not inside one.
        message: what is wrong, in one line.
        hint: what would be right; may be empty.
        line, column: place in the text, both counted from 1, columns in characters; `None` without a text.
    """

    code: str
    path: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None


class TemplateError(ValueError):
    """A template that can not be used.

    Attributes:
        diagnostics: every fault that was found, in the order of their places.
        origin: name of where the template comes from, for messages.
        text: the document as text, or `None` when it was given as a dict or could not be read.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...], origin: str, text: str | None = None) -> None:
        super().__init__(diagnostics, origin, text)
        self.diagnostics = diagnostics
        self.origin = origin
        self.text = text

    def __str__(self) -> str:
        shown = [render(diagnostic, self.origin, self.text) for diagnostic in self.diagnostics[:_MOST_RENDERED]]
        if len(self.diagnostics) > _MOST_RENDERED:
            shown.append(f"… and {len(self.diagnostics) - _MOST_RENDERED} more")
        return "\n".join(shown)


def render(diagnostic: Diagnostic, origin: str, text: str | None, severity: str = "error") -> str:
    """The report of one fault: place and message, JSON path, the line of the text with a caret below, the hint."""
    place = printable(origin)
    if diagnostic.line is not None:
        place += f":{diagnostic.line}:{diagnostic.column}"
    report = [f"{place}: {severity}: {diagnostic.message} [{diagnostic.code}]"]
    if diagnostic.path:
        report.append(f"  at {diagnostic.path}")
    if text is not None and diagnostic.line is not None and diagnostic.column is not None:
        report += _excerpt(text, diagnostic.line, diagnostic.column)
    if diagnostic.hint:
        report.append(f"  hint: {diagnostic.hint}")
    return "\n".join(report)


def path_text(path: JsonPath) -> str:
    """`("fields", "a b", 0)` as `$.fields["a b"][0]`."""
    parts = ["$"]
    for key in path:
        if isinstance(key, int):
            parts.append(f"[{key}]")
        elif key.isidentifier():
            parts.append(f".{key}")
        else:
            parts.append(f"[{printable(json.dumps(key, ensure_ascii=False))}]")
    return "".join(parts)


def quoted(text: str, most: int = 60) -> str:
    """The string as JSON would write it, cut after `most` characters, safe to print."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return printable(json.dumps(cut, ensure_ascii=False))


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would not show as one character."""
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _excerpt(text: str, line: int, column: int) -> list[str]:
    """The line of the text, clipped around the column if long, and a line with a caret below that column."""
    whole = text.split("\n", line)[line - 1].removesuffix("\r")
    start = max(0, min(column - 1 - _LINE_WIDTH // 2, len(whole) - _LINE_WIDTH))
    shown = "".join(_cell(char) for char in whole[start : start + _LINE_WIDTH])
    before = ("…" if start else "") + shown[: column - 1 - start]
    after = shown[column - 1 - start :] + ("…" if start + _LINE_WIDTH < len(whole) else "")
    margin = " " * len(str(line))
    return [f"  {line} | {before}{after}".rstrip(), f"  {margin} | {' ' * _width(before)}^"]


def _cell(char: str) -> str:
    if char == "\t":
        return " "
    return char if char.isprintable() else "\N{REPLACEMENT CHARACTER}"


def _width(text: str) -> int:
    """Columns of a terminal that the text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
