"""Alternatives that are said to be decided by their last character are so, whatever follows."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest
import regex

from untemplate.compiler.patterns import PatternError, read_pattern
from untemplate.compiler.patterns.decisive import can_contain, can_lead_to, can_overlap, decisive
from untemplate.runtime.quick import Quick, alternatives

LETTERS = "ab< "
TEXTS = ["".join(letters) for count in range(1, 6) for letters in product(LETTERS, repeat=count)]
CONTINUATIONS = ["".join(letters) for count in range(3) for letters in product(LETTERS, repeat=count)]
PARTS = ["a", "b", "<", "ab", "<a", "a<b", ".", r"\s", "[ab]", "[^<]*", "(?P<x>[^<]+)", r"\s*", "b+", "[^b]*?"]
COUNTS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}"]


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["<a>"], (0,)),
        (["<a>", "<b>"], (0, 1)),
        (["<a>", "<a>b"], (1,)),
        ([r"<a>\s*", "<a> b"], (1,)),
        ([r"<a>\s*", "<a> "], ()),
        (["a|ab"], ()),
        (["ab|a"], (0,)),
        (["(?:ab|a)c?"], ()),
        (["a|(?=ab)"], (0,)),
        (["(?=a)|ab"], ()),
        (["a(?=b)"], ()),
        ([r"<a>\s*|(?=<b>)"], (0,)),
        (["<[^>]*>"], (0,)),
        (["<.*>"], ()),
        (["<.*?>"], (0,)),
        (["<(?P<n>[^<>]+)(?:<x>[^<]*)?<m>"], (0,)),
        (["a?"], ()),
        (["(?:a+)+b"], ()),
        ([r"(?:\s+|\n)*X"], ()),
        (["a*a*b"], ()),
        (["(?:a|ab|b)*c"], ()),
        (["a*?b?a*?c"], ()),
        (["(?P<x>a)(?P<x>b)"], ()),
        ([r"\ba"], ()),
        (["<" + "a?" * 40 + ">"], ()),
        (["<(?:a?b?){20}>"], ()),
        ([r"x(?:a(*FAIL)|\d+)y"], (0,)),
    ],
)
def test_which(patterns: list[str], expected: tuple[int, ...]) -> None:
    assert decisive(alternatives(map(read_pattern, patterns))) == expected


def test_too_much_is_left_to_the_automaton() -> None:
    many = "|".join(f"x{number:04}" for number in range(200))
    assert decisive(alternatives([read_pattern(f"(?:{many})+y")])) == ()


def random_pattern(rng: Random, depth: int) -> str:
    kind = rng.random()
    if depth == 0 or kind < 0.2:
        return rng.choice(PARTS)
    parts = [random_pattern(rng, depth - 1) for _ in range(rng.choice([2, 2, 3]))]
    if kind < 0.65:
        return "".join(parts)
    if kind < 0.8:
        return f"(?:{'|'.join(parts)})"
    if kind < 0.92:
        return f"(?:{parts[0]}){rng.choice(COUNTS)}"
    return "|".join(parts) if kind < 0.96 else f"{parts[0]}(?={parts[1]})"


def test_what_is_found_is_the_match_whatever_follows() -> None:
    rng = Random(5)
    found = 0
    for _ in range(2_000):
        texts = [random_pattern(rng, rng.choice([1, 2, 3])) for _ in range(rng.choice([1, 1, 2, 3]))]
        try:
            known = alternatives(map(read_pattern, texts))
        except PatternError:
            continue
        if chosen := decisive(known):
            compiled = [regex.compile(text, regex.DOTALL) for text in texts]
            found += check(compiled, Quick([known[number] for number in chosen]), rng)
    assert found > 2_000


def check(patterns: list[regex.Pattern[str]], quick: Quick, rng: Random) -> int:
    """Compares with the longest match, the first of equals, of all patterns on text with all that may follow."""
    count = 0
    for text in rng.sample(TEXTS, 40):
        found = quick.at(text, 0)
        if found is None:
            continue
        count += 1
        captures = {name: text[start:end] for name, (start, end) in found.spans.items()}
        for more in rng.sample(CONTINUATIONS, 6):
            end = found.end
            while (text + more)[end : end + 1] and (text + more)[end] in found.one.tail:
                end += 1
            matches = [(index, match) for index, one in enumerate(patterns) if (match := one.match(text + more))]
            index, match = max(matches, key=lambda one: (one[1].end(), -one[0]))
            expected = {name: value for name, value in match.groupdict().items() if value is not None}
            assert (found.one.index, end, captures) == (index, match.end(), expected), (patterns, text, more)
    return count


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["<a>"], False),
        (["<a>", "<b>", "<c>"], False),
        (["<a>", "<b>", "<a>b"], True),
        (["<a>", "<a>"], True),
        ([r"<\w+>", "<a"], True),
        ([r"<\w+>", "<a->"], False),
        (["<a[^>]*", "<b[^>]*", "<c>"], False),
        (["a?", "b"], True),
        ([f"<{number}>" for number in range(1_000)], False),
        (["x" * 5_000, "y" * 5_000], False),
        (["x{400}y", "x{400}z", "x{400}y!"], True),
    ],
)
def test_overlaps(patterns: list[str], expected: bool) -> None:
    assert can_overlap(list(map(read_pattern, patterns))) is expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("<a>|<b>", False),
        ("a[^b]*b", False),
        ("a|ba<|bb", True),
        ("(?:ab)?b", True),
        ("(?:<<)?<", False),
        ("a(?=b)", True),
    ],
)
def test_matches_in_what_may_become_another(pattern: str, expected: bool) -> None:
    assert can_contain(read_pattern(pattern)) is expected


def test_all_matches_in_others_are_found() -> None:
    rng = Random(9)
    contained = 0
    for _ in range(100):
        pattern = "|".join(rng.choice(PARTS) + rng.choice(PARTS) for _ in range(rng.randint(1, 2)))
        matched = {text for text in TEXTS if regex.fullmatch(pattern, text, regex.V1)}
        found = any(
            any(text[start:end] in matched for start in range(1, end)) and not text.startswith(tuple(matched - {text}))
            for text in matched
            for end in range(2, len(text))
        )
        contained += found
        assert can_contain(read_pattern(pattern)) or not found, pattern
    assert 2 < contained < 90


@pytest.mark.parametrize(
    ("pattern", "others", "expected"),
    [
        ("a", [".a?"], True),
        ("a", ["a|[^a]"], True),
        ("a", [r"\s", r"\S"], True),
        ("a", ["a", "[^a]b"], False),
        ("a", ["..", "a"], False),
        ("<[^b]*", ["b"], True),
        ("<[^b]*", ["ba"], False),
        (r"<a>\s*", [r"\S"], True),
        (r"<a>\s", [r"\S"], False),
        ("<.*", [], True),
        ("<[^>]+(?:>a)?", [">b"], False),  # what goes on may fail
        ("<(?:ab)*", ["[^a]", "a"], True),
        ("<(?:ab)*", ["[^a]", "ac"], False),
    ],
)
def test_what_is_surely_followed_by_others(pattern: str, others: list[str], expected: bool) -> None:
    assert can_lead_to(read_pattern(pattern), list(map(read_pattern, others))) is expected


def test_all_overlaps_are_found() -> None:
    rng = Random(6)
    overlaps = 0
    texts = [*TEXTS, ""]
    for _ in range(100):
        patterns = [rng.choice(PARTS) + rng.choice(PARTS) for _ in range(3)]
        matched = [{text for text in texts if regex.fullmatch(one, text, regex.V1)} for one in patterns]
        found = any(other.startswith(tuple(one)) for left, one in permutations(matched, 2) for other in left)
        overlaps += found
        assert can_overlap(list(map(read_pattern, patterns))) or not found, patterns
    assert 20 < overlaps < 90
