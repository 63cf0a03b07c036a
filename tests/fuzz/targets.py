"""What is fuzzed: each target takes random choices and fails where a promise is broken."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import regex
from hypothesis import strategies as st
from safety.replies import rejection_or_message
from safety.texts import ALL

from support.chunking import at_random
from support.strategies import random_output, random_template
from untemplate.compiler import TemplateError
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.frontend.source import source_of_bytes
from untemplate.compiler.patterns import PatternError, read_pattern, render
from untemplate.compiler.pipeline import compile_in_memory

_KEYS = (
    *("version", "defaults", "start_anchor", "start_anchor_pattern", "fields", "open", "open_pattern", "close"),
    *("close_pattern", "repeats", "join", "optional", "content", "content_args", "transform", "transform_each"),
    *("strip", "unquoted_keys", "string_delims", "allow_non_json", "tag_pattern", "value_parser", "merge_duplicates"),
    *("line_sep", "kv_sep", "name", "args", "text", "json", "xml-inline", "kv-lines", "int", "python-call-list"),
)
_ATOMS = (
    *(
        "a",
        "b",
        "<",
        ">",
        "|",
        "\\s",
        "\\w",
        "\\d",
        "\\b",
        "\\n",
        ".",
        "^",
        "$",
        "\\Z",
        "[a-c]",
        "[^<]",
        "(?:",
        "(",
        ")",
    ),
    *(
        "(?=",
        "(?!",
        "(?<=",
        "(?<!",
        "(?>",
        "(?P<n>",
        "(?i)",
        "(?x:",
        "*",
        "+",
        "?",
        "*?",
        "++",
        "{0,3}",
        "{2}",
        "{,",
        "}",
    ),
    *(
        "[",
        "]",
        "[[:alpha:]]",
        "\\p{L}",
        "\\N{BULLET}",
        "\\x41",
        "\\u0041",
        "\\1",
        "(?P=n)",
        "#",
        " ",
        "\\",
        "é",
        "ſ",
        "\x00",
    ),
)


# A seed can not be shrunk, but makes the same case again everywhere.
_SEEDS = st.integers(0, 2**48)


class Broken(AssertionError):
    """A promise that a target found broken."""


def _values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    leaves = texts | st.none() | st.booleans() | st.integers() | st.floats()
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=20
    )


_TEXTS = st.sampled_from([*_KEYS, *ALL.values()]) | st.text(max_size=12)


def documents() -> st.SearchStrategy[bytes]:
    """Bytes that may be a template: any, JSON of any shape, and templates with one thing changed."""
    return (
        st.binary(max_size=200)
        | _values(_TEXTS).map(lambda value: json.dumps(value).encode())
        | st.tuples(_SEEDS, _values(_TEXTS)).map(lambda pair: _damaged(Random(pair[0]), pair[1]))
    )


def _damaged(rng: Random, value: Any) -> bytes:
    template = random_template(rng).template
    target: Any = template
    while True:
        keys = list(target) if isinstance(target, dict) else list(range(len(target)))
        if not keys:
            break
        key = rng.choice(keys)
        if isinstance(target[key], (dict, list)) and rng.random() < 0.8:
            target = target[key]
            continue
        target[key] = value
        break
    text = json.dumps(template, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        at = rng.randrange(len(text))
        text = text[:at] + rng.randbytes(rng.randrange(4)) + text[at + rng.randrange(4) :]
    return text


def load(data: bytes) -> None:
    """The loader: a template or a `TemplateError`, whatever the bytes; and what loads compiles."""
    try:
        source = source_of_bytes(data, "<fuzz>")
        load_template(source)
        _, code = compile_in_memory(source)
    except TemplateError as error:
        if not str(error) or not error.diagnostics:
            raise Broken("an error without words") from error
        return
    compile(code, "<fuzz>", "exec")


def patterns() -> st.SearchStrategy[str]:
    """Texts that may be patterns."""
    return st.lists(st.sampled_from(_ATOMS), max_size=14).map("".join) | st.text(max_size=20)


def pattern(text: str) -> None:
    """The pattern reader: what it reads, its rendering means, and the `regex` package reads as well."""
    try:
        tree = read_pattern(text)
    except PatternError:
        return
    try:
        theirs, ours = regex.compile(text, regex.DOTALL), regex.compile(render(tree), regex.DOTALL)
    except regex.error as error:
        raise Broken(f"read, but refused by regex: {error}") from error
    for sample in ("", "a", "ab<a b>\n", "aab aab", "<|a|>\n<|b|>", "É\x00é ſs", "a\n", "(a)[b]{,}"):
        found, wanted = _matches(ours, sample), _matches(theirs, sample)
        if found != wanted:
            raise Broken(f"{text!r} means {wanted} in {sample!r}, its tree {found}")


def _matches(pattern: regex.Pattern[str], text: str) -> list[tuple[int, int] | None]:
    """What matches at each place of a text."""
    matches = [pattern.match(text, at) for at in range(len(text) + 1)]
    return [match.span() if match else None for match in matches]


def module(number: int) -> None:
    """Whole modules: a message or a `ResponseParseError` for any text, the same however it is cut."""
    rng = Random(number)
    plan = random_template(rng)
    try:
        _, code = compile_in_memory(plan.template)
    except TemplateError:
        return
    made: dict[str, Any] = {"__name__": "fuzzed"}
    exec(compile(code, "<fuzz>", "exec"), made)
    text = "".join(
        random_output(rng, plan) if rng.random() < 0.6 else rng.choice([*ALL.values(), "\x00", "[" * 50, "9" * 50])
        for _ in range(rng.randrange(1, 4))
    )[:3_000]
    whole = rejection_or_message(made["ResponseParser"], [text])
    for chunks in (list(text), at_random(text, Random(len(text)))):
        cut = rejection_or_message(made["ResponseParser"], chunks)
        if repr(cut) != repr(whole):
            raise Broken(f"{plan.template!r}\n{text!r}\n{chunks!r}\n{cut!r}\n{whole!r}")


TARGETS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], None]]] = {
    "load": (documents(), load),
    "pattern": (patterns(), pattern),
    "module": (_SEEDS, module),
}
