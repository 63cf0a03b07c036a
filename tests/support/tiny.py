"""Tiny templates over five characters, whose every short text can be tried, with every way in which it may go on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from random import Random
from typing import Any

import regex

from support import oracle
from support.chunking import Item, items, shared_start
from untemplate.compiler import TemplateError
from untemplate.compiler.pipeline import make_plan

CHARACTERS = "ab< \n"
LITERALS: list[str | list[str]] = [
    "a",
    "<",
    "ab",
    "aab",
    "aba",
    "<a",
    ["a", "ab"],
    ["<", "<ab"],
    ["ab", "b"],
    ["aa", "ab", "b<"],
]
PATTERNS = [
    r"a\s*",
    r"\s*a",
    r"\s*a\s*",
    r"\n?a\n?",
    r"a(?:b)?",
    r"a(?:bb)?",
    r"(?:a\s*)?<",
    r"(?:ab)?<a",
    r"a|ab",
    r"ab|a",
    r"aab|ab",
    r"a+",
    r"a+?",
    r"(?:ab)+",
    r"a{2,3}",
    r"(?:a|ab)(?:b|<)",
    r"a\s*|$",
    r"a|\Z",
    r"b$",
    r"a(?:\n|$)",
    r"a(?=b)",
    r"a(?!b)",
    r"(?<!a)b",
    r"(?<=a)<",
    r"[^<]*<",
    r"[^<]*<a",
    r"a.*?b",
    r"<[^b]*b",
    r"a[^b]{0,2}b",
    r"a\b",
    r"\ba",
    r"^a",
    r"(?=a[^b]*b)",
    r"(?:<)?(?=[^b]*b)",
    r"a(?=\s*b)",
    r"(?=<a)",
    r".b",
    r"(?:a|b)*<",
    r"<(?=a)|a",
    r"a(?=b)|\s+<",
    r"(?!a)b",
    r"(?:ab)?",
    r"^(?:a\s*)?",
    r"(?:<|)",
    r"a\s++",
    r"[ab]*+<",
    r"(?>a|ab)<",
    r"(?>a\s*)b?",
]
HEADS = ["a", "<", "", "(?:a|<)", "a+?", "a{1,2}", "[^b]", "(?:ab)?", "ab?", "<[^b]*", "<a*", "[^a]"]
TAILS = [
    *["", "(?=b)", "(?!b)", "(?=[^b]*b)", "(?![^b]*b)", "(?=a|<)", "(?=<a)", "$", r"\b", r"\Z"],
    *["(?:a(?=[^b]*b))?", "(?:<(?=b))?", "(?:[^b]*b)?", "(?:a(?!b))?", "(?:a(?=b)|<(?!b))?"],
]
BEFORE_CAPTURES = ["", "a", "<", "b", "(?:b<)?", "(?:ab)?", "[ab]?"]
CAPTURES = ["a", "b", "ab", "[a<]", "a?", "[ab]?", "b|<", "a+?", r"\w*", "[^b]*"]
BEHIND_CAPTURES = ["", "?", "a?", "b*", "(?=b)", "(?!b)", "(?:b)?", "(?:<b)?", "(?=<a)", "(?=[^b]*b)", r"\s*", "$"]
Delimiter = str | list[str]


def _keys(key: str, delimiter: tuple[bool, Delimiter] | None) -> dict[str, Any]:
    if delimiter is None:
        return {}
    is_pattern, value = delimiter
    return {f"{key}_pattern" if is_pattern else key: value}


@lru_cache(maxsize=1024)
def matches_empty(pattern: str) -> bool:
    """Whether a pattern matches nothing somewhere in some short text."""
    compiled = regex.compile(pattern, regex.DOTALL)
    texts = ("".join(letters) for length in range(4) for letters in product(CHARACTERS, repeat=length))
    return any(match.end() == match.start() for text in texts for match in compiled.finditer(text))


def tiny_template(rng: Random) -> dict[str, Any]:
    """One or two fields with delimiters of the lists above, and mostly an implicit one."""
    choices: list[tuple[bool, Delimiter]] = [(True, pattern) for pattern in PATTERNS]
    choices += [(False, literal) for literal in LITERALS]

    def nothing(delimiter: tuple[bool, Delimiter] | None) -> bool:
        return delimiter is not None and delimiter[0] and matches_empty(str(delimiter[1]))

    fields: dict[str, Any] = {}
    for name in rng.choice(["x", "x", "z", "xz"]):
        opening, closing = rng.choice(choices), rng.choice([*choices, None])
        while nothing(opening) and nothing(closing):
            closing = rng.choice(choices)
        fields[name] = {**_keys("open", opening), **_keys("close", closing), "content_args": {"strip": False}}
    if rng.random() < 0.8:
        closing = rng.choice([*choices, *[None] * 20])
        fields["y"] = {**_keys("close", closing), "content_args": {"strip": False}}
    return {"start_anchor": "@", "fields": fields}


def looking_template(rng: Random) -> dict[str, Any]:
    """A tiny template whose delimiters look ahead, have optional tails, or match nothing."""

    def part() -> str:
        return rng.choice(HEADS) + rng.choice(TAILS)

    def pattern() -> str:
        if rng.random() < 0.25:
            head, ahead = rng.choice(["", "a", "<"]), rng.choice(["a", "b", "<", "ab", "[^b]*b", "a|<"])
            return f"{head}(?={ahead})|{head}(?!{ahead})"
        return part() if rng.random() < 0.6 else f"{part()}|{part()}"

    return _accepted(rng, pattern, pattern, lambda name: {"content_args": {"strip": False}})


def capturing_template(rng: Random) -> dict[str, Any]:
    """A tiny template whose delimiters capture, so that it matters which of them it is, and where it ends."""

    def part() -> str:
        return rng.choice(BEFORE_CAPTURES) + f"(?P<n>{rng.choice(CAPTURES)})" + rng.choice(BEHIND_CAPTURES)

    def opening() -> str:
        return part() if rng.random() < 0.8 else rng.choice(["a", "b<", "<"])

    def closing() -> str:
        return part() if rng.random() < 0.5 else rng.choice(["", "(?=a)|", "a?", "a|$", "b"])

    transform = {"n": "{n}", "c": "{content}"}
    return _accepted(
        rng,
        opening,
        closing,
        lambda name: {"transform": transform} if name != "y" else {"content_args": {"strip": False}},
    )


def valued_template(rng: Random) -> dict[str, Any]:
    """A tiny template whose delimiters capture, and whose values may not depend on all of that, or on nothing."""

    def part() -> str:
        name = rng.choice("nnm")
        return rng.choice(BEFORE_CAPTURES) + f"(?P<{name}>{rng.choice(CAPTURES)})" + rng.choice(BEHIND_CAPTURES)

    def opening() -> str:
        return part() if rng.random() < 0.6 else rng.choice(["a", "b<", "<"])

    def closing() -> str:
        return part() if rng.random() < 0.7 else rng.choice(["", "(?=a)|", "a?", "a|$", "b"])

    def rest(name: str) -> dict[str, Any]:
        content: dict[str, Any] = {"content": rng.choice(["json", "json", "int", "float", "bool", "text"])}
        if content["content"] == "json" and rng.random() < 0.2:
            content["content_args"] = {"allow_non_json": True}
        if name == "y" and rng.random() < 0.5:
            return content
        asked = rng.sample(["{n}", "{m}", "{n.x}", "{content.x}", "{content}"], rng.choice([1, 2, 2, 3]))
        transform = dict(zip("klm", asked, strict=False)) if rng.random() < 0.8 else asked[0]
        each = {"transform_each": True} if rng.random() < 0.3 else {}
        return {**content, "transform": transform, **each}

    return _accepted(rng, opening, closing, rest)


def _accepted(
    rng: Random, opening: Callable[[], str], closing: Callable[[], str], rest: Callable[[str], dict[str, Any]]
) -> dict[str, Any]:
    """The first template with such delimiters that is not refused."""
    while True:
        fields = {
            name: {
                "open_pattern": opening(),
                **({"close_pattern": closing()} if rng.random() < 0.8 else {}),
                **rest(name),
            }
            for name in rng.choice(["x", "x", "xz"])
        }
        if rng.random() < 0.7:
            fields["y"] = {**({"close_pattern": closing()} if rng.random() < 0.4 else {}), **rest("y")}
        template = {"start_anchor": "@", "fields": fields}
        with suppress(TemplateError):
            make_plan(template)
            return template


def letters_of(template: dict[str, Any], most: int = 4) -> str:
    """The characters that matter to a template, and one that does not if there is room."""
    fields = template["fields"].values()
    written = repr([value for field in fields for key, value in field.items() if key.startswith(("open", "close"))])
    used = [letter for letter in "ab<" if letter in regex.sub(r"\\\\[a-zA-Z]|\(\?P<\w+>", "", written)]
    used += [" "] if r"\\s" in written else []
    used += ["\n"] if r"\\n" in written or "$" in written else []
    used += [letter for letter in "ba" if letter not in used][:1]
    return "".join(used[:most])


@dataclass
class Decided:
    """What is known after a text, whatever comes: no more than `shared` is true, no less than `settled` is due.

    `settled` is what follows from the delimiters that no continuation changes, nor those that tie with them, and the
    text that none can make part of a delimiter. `shared` is all that the events of the continuations have in common,
    by chance too.
    """

    settled: list[Item]
    shared: list[Item]


def decided(template: dict[str, Any], letters: str, length: int, ahead: int) -> dict[str, Decided]:
    """What is known after every text of at most `length` letters, by its continuations by up to `ahead` letters."""
    readings: dict[str, oracle.Reading] = {}
    for count in range(length + ahead + 1):
        for chosen in product(letters, repeat=count):
            text = "".join(chosen)
            readings[text] = oracle.interpret(template, "", text, on_malformed="event")
    shared = {text: items(reading.events) for text, reading in readings.items()}
    for text in sorted(readings, key=len, reverse=True):
        if text:
            shared[text[:-1]] = shared_start(shared[text[:-1]], shared[text])
    continuations: dict[str, list[oracle.Reading]] = {text: [] for text in readings if len(text) <= length}
    for text, reading in readings.items():
        for end in range(max(0, len(text) - ahead), min(length, len(text)) + 1):
            continuations[text[:end]].append(reading)
    implicit = next(
        (name for name, field in template["fields"].items() if not {"open", "open_pattern"} & field.keys()), None
    )
    return {
        text: Decided(_settled(implicit, text, [reading.delimiters for reading in followers]), shared[text])
        for text, followers in continuations.items()
    }


def is_contradicted(
    template: dict[str, Any], text: str, expected: list[Item], ahead: int = 5, others: str = "x"
) -> bool:
    """Whether some continuation is different after all: one by more letters than `decided` tries, or by others.

    Args:
        expected: what all continuations that were tried begin with.
        others: characters that are tried too.
    """
    for count in range(ahead + 1):
        for chosen in product(CHARACTERS + others, repeat=count):
            events = oracle.interpret(template, "", text + "".join(chosen), on_malformed="event").events
            if items(events)[: len(expected)] != expected:
                return True
    return False


def _settled(implicit: str | None, text: str, continuations: list[list[oracle.Delimiter]]) -> list[Item]:
    """The items that are due after `text`, by the delimiters of all its continuations; bodies are their own values."""
    count = 0
    while all(len(each) > count for each in continuations):
        heads = {each[count] for each in continuations}
        if len(heads) > 1 or any(head.end > len(text) for head in heads):
            break
        count += 1
    free = min([len(text), *(each[count].start for each in continuations if len(each) > count)])
    found: list[Item] = []
    position, region, body = 0, None, ""

    def take(end: int) -> None:
        nonlocal region, body
        if region is None and implicit is not None and end > position:
            region = implicit
            found.append(("open", implicit))
        if region is not None:
            body += text[position:end]
            found.extend(("char", region, letter) for letter in text[position:end])

    for delimiter in continuations[0][:count]:
        take(delimiter.start)
        if delimiter.kind == "stop":
            return found
        if region is not None:
            found.append(("close", region, repr(body)))
        position, region, body = delimiter.end, None, ""
        if delimiter.kind == "open":
            region = delimiter.name
            found.append(("open", region))
    take(free)
    return found
