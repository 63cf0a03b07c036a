"""What a template costs is in proportion to it, or the template is refused by a limit that its error names.

Sizes are compared, not times; only a hang is ended by the clock.
"""

from __future__ import annotations

import ast
import json
import re
import signal
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

from untemplate.compiler import TemplateError, compile_template
from untemplate.compiler.frontend import limits
from untemplate.compiler.patterns import error as pattern_limits
from untemplate.compiler.pipeline import compile_in_memory

SECONDS = 240


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def template(**field: Any) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": {"a": {"open": "<", "close": ">", **field}}}


def pattern(text: str) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": {"a": {"open_pattern": text, "close": ">"}}}


def fields(count: int, make: Callable[[int], dict[str, Any]]) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": {f"field_{number}": make(number) for number in range(count)}}


def nested(depth: int, value: Any, key: str | None = "k") -> Any:
    for _ in range(depth):
        value = [value] if key is None else {key: value}
    return value


def _parsers(depth: int) -> dict[str, Any]:
    """Options of `kv-lines` with so many parsers below."""
    options: dict[str, Any] = {}
    for number in range(depth):
        options = {"kv_sep": f"{number}=", "value_parser": {"name": "kv-lines", "args": options}}
    return options


ACCEPTED: dict[str, dict[str, Any]] = {
    "10,000 literals": template(open=[f"<{number}>" for number in range(limits.LITERALS)]),
    "10,000 literals that share beginnings": template(open=["<" + "a" * (n % 50) + str(n) for n in range(10_000)]),
    "a long literal": template(open="<" + "x" * (limits.LITERAL_CHARACTERS - 1)),
    "long literals": template(open=[f"<{number}>" + "x" * 900 for number in range(1_000)]),
    "a megabyte in join": template(repeats=True, join="j" * 1_000_000),
    "a megabyte in defaults": {**template(), "defaults": {"k" * 500_000: "v" * 500_000}},
    "a name of a megabyte": {"start_anchor": "@", "fields": {"n" * 1_000_000: {}}},
    "1,000 fields": fields(limits.FIELDS, lambda n: {"open": f"<{n}>", "close": f"</{n}>", "content": "json"}),
    "1,000 fields with patterns": fields(300, lambda n: {"open_pattern": f"<{n}>\\s*x?", "close_pattern": f"a?</{n}>"}),
    "a deep transform": template(transform=nested(96, "{content}")),
    "a deep transform of lists": template(transform=nested(96, "{content}", None)),
    "deep defaults": {**template(), "defaults": {"d": nested(limits.NESTING - 2, 1, None)}},
    "a wide transform": template(transform={str(number): "{content}" for number in range(20_000)}),
    "a wide list": template(transform=["{content}", *range(50_000)]),
    "a long pattern": pattern("x" * pattern_limits.MAX_LENGTH),
    "a pattern of many parts": pattern("(?:ab|c)" * 1_000),
    "a pattern of many choices": pattern("|".join(f"<{number}>x+" for number in range(800))),
    "a pattern with a large class": pattern("[" + "".join(chr(0x4000 + 2 * number) for number in range(4_000)) + "]+!"),
    "a counted repeat": pattern("a{0,4900}b"),
    "deep groups": pattern("(?:a|" * 28 + "b" + ")" * 28),
    "many string delimiters": template(
        content="json", content_args={"string_delims": [[f"<{n}", f"{n}>"] for n in range(limits.STRING_DELIMS)]}
    ),
    "value parsers in each other": template(content="kv-lines", content_args=_parsers(40)),
}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "more literals": (template(open=[f"<{number}>" for number in range(limits.LITERALS + 1)]), "10,000"),
    "a literal of a megabyte": (template(open="<" * 1_000_000), "1,000"),
    "a separator of a megabyte": (template(content="kv-lines", content_args={"kv_sep": "=" * 1_000_000}), "1,000"),
    "more fields": (fields(limits.FIELDS + 1, lambda n: {"open": f"<{n}>"}), "1,000"),
    "a deeper transform": (template(transform=nested(200, "{content}")), "100"),
    "a transform without end": (template(transform=nested(100_000, 1)), "100"),
    "a longer pattern": (pattern("x" * (pattern_limits.MAX_LENGTH + 1)), "10000"),
    "a larger counted repeat": (pattern("a{0,5000}b"), "5000"),
    "a huge counted repeat": (pattern("a{0,999999999}b"), "5000"),
    "counted repeats in each other": (pattern("(?:(?:a{0,90}){0,90}){0,90}b"), "5000"),
    "deeper groups": (pattern("(?:a|" * 100 + "b" + ")" * 100), "60"),
    "groups without end": (pattern("(" * 5_000), ""),
    "deep repeats": (pattern("(?:a" * 58 + "b" + ")*" * 58), "60"),
    "a long integer": ({**template(), "defaults": {"d": 10**700}}, "640"),
    "more string delimiters": (template(content="json", content_args={"string_delims": [["<", ">"]] * 1_001}), "1,000"),
}


def text_size(value: dict[str, Any]) -> int:
    return len(json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize("name", ACCEPTED)
def test_code_is_in_proportion(name: str) -> None:
    given = ACCEPTED[name]
    _, code = compile_in_memory(given)
    assert len(code) < 5_000 + 16 * text_size(given)
    compile(code, "<module>", "exec")


def test_twice_the_template_is_twice_the_code() -> None:
    """The same on another scale: no part of the code is written once for each pair of things in the template."""
    makers: list[Callable[[int], dict[str, Any]]] = [
        lambda n: template(open=[f"<{number:05}>" for number in range(n)], close=[f"</{m:05}>" for m in range(n)]),
        lambda n: fields(n, lambda m: {"open": f"<{m:05}>", "close_pattern": f"</{m:05}>\\s*", "content": "json"}),
        lambda n: fields(n, lambda m: {"open_pattern": f"<{m:05}>(?P<n>x?)", "transform": {"n": "{n}"}}),
        lambda n: fields(n, lambda m: {"open": f"<{m:05}>", "repeats": True, "join": ",", "optional": False}),
        lambda n: template(transform={f"{number:05}": ["{content}"] for number in range(n)}),
        lambda n: {**template(), "defaults": {f"{number:05}": [{}] for number in range(n)}},
        lambda n: pattern("".join(f"(?:{chr(97 + m % 26)}|x{m:05})" for m in range(n))),
    ]
    for make in makers:
        few, many = (len(compile_in_memory(make(count))[1]) for count in (50, 400))
        assert many < 9 * few, make(2)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_names_its_limit(name: str) -> None:
    given, limit = REFUSED[name]
    with pytest.raises(TemplateError) as caught:
        compile_in_memory(given)
    message = str(caught.value)
    assert limit in message
    assert len(message) < 3_000, "a report quotes a part of the template only"
    assert re.search(r"limit|more than|not closed|does not end|no closing|never closed|missing", message)


@pytest.mark.parametrize("depth", [10, 40, 94])
def test_the_layout_of_deep_values_is_bounded(depth: int) -> None:
    """black puts each value on a line of its own, indented: more than in proportion, but the depth has a limit."""
    given = template(transform=nested(depth, [["{content}"] * 20, {str(number): number for number in range(20)}]))
    source = compile_template(given)
    ast.parse(source)
    lines = source.count("\n")
    assert lines < 400 + 14 * depth
    assert max(map(len, source.splitlines())) < 120 + 8 * depth
    assert len(source) < 8 * limits.NESTING * text_size(given)


def test_a_thousand_fields_have_a_thousand_names() -> None:
    """Names that come to the same identifier are told apart, and no name gets long."""
    names = [f"{'x' * 200}{'!' * number}" for number in range(200)] + [f"{char}" for char in "éàüöß名前-+*/"]
    given = {"start_anchor": "@", "fields": {name: {"open": f"<{n}>"} for n, name in enumerate(names)}}
    _, code = compile_in_memory(given)
    methods = [node.name for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef)]
    assert len(methods) == len(set(methods))
    assert max(map(len, methods)) < 90
