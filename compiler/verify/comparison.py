"""Compares the message that was put in with the message that came out."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from untemplate.compiler.diagnostics import JsonPath

_REASONING = ("reasoning_content", "thinking", "reasoning")
_COMPARED = ("reasoning_content", "content", "tool_calls")


@dataclass(frozen=True, slots=True)
class Missing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two messages differ: its path, and what stands there in either (`MISSING` for nothing)."""

    path: JsonPath
    expected: Any
    found: Any


def normalised(message: dict[str, Any]) -> dict[str, Any]:
    """The reasoning, content and calls of a message, in one of the forms that mean the same.

    Texts lose white space at their ends, which formats do not keep; arguments that are JSON text are read; ids of calls
    go, as most formats have none. What is empty is left out.
    """
    reasoning = next((message[key] for key in _REASONING if message.get(key)), None)
    parts: dict[str, Any] = {"reasoning_content": _text(reasoning), "content": _text(message.get("content"))}
    calls = message.get("tool_calls")
    parts["tool_calls"] = [_call(call) for call in calls] if isinstance(calls, list) else calls
    return {key: parts[key] for key in _COMPARED if parts[key]}


def first_difference(expected: Any, found: Any, path: JsonPath = ()) -> Difference | None:
    """The first difference, in the order of `expected`; `None` if there is none. Types count: `1` is not `True`."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in [*expected, *(key for key in found if key not in expected)]:
            inner = first_difference(expected.get(key, MISSING), found.get(key, MISSING), (*path, key))
            if inner is not None:
                return inner
        return None
    if isinstance(expected, list) and isinstance(found, list):
        for index in range(max(len(expected), len(found))):
            pair = [items[index] if index < len(items) else MISSING for items in (expected, found)]
            inner = first_difference(pair[0], pair[1], (*path, index))
            if inner is not None:
                return inner
        return None
    same = type(expected) is type(found) and expected == found
    return None if same else Difference(path, expected, found)


def _text(value: Any) -> Any:
    """A text without white space at its ends. A content of parts is the text of its parts."""
    if isinstance(value, list) and all(isinstance(part, dict) for part in value):
        value = "".join(str(part.get("text", "")) for part in value)
    return value.strip() if isinstance(value, str) else value


def _call(call: Any) -> Any:
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    function = call["function"]
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        with suppress(ValueError, RecursionError):  # what is no JSON is compared as text
            arguments = json.loads(arguments)
    return {"function": {**function, "arguments": arguments} if "arguments" in function else function}
