"""Rules about delimiters: where regions start and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from untemplate.compiler.diagnostics import quoted
from untemplate.compiler.frontend.schema import (
    Delimiter,
    Field,
    LiteralDelimiter,
    PatternDelimiter,
    Text,
    XmlInline,
)
from untemplate.compiler.lint.overlaps import same_place
from untemplate.compiler.lint.rule import Finding, Severity, rule
from untemplate.compiler.lint.shapes import at_end, eats_space, empty_nearly_everywhere, made_of, options_of, spelled
from untemplate.compiler.lint.subject import Subject, tree_of
from untemplate.compiler.lint.syntax import pieces
from untemplate.compiler.patterns import required_literals, width
from untemplate.compiler.patterns.analysis import walk
from untemplate.runtime.pattern import Choice, Group, Literal, Node, Repeat, Sequence, one_of
from untemplate.runtime.unicode import SPACE

_STRUCTURE = one_of(SPACE, "{}[]()\"',:;`")
_PLAIN = one_of(SPACE, ("a", "z"), ("A", "Z"), ("0", "9"), "{}[]()\"',:;`.!?-*=/<>")
_SHORT = 2
_PATTERN_SIGNS = re.compile(r"\\[sSdDwW.|()\[\]{}]|\\n|\(\?[:P=!<]|\.[*+]|\]\*|\]\+")


@rule("UT201", "empty-open", Severity.ERROR, "an open matches the empty text")
def empty_open(subject: Subject) -> Iterator[Finding]:
    """An open that opens its region wherever no region is."""
    for field in subject.explicit:
        if field.open is not None and empty_nearly_everywhere(tree_of(field.open)):
            message = f"the open of {quoted(field.name)} matches the empty text: the region opens at once, everywhere"
            yield Finding(field.open.path, message, "let it take at least one character, or ask for one with (?=…)")


@rule("UT202", "empty-close", Severity.ERROR, "a close matches the empty text")
def empty_close(subject: Subject) -> Iterator[Finding]:
    """A close that ends its region before it has a body."""
    for field in subject.explicit:
        if field.close is not None and empty_nearly_everywhere(tree_of(field.close)):
            message = f"the close of {quoted(field.name)} matches the empty text: each region ends before its body"
            yield Finding(field.close.path, message, "let it take at least one character, or ask for one with (?=…)")


@rule("UT203", "lost-text", Severity.ERROR, "the close of the implicit field matches the empty text")
def lost_text(subject: Subject) -> Iterator[Finding]:
    """An implicit close that ends the reading of the whole text."""
    field = subject.implicit
    if field is not None and field.close is not None and empty_nearly_everywhere(tree_of(field.close)):
        message = "this close matches the empty text, where no text was read yet: nothing of the output is read"
        yield Finding(field.close.path, message, "let it take at least one character, such as the end-of-turn token")


@rule("UT204", "close-at-end", Severity.WARNING, "a close asks for the end of the text")
def close_at_end(subject: Subject) -> Iterator[Finding]:
    """`$` or `\\Z` in a close."""
    for role, _, delimiter in subject.delimiters():
        if role != "close" or not isinstance(delimiter, PatternDelimiter):
            continue
        if not any(at_end(node) for node in walk(delimiter.tree)):
            continue
        index = next((one.at for one in pieces(delimiter.pattern) if one.text in ("$", r"\Z", r"\z")), 0)
        if any(at_end(option) for option in _tails(delimiter.tree)):
            message = "a region ends with the text anyway; this holds text back and drops a line end before the end"
            yield Finding(delimiter.path, message, "remove the end of the text from the alternatives", index)
        else:
            message = "whether the text ends here is known only when it has ended: what may be this close waits"
            hint = "close with what the model writes; text behind it can be a region of its own"
            yield Finding(delimiter.path, message, hint, index, severity=Severity.INFO)


def _tails(tree: Node) -> tuple[Node, ...]:
    """The alternatives of a close as a whole."""
    return tuple(one.items[0] if isinstance(one, Sequence) and len(one.items) == 1 else one for one in options_of(tree))


@rule("UT205", "short-close", Severity.WARNING, "a close is made of what a body may hold too")
def short_close(subject: Subject) -> Iterator[Finding]:
    """A close of punctuation, or one or two plain characters."""
    for field in subject.template.fields:
        if field.close is None:
            continue
        for path, part in _parts(field.close):
            if _is_common(field, part):
                message = f"this close can stand inside a body of {quoted(field.content.parser)}, which then is cut"
                hint = "take more of what follows into the close, or look ahead for it"
                yield Finding(path, message, hint)
                break


def _parts(delimiter: Delimiter) -> list[tuple[tuple[str | int, ...], Node]]:
    if isinstance(delimiter, PatternDelimiter):
        return [(delimiter.path, option) for option in options_of(delimiter.tree)]
    return [(delimiter.path, Literal(literal)) for literal in delimiter.literals]


def _is_common(field: Field, close: Node) -> bool:
    if empty_nearly_everywhere(close):
        return False
    if not isinstance(field.content, Text):
        return made_of(close, _STRUCTURE)
    return width(spelled(close))[0] <= _SHORT and made_of(close, _PLAIN)


@rule("UT206", "close-inside-tag", Severity.ERROR, "a close is part of every tag of the body")
def close_inside_tag(subject: Subject) -> Iterator[Finding]:
    """A region of `xml-inline` that ends inside its first tag."""
    for field in subject.explicit:
        if not isinstance(field.content, XmlInline) or field.close is None:
            continue
        needed = required_literals(field.content.tag_tree)
        for path, part in _parts(field.close):
            for text in required_literals(part):
                inside = next((literal for literal in needed if text in literal), None)
                if inside is not None and part == Literal(text):
                    message = (
                        f"each tag holds {quoted(inside)}, and so this close: the region ends inside its first tag"
                    )
                    yield Finding(path, message, "close with what comes behind the last tag")


@rule("UT207", "same-open", Severity.WARNING, "two fields can open at the same place")
def same_open(subject: Subject) -> Iterator[Finding]:
    """Opens of two fields of which both match one text."""
    fields = [field for field in subject.explicit if field.open and not empty_nearly_everywhere(tree_of(field.open))]
    for at, field in enumerate(fields):
        for other in fields[:at]:
            found = same_place(other.open, field.open) if other.open and field.open else None
            if found is None or field.open is None:
                continue
            text, one, two = found
            both = f"{quoted(text)} opens {quoted(other.name)} and {quoted(field.name)}"
            if one == two:
                message = f"{both}: {quoted(min(other.name, field.name))} gets it, as its name comes first"
                yield Finding(field.open.path, message, "let one of the two match more than the other, or less often")
            else:
                longer = other.name if one > two else field.name
                message = f"{both}: {quoted(longer)} gets it, as it takes more; a variation of it goes to the other"
                hint = "make the shorter one more exact, if that is not meant"
                yield Finding(field.open.path, message, hint, severity=Severity.INFO)


@rule("UT208", "dead-option", Severity.WARNING, "an alternative can never be taken")
def dead_option(subject: Subject) -> Iterator[Finding]:
    """An option at the end of a pattern that starts with one before it."""
    for pattern in subject.patterns():
        for options in _last_choices(pattern.tree):
            for at, option in enumerate(options):
                text = _leading(option)
                before = [one.text for one in options[:at] if isinstance(one, Literal) and text.startswith(one.text)]
                if text and before:
                    message = f"{quoted(before[0])} is tried first, so that {quoted(text)} is never taken as a whole"
                    yield Finding(pattern.path, message, "put the longer alternative first")


def _last_choices(node: Node) -> Iterator[tuple[Node, ...]]:
    """The choices that a match of `node` may end with."""
    match node:
        case Sequence(items=items) if items:
            yield from _last_choices(items[-1])
        case Choice(options=options):
            yield options
            for option in options:
                yield from _last_choices(option)
        case Group(item=item) | Repeat(item=item):
            yield from _last_choices(item)


def _leading(option: Node) -> str:
    first = option.items[0] if isinstance(option, Sequence) and option.items else option
    return first.text if isinstance(first, Literal) else ""


@rule("UT209", "endless-region", Severity.WARNING, "a region runs to the end although others could follow")
def endless_region(subject: Subject) -> Iterator[Finding]:
    """An explicit field without close beside other fields."""
    for field in subject.explicit:
        if field.close is None and len(subject.template.fields) > 1:
            message = f"{quoted(field.name)} has no close: once open, it takes all the rest, other regions included"
            yield Finding(field.path, message, 'add a "close"', at_key=True)


@rule("UT210", "space-between-regions", Severity.WARNING, "white space behind a region becomes part of the content")
def space_between_regions(subject: Subject) -> Iterator[Finding]:
    """Closes that leave white space to an implicit field which would show it."""
    implicit = subject.implicit
    if implicit is None or not implicit.repeats or implicit.join == "":
        return
    shown = f"the joint {quoted(implicit.join)}" if implicit.join is not None else "an empty item"
    for role, _, delimiter in subject.delimiters():
        if role == "close" and not eats_space(tree_of(delimiter)):
            message = f"a line end behind this close opens {quoted(implicit.name)} and adds {shown}"
            hint = 'let the close end in \\s* (as "close_pattern"), or join with ""'
            yield Finding(delimiter.path, message, hint)


@rule("UT211", "pattern-in-literal", Severity.WARNING, "a literal looks like a pattern")
def pattern_in_literal(subject: Subject) -> Iterator[Finding]:
    """Regex syntax where texts are taken as they are."""
    delimiters = [delimiter for _, _, delimiter in subject.delimiters()] + [subject.template.anchor]
    for delimiter in delimiters:
        if not isinstance(delimiter, LiteralDelimiter):
            continue
        for literal in delimiter.literals:
            sign = _PATTERN_SIGNS.search(literal)
            if sign:
                message = f"{quoted(literal)} is looked for as it stands here, {quoted(sign[0])} included"
                hint = f'use "{delimiter.path[-1]}_pattern" for a pattern'
                yield Finding(delimiter.path, message, hint)


@rule("UT212", "unescaped-bar", Severity.ERROR, "a bar inside <|…|> separates alternatives")
def unescaped_bar(subject: Subject) -> Iterator[Finding]:
    """`<|name|>` in a pattern, which matches `<`, `name` or `>`."""
    for pattern in subject.patterns():
        if found := regex.search(r"<\|[\w ▁-]+\|>", pattern.text):
            bars = [piece.at for piece in pieces(pattern.text) if piece.kind == "bar"]
            if found.start() + 1 in bars:
                escaped = found[0].replace("|", r"\|")
                message = f'the bars of {quoted(found[0])} separate alternatives: this matches a single "<"'
                yield Finding(pattern.path, message, f"escape them: {escaped}", found.start() + 1)


@rule("UT213", "brackets-as-set", Severity.ERROR, "a bracketed word is a set of its letters")
def brackets_as_set(subject: Subject) -> Iterator[Finding]:
    """`[TOOL_CALLS]` in a pattern, which matches one letter."""
    for pattern in subject.patterns():
        for piece in pieces(pattern.text):
            word = piece.text[1:-1]
            if piece.kind == "set" and re.fullmatch(r"/?[A-Za-z_ ]{3,}", word) and len(set(word)) < len(word):
                message = f"{quoted(piece.text)} matches one of these letters, not the word in brackets"
                yield Finding(pattern.path, message, rf"escape the bracket: \[{word}\]", piece.at)
