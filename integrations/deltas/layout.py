"""How the body of a field's region becomes calls, as far as that can be followed while it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_placeholder = re.compile(r"\{(\w+(?:\.\w+)*)\}")
_group = re.compile(r"\(\?P<(\w+)>")


@dataclass(frozen=True, slots=True)
class Capture:
    """What the open delimiter captured under `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """What an object of the body has under `key`; if it has no such key, what the open captured under `fallback`."""

    key: str
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """The whole parsed body."""


Source = str | Capture | Member | Body
"""Where a part of a call comes from; a string is that itself."""


@dataclass(slots=True)
class Layout:
    """Calls that can be sent while they are written.

    Attributes:
        content: the content parser: "json", "xml-inline", "kv-lines" or "python-call-list".
        options: its options.
        each: whether the body is a list, each element of which is a call.
        name, own_id, arguments: where these come from; `own_id` is `None` if calls have none.
        members: key → which of those three it is.
        captured: the captures that are needed for them.
    """

    content: str
    options: dict[str, Any]
    each: bool
    name: Source
    own_id: Source | None
    arguments: Source
    members: dict[str, str] = field(init=False)
    captured: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        sources = {"name": self.name, "own_id": self.own_id, "arguments": self.arguments}
        self.members = {source.key: part for part, source in sources.items() if isinstance(source, Member)}
        self.captured = frozenset(source.name for source in sources.values() if isinstance(source, Capture))


def layout_of(spec: dict[str, Any]) -> Layout | None:
    """The layout of a field of a template; `None` if its calls have to wait for the end of their region."""
    transform = spec.get("transform")
    if not isinstance(transform, dict) or "function" not in transform:
        return None
    content, each = spec.get("content", "text"), bool(spec.get("transform_each"))
    resolve = _Resolver(spec, each)
    function = transform["function"]
    if function == "{content}" and not each:
        function = {"name": "{content.name}", "arguments": "{content.arguments}"}
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    name, arguments = resolve(function["name"]), resolve(function.get("arguments"))
    own_id = resolve(transform["id"]) if "id" in transform else None
    if name is None or arguments is None or (own_id is None and "id" in transform):
        return None
    layout = Layout(content, spec.get("content_args") or {}, each, name, own_id, arguments)
    return layout if _can_follow(layout) else None


class _Resolver:
    """Finds out where a string of a transform comes from."""

    def __init__(self, spec: dict[str, Any], each: bool) -> None:
        self._each = each
        # A capture of the close wins over one of the open, and is not known before.
        self._opened = set(_groups(spec, "open_pattern")) - set(_groups(spec, "close_pattern"))
        self._closed = set(_groups(spec, "close_pattern"))

    def __call__(self, value: Any) -> Source | None:
        """The source of a value of the transform, or `None` for one that is not known in time."""
        if not isinstance(value, str):
            return None
        match = _placeholder.fullmatch(value)
        if match is None:
            return value
        first, *rest = match[1].split(".")
        if self._each:
            if rest or first in self._closed:
                return None
            return Member(first, first if first in self._opened else None)
        if first == "content":
            return Body() if not rest else Member(rest[0]) if len(rest) == 1 else None
        return Capture(first) if not rest and first in self._opened else None


def _groups(spec: dict[str, Any], key: str) -> list[str]:
    return _group.findall(spec.get(key) or "")


def _can_follow(layout: Layout) -> bool:
    name, own_id, arguments = layout.name, layout.own_id, layout.arguments
    if isinstance(own_id, Body) or isinstance(arguments, (str, Capture)):
        return False
    outside = isinstance(name, (str, Capture)) and not isinstance(own_id, Member)
    match layout.content:
        case "json":
            members = [source for source in (name, own_id, arguments) if isinstance(source, Member)]
            if not _reads_json(layout.options) or len(layout.members) < len(members):
                return False
            if isinstance(arguments, Body):
                return not layout.each and outside
            # A fallback would decide only at the end of the object whose name or arguments it is.
            inside = isinstance(name, str) or (isinstance(name, Member) and name.fallback is None)
            return isinstance(arguments, Member) and arguments.fallback is None and inside
        case "python-call-list":
            return layout.each and name == Member("name") and arguments == Member("arguments")
        case "xml-inline" if layout.options.get("merge_duplicates"):
            return False  # until the end, every value may become a list
        case "xml-inline" | "kv-lines":
            return not layout.each and outside and isinstance(arguments, Body)
    return False


def _reads_json(options: dict[str, Any]) -> bool:
    """Whether JSON with these options can be followed: text that turns out to be no JSON can not be."""
    return not options.get("allow_non_json") and len(options.get("string_delims") or ()) <= 1
