"""Tag patterns that regular expressions find: which they are, and that they find what an automaton does."""

from __future__ import annotations

from random import Random

import pytest
import regex

from support.tags import family_patterns, random_body
from untemplate.compiler.patterns import PatternError, read_pattern
from untemplate.compiler.patterns.decisive import is_decided
from untemplate.compiler.patterns.enclosed import Enclosed, enclosed
from untemplate.compiler.plan.searches import context, spot
from untemplate.runtime.finder import Finder
from untemplate.runtime.pattern import Node
from untemplate.runtime.tags import Tags

FAMILIES = family_patterns()

# Their values have two forms, nest, or end where the text does; or what may stand in a tag may hold the tag's start.
BY_AUTOMATON = {
    *("deepseek_v3_2", "deepseek_v4", "deepseek_v4_1", "gigachat3_5", "hy_v3", "hy_v4"),
    *("kimi_k3", "minicpm5", "minimax_m3", "olmo3"),
}

HEADS = [
    *("<k=(?P<key>[^<>]+)>", r"<k=(?P<key>[^<>\n]+)>\n?", r"<k>(?P<key>\w)</k>\s*<v>", r'<k n="(?P<key>[^"]*)">'),
    *(r"<k(?::\w)?>(?P<key>[^<]+)<v>\n?\n?", "<k>(?P<key>a|ab)</?", "ab(?P<key>[^b])?", r"<k>\s*(?P<key>[^\s<]*) *>"),
    *("<k=(?P<key>[^>]+)>a*", "<(?P<key>[^>]*)>", "(?P<key>[ab]+)<", "<<(?P<key>a*)<", r"<k>(?P<key>a(?: +a)*)\s*>"),
]
VALUES = [".*?", ".*?", ".*?", "[^<]*", r"[^<\n]+", "a*", ".*", ".+?"]
TAILS = [
    *("</v>", r"\n?</v>", r"\n?</v>|(?=\n<k=[^<>\n]+>)", "</v>|(?=<k=)", r"\s*</v>", "</v(?::[^>]+)?>", "a|ab"),
    *("<+/v>", "(?=<)", "(?=<a>)b", "b?", "</v>\n?", r"</v\s*>", "(?!<)", "$", "[^>]*>", "<a>|<b[^a]b>"),
]


def finder(tree: Node) -> Finder:
    """The automaton's finder for the pattern."""
    where = spot([tree])
    reach, decided = context([tree]), is_decided(tree)
    return Finder(tree, where.starts, where.first, where.lead or "", where.wary, reach, decided)


def tags(found: Enclosed) -> Tags:
    return Tags(found.head, found.tail)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"<p=(?P<key>[^<>]+)>\n?(?P<value>.*?)</p>", Enclosed(r"<p=(?P<key>[^<>]+)>\n?", "</p>")),
        ("<(?P<key>[^<>]+)>(?P<value>[^<]*)</>", Enclosed("<(?P<key>[^<>]+)>(?P<value>[^<]*)</>", "")),
        ("<p (?P<key>[^<>]+)>(?P<value>.*?)(?:</p>|(?=<p ))", Enclosed("<p (?P<key>[^<>]+)>", "(?:</p>|(?=<p ))")),
        ("<p=(?P<key>[^<>]+)>(?P<value>.*?)(?:</p>|</p>\n)", Enclosed("<p=(?P<key>[^<>]+)>", r"(?:</p>|</p>\n)")),
        ("<p=(?P<key>[^>]+)>(?P<value>.*?)</p>", None),  # heads that begin in each other
        ("<p=(?P<key>[^<>]+)>(?P<value>.*?)</p(?::[^>]+)?>", None),  # tails that do
        (r"<p=(?P<key>[^<>]+)>(?P<value>.*?)\s*</p>", None),  # white space, read again and again
        (r"<p=(?P<key>[^<>]+)>\s*(?P<value>.*?)</p>", None),  # the text, from each place where the head may end
        ("<p=(?P<key>[^<>]+)>(?P<value>.*)</p>", None),  # the last end counts
        ("<p=(?P<key>[^<>]+)>(?P<value>.*?)</p>\n?", None),  # not decided by its last character
        ("<p=(?P<key>[^<>]+)>(?P<value>.*?)(?:</p>)?", None),
        (r"<p=(?P<key>\w+)>(?P<value>.*?)</p>", None),  # no short notation
        (r"<p=(?P<key>[\w.-]+)>(?P<value>.*?)</p>", None),
        ("<p=(?P<key>[^<>]+)>(?P<value>.*?)(?!a)</p>", None),
        ("(?:<p=(?P<key>[^>]+)>)?(?P<value>.*?)</p>", None),  # not every match has a key
        ("(?P<value>.*?)=(?P<key>[^>]+)>", None),
        ("(?P<key>a)(?P<value>b)|(?P<key>b)(?P<value>a)", None),
    ],
)
def test_which(pattern: str, expected: Enclosed | None) -> None:
    assert enclosed(read_pattern(pattern)) == expected


def test_which_families_need_an_automaton() -> None:
    assert {name for name, text in FAMILIES.items() if enclosed(read_pattern(text)) is None} == BY_AUTOMATON


@pytest.mark.parametrize("name", sorted(FAMILIES.keys() - BY_AUTOMATON))
def test_what_is_found_in_families(name: str) -> None:
    assert compare(FAMILIES[name], Random(name), 150) > 30


def test_what_is_found_with_random_patterns() -> None:
    rng = Random(7)
    count = found = 0
    for _ in range(300):
        pattern = f"{rng.choice(HEADS)}(?P<value>{rng.choice(VALUES)})(?:{rng.choice(TAILS)})"
        try:
            accepted = enclosed(read_pattern(pattern)) is not None
        except PatternError:
            continue
        if accepted:
            count += 1
            found += compare(pattern, rng, 60)
    assert count > 30
    assert found > 500


def compare(pattern: str, rng: Random, rounds: int) -> int:
    """Compares what is found in random bodies by all three; returns in how many there was anything."""
    tree = read_pattern(pattern)
    made = enclosed(tree)
    assert made is not None
    light, heavy, reference = tags(made), finder(tree), regex.compile(pattern, regex.DOTALL)
    count = 0
    for _ in range(rounds):
        body = random_body(tree, rng)
        expected = [match.group("key", "value") for match in reference.finditer(body)]
        assert list(light.tags(body)) == expected, (pattern, body)
        assert list(heavy.tags(body)) == expected, (pattern, body)
        count += bool(expected)
    return count
