"""The content `python-call-list`: `[f(a=1), g.h(b='x')]`, a small strict grammar that only looks like Python.

The scanner reads every character once and keeps nested values on a stack of its own, so neither long nor deep bodies
can wear it out. Positions in messages count characters from the start of the body.
"""

from __future__ import annotations

import re
from math import isinf
from typing import Any, NoReturn

from ..errors import ContentError
from .quoting import shown_at

DEEPEST = 100
LARGEST = 2**53 - 1

_NAME = r"[A-Za-z_][A-Za-z0-9_]*+(?:[-.][A-Za-z0-9_]++)*+"
_CLOSING = {"[": "]", "{": "}"}
_CONSTANTS = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_space = re.compile(r"[ \t\n\r]*+")
_call = re.compile(rf"({_NAME})[ \t\n\r]*+\([ \t\n\r]*+")
_argument = re.compile(rf"({_NAME})[ \t\n\r]*+=[ \t\n\r]*+")
_colon = re.compile(r"[ \t\n\r]*+:[ \t\n\r]*+")
_name = re.compile(_NAME)
# Groups: text of a string without escapes (1, 2), of one with escapes (3, 4); a number's integer part (5), fraction (6)
# and exponent (7); a constant (8).
_scalar = re.compile(
    r"""
    '([^'\\\n\r\ud800-\udfff]*+)' | "([^"\\\n\r\ud800-\udfff]*+)"
    | '((?:[^'\\\n\r\ud800-\udfff]++|\\.)*+)' | "((?:[^"\\\n\r\ud800-\udfff]++|\\.)*+)"
    | (-?(?:0|[1-9][0-9]*+))(\.[0-9]++)?+([eE][+-]?[0-9]++)?+
    | (True|true|False|false|None|null)(?![A-Za-z0-9_])
    """,
    re.DOTALL | re.VERBOSE,
)
_escape = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
_readable = re.compile(r"(['\"])(?:(?!\1)[^\\\n\r\ud800-\udfff]|\\.)*+", re.DOTALL)


def parse_calls(body: str) -> list[dict[str, Any]]:
    """The calls in the body, each `{"name": str, "arguments": dict}`. Raises `ContentError` with the position."""
    calls: list[dict[str, Any]] = []
    at = _skip(body, 0)
    if not body.startswith("[", at):
        _fail(body, at, "expected '[' before the calls")
    at = _skip(body, at + 1)
    more = not body.startswith("]", at)
    while more:
        call, at = _read_call(body, at)
        calls.append(call)
        at = _skip(body, at)
        more = body.startswith(",", at)
        if more:
            at = _skip(body, at + 1)
        elif not body.startswith("]", at):
            _fail(body, at, "expected ',' or ']' after a call")
    at = _skip(body, at + 1)
    if at != len(body):
        _fail(body, at, "nothing may follow the list of calls")
    return calls


def _read_call(body: str, at: int) -> tuple[dict[str, Any], int]:
    """The call at index `at`, and the index after its `)`."""
    head = _call.match(body, at)
    if head is None:
        _fail_name(body, at, "a function name", "(")
    arguments: dict[str, Any] = {}
    call = {"name": head[1], "arguments": arguments}
    at = head.end()
    if body.startswith(")", at):
        return call, at + 1
    while True:
        key = _argument.match(body, at)
        if key is None:
            _fail_name(body, at, "an argument name (there is no other way to pass an argument)", "=")
        if key[1] in arguments:
            _fail(body, at, "an argument is given twice")
        arguments[key[1]], at = _read_value(body, key.end())
        at = _skip(body, at)
        if body.startswith(")", at):
            return call, at + 1
        if not body.startswith(",", at):
            _fail(body, at, "expected ',' or ')' after an argument")
        at = _skip(body, at + 1)


def _read_value(body: str, at: int) -> tuple[Any, int]:
    """The value of any type at index `at`, and the index after it."""
    token = _scalar.match(body, at)
    if token is not None:
        return _scalar_value(token), token.end()
    if body.startswith(("[", "{"), at):
        return _read_nested(body, at)
    _fail_value(body, at)


def _read_nested(body: str, at: int) -> tuple[Any, int]:
    """The list or object at index `at`, and the index after it. Loops where a parser would usually recurse."""
    root: Any = [] if body[at] == "[" else {}
    open_values: list[Any] = [root]
    closings = [_CLOSING[body[at]]]
    at = _skip(body, at + 1)
    empty = True  # nothing is read yet of the innermost value: it may end at once
    while True:
        inner = open_values[-1]
        if not (empty and body.startswith(closings[-1], at)):
            key = None
            if closings[-1] == "}":
                key, at = _read_key(body, at, inner)
            token = _scalar.match(body, at)
            child: Any
            if token is not None:
                child = _scalar_value(token)
            elif not body.startswith(("[", "{"), at):
                _fail_value(body, at)
            elif len(open_values) == DEEPEST:
                _fail(body, at, f"lists and objects are nested more than {DEEPEST} deep")
            else:
                child = [] if body[at] == "[" else {}
            if key is None:
                inner.append(child)
            else:
                inner[key] = child
            empty = token is None
            if token is None:
                open_values.append(child)
                closings.append(_CLOSING[body[at]])
                at = _skip(body, at + 1)
                continue
            at = _skip(body, token.end())
        while body.startswith(closings[-1], at):
            open_values.pop()
            closings.pop()
            if not closings:
                return root, at + 1
            at = _skip(body, at + 1)
        if not body.startswith(",", at):
            _fail(body, at, f"expected ',' or {closings[-1]!r}")
        at = _skip(body, at + 1)
        empty = False


def _read_key(body: str, at: int, read: dict[str, Any]) -> tuple[str, int]:
    """The key at index `at` of an object of which `read` is known, and the index of its value."""
    token = _scalar.match(body, at) if body.startswith(("'", '"'), at) else None
    if token is None:
        _fail(body, at, "expected a string as a key")
    key: str = _scalar_value(token)
    if key in read:
        _fail(body, at, "a key is given twice")
    colon = _colon.match(body, token.end())
    if colon is None:
        _fail(body, _skip(body, token.end()), "expected ':' after a key")
    return key, colon.end()


def _scalar_value(token: re.Match[str]) -> Any:
    """The value of a match of `_scalar`. Raises `ContentError`: a bad escape, a number out of range."""
    group = token.lastindex
    if group == 1 or group == 2:
        return token[group]
    if group == 3 or group == 4:
        return _unescaped(token.string, *token.span(group))
    if group == 8:
        return _CONSTANTS[token[8]]
    if group == 5:
        # The length decides first: long digits never reach `int`, whose time grows with their square.
        if len(token[5]) > 17 or abs(int(token[5])) > LARGEST:
            _fail(token.string, token.start(), "an integer is beyond ±(2^53 - 1)")
        return int(token[5])
    number = float(token[0])
    if isinf(number):
        _fail(token.string, token.start(), "a number is too large")
    return number


def _unescaped(body: str, start: int, end: int) -> str:
    """The text that `body[start:end]`, the inside of a string literal, stands for."""
    parts: list[str] = []
    for escape in _escape.finditer(body, start, end):
        parts += body[start : escape.start()], _character(escape)
        start = escape.end()
    return "".join(parts) + body[start:end]


def _character(escape: re.Match[str]) -> str:
    """The one character that a match of `_escape` stands for."""
    high, low, unit, char = escape.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    if unit is not None:
        code = int(unit, 16)
        if 0xD800 <= code <= 0xDFFF:
            _fail(escape.string, escape.start(), "half of a surrogate pair is escaped in a string")
        return chr(code)
    if char not in _ESCAPES:
        _fail(escape.string, escape.start(), "an escape is not known")
    return _ESCAPES[char]


def _skip(body: str, at: int) -> int:
    """The index of what follows the white space, if any, at index `at`."""
    space = _space.match(body, at)
    return space.end() if space else at


def _fail(body: str, at: int, what: str) -> NoReturn:
    raise ContentError(f"not a list of calls: {what}, at character {at}: {shown_at(body, at)}")


def _fail_name(body: str, at: int, what: str, after: str) -> NoReturn:
    """Tells whether `what`, a name, is not there at index `at`, or is not followed by `after`."""
    name = _name.match(body, at)
    if name is None:
        _fail(body, at, f"expected {what}")
    _fail(body, _skip(body, name.end()), f"expected {after!r} after {what}")


def _fail_value(body: str, at: int) -> NoReturn:
    """Tells why no value can be read at index `at`."""
    string = _readable.match(body, at)
    if string is None:
        _fail(body, at, "expected a string, number, list, object, True, False or None")
    end = string.end()
    if end == len(body):
        _fail(body, at, "a string does not end")
    _fail(body, end, "a string holds " + ("a line break" if body[end] in "\n\r" else "half of a surrogate pair"))
