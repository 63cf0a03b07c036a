"""Rules about patterns: whether others read them the same way, and what they cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from untemplate.compiler.diagnostics import quoted
from untemplate.compiler.frontend.schema import ListOf, ObjectOf, Placeholder, Transform
from untemplate.compiler.lint.cost import EXPONENTIAL, QUADRATIC, growth
from untemplate.compiler.lint.fields import group_index
from untemplate.compiler.lint.rule import Finding, Severity, rule
from untemplate.compiler.lint.shapes import followed, overlap, visible
from untemplate.compiler.lint.subject import Pattern, Subject
from untemplate.compiler.lint.syntax import Piece, pieces
from untemplate.compiler.patterns.analysis import one_char
from untemplate.runtime.pattern import ANY, Chars, Group, Repeat, one_of

_LOOK_AROUNDS = ("(?=", "(?!", "(?<=", "(?<!")
_ESCAPES = {
    **dict.fromkeys("AZz", "has another meaning, or none, in other engines"),
    **dict.fromkeys("hRmM", "is known to few engines"),
    "N": "names a character in a way that few engines know",
}
_LETTERS = one_of(("a", "z"))


@rule("UT401", "look-around", Severity.INFO, "a pattern looks around, which not every engine can")
def look_around(subject: Subject) -> Iterator[Finding]:
    """A look-ahead or look-behind."""
    for pattern in subject.patterns():
        found = next((piece for piece in pieces(pattern.text) if piece.text in _LOOK_AROUNDS), None)
        if found is not None:
            message = f"{found.text}…) is a look-around, which some engines (RE2, Go, Rust) do not have"
            hint = "take what it looks for into the delimiter, where that gives the same regions"
            yield Finding(pattern.path, message, hint, found.at)


@rule("UT402", "unportable-syntax", Severity.WARNING, "a pattern uses syntax of few engines")
def unportable_syntax(subject: Subject) -> Iterator[Finding]:
    """Whatever goes beyond what parsers in other languages are told to expect."""
    for pattern in subject.patterns():
        for piece in pieces(pattern.text):
            fault = _unportable(piece)
            if fault:
                what, hint = fault
                yield Finding(pattern.path, f"{quoted(piece.text)} {what}", hint, piece.at)
                break


def _unportable(piece: Piece) -> tuple[str, str] | None:
    if piece.kind == "repeat" and len(piece.text) > 1 and piece.text.endswith("+"):
        return "is a possessive quantifier, which not every engine has", "use a plain one, and a class that stops"
    if piece.kind == "group":
        if piece.text == "(?>":
            return "is an atomic group, which not every engine has", "use (?:…), and classes that stop"
        if re.fullmatch(r"\(\?<[^=!].*", piece.text):
            return "is not the form of named groups that others look for", "write (?P<name>…)"
        if re.match(r"\(\?(?!P<)[-a-zA-Z0-9#]|\(\*", piece.text):
            return "sets flags, steers the search or comments: engines differ here", "spell out what it stands for"
    if piece.kind == "set" and re.search(r"\[:|&&|--|~~|\|\|", piece.text[1:-1]):
        return "has a set operation or a named class inside, which engines read differently", "list the characters"
    if piece.kind == "escape" and piece.text[1] in _ESCAPES:
        return _ESCAPES[piece.text[1]], r"for the end of the text use $, for characters a class or \u…"
    return None


@rule("UT403", "narrow-name", Severity.WARNING, "a group for names does not take all names")
def narrow_name(subject: Subject) -> Iterator[Finding]:
    """`\\w+` for the name of a function or of an argument."""
    for pattern in subject.patterns():
        if pattern.role == "tag":
            names, severity = {"key"}, Severity.INFO
        elif pattern.field is not None and pattern.field.transform is not None:
            names, severity = set(_function_names(pattern.field.transform)), Severity.WARNING
        else:
            continue
        for node in visible(pattern.tree):
            if isinstance(node, Group) and node.name in names and (missing := _missing(node)):
                shown = " or ".join(quoted(char) for char in missing)
                message = f"the group {quoted(node.name)} stops at {shown}, which names may hold"
                hint = "take everything up to what follows the name, such as [^<\\s]+"
                yield Finding(pattern.path, message, hint, group_index(pattern.text, node.name), severity=severity)


def _function_names(transform: Transform) -> Iterator[str]:
    """The groups that a transform takes for the name of a function."""
    match transform:
        case ObjectOf(items=items):
            for key, item in items:
                if key == "name" and isinstance(item, Placeholder) and item.path[0] != "content":
                    yield item.path[0]
                yield from _function_names(item)
        case ListOf(items=items):
            for item in items:
                yield from _function_names(item)


def _missing(group: Group) -> list[str]:
    """Of the characters that names may hold those that the group can not take, if it takes one word."""
    sets = [chars for node in visible(group.item) if (chars := one_char(node)) is not None]
    repeats = any(isinstance(node, Repeat) and node.most is None for node in visible(group.item))
    if not repeats or not any(overlap(chars, _LETTERS) for chars in sets):
        return []
    return [char for char in "-." if not any(char in chars for chars in sets)]


@rule("UT404", "exponential-pattern", Severity.WARNING, "a pattern takes exponential time in engines that backtrack")
def exponential_pattern(subject: Subject) -> Iterator[Finding]:
    """Repeats inside of repeats that can share out one text in many ways."""
    for pattern, pump in _growing(subject, EXPONENTIAL):
        message = f"on many {quoted(pump)} an engine that backtracks tries every way to share them out: 2ⁿ steps"
        yield Finding(pattern.path, message, "let each character belong to one repeat only")


@rule("UT405", "quadratic-pattern", Severity.INFO, "a pattern takes quadratic time in engines that backtrack")
def quadratic_pattern(subject: Subject) -> Iterator[Finding]:
    """Neighbouring repeats over the same characters, or a repeat at the start of a search."""
    for pattern, pump in _growing(subject, QUADRATIC):
        message = f"on many {quoted(pump)} that lead to no match, an engine that backtracks takes n² steps"
        hint = "start with what is rare, and let neighbouring repeats have no character in common"
        yield Finding(pattern.path, message, hint)


def _growing(subject: Subject, wanted: int) -> Iterator[tuple[Pattern, str]]:
    for pattern in subject.patterns():
        found, pump = growth(pattern.tree)
        if found == wanted:
            yield pattern, pump


@rule("UT406", "runaway-repeat", Severity.WARNING, "a repeat of anything runs over what should stop it")
def runaway_repeat(subject: Subject) -> Iterator[Finding]:
    """`.*` and the like, which run over line ends too, in a delimiter."""
    for pattern in subject.patterns():
        for node, behind in followed(pattern.tree):
            chars = one_char(node.item)
            if node.most is not None or chars is None or not _runs(chars, behind):
                continue
            if not node.lazy:
                message = "this repeat takes line ends and delimiters too, up to the last place where the rest fits"
                yield Finding(pattern.path, message, r"use a class that stops, such as [^<\n]*", _index_of_any(pattern))
                break
            if pattern.role != "tag":
                message = (
                    "this repeat goes on over line ends and delimiters until the rest fits; all of it is held back"
                )
                hint = r"use a class that stops, such as [^<\n]*"
                yield Finding(pattern.path, message, hint, _index_of_any(pattern), severity=Severity.INFO)
                break


def _runs(chars: Chars, behind: Chars) -> bool:
    return all(char in chars for char in "\na<") and (behind == ANY or overlap(chars, behind))


def _index_of_any(pattern: Pattern) -> int:
    """Where the first dot with a quantifier is, or the start."""
    return next((one.at for one, two in pairwise(pieces(pattern.text)) if one.text == "." and two.kind == "repeat"), 0)
