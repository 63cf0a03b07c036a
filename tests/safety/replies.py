"""Replies made to break a parser, and what a parser makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from support.chunking import merge
from untemplate.runtime import ResponseParseError

DEEP = 100_000

BODIES = {
    "nothing": "",
    "white space": " \n\t\u00a0\u2028\x1c" * 3,
    "nul": "\x00",
    "lone surrogates": '"\ud800" \udfff',
    "escaped lone surrogate": '{"a": "\\ud800", "\\udc00": 1}',
    "not characters": "\ufffd\ufffe\uffff",
    "deep lists": "[" * DEEP,
    "deep lists, closed": "[" * DEEP + "]" * DEEP,
    "deep objects": '{"a":' * DEEP,
    "deep bare objects": "{a:" * DEEP,
    "deep calls": "[f(a=" + "[" * DEEP,
    "a deep argument": '{"name": "f", "arguments": {"a": ' + "[" * DEEP + "]" * DEEP + "}}",
    "digits": "9" * 10_000,
    "digits in an object": '{"name": "f", "arguments": {"n": ' + "9" * 10_000 + "}}",
    "digits in a call": "[f(n=" + "9" * 10_000 + ")]",
    "a large exponent": "[1e999999999, -1E400, 0.1e-999999999]",
    "not a number": '{"a": NaN, "b": Infinity, "c": -Infinity}',
    "many digits behind the point": "0." + "1" * 10_000,
    "other digits": "٣²½１_0",
    "a megabyte": '{"name": "f", "arguments": {"text": "' + "m" * 1_000_000 + '"}}',
    "a megabyte that does not end": '{"name": "f", "arguments": {"text": "' + "m" * 1_000_000,
    "many backslashes": '{"a": "' + "\\" * 200_000,
    "many quotes": '"' * 200_000,
    "many keys": "{" + ",a:" * 60_000,
    "many lines": "a:b\n" * 60_000,
    "many brackets": "[](){}<>" * 25_000,
    "many blanks": " " * 200_000,
    "equal keys": '{"a": 1, "a": {"a": 2}}',
    "other values": '"text"',
    "null": "null",
    "a list of what is no object": '[1, "a", null, [], {}]',
    "calls that are none": '{"name": 1, "arguments": "x", "function": {"name": [], "arguments": null}}',
    "special names": '{"__class__": 1, "name": "__init__", "arguments": {"__proto__": {}}}',
    "code": "[__import__('os').system('true')]",
    "code as arguments": "[f(a=__import__, b=f(c=1), *x, **y)]",
}
"""Bodies of regions that content parsers have to survive."""


def delimiters(template: dict[str, Any]) -> list[str]:
    """Texts at or near the delimiters of a template: its literals, and its patterns with the operators taken out."""
    found: list[str] = []
    fields = [*template["fields"].values(), {"open": template.get("start_anchor", [])}]
    for field in fields:
        for key in ("open", "close"):
            value = field.get(key, [])
            found += [value] if isinstance(value, str) else value
            pattern = field.get(f"{key}_pattern", "")
            if pattern:
                found += _pieces(pattern)
    return list(dict.fromkeys(text for text in found if text))


def _pieces(pattern: str) -> Iterator[str]:
    plain = pattern.replace("\\s*", "").replace("\\n?", "").replace("\\", "")
    yield plain.partition("(?")[0]
    yield "".join(char for char in plain if char not in "()?*+$^|[]")
    yield from plain.replace("(?:", "|").replace(")", "|").split("|")[:6]


def hostile_replies(template: dict[str, Any], large: bool = True) -> Iterator[tuple[str, str]]:
    """Names and texts of replies for a template."""
    marks = delimiters(template)
    bodies = {name: body for name, body in BODIES.items() if large or len(body) < 30_000}
    for name, body in bodies.items():
        yield name, body
        if marks:
            yield f"{name}, after each delimiter", "".join(mark + body[: 200_000 // len(marks)] for mark in marks)
    for mark in marks:
        for name in ("nothing", "null", "deep lists", "digits", "a list of what is no object", "lone surrogates"):
            if name in bodies:
                yield f"{name}, after {mark!r}", mark + bodies[name]
    yield "all delimiters", "".join(marks) * 20
    yield "all delimiters backwards", "".join(reversed(marks)) * 20
    yield "each delimiter many times", "".join(mark * 50 for mark in marks)
    yield "parts of delimiters", "".join(mark[:-1] for mark in marks) * 20
    yield "parts of parts", "".join(mark[:size] for mark in marks for size in range(len(mark))) * 3
    yield "ends of delimiters", "".join(mark[1:] for mark in marks) * 20
    yield (
        "delimiters in each other",
        "".join(mark[: len(mark) // 2] + mark + mark[len(mark) // 2 :] for mark in marks) * 5,
    )
    yield "delimiters with nul between", "\x00".join(marks * 5)


def rejection_or_message(
    parser: Any, chunks: Iterable[str], prefix: str = "", on_malformed: str = "raise", tools: list[Any] | None = None
) -> tuple[str, Any, list[dict[str, Any]]]:
    """What a parser (its class) makes of chunks: a message, or a rejection; and all merged events.

    Raises whatever else the parser raises.
    """
    events: list[dict[str, Any]] = []
    reader = None
    try:
        reader = parser(prefix, tools=tools, on_malformed=on_malformed)
        events += reader.initial_events
        for chunk in chunks:
            events += reader.feed(chunk)
        message, last = reader.finalize()
    except ResponseParseError as error:
        check_error(error)
        if reader is not None:
            check_finished(reader)
        return "rejects", (error.field, error.raw, error.position, error.message), merge([*events, *error.events])
    return "message", message, merge([*events, *last])


def check_error(error: ResponseParseError) -> None:
    """Fails if an error does not say what it must."""
    assert isinstance(error.field, str)
    assert isinstance(error.raw, str)
    assert isinstance(error.message, dict)
    assert error.position >= 0
    assert len(str(error)) < 2_000, "an error quotes a part of the reply only"


def check_finished(reader: Any) -> None:
    """Fails if a parser can be used again."""
    for use in (lambda: reader.feed("x"), lambda: reader.feed(""), lambda: reader.finalize()):
        with pytest.raises(RuntimeError, match="finished"):
            use()
