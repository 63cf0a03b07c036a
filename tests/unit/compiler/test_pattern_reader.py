"""Patterns are read as the `regex` package reads them, or refused."""

from __future__ import annotations

import pytest
import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from support.patterns import compiled, patterns, subjects
from untemplate.compiler.patterns import PatternError, read_pattern, render
from untemplate.compiler.patterns.error import MAX_DEPTH, MAX_LENGTH, MAX_SIZE
from untemplate.compiler.patterns.every import characters_of, every_character
from untemplate.runtime.pattern import (
    ANY,
    Ahead,
    Behind,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    TextStart,
    WordEdge,
    none_of,
    one_of,
)
from untemplate.runtime.unicode import DIGIT, SPACE, WORD

_ABC = one_of(("a", "c"))
_DOLLAR = Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd()))


def _matches(pattern: str, subject: str) -> list[tuple[tuple[int, int], dict[str, str | None]]]:
    regular = compiled(pattern)
    starts = range(len(subject) + 1)
    found = [regular.search(subject), *(regular.match(subject, at) for at in starts)]
    return [(match.span(), match.groupdict()) if match else ((-1, -1), {}) for match in found]


@settings(max_examples=300, deadline=None)
@given(pattern=patterns(), subject=subjects())
def test_tree_matches_as_the_pattern_does(pattern: str, subject: str) -> None:
    assert _matches(render(read_pattern(pattern)), subject) == _matches(pattern, subject)


@settings(max_examples=300, deadline=None)
@given(text=st.text(r"ab(|)*+?{}[]^$\.,1-:=!<>iPx# ", max_size=10), subject=subjects(r"abx<-1{}[](|)\: "))
@example("(?x) a # b", "a")
@example("(?x)a{1 , 2 }[ ]", "aa ")
@example("a{,2}b", "aaab")
@example("[a-]]", "-]")
@example("[]a]", "]")
@example("a{1,x", "a{1,x")
def test_any_text_is_read_as_the_package_does_or_refused(text: str, subject: str) -> None:
    try:
        tree = read_pattern(text)
    except PatternError:
        return
    assert _matches(render(tree), subject) == _matches(text, subject)


@settings(max_examples=150, deadline=None)
@given(text=st.text(r"abcAkſ]^-\wWdsSDhnxbp{L}1[:alph]&|~İß", max_size=10), ignore_case=st.booleans())
def test_sets_hold_what_the_package_says(text: str, ignore_case: bool) -> None:
    pattern = f"(?i)[{text}]" if ignore_case else f"[{text}]"
    try:
        tree = read_pattern(pattern)
    except PatternError:
        return
    assume((isinstance(tree, Literal) and len(tree.text) == 1) or hasattr(tree, "ranges"))
    assert one_of(tree.text if isinstance(tree, Literal) else tree) == characters_of(pattern)


def test_case_is_ignored_as_the_package_does() -> None:
    for char in "aZiIıİsSſkKKßẞσςΣéÉǆǅǄΩΩµμΜå1<_𐐀":
        chars = read_pattern(f"(?i:{char})")
        assert regex.sub(f"(?i){char}", "", every_character()) == regex.sub(render(chars), "", every_character())


@pytest.mark.parametrize(
    ("pattern", "tree"),
    [
        ("", Sequence()),
        ("abc", Literal("abc")),
        (r"a\.\x62\u0063\n\t\0\101\N{DIGIT ONE}", Literal("a.bc\n\t\0A1")),
        ("a(b)(?:c)d", Literal("abcd")),
        ("[<][|]a", Literal("<|a")),
        ("[a-c]", _ABC),
        ("a|b|[c]", _ABC),
        (r"[^\w]", none_of(WORD)),
        (r"\w\s\D", Sequence(WORD, SPACE, none_of(DIGIT))),
        (r"[\b]", Literal("\b")),
        (".", ANY),
        ("(?-s:.)", none_of("\n")),
        ("^a$", Sequence(TextStart(), Literal("a"), _DOLLAR)),
        (r"\Aa\Z", Sequence(TextStart(), Literal("a"), TextEnd())),
        (r"\b\B", Sequence(WordEdge(), WordEdge(negative=True))),
        ("a|bc|", Choice(Literal("a"), Literal("bc"), Sequence())),
        ("(?:a|bc)|d", Choice(Literal("a"), Literal("bc"), Literal("d"))),
        ("a*b+?c{2}d{,3}e{4,}?", Sequence(
            Repeat(Literal("a")), Repeat(Literal("b"), 1, None, True), Repeat(Literal("c"), 2, 2),
            Repeat(Literal("d"), 0, 3), Repeat(Literal("e"), 4, None, True),
        )),
        ("ab{1}(?:cd)?", Sequence(Literal("ab"), Repeat(Literal("cd"), 0, 1))),
        ("(?:ab){0}c", Literal("c")),
        ("(?=a)*b", Literal("b")),
        ("(?P<k>a)(?<v>b)", Sequence(Group("k", Literal("a")), Group("v", Literal("b")))),
        ("(?=a)(?!b)", Sequence(Ahead(Literal("a")), Ahead(Literal("b"), True))),
        ("(?<=a|^)(?<!bc)", Sequence(Behind(Choice(Literal("a"), TextStart())), Behind(Literal("bc"), True))),
        ("a(?#note)b", Literal("ab")),
        ("(?i)a1", Sequence(one_of("aA"), Literal("1"))),
        ("(?i:a)b(?i)c(?-i)d", Sequence(one_of("aA"), Literal("b"), one_of("cC"), Literal("d"))),
        ("(?x) a b # c\n [ ]", Literal("ab ")),
        ("(?m)^a$", Sequence(
            Choice(TextStart(), Behind(Literal("\n"))), Literal("a"), Ahead(Choice(Literal("\n"), TextEnd())),
        )),
        ("(*FAIL)", Choice()),
        ("a*+", Repeat(Literal("a"))),
        ("a*+b?", Sequence(Repeat(Literal("a")), Repeat(Literal("b"), 0, 1))),
        ("(?:a{1,2}+|b)(?:c|)", Sequence(
            Choice(Repeat(Literal("a"), 1, 2), Literal("b")), Choice(Literal("c"), Sequence()),
        )),
        ("(?>a*b*a|b)", Choice(Sequence(Repeat(Literal("a")), Repeat(Literal("b")), Literal("a")), Literal("b"))),
        ("a*+[ac]", Sequence(Repeat(Literal("a")), Ahead(Literal("a"), True), one_of("ac"))),
        ("(?:ab)?+c", Sequence(Choice(Literal("ab"), Ahead(Literal("ab"), True)), Literal("c"))),
        ("[a-c]{1,3}+c", Sequence(
            Choice(Repeat(_ABC, 3, 3), Sequence(Repeat(_ABC, 1, 2), Ahead(_ABC, True))), Literal("c"),
        )),
        ("(?>ab|a)c", Sequence(
            Choice(Literal("ab"), Sequence(Ahead(Literal("ab"), True), Literal("a"))), Literal("c"),
        )),
        ("(?>ab|cd)", Choice(Literal("ab"), Literal("cd"))),
        (r"(?>\s*<a>)", Sequence(Repeat(SPACE), Literal("<a>"))),
        ("(?P<x>a)*+b", Sequence(Repeat(Group("x", Literal("a"))), Ahead(Literal("a"), True), Literal("b"))),
    ],
)  # fmt: skip
def test_tree(pattern: str, tree: Node) -> None:
    assert read_pattern(pattern) == tree


@pytest.mark.parametrize(
    ("pattern", "position", "part_of_the_reason"),
    [
        ("ab(", 2, "not closed"),
        ("ab)", 2, "no open group"),
        ("a[bc", 1, "not closed"),
        ("a[c-b]", 2, "backwards"),
        ("*a", 0, "nothing to repeat"),
        ("a|+", 2, "nothing to repeat"),
        ("a**", 2, "second quantifier"),
        ("a{2}{3}", 4, "second quantifier"),
        ("ab{3,2}", 2, "above the most"),
        ("a\\", 1, "ends in a backslash"),
        (r"a\y", 1, r"unknown escape \y"),
        (r"a\xg1", 1, "hexadecimal"),
        (r"\U00110000", 0, "beyond the last character"),
        (r"a\p{Foo}", 1, "no character property"),
        (r"a\p{L", 1, "does not start a property"),
        (r"[[:foo:]]", 1, "no character property"),
        (r"[a\8]", 2, r"unknown escape \8"),
        (r"\N{NO SUCH THING}", 0, "no character of the name"),
        (r"(a)\1", 3, "refers back"),
        (r"(a)\g<1>", 3, "refers back"),
        ("(?P<q>a)(?P=q)", 8, "refers back"),
        (r"a\Kb", 1, "start of the match"),
        (r"\G", 0, "where a search began"),
        (r"\X", 0, "grapheme"),
        (r"\L<words>", 0, "named list"),
        ("a(?R)", 1, "recursion"),
        ("(a)(?1)", 3, "calls a group"),
        ("(a)(?+1)", 3, "calls a group"),
        ("(?P<q>a)(?&q)", 8, "calls a group"),
        ("(?P<q>a)(?P>q)", 8, "calls a group"),
        ("(a)?(?(1)b|c)", 4, "conditional"),
        ("(?|(a)|(b))", 0, "numbers its groups anew"),
        ("(?P<1>a)", 0, "can not name a group"),
        ("(?P<a", 0, "not closed"),
        ("(?P!a)", 0, "no kind of group"),
        ("(?@a)", 0, "no kind of group"),
        ("(?#a", 0, "comment is not closed"),
        ("a(?=(?P<q>b))", 4, "inside a look-around"),
        ("(?P<q>(?P<q>b))", 6, "group of the same name"),
        ("(?P<q>b){0}", 8, "takes no text"),
        ("(?<=a*)b", 0, "without a limit"),
        (r"(?<=a\b)b", 0, "look-behind may hold"),
        ("(?<=a(?=b))b", 0, "look-behind may hold"),
        ("a(?>a*b*a|b)a", 1, "no exact equivalent"),
        ("(?:a|ab)*+a", 8, "no exact equivalent"),
        ("(?:a*?)++a", 7, "no exact equivalent"),
        ("a{e<=1}", 1, "fuzzy"),
        ("{input}", 0, "fuzzy"),
        ("a{2i+1d<3}", 1, "fuzzy"),
        ("a(*PRUNE)b", 1, "steers"),
        ("(?r)a", 0, "backwards"),
        ("(?V1)a", 0, "another dialect"),
        ("(?a)a", 0, "ASCII"),
        ("(?L)a", 0, "machine"),
        ("(?ib)a", 0, "fuzzy"),
        ("(?i-)a", 0, "switched off"),
        ("(?i-i:a)", 0, "switched off"),
        ("(?-u)a", 0, "switched off"),
    ],
)
def test_refused(pattern: str, position: int, part_of_the_reason: str) -> None:
    with pytest.raises(PatternError) as caught:
        read_pattern(pattern)
    assert part_of_the_reason in caught.value.message
    assert caught.value.position == position
    assert str(position) in str(caught.value)


@pytest.mark.parametrize(
    "pattern",
    [
        "a" * (MAX_LENGTH + 1),
        "(" * 5000,
        "(?:" * (MAX_DEPTH + 1) + "a" + ")" * (MAX_DEPTH + 1),
        "(?=" * MAX_DEPTH + "a" + ")" * MAX_DEPTH,
        f"a{{{MAX_SIZE + 1}}}",
        "((a{99}){99}){99}",
        "a{99999999999999999999}",
        "(?>" + "|".join(f"a{word}" for word in range(200)) + ")b",
    ],
)
def test_limits(pattern: str) -> None:
    with pytest.raises(PatternError, match=r"more than|no exact equivalent"):
        read_pattern(pattern)


@pytest.mark.parametrize("pattern", ["(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH, "a{4999}b", "a" * MAX_LENGTH])
def test_within_limits(pattern: str) -> None:
    read_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"[^\s<]",
        r"[\w.]+",
        r"a\*\[",
        "[^a]",
        r"(?P<n>[a-c]*?)$",
        r"(?:ab|cd){2,}(?!x)",
        r"(?<=\n)\b\B",
        r"\A.\Z",
        "(*FAIL)",
    ],
)
def test_render_gives_the_text_back(pattern: str) -> None:
    assert render(read_pattern(pattern)) == pattern


def test_render_of_the_empty_set_never_matches() -> None:
    assert not regex.search(render(one_of()), "ab")


def test_lone_surrogates_are_characters() -> None:
    assert read_pattern("\ud800[\udc00]") == Literal("\ud800\udc00")
    assert regex.fullmatch(render(Literal("\ud800")), "\ud800")
