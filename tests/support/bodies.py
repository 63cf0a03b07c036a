"""Random bodies of regions, for every content parser, most of which fit it."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

WORDS = [
    "yes",
    "plan b",
    "x",
    "Zürich",
    "é",
    "मौसम",
    "²",
    "42",
    " 7 ",
    "true",
    "3.5",
    "a < b",
    "if (a && b) {",
    "🙂",
    "I'll",
]
BLANKS = [" ", "\n", "\n\n", "\t", "\r\n", "  ", "\u00a0", "\x1c", "\u3000"]
VALUES: list[Any] = [1, 0, -7, 2.5, True, False, None, "", "word", "a b", "42", "0.5", "true", "null", [], {}, [1, "2"]]
VALUES += [
    {"k": "v"},
    "tab\tline\n",
    "brace } ] {",
    "quote \" it's",
    'Ω {x: "y"}',
    "[1, 2]",
    '{"deep": 1}',
    " pad ",
    "1e3",
]
KEYS = ["name", "arguments", "city", "n", "é", "ключ", "k_2"]
CALL_NAMES = ["get_weather", "f", "mcp.x-y", "été"]


def prose(rng: Random) -> str:
    return "".join(rng.choice(WORDS if rng.random() < 0.6 else BLANKS) for _ in range(rng.choice([0, 1, 2, 3, 5])))


def _value(rng: Random, depth: int = 0) -> Any:
    roll = rng.random()
    if depth < 2 and roll < 0.12:
        return [_value(rng, depth + 1) for _ in range(rng.randrange(3))]
    if depth < 2 and roll < 0.24:
        return {rng.choice(KEYS): _value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return rng.choice(VALUES)


def _arguments(rng: Random) -> dict[str, Any]:
    return {rng.choice(KEYS): _value(rng) for _ in range(rng.randrange(4))}


def _call(rng: Random, arguments_key: str) -> dict[str, Any]:
    call: dict[str, Any] = {"name": rng.choice(CALL_NAMES), arguments_key: _arguments(rng)}
    if rng.random() < 0.08:
        del call[rng.choice(list(call))]
    return call


def _dialect(rng: Random, value: Any, args: dict[str, Any]) -> str:
    """JSON as the dialect of `args` allows it: keys without quotes, strings in their own delimiters."""
    pairs = args.get("string_delims") or []
    match value:
        case dict():
            entries = []
            for key, item in value.items():
                bare = args.get("unquoted_keys") and rng.random() < 0.8
                name = key if bare else json.dumps(key, ensure_ascii=False)
                entries.append(f"{name}{rng.choice(['', '', ' '])}:{rng.choice(['', ' '])}{_dialect(rng, item, args)}")
            return "{" + rng.choice([",", ", ", ",\n"]).join(entries) + "}"
        case list():
            return "[" + ", ".join(_dialect(rng, item, args) for item in value) + "]"
        case str() if pairs and rng.random() < 0.8:
            start, end = rng.choice(pairs)
            return f"{start}{value}{end}"
    return json.dumps(value, ensure_ascii=rng.random() < 0.5)


def _literal(rng: Random, value: Any) -> str:
    """A value as a Python-like call list writes it."""
    match value:
        case dict():
            return "{" + ", ".join(f"{_literal(rng, key)}: {_literal(rng, item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(_literal(rng, item) for item in value) + "]"
        case str():
            return repr(value) if rng.random() < 0.6 else json.dumps(value)
        case True | False | None:
            return repr(value) if rng.random() < 0.5 else json.dumps(value)
    return repr(value)


def content(rng: Random) -> tuple[dict[str, Any], Callable[[Random], str], str]:
    """The content keys of a field, bodies that mostly fit them, and the kind of value they give."""
    kind = rng.choice(
        ["text"] * 4 + ["json"] * 5 + ["int", "float", "bool", "xml-inline", "xml-inline", "kv-lines", "calls"]
    )
    if kind == "text":
        args = rng.choice([None, None, {"strip": False}, {"strip": True}])
        keys = {} if rng.random() < 0.4 else {"content": "text"}
        return {**keys, **({"content_args": args} if args else {})}, prose, "string"
    if kind in ("int", "float", "bool"):
        choices = {
            "int": ["42", " 7\n", "-3", "1_000", "x", "", "٣", "9" * 30, "1.0"],
            "float": ["1.5", " -2e3 ", "nan", "inf", ".5", "1,5", "", "7"],
            "bool": ["true", " TRUE ", "1", "0", "no", "", "True\n"],
        }[kind]
        return {"content": kind}, lambda r: r.choice(choices), "scalar"
    if kind == "json":
        args = _json_args(rng)
        shape = rng.choice(["call", "args", "array", "any", "array"])
        key = rng.choice(["arguments", "args"])

        def body(r: Random) -> str:
            made = _shaped(r, shape, key)
            text = _dialect(r, made, args)
            text = text[: r.randrange(len(text) + 1)] if r.random() < 0.07 else text
            return (
                r.choice(["", "", "\n", " "])
                + text
                + r.choice(["", "", "\n", "\x1f", "x"][: 3 if r.random() < 0.9 else 5])
            )

        return {"content": "json", **({"content_args": args} if args else {})}, body, f"{shape}:{key}"
    if kind == "xml-inline":
        return *_xml(rng), "args"
    if kind == "kv-lines":
        return *_lines(rng), "args"

    def calls(r: Random) -> str:
        made = []
        for _ in range(r.randrange(3)):
            pairs = ", ".join(
                f"{r.choice(['a', 'b', 'city', 'n'])}={_literal(r, _value(r))}" for _ in range(r.randrange(3))
            )
            made.append(f"{r.choice(['f', 'ns.g', 'mcp-x'])}({pairs})")
        return "[" + ", ".join(made) + r.choice(["]"] * 9 + [",]"])

    return {"content": "python-call-list"}, calls, "array:arguments"


def _shaped(rng: Random, shape: str, key: str) -> Any:
    match shape:
        case "call":
            return _call(rng, key)
        case "args":
            return _arguments(rng)
        case "any":
            return _value(rng)
    return [_call(rng, key) for _ in range(rng.randrange(3))]


def _json_args(rng: Random) -> dict[str, Any]:
    args: dict[str, Any] = {}
    if rng.random() < 0.35:
        args["unquoted_keys"] = rng.random() < 0.9
    if rng.random() < 0.3:
        args["string_delims"] = rng.choice(
            [[["<|q|>", "<|q|>"]], [["<esc>", "</esc>"]], [["«", "»"], ["<esc>", "<esc>"]], []]
        )
    if rng.random() < 0.3:
        args["allow_non_json"] = rng.random() < 0.9
    return args


def _value_parser(rng: Random) -> dict[str, Any] | None:
    return rng.choice(
        [
            None,
            {"name": "text", "args": {"strip": False}},
            {"name": "json", "args": {"allow_non_json": True}},
            {"name": "text"},
            {"name": "json"},
            {"name": "int"},
            {"name": "kv-lines", "args": {"kv_sep": "="}},
        ]
    )


def _xml(rng: Random) -> tuple[dict[str, Any], Callable[[Random], str]]:
    pattern, shape = rng.choice(
        [
            (r"<p=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?</p>", "<p={key}>\n{value}\n</p>\n"),
            (r"<k>\s*(?P<key>[^<]*?)\s*</k>\s*<v>(?P<value>.*?)</v>", "<k>{key}</k>\n<v>{value}</v>"),
            (r"<(?P<key>\w+)>(?P<value>[^<]*)</\w+>", "<{key}>{value}</{key}>"),
            (r'<a n="(?P<key>[^"]+)"(?:/>|>(?P<value>.*?)</a>)', '<a n="{key}">{value}</a>'),
        ]
    )
    args: dict[str, Any] = {"tag_pattern": pattern}
    if (parser := _value_parser(rng)) is not None and "/>" not in pattern:
        args["value_parser"] = parser
    if rng.random() < 0.3:
        args["merge_duplicates"] = True

    def body(r: Random) -> str:
        tags = []
        for _ in range(r.randrange(4)):
            value = _value(r)
            text = value if isinstance(value, str) else json.dumps(value)
            tags.append(shape.format(key=r.choice(["city", "n", "k_2"]), value=text))
        return r.choice(["", "\n", "junk "]) + "".join(tags) + r.choice(["", "\n", "<p="])

    return {"content": "xml-inline", "content_args": args}, body


def _lines(rng: Random) -> tuple[dict[str, Any], Callable[[Random], str]]:
    args: dict[str, Any] = {}
    if rng.random() < 0.3:
        args["kv_sep"] = rng.choice(["=", "->", " "])
    if rng.random() < 0.3:
        args["line_sep"] = rng.choice([";", "\r\n", "||"])
    if rng.random() < 0.3:
        args["strip"] = rng.random() < 0.5
    if (parser := _value_parser(rng)) is not None and rng.random() < 0.5:
        args["value_parser"] = parser

    def body(r: Random) -> str:
        lines = []
        for _ in range(r.randrange(4)):
            value = _value(r)
            text = value if isinstance(value, str) else json.dumps(value)
            lines.append(r.choice(KEYS) + r.choice([args.get("kv_sep", ":"), ": ", ""]) + text)
        return str(args.get("line_sep", "\n")).join(lines)

    return {"content": "kv-lines", **({"content_args": args} if args else {})}, body
