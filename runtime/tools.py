"""Typing of tool calls: string arguments become what the tool's schema says they are.

`tool_types` reads the schemas, once per parser; `type_calls` then goes over a region's value; `typed` casts one text.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import partial
from itertools import chain
from json import JSONDecoder
from math import isfinite
from types import FunctionType, MethodType, NoneType, SimpleNamespace, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

Types = tuple[str, ...]
ToolTypes = Mapping[str, dict[str, Types]]

_decoded_as = JSONDecoder().decode


def type_calls(value: Any, tools: ToolTypes) -> Any:
    """`value` with the string arguments of its calls cast; their `arguments` objects are changed in place.

    A call is `{"function": {"name": str, "arguments": dict}}`; it may be `value` itself, or in a list in it, however
    deep. All else, and calls of tools or arguments that `tools` does not know, stay as they are.
    """
    if not tools:
        return value
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, list):
            left += item
        elif isinstance(item, dict) and isinstance(function := item.get("function"), dict):
            name, arguments = function.get("name"), function.get("arguments")
            if isinstance(name, str) and isinstance(arguments, dict) and (properties := tools.get(name)):
                _type_arguments(arguments, properties)
    return value


def _type_arguments(arguments: dict[str, Any], properties: dict[str, Types]) -> None:
    for key, argument in arguments.items():
        types = properties.get(key)
        if not types:
            continue
        if isinstance(argument, str):
            arguments[key] = typed(argument, types)
        elif isinstance(argument, list) and "array" not in types:  # a repeated key, its values merged
            arguments[key] = [typed(item, types) if isinstance(item, str) else item for item in argument]


def typed(text: str, types: Types) -> Any:
    """`text` as the first of `types`, names of JSON schema types, that it fits; `text` itself if it fits none.

    `string` and unknown names cast nothing, but do not keep a later type from being tried.
    """
    for name in types:
        cast = _CASTS.get(name)
        if cast is not None:
            try:
                return cast(text)
            except (ValueError, RecursionError):
                continue
    return text


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():  # nor are infinities and NaN
            raise
        return _whole(text, number)


def _number(text: str) -> int | float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(text)
    return _whole(text, number) if number.is_integer() and "." not in text else number


def _whole(text: str, number: float) -> int:
    """The integer `number`, with all the digits that `text` gives it where a float can not hold them."""
    if abs(number) < 2**53:
        return int(number)
    from decimal import Decimal  # not cheap to import, and such numbers are rare

    # `number` is finite, which bounds the exponent, and so the digits written out here.
    exact = Decimal(text)
    whole = int(exact)
    return whole if whole == exact else int(number)


def _boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "1", "false", "0"):
        raise ValueError(text)
    return word in ("true", "1")


def _null(text: str) -> None:
    if text.strip() not in ("null", "None"):
        raise ValueError(text)


def _json_starting(bracket: str, text: str) -> Any:
    if not text.lstrip().startswith(bracket):
        raise ValueError(text)
    return _decoded_as(text)


_CASTS: dict[str, Callable[[str], Any]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
    "object": partial(_json_starting, "{"),
    "array": partial(_json_starting, "["),
}


def tool_types(tools: Iterable[Any] | None) -> ToolTypes:
    """Tool name → property → the types of the property, in the order in which they are tried.

    `tools` are JSON schemas, `{"type": "function", "function": {…}}` or the inner object, or Python functions and
    methods, whose type hints are read. A property without types has `()`; what has not the shape of a tool is skipped.
    """
    return _ToolTypes(tools or ())


class _ToolTypes(Mapping[str, dict[str, Types]]):
    """The types by tool name; a tool's schema is read when the tool is first called."""

    def __init__(self, tools: Iterable[Any]) -> None:
        self._unread: dict[str, Any] = {}
        self._read: dict[str, dict[str, Types]] = {}
        for tool in tools:
            if isinstance(tool, (FunctionType, MethodType)):
                self._unread[tool.__name__] = tool
                continue
            function = tool.get("function", tool) if isinstance(tool, dict) else None
            if isinstance(function, dict) and isinstance(name := function.get("name"), str):
                self._unread[name] = function.get("parameters")

    def __getitem__(self, name: str) -> dict[str, Types]:
        if name not in self._read:
            source = self._unread[name]
            is_function = isinstance(source, (FunctionType, MethodType))
            self._read[name] = _hinted(source) if is_function else _declared(source)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._unread)

    def __len__(self) -> int:
        return len(self._unread)


def _declared(parameters: Any) -> dict[str, Types]:
    """Property → types, for the schema of all parameters of a tool."""
    if not isinstance(parameters, dict):
        return {}
    schemas = _Schemas(parameters)
    return {key: schemas.types(schema) for key, schema in schemas.properties().items()}


class _Schemas:
    """The types that the schemas within `root`, the schema of a tool's parameters, allow."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._known: dict[int, Types | None] = {}  # by identity, so that a schema is read once, cyclic or not

    def properties(self) -> dict[str, Any]:
        """Property → schema: those of the root, or of what it refers to as a whole."""
        properties = self._root.get("properties")
        if properties is None and "$ref" in self._root:
            target = self._target(self._root["$ref"])
            properties = target.get("properties") if isinstance(target, dict) else None
        return properties if isinstance(properties, dict) else {}

    def types(self, schema: Any) -> Types:
        """The types that `schema`, any JSON value, allows; `()` if it does not say, or allows none."""
        try:
            return self._allowed(schema) or ()
        except RecursionError:
            return ()

    def _allowed(self, schema: Any) -> Types | None:
        """As `types`, but None for a schema that says nothing of types, and for one that is being read already."""
        if not isinstance(schema, dict):
            return None
        if id(schema) not in self._known:
            self._known[id(schema)] = None
            self._known[id(schema)] = self._read(schema)
        return self._known[id(schema)]

    def _read(self, schema: dict[str, Any]) -> Types | None:
        declared = schema.get("type")
        names = [name for name in (declared if isinstance(declared, list) else [declared]) if isinstance(name, str)]
        for choice in chain(_list(schema, "anyOf"), _list(schema, "oneOf")):
            names += self._allowed(choice) or ()
        allowed: Types | None = tuple(dict.fromkeys(names)) or None
        for part in chain([self._target(schema.get("$ref"))], _list(schema, "allOf")):
            allowed = _common(allowed, self._allowed(part))
        if schema.get("nullable") and "null" not in (allowed or ()):
            allowed = (*(allowed or ()), "null")
        return allowed

    def _target(self, reference: Any) -> Any:
        """What a local reference, a JSON pointer after `#`, points to; None for all others and for missing places."""
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return None
        if "%" in reference:
            from urllib.parse import unquote  # only names with odd characters need it

            reference = unquote(reference)
        target: Any = self._root
        for step in reference[2:].split("/"):
            key = step.replace("~1", "/").replace("~0", "~")
            if isinstance(target, list) and key.isdecimal() and len(key) < 10 and int(key) < len(target):
                target = target[int(key)]
            else:
                target = target.get(key) if isinstance(target, dict) else None
        return target


def _list(schema: dict[str, Any], key: str) -> list[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else []


def _common(first: Types | None, second: Types | None) -> Types | None:
    """The types that both allow, in the order of `first`; None allows all. An integer is a number as well."""
    if first is None or second is None:
        return second if first is None else first
    common = [
        name if name in second else "integer"
        for name in first
        if name in second or (name == "integer" and "number" in second) or (name == "number" and "integer" in second)
    ]
    return tuple(dict.fromkeys(common))


def _hinted(function: FunctionType | MethodType) -> dict[str, Types]:
    """Parameter → types, by the type hints of a function."""
    return {name: _hint_types(hint)[0] for name, hint in _hints(function).items() if name != "return"}


def _hints(function: FunctionType | MethodType) -> dict[str, Any]:
    """Parameter → hint, without those whose names can not be resolved."""
    try:
        return get_type_hints(function)
    except Exception:  # a hint is code, and may raise anything
        pass
    plain = function.__func__ if isinstance(function, MethodType) else function
    hints: dict[str, Any] = {}
    try:
        written = plain.__annotations__
    except Exception:  # from Python 3.14 on this is what evaluates the hints
        return hints
    for name, hint in written.items():
        try:
            hints |= get_type_hints(SimpleNamespace(__annotations__={name: hint}), plain.__globals__)
        except Exception:
            hints[name] = None
    return hints


def _hint_types(hint: Any) -> tuple[Types, bool]:
    """The types of a type hint, `()` for one that has none, and whether the schema of the hint would be a bare type.

    Of a union of bare types the order is alphabetical, of any other that of its members; None always comes last.
    """
    origin, members = get_origin(hint), get_args(hint)
    if origin is Union or origin is UnionType:
        choices = [_hint_types(member) for member in members if member is not NoneType]
        names = dict.fromkeys(chain.from_iterable(types for types, _ in choices))
        bare = all(bare for _, bare in choices)
        types = tuple(sorted(names) if bare else names)
        nullable = NoneType in members and "null" not in types
        return (*types, "null") if nullable else types, bare and NoneType not in members
    if origin is typing.Literal:
        return _value_types(members), False
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _value_types(tuple(member.value for member in hint)), False
    known = _HINTS.get(origin or hint) if isinstance(origin or hint, type) else None
    return ((known,), not members) if known else ((), False)


def _value_types(values: tuple[Any, ...]) -> Types:
    """The types of the values of an enumeration; `()` if one of them is no JSON scalar."""
    names = dict.fromkeys(_HINTS.get(type(value), "") for value in values)
    return tuple(names) if names.keys().isdisjoint(("", "array", "object")) else ()


_HINTS: dict[type, str] = {
    int: "integer",
    float: "number",
    str: "string",
    bool: "boolean",
    NoneType: "null",
    list: "array",
    tuple: "array",
    dict: "object",
}
