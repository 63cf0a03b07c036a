"""Tags of a body in pieces: each is told as soon as it is decided, however the body is cut, at a cost that stays."""

from __future__ import annotations

from random import Random

import pytest

from support.tags import family_patterns, random_body, random_match, sure_tags
from untemplate.compiler.patterns import read_pattern
from untemplate.compiler.patterns.enclosed import enclosed
from untemplate.compiler.patterns.render import render
from untemplate.compiler.plan.searches import context, spot
from untemplate.generated import FAMILIES as modules
from untemplate.integrations.deltas import tags as tag_streams
from untemplate.integrations.deltas.facts import tags_of
from untemplate.integrations.deltas.notation import tree_of
from untemplate.integrations.deltas.tags import Search, Tag, TagStream, last_character, last_literal
from untemplate.runtime.automaton import Automaton
from untemplate.runtime.finder import Finder
from untemplate.runtime.pattern import Node
from untemplate.runtime.states import DECIDED
from untemplate.runtime.tags import Tags

FAMILIES = family_patterns()
PATTERNS = [
    *(FAMILIES[name] for name in FAMILIES),
    *("<(?P<key>a+)>(?P<value>b*)</>", "<(?P<key>a)>(?P<value>.*?)(?:</a>|</a>b|c)"),
    *("<(?P<key>a)>(?P<value>.*?)(?!b)", "<(?P<key>a)>(?P<value>.*?)(?=b(?!a))", r"<(?P<key>a)>(?P<value>.*?)>\b"),
    *("(?P<key>a)(?P<value>b*)", "(?P<key>a*)", "<(?P<key>a)>(?P<value>.*?)(?=b|)"),
    *("<(?P<key>a)(?=b>)(?P<value>.*?)>>?", "<(?P<key>a)>(?P<value>.*?)(?=>a)(?!>ab)"),
]


def finder(tree: Node) -> Finder:
    where = spot([tree])
    return Finder(tree, where.starts, where.first, where.lead or "", where.wary, context([tree]))


def finders(pattern: str) -> list[Finder | Tags]:
    """What a module may hold for the pattern."""
    tree = read_pattern(pattern)
    light, sure = enclosed(tree), sure_tags(tree)
    return [finder(tree), *([sure] if sure else []), *([Tags(light.head, light.tail)] if light else [])]


def decided(pattern: Node, body: str) -> list[tuple[int, Tag]]:
    """All tags, each with the number of characters that decide it."""
    reach = context([pattern])
    automaton = Automaton([pattern], reach)
    found: list[tuple[int, Tag]] = []
    at = known = 0
    while at <= len(body):
        cursor = automaton.enter(body[max(0, at - reach) : at])
        end = at if cursor.state.winners else automaton.read(cursor, body, at, 0, DECIDED)
        if not cursor.state.winners:
            break
        match = automaton.decided(cursor, end)
        captures = match.captures(body)
        known = max(known, end, 1)
        found.append((known, (captures.get("key"), captures.get("value"))))
        at = match.end if match.end > match.start else match.end + 1
    return found


@pytest.mark.parametrize("longest", [0, 12, 512])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_tag_is_told_when_it_is_decided(pattern: str, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tag_streams, "_LONGEST", longest)
    tree, rng = read_pattern(pattern), Random(pattern)
    for tags in finders(pattern):
        for _ in range(12):
            body = random_body(tree, rng)
            expected = decided(tree, body)
            for most in (1, 3, 40):
                stream, at = TagStream(tags), 0
                while at < len(body):
                    start, at = at, min(len(body), at + rng.randint(1, most))
                    due = [tag for known, tag in expected if start < known <= at]
                    assert stream.feed(body[start:at]) == due, (body, start, at)


@pytest.mark.parametrize("name", [name for name in FAMILIES if enclosed(read_pattern(FAMILIES[name]))])
def test_what_a_module_holds_is_read_back(name: str) -> None:
    tree = read_pattern(FAMILIES[name])
    light = enclosed(tree)
    assert light is not None
    assert tree_of(f"{light.head}(?P<value>.*?){light.tail}") == tree


@pytest.mark.parametrize("name", FAMILIES)
def test_tags_of_a_module_are_found(name: str) -> None:
    """Or no argument would be sent before all of a call is there."""
    assert isinstance(tags_of(modules[name].ResponseParser, "tool_calls"), Finder | Tags)


def test_notation() -> None:
    tree = read_pattern(r"a\.\n[\s\]x-z^]{2}(?:b|[^\n-]*?)(?P<key>\S{1,}\s{0,3})?(?:.|cd)+(?=\\)\x00[\x00-\x1f]")
    assert tree_of(render(tree)) == tree


@pytest.mark.parametrize(
    ("pattern", "last"),
    [
        ("<a>", ">"),
        ("<a>|<b>", ">"),
        ("<a>|b", ""),
        ("<a>b?", ""),
        ("<a>(?=>)", ">"),
        ("<a(?=>)", ">"),
        ("<a(?=bc)[^d]", ""),
        ("<a>(?!b)", ">"),
        ("a.*?(?!b)", ""),
        ("<a>$", ""),
        (r"<a>\b", ""),
        ("<a>(?=b(?!>))", ""),
        ("<.*?>(?:>>)*", ">"),
        (">*", ""),
    ],
)
def test_last_character(pattern: str, last: str) -> None:
    assert last_character(read_pattern(pattern)) == last


@pytest.mark.parametrize(
    ("pattern", "last"),
    [
        ("<a>.*?</a>", "</a>"),
        ("<a>.*?(?P<value>b</a>)", "b</a>"),
        ("<a>(?:b)?", ""),
        ("<a>|<a>", ""),
        ("(?!c)<a>", "<a>"),
        ("<a>(?!c)", ""),
        ("<a(?=b)>", ""),
        ("", ""),
    ],
)
def test_last_literal(pattern: str, last: str) -> None:
    assert last_literal(read_pattern(pattern)) == last


HOSTILE = {
    "heads": lambda head, tail: head,
    "heads that never end": lambda head, tail: head[: len(head) // 2] + ">",
    "tags": lambda head, tail: f"{head}v{tail}",
    "ends that are none": lambda head, tail: f"{tail[:-1]}> ",
    "brackets": lambda head, tail: "a>b",
}


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("shape", HOSTILE)
@pytest.mark.parametrize("name", ["qwen3_coder", "glm4_5", "beam", "iquest_q1", "kimi_k3"])
def test_work_is_in_proportion(name: str, shape: str, opened: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    tags = finders(FAMILIES[name])[-1]
    rng = Random(1)
    if isinstance(tags, Tags):
        head = random_match(tree_of(tags.head), rng)
        tail = random_match(tree_of(tags.tail), rng)
    else:
        head, tail = '<|open|>argument key="k" type="string"<|sep|>', "<|close|>argument<|sep|>"
    unit = HOSTILE[shape](head, tail)
    small, large = (
        work(tags, (head if opened else "") + unit * (size // len(unit)), monkeypatch) for size in (8_000, 32_000)
    )
    assert large < 5 * small


def work(tags: Finder | Tags, body: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The characters that are looked at, at most, for a body in pieces."""
    search = Search(tags)
    count = 0
    find, read = search.find, search.automaton.read

    def counted_find(text: str, at: int) -> object:
        nonlocal count
        match = find(text, at) if find is not None else None
        count += (match.end() if match is not None and match["value"] is not None else len(text)) - at
        return match

    def counted_read(cursor: object, text: str, at: int, *more: int) -> int:
        nonlocal count
        end = read(cursor, text, at, *more)  # type: ignore[arg-type]
        count += end - at
        return end

    if find is not None:
        search.find = counted_find  # type: ignore[assignment]
    monkeypatch.setattr(search.automaton, "read", counted_read)
    monkeypatch.setattr(tag_streams, "search_of", lambda _: search)
    stream = TagStream(tags)
    for at in range(0, len(body), 4):
        stream.feed(body[at : at + 4])
    return count + len(body)
