"""Tag patterns most of whose matches a regular expression finds: which they are, and that nothing else is found."""

from __future__ import annotations

from random import Random

import pytest
import regex

from support.tags import family_patterns, random_body, sure_tags
from untemplate.compiler.patterns import PatternError, read_pattern
from untemplate.compiler.patterns.enclosed import enclosed
from untemplate.compiler.patterns.sure import Sure, sure

FAMILIES = family_patterns()
SURE = {"deepseek_v3_2", "deepseek_v4", "deepseek_v4_1", "gigachat3_5", "kimi_k3", "minicpm5"}

HEADS = [
    *("<k=(?P<key>[^<>]+)", '<k n="(?P<key>[^"]*)"', "<(?P<key>a|b)", "<k>(?P<key>[^<]*)<", "<k (?P<key>[^>]+)"),
    *('<k=(?P<key>[^">]*)', "<k=(?P<key>a*)", "(?P<key>[ab])k", r"<k=(?P<key>[^<>\s]+)\s*"),
]
BETWEEN = [
    *(
        "",
        "",
        "",
        ">",
        '(?:(?!s")[^"<]*")?',
        '(?:(?!s")[^"]*"v>)?',
        "(?: (?=s>)| t>|(?=>))",
        "(?:a|b)",
        "(?:ab|a)",
        "b?",
    ),
    *("(?:(?!s)[^<]*<)?", "(?:(?=ab)a|b)", "(?:(?!a)|(?=a))", "(?:(?!a)b|(?=a))", ">?", "(?:>|(?=<))", "(?=b)"),
]
FORMS = [
    *("a>.*?</a>|.*?", "a.*?|b.*?", "s>.*?<|.*?", ">(?:b.*?b</>|.*?</>)", "(?:s)?>.*?</>|.*?(?=</>)", "<.*?>|.*?"),
    *("[.*?]>|.*?", "aa.*?aa|a.*?a|.*?", ".*?", ".*?b", '">(?:<.*?>>|.*?>)', "a?.*?b|.*?", "ab.*?|a.*?", "b*.*?>|.*?"),
]
TAILS = ["</v>", "</v>", "(?:</c>)?</v>", "", ">", "</v>|</w>", "(?=<)", "(?:<|a)", "<k=", "a?b?", "s>", "(?!a)>"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (
            '<p n="(?P<key>[^"]+)"(?P<value>>(?:<!.*?!></p>|.*?</p>))',
            Sure('<p n="(?P<key>[^"]+)"', "(?P<value>>(?:<!.*?!></p>|(?!<!).*?</p>))", "!></p>|</p>"),
        ),
        (
            '<p="(?P<key>[^"]*)" t="(?:(?!s")[^"]*">)?(?P<value>s">.*?<c>|.*?)</p>',
            Sure('<p="(?P<key>[^"]*)" t="', '(?>(?!s")[^"]*">|(?=s"))(?P<value>s">.*?<c>|(?!s">).*?)</p>', "</p>"),
        ),
        (
            '<p="(?P<key>[^"]*)"(?: (?=s>)|(?=>))(?P<value>s?>.*?</p>|.*?(?=</p>))',
            Sure('<p="(?P<key>[^"]*)"', "(?> (?=s>)|(?=>))(?P<value>(?>s?)>.*?</p>|(?!s?>).*?(?=</p>))", "</p>"),
        ),
        ('<p="(?P<key>[^"]*)"(?:(?!s")[^"]*">)?(?P<value>s">.*?<c>|.*?)(?:</p>)?', None),  # ends at any place
        ('<p="(?P<key>[^"]*)"(?:[^"]*">)?(?P<value>.*?)</p>', None),  # what may be left out may still come
        ('<p="(?P<key>[^"]*)"(?P<value></p>>.*?<c>|.*?)</p>', None),  # a form that begins with the end of the other
        ('<p="(?P<key>[^"]*)"(?P<value>.*?<c>|.*?)</p>', None),  # both have begun
        ("<p=(?P<key>[^>]+)(?P<value>>a.*?b</p>|>.*?</p>)", None),  # openings in openings
        (r'<p="(?P<key>\w+)"(?P<value>a.*?b|.*?)</p>', None),  # no short notation
        ('<p="(?P<key>[^"]*)"(?P<value>a.*?b|.*?)(?!x)</p>', None),
        ('<p="(?P<key>[^"]*)"(?=a+b)(?P<value>a.*?b|.*?)</p>', None),
        ('<p="(?P<key>[^"]*)"(?: (?!x)|>)(?P<value>a.*?b|.*?)</p>', None),
        ('<p="(?P<key>[^"]*)"(?P<value>a.*?b|c.*?d|[ef]+)</p>', None),  # a form that has not any text
    ],
)
def test_which(pattern: str, expected: Sure | None) -> None:
    assert sure(read_pattern(pattern)) == expected


def test_which_families_have_one() -> None:
    trees = {name: read_pattern(text) for name, text in FAMILIES.items()}
    assert {name for name, tree in trees.items() if sure(tree) and not enclosed(tree)} == SURE


@pytest.mark.parametrize("name", sorted(SURE))
def test_what_is_found_in_families(name: str) -> None:
    assert compare(FAMILIES[name], Random(name), 300) > 30


def test_what_is_found_with_random_patterns() -> None:
    rng = Random(3)
    count = found = 0
    for _ in range(1_500):
        pattern = f"{rng.choice(HEADS)}{rng.choice(BETWEEN)}(?P<value>{rng.choice(FORMS)})(?:{rng.choice(TAILS)})"
        try:
            accepted = sure(read_pattern(pattern)) is not None
        except PatternError:
            continue
        if accepted:
            count += 1
            found += compare(pattern, rng, 60)
    assert count > 100
    assert found > 1_500


def compare(pattern: str, rng: Random, rounds: int) -> int:
    """Compares what is found in random bodies with what the pattern matches; returns in how many there was anything."""
    tree = read_pattern(pattern)
    tags, reference = sure_tags(tree), regex.compile(pattern, regex.DOTALL)
    assert tags is not None
    count = 0
    for _ in range(rounds):
        body = random_body(tree, rng)
        expected = [match.group("key", "value") for match in reference.finditer(body)]
        assert list(tags.tags(body)) == expected, (pattern, body)
        count += bool(expected)
    return count


@pytest.mark.parametrize("name", sorted(SURE))
def test_automata_are_rarely_asked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = read_pattern(FAMILIES[name])
    tags = sure_tags(tree)
    assert tags is not None
    monkeypatch.setattr(type(tags), "matches", None)
    body = BODIES[name.split("_")[0].rstrip("3")].replace(
        "｜parameter", f"｜{' ' * (name == 'deepseek_v4_1')}parameter"
    )
    assert [key for key, _ in tags.tags(body)] == ["a", "b"]
    assert [key for key, _ in tags.tags(body[:-3])] == ["a"]


BODIES = {
    "kimi": '<|open|>argument key="a" type="string"<|sep|>x<|close|>argument<|sep|>'
    '<|open|>argument key="b" type="number"<|sep|>1<|close|>argument<|sep|>',
    "deepseek": '<｜DSML｜parameter name="a" string="true">x</｜DSML｜parameter>\n'
    '<｜DSML｜parameter name="b" string="false">1</｜DSML｜parameter>',
    "gigachat": '<｜GCML｜parameter name="a" string="true">x</｜GCML｜parameter>\n'
    '<｜GCML｜parameter name="b" string="false">1</｜GCML｜parameter>',
    "minicpm5": '<param name="a"><![CDATA[x</param>]]></param><param name="b">1</param>',
}
