"""A template before it is checked: the document it stands in, and where in there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from untemplate.compiler.diagnostics import Diagnostic, JsonPath, TemplateError, path_text
from untemplate.compiler.frontend import limits
from untemplate.compiler.frontend.scanner import (
    Fault,
    Lines,
    UnreadableDocument,
    decode,
    find_spots,
    integer_too_long,
    not_finite,
    offset_in_string,
    too_deep,
)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a template comes from.

    Attributes:
        origin: name for messages, such as a file name.
        text: the document as text; `None` when it was given as a dict.
        document: the decoded document, of plain JSON values.
        faults: what is wrong with the document as JSON, anywhere in it.
        root: where in the document the template is.
        module_name: a name for the module that is made of it, a Python identifier.
    """

    origin: str
    text: str | None
    document: Any
    faults: tuple[Fault, ...] = ()
    root: JsonPath = ()
    module_name: str = "template"

    @property
    def template(self) -> Any:
        """The template itself, any JSON value yet."""
        value = self.document
        for key in self.root:
            value = value[key]
        return value

    def at(self, root: JsonPath) -> Source:
        """The same document, with the template at another place."""
        return replace(self, root=root)


def source_of_bytes(data: bytes, origin: str, module_name: str = "template") -> Source:
    """The source whose document is this JSON text in UTF-8, with or without a byte order mark.

    Raises:
        TemplateError: it is too large, not UTF-8, or not JSON.
    """
    if len(data) > limits.FILE_BYTES:
        message = f"the file is larger than {limits.FILE_BYTES // 1024**2} MiB"
        raise lone_error(origin, "too-large", message, "give the template in a file of its own")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        message = f"the file is not UTF-8: byte 0x{data[error.start]:02X} at offset {error.start}"
        hint = "it looks like UTF-16; save it as UTF-8" if wide else "save it as UTF-8"
        raise lone_error(origin, "not-utf8", message, hint) from error
    return source_of_text(text, origin, module_name)


def source_of_text(text: str, origin: str, module_name: str = "template") -> Source:
    """The source whose document is this JSON text.

    Raises:
        TemplateError: it is not JSON, or nested too deep.
    """
    try:
        document, faults = decode(text)
    except UnreadableDocument as error:
        fault = error.fault
        line, column = Lines(text).place(fault.offset or 0)
        where = path_text(fault.path) if fault.code != "invalid-json" else ""
        diagnostic = Diagnostic(fault.code, where, fault.message, fault.hint, line, column)
        raise TemplateError((diagnostic,), origin, text) from error
    return Source(origin, text, document, faults, module_name=module_name)


def source_of_value(value: Any, origin: str = "<dict>", module_name: str = "template") -> Source:
    """The source whose document is this Python value. The value is copied; what is not JSON in it becomes a fault.

    Raises:
        TemplateError: it is nested too deep (or in itself), or has too many values.
    """
    copier = _Copier()
    try:
        document = copier.copy(value, ())
    except UnreadableDocument as error:
        fault = error.fault
        raise TemplateError(
            (Diagnostic(fault.code, path_text(fault.path), fault.message, fault.hint),), origin
        ) from error
    return Source(origin, None, document, tuple(copier.faults), module_name=module_name)


def lone_error(origin: str, code: str, message: str, hint: str) -> TemplateError:
    """The error for a document as a whole."""
    return TemplateError((Diagnostic(code, "", message, hint),), origin)


class _Copier:
    """Copies a Python value into plain JSON values."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self._left = limits.DICT_VALUES

    def copy(self, value: Any, path: JsonPath) -> Any:
        self._left -= 1
        if self._left < 0:
            message = f"the template has more than {limits.DICT_VALUES:,} values"
            raise UnreadableDocument(Fault("too-large", (), message, f"the limit is {limits.DICT_VALUES:,}"))
        if isinstance(value, dict):
            return self._object(value, path)
        if isinstance(value, list):
            self._descend(path)
            return [self.copy(item, (*path, index)) for index, item in enumerate(value)]
        if value is None or type(value) in (bool, str):
            return value
        if type(value) is int:
            return value if abs(value) < 10**limits.INTEGER_DIGITS else self._lose(integer_too_long(path))
        if type(value) is float:
            return value if math.isfinite(value) else self._lose(not_finite(path, str(value)))
        hint = (
            "use a list"
            if isinstance(value, (tuple, set, frozenset))
            else "use None, bool, int, float, str, list, dict"
        )
        message = f"a Python {type(value).__name__} has no form in JSON"
        return self._lose(Fault("not-json-value", path, message, hint, value_lost=True))

    def _object(self, value: dict[Any, Any], path: JsonPath) -> dict[str, Any]:
        self._descend(path)
        members: dict[str, Any] = {}
        for key, member in value.items():
            if type(key) is str:
                members[key] = self.copy(member, (*path, key))
            else:
                message = f"a key of this dict is a Python {type(key).__name__}"
                self.faults.append(Fault("not-json-value", path, message, "keys must be strings"))
        return members

    def _descend(self, path: JsonPath) -> None:
        if len(path) >= limits.NESTING:
            raise UnreadableDocument(too_deep(path))

    def _lose(self, fault: Fault) -> None:
        self.faults.append(fault)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: `rank` orders the places of one document."""

    rank: tuple[int, int]
    line: int | None = None
    column: int | None = None


class Locator:
    """Finds the places of values in the document of a source."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        if source.text is None:
            self._ranks = _ranks(source.document)
        else:
            self._spots = find_spots(source.text)
            self._lines = Lines(source.text)

    def place(self, path: JsonPath, at_key: bool = False, index: int | None = None) -> Place:
        """The place of a value; of its key with `at_key`; of its character `index`, where the value is a string."""
        if self._text is None:
            return Place((self._ranks[path], index or 0))
        spot = self._spots[path]
        if at_key and spot.key is not None:
            return self.place_of_offset(spot.key)
        if index is not None:
            return self.place_of_offset(offset_in_string(self._text, spot.value, index))
        return self.place_of_offset(spot.value)

    def place_of_offset(self, offset: int) -> Place:
        """The place of an offset in the text."""
        line, column = self._lines.place(offset)
        return Place((offset, 0), line, column)


def _ranks(document: Any) -> dict[JsonPath, int]:
    """The paths of all values, numbered in the order in which the document would be written."""
    ranks: dict[JsonPath, int] = {}
    waiting: list[tuple[JsonPath, Any]] = [((), document)]
    while waiting:
        path, value = waiting.pop()
        ranks[path] = len(ranks)
        if isinstance(value, dict):
            waiting += [((*path, key), member) for key, member in reversed(value.items())]
        elif isinstance(value, list):
            waiting += reversed([((*path, index), item) for index, item in enumerate(value)])
    return ranks
