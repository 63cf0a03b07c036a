"""Reads typed values out of JSON objects, and reports what has the wrong type or the wrong name."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from untemplate.compiler.diagnostics import JsonPath, quoted
from untemplate.compiler.frontend.report import Report

CONTENT_OPTIONS = (
    *("strip", "unquoted_keys", "string_delims", "allow_non_json", "tag_pattern", "value_parser"),
    *("merge_duplicates", "line_sep", "kv_sep"),
)
"""Options that any content parser has."""


@dataclass(frozen=True, slots=True)
class ObjectView:
    """A JSON object of the template, at `path`; `what` names it in messages ("a field")."""

    report: Report
    path: JsonPath
    members: dict[str, Any]
    what: str

    def __contains__(self, key: str) -> bool:
        return key in self.members

    def below(self, key: str) -> JsonPath:
        """The path of a member."""
        return (*self.path, key)

    def only_keys(self, allowed: tuple[str, ...]) -> None:
        """Reports each key that is not allowed. The allowed key that it may stand for is distrusted."""
        for key in self.members:
            if key in allowed:
                continue
            meant = closest(key, [name for name in allowed if name not in self.members])
            if meant is not None:
                self.report.distrust(self.below(meant))
                hint = f"did you mean {quoted(meant)}? "
            elif "content_args" in allowed and key in CONTENT_OPTIONS:
                hint = 'it belongs into "content_args"; '
            else:
                hint = ""
            hint += f"known here: {listed(allowed)}" if allowed else "it takes no options"
            self.report.add("unknown-key", self.below(key), f"{self.what} has no key {quoted(key)}", hint, at_key=True)

    def flag(self, key: str, default: bool) -> bool:
        """A member that is true or false."""
        value = self.members.get(key, default)
        return value if self._has_type(key, value, bool, "true or false") else default

    def string(self, key: str) -> str | None:
        """A member that is a string; `None` if it is not there, or something else."""
        value = self.members.get(key)
        return value if key in self and self._has_type(key, value, str, "a string") else None

    def object(self, key: str, what: str) -> ObjectView | None:
        """A member that is an object; `None` if it is not there, or something else."""
        value = self.members.get(key)
        if isinstance(value, dict):
            return ObjectView(self.report, self.below(key), value, what)
        if key in self:
            wrong_type(self.report, self.below(key), quoted(key), value, "an object")
        return None

    def _has_type(self, key: str, value: Any, wanted: type, name: str) -> bool:
        if type(value) is wanted:
            return True
        wrong_type(self.report, self.below(key), quoted(key), value, name)
        return False


def wrong_type(report: Report, path: JsonPath, subject: str, value: Any, wanted: str) -> None:
    """Reports a value of another type than the wanted one."""
    hint = "to have none, leave the key out" if value is None else ""
    report.add("wrong-type", path, f"{subject} must be {wanted}, not {described(value)}", hint)


def described(value: Any) -> str:
    """A JSON value in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the string {quoted(value, 30)}"
    if isinstance(value, (int, float)):
        return f"the number {value}" if abs(value) < 10**9 else "a number"
    return "a list" if isinstance(value, list) else "an object"


def closest(word: str, choices: Collection[str]) -> str | None:
    """The choice that the word is probably a misspelling of, or a part of."""
    plain = {choice.replace("_", "-"): choice for choice in choices}
    word = word[:60].lower().replace("_", "-")
    matches = get_close_matches(word, plain, n=1, cutoff=0.7)
    if not matches and len(word) > 1:
        matches = [choice for choice in plain if choice.startswith(f"{word}-") or choice.endswith(f"-{word}")]
    return plain[matches[0]] if matches else None


def listed(names: Iterable[str]) -> str:
    """Names, quoted, with commas."""
    return ", ".join(map(quoted, names))
