"""A slow reader of replies, written straight from the meaning of a template, to check the compiled ones against.

It looks at the whole text at once and knows nothing of streaming: every watched delimiter is searched for again after
every region. What a region's body gives is in `oracle_values`. It shares no code with the compiler or the runtime.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import regex

from support.oracle_values import compiled, field_value, parameter_schemas, type_arguments

STREAMED_CLEAN = ("text", "int", "float", "bool")


class Rejected(Exception):
    """The output that is read is no message: a region's body, or the lack of a field, is at fault."""

    def __init__(self, name: str, raw: str, position: int, message: dict[str, Any], cause: Exception | None) -> None:
        super().__init__(f"{name} at {position}: {raw!r}: {cause!r}")
        self.field = name
        self.raw = raw
        self.position = position
        self.message = message


class EndlessScan(Exception):
    """An open and a close match empty at one place: such a template has no meaning."""


@dataclass(frozen=True)
class Delimiter:
    """A match that counted: `open` or `close`, or `stop` where the scan ended.

    `tied` are the other matches that were proposed for the same start: (kind, field, end).
    """

    kind: str
    name: str
    start: int
    end: int
    tied: tuple[tuple[str, str, int], ...]


@dataclass
class Reading:
    """A message and its events: one `region_chunk` for a region that has text. And the delimiters that counted."""

    message: dict[str, Any]
    events: list[dict[str, Any]]
    delimiters: list[Delimiter]


@dataclass
class Region:
    """The region that is open: of an implicit field it is made by its first character."""

    name: str
    start: int
    captures: dict[str, str] = field(default_factory=dict)


def interpret(
    template: dict[str, Any],
    prefix: str,
    output: str,
    tools: list[dict[str, Any]] | None = None,
    on_malformed: str = "raise",
) -> Reading:
    """Read `output`, the model's reply to the prompt `prefix`, as `template` says.

    Raises `Rejected` for output the template rejects (under `on_malformed="event"` only for missing fields), and
    `EndlessScan` where the scan would not move on.
    """
    return _Scan(template, kept_prefix(template, prefix) + output, tools or [], on_malformed).run()


def kept_prefix(template: dict[str, Any], prefix: str) -> str:
    """The part of a prompt after the last match of the template's start anchor; all of it without a match."""
    anchor = _delimiter(template, "start_anchor")
    assert anchor is not None
    ends = [match.end() for match in anchor.finditer(prefix)]
    return prefix[ends[-1] :] if ends else prefix


def _delimiter(spec: dict[str, Any], key: str) -> regex.Pattern[str] | None:
    """The pattern of `open`, `close` or `start_anchor`, whichever way it is written; `None` if it is not there."""
    if key in spec:
        literals = [spec[key]] if isinstance(spec[key], str) else spec[key]
        longest_first = sorted(literals, key=len, reverse=True)
        return compiled("|".join(regex.escape(literal) for literal in longest_first))
    return compiled(spec[f"{key}_pattern"]) if f"{key}_pattern" in spec else None


class _Scan:
    def __init__(self, template: dict[str, Any], text: str, tools: list[dict[str, Any]], on_malformed: str) -> None:
        self.fields: dict[str, dict[str, Any]] = template["fields"]
        self.opens = {name: _delimiter(spec, "open") for name, spec in self.fields.items()}
        self.closes = {name: _delimiter(spec, "close") for name, spec in self.fields.items()}
        self.implicit = next((name for name, pattern in self.opens.items() if pattern is None), None)
        self.defaults: dict[str, Any] = template.get("defaults", {})
        self.text = text
        self.schemas = parameter_schemas(tools)
        self.on_malformed = on_malformed
        self.message: dict[str, Any] = deepcopy(self.defaults)
        self.malformed: set[str] = set()
        self.events: list[dict[str, Any]] = []
        self.delimiters: list[Delimiter] = []
        self.region: Region | None = None
        self.position = 0

    def run(self) -> Reading:
        seen: set[tuple[int, str]] = set()
        while (found := self._next_delimiter()) is not None:
            delimiter, groups = found
            self.delimiters.append(delimiter)
            self._take(delimiter.start)
            if delimiter.kind == "stop":
                return self._finished()
            self._close(groups if delimiter.kind == "close" else {})
            self.position = delimiter.end
            if delimiter.kind == "open":
                if delimiter.start == delimiter.end and (delimiter.start, delimiter.name) in seen:
                    raise EndlessScan(f"{delimiter.name} opens at {delimiter.start} for ever")
                seen.add((delimiter.start, delimiter.name))
                self.region = Region(delimiter.name, delimiter.end, groups)
                self.events.append({"type": "region_open", "field": delimiter.name})
        self._take(len(self.text))
        self._close({})
        return self._finished()

    def _next_delimiter(self) -> tuple[Delimiter, dict[str, str]] | None:
        if self.region is not None and self.region.name != self.implicit:
            watched = [("close", self.region.name, self.closes[self.region.name])]
        else:
            watched = [("open", name, pattern) for name, pattern in self.opens.items()]
            watched += [("close", self.implicit, self.closes[self.implicit])] if self.implicit is not None else []
        proposals = [
            (match.start(), -(match.end() - match.start()), kind != "open", name, match)
            for kind, name, pattern in watched
            if pattern is not None and (match := pattern.search(self.text, self.position)) is not None
        ]
        if not proposals:
            return None
        proposals.sort(key=lambda proposal: proposal[:4])
        (start, length, is_close, name, match), *others = proposals
        tied = tuple(("close" if closes else "open", other, m.end()) for s, _, closes, other, m in others if s == start)
        opened = self.region is not None or start > self.position
        kind = "open" if not is_close else "close" if length or opened else "stop"
        groups = {group: text for group, text in match.groupdict().items() if text is not None}
        return Delimiter(kind, name, start, match.end(), tied), groups

    def _take(self, end: int) -> None:
        """Text up to `end` goes to the open region, or opens the implicit one, or falls to nothing."""
        if end > self.position and self.region is None and self.implicit is not None:
            self.region = Region(self.implicit, self.position)
            self.events.append({"type": "region_open", "field": self.implicit})
        self.position = end

    def _close(self, captures: dict[str, str]) -> None:
        """Close the open region, if there is one, where the scan is now."""
        region, self.region = self.region, None
        if region is None:
            return
        name, spec = region.name, self.fields[region.name]
        raw = self.text[region.start : self.position]
        if raw:
            dirty = spec.get("content", "text") not in STREAMED_CLEAN
            self.events.append({"type": "region_chunk", "field": name, "text": raw, "dirty": dirty})
        try:
            value = type_arguments(field_value(spec, raw, {**region.captures, **captures}), self.schemas)
            self._store(name, spec, value)
        except Exception as cause:  # whatever goes wrong with a body is the body's fault
            if self.on_malformed == "raise":
                raise Rejected(name, raw, region.start, self._kept(), cause) from cause
            self.malformed.add(name)
            self.events.append({"type": "region_malformed", "field": name, "text": raw})
            return
        self.events.append({"type": "region_close", "field": name, "value": value})

    def _store(self, name: str, spec: dict[str, Any], value: Any) -> None:
        if spec.get("join") is not None:
            if not isinstance(value, str):
                raise ValueError("only strings are joined")
            self.message[name] = self.message[name] + spec["join"] + value if name in self.message else value
        elif spec.get("repeats"):
            self.message.setdefault(name, []).append(value)
        else:
            self.message[name] = value

    def _kept(self) -> dict[str, Any]:
        return {key: value for key, value in self.message.items() if key in self.defaults or not _is_empty(value)}

    def _finished(self) -> Reading:
        for name, spec in self.fields.items():
            if not spec.get("optional", True) and name not in self.message and name not in self.malformed:
                raise Rejected(name, "", len(self.text), self._kept(), None)
        return Reading(self._kept(), self.events, self.delimiters)


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)
