"""Tag patterns, and bodies that nearly hold what they match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from untemplate.compiler.patterns.analysis import walk
from untemplate.compiler.patterns.sure import sure
from untemplate.compiler.plan.searches import spot
from untemplate.runtime.pattern import Ahead, Chars, Choice, Group, Literal, Node, Repeat, Sequence
from untemplate.runtime.sure_tags import SureTags

TEMPLATES = Path(__file__).parents[2] / "templates"

_CHARS = "ab<>\n \"k:/'=]|\x1c"


def family_patterns() -> dict[str, str]:
    """Family → the tag pattern of its calls."""
    return dict(_family_patterns())


def _family_patterns() -> Iterator[tuple[str, str]]:
    for path in sorted(TEMPLATES.glob("*.json")):
        for field in json.loads(path.read_text(encoding="utf-8"))["fields"].values():
            if field.get("content") == "xml-inline":
                yield path.stem, field["content_args"]["tag_pattern"]


def sure_tags(pattern: Node) -> SureTags | None:
    """What a module holds for a pattern that a regular expression is mostly sure of; `None` for any other."""
    found = sure(pattern)
    if found is None:
        return None
    where = spot([pattern])
    parts = (found.opening, found.rest, found.end)
    return SureTags(pattern, *parts, where.starts, where.first, where.lead or "", where.wary)


def random_body(pattern: Node, rng: Random) -> str:
    """Matches of the pattern and of its parts, some of them spoilt, and what may come between."""
    parts = list(walk(pattern))
    return "".join(_piece(pattern, parts, rng) for _ in range(rng.randrange(1, 6)))


def _piece(pattern: Node, parts: list[Node], rng: Random) -> str:
    kind = rng.random()
    if kind > 0.8:
        return rng.choice(_CHARS)
    text = random_match(pattern if kind < 0.45 else rng.choice(parts), rng)
    if rng.random() < 0.4:
        at = rng.randrange(len(text) + 1)
        return text[:at] + rng.choice(["", text[at + 1 :], rng.choice(_CHARS) + text[at:]])
    return text


def random_match(node: Node, rng: Random) -> str:
    """A text that the node may match; what it looks at is there or is not."""
    match node:
        case Literal(text):
            return text
        case Chars(ranges):
            return rng.choice([char for char in _CHARS if char in node] or [chr(ranges[0][0])])
        case Sequence(items):
            return "".join(random_match(item, rng) for item in items)
        case Choice(options):
            return random_match(rng.choice(options), rng)
        case Repeat(item, least, most):
            count = rng.randint(least, least + 4 if most is None else min(most, least + 4))
            return "".join(random_match(item, rng) for _ in range(count))
        case Group(_, item):
            return random_match(item, rng)
        case Ahead(item, negative):
            return "" if negative or rng.random() < 0.5 else random_match(item, rng)
    return ""
