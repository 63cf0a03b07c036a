"""Reads the text of a pattern, in the dialect of the `regex` package (V0, Unicode, DOTALL), into a tree."""

from __future__ import annotations

import string
from dataclasses import dataclass, replace
from typing import NoReturn

import regex

from untemplate.compiler.patterns.analysis import depth, group_names, size, walk, width
from untemplate.compiler.patterns.atomic import Atomic, without_atomic
from untemplate.compiler.patterns.build import character, choice, repeat, sequence
from untemplate.compiler.patterns.classes import read_set
from untemplate.compiler.patterns.error import MAX_DEPTH, MAX_LENGTH, MAX_SIZE, PatternError
from untemplate.compiler.patterns.escapes import cased, read_escape
from untemplate.compiler.patterns.source import Source
from untemplate.runtime.pattern import (
    ANY,
    Ahead,
    Behind,
    Chars,
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
from untemplate.runtime.unicode import WORD

_LINE_END = Literal("\n")
_LAST_LINE_END = Ahead(Sequence(Repeat(_LINE_END, 0, 1), TextEnd()))
_POSITIONS: dict[str, Node] = {
    "A": TextStart(),
    "Z": TextEnd(),
    "z": TextEnd(),
    "b": WordEdge(),
    "B": WordEdge(negative=True),
    "m": Sequence(Behind(WORD, negative=True), Ahead(WORD)),
    "M": Sequence(Behind(WORD), Ahead(WORD, negative=True)),
}
_LINE_BREAK = Choice(
    Literal("\r\n"),
    Sequence(Ahead(Literal("\r\n"), negative=True), one_of(("\n", "\r"), "\x85\u2028\u2029")),
)
_QUANTIFIERS: dict[str, tuple[int, int | None]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}

_NOT_STREAMED = "it can not be decided exactly while text streams in"
_REFUSED_ESCAPES = {
    "g": "refers back to what a group matched",
    "G": "is the place where a search began, which a stream does not have",
    "K": "moves the start of the match",
    "L": "is a named list, and a template has none",
    "X": "is a grapheme, whose end depends on text that is still to come",
}
_REFUSED_GROUPS = {
    "(": ("(?(…) is a conditional", _NOT_STREAMED),
    "R": ("(?R) is a recursion", _NOT_STREAMED),
    "&": ("(?&name) calls a group", _NOT_STREAMED),
    "|": ("(?|…) numbers its groups anew", "unnamed groups are never captured: write (?:…)"),
    **dict.fromkeys(string.digits, ("(?1) calls a group", _NOT_STREAMED)),
}
_REFUSED_FLAGS = {
    "a": "restricts the classes to ASCII; spell them out, as in [0-9]",
    "b": "belongs to fuzzy matching",
    "e": "belongs to fuzzy matching",
    "f": "asks for full case folding, where one character can equal two",
    "L": "makes the meaning depend on the machine",
    "p": "asks for the longest match instead of the first",
    "r": "searches backwards",
    "V1": "switches to another dialect",
    "w": "uses other word boundaries",
}


@dataclass(frozen=True, slots=True)
class _Flags:
    """The inline flags in force."""

    ignore_case: bool = False
    multi_line: bool = False
    dot_all: bool = True
    verbose: bool = False


_FLAG_NAMES = {"i": "ignore_case", "m": "multi_line", "s": "dot_all", "x": "verbose"}
_FLAGS_WITHOUT_EFFECT = {"u", "V0"}


def read_pattern(text: str) -> Node:
    """The tree of a pattern.

    Unnamed groups only group; flags, `$`, possessive and atomic parts are spelled out with other nodes.

    Args:
        text: the pattern, as `regex.compile(text, regex.DOTALL)` takes it.

    Raises:
        PatternError: the pattern is wrong, is beyond a limit, or has a part that can not be matched exactly while
            its text streams in.
    """
    if len(text) > MAX_LENGTH:
        raise PatternError(f"the pattern has more than {MAX_LENGTH} characters", MAX_LENGTH)
    node = without_atomic(_Reader(text).pattern())
    if depth(node) > MAX_DEPTH:
        raise PatternError(f"the pattern is nested more than {MAX_DEPTH} levels deep", 0)
    try:
        regex.compile(text, regex.DOTALL, cache_pattern=False)
    except (regex.error, ValueError, TypeError, OverflowError) as error:
        raise PatternError(
            f"the regex package refuses the pattern: {error}", getattr(error, "pos", None) or 0
        ) from None
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self._source = Source(text)
        self._flags = _Flags()
        self._depth = 0
        self._looking_around = False
        self._open_names: list[str] = []

    def pattern(self) -> Node:
        node = self._choice()
        if self._source.peek():
            raise PatternError("there is no open group that this ')' could close", self._source.at, r"a literal is \)")
        return node

    # Choices, sequences, repeats

    def _choice(self) -> Node:
        start = self._source.at
        options = [self._sequence()]
        while self._source.match("|"):
            options.append(self._sequence())
        return self._checked(choice(options), start)

    def _sequence(self) -> Node:
        items: list[Node] = []
        repeatable = False
        while (char := self._source.peek()) and char not in "|)":
            start = self._source.at
            counts = self._counts()
            if counts:
                if not repeatable:
                    what = "a second quantifier" if items else "a quantifier with nothing to repeat"
                    raise PatternError(what, start, "put what it should repeat in a group, or escape it")
                items.append(self._repeat(items.pop(), *counts, start))
                repeatable = False
            elif (item := self._item()) is not None:
                items.append(item)
                repeatable = True
        return sequence(items)

    def _counts(self) -> tuple[int, int | None] | None:
        """Reads a quantifier; None, and nothing read, if there is none."""
        start = self._source.at
        char = self._source.take()
        if char in _QUANTIFIERS:
            return _QUANTIFIERS[char]
        if char == "{":
            low = high = self._source.take_while(string.digits)
            unlimited = False
            if self._source.match(","):
                high = self._source.take_while(string.digits)
                unlimited = not high
            elif not low:
                high = ""
            if (low or unlimited or high) and self._source.match("}"):
                return self._checked_counts(low or "0", None if unlimited else high, start)
        self._source.at = start
        return None

    def _checked_counts(self, low: str, high: str | None, start: int) -> tuple[int, int | None]:
        if max(len(low), len(high or "")) > 9:
            raise PatternError(f"a pattern may not repeat anything more than {MAX_SIZE} times", start)
        least, most = int(low), int(high) if high is not None else None
        if most is not None and least > most:
            raise PatternError(f"the least count, {least}, is above the most, {most}", start)
        return least, most

    def _repeat(self, item: Node, least: int, most: int | None, start: int) -> Node:
        lazy = self._source.match("?")
        possessive = not lazy and self._source.match("+")
        if least == most == 1:
            return item
        named = group_names(item)
        if width(item)[1] == 0 or most == 0:
            if named:
                raise PatternError(f"the repeat of the group {named[0]!r} takes no text", start, "drop the quantifier")
            return item if least else Sequence()
        node = repeat(item, least, most, lazy)
        if not possessive:
            return self._checked(node, start)
        return Atomic("", node, start, "this possessive repeat")

    def _checked(self, node: Node, start: int) -> Node:
        if size(node) > MAX_SIZE:
            raise PatternError(
                f"with its counted repeats written out the pattern has more than {MAX_SIZE} parts", start
            )
        return node

    # Single items

    def _item(self) -> Node | None:
        """Reads one item; None for what matches nothing: a comment, or flags."""
        start = self._source.at
        char = self._source.take()
        match char:
            case "\\":
                return self._escape(start)
            case "(":
                return self._parenthesis(start)
            case "[":
                return character(read_set(self._source, self._flags.ignore_case))
            case ".":
                return ANY if self._flags.dot_all else none_of("\n")
            case "^":
                return Choice(TextStart(), Behind(_LINE_END)) if self._flags.multi_line else TextStart()
            case "$":
                return Ahead(Choice(_LINE_END, TextEnd())) if self._flags.multi_line else _LAST_LINE_END
            case "{":
                self._refuse_fuzzy(start)
        return self._char(char)

    def _char(self, char: str) -> Node:
        return character(cased(char)) if self._flags.ignore_case else Literal(char)

    def _refuse_fuzzy(self, start: int) -> None:
        """Refuses a brace that the package would, or might, take for the costs of a fuzzy match."""
        after = self._source.at
        digits = self._source.take_while(string.digits)
        kind, sign = self._source.take(), self._source.peek()
        self._source.at = after
        if kind and (
            (kind in "deis" and not digits) or (kind in "dis" and sign and sign in "+<") or (kind == "<" and digits)
        ):
            raise PatternError("this brace starts the costs of a fuzzy match", start, r"a literal brace is \{")

    def _escape(self, start: int) -> Node:
        kind = self._source.text[self._source.at : self._source.at + 1]
        if kind in _POSITIONS:
            self._source.at += 1
            return _POSITIONS[kind]
        if kind == "R":
            self._source.at += 1
            return _LINE_BREAK
        if kind in _REFUSED_ESCAPES:
            raise PatternError(f"\\{kind} {_REFUSED_ESCAPES[kind]}", start)
        found = read_escape(self._source, in_set=False, ignore_case=self._flags.ignore_case)
        return character(found) if isinstance(found, Chars) else self._char(found)

    # Groups

    def _parenthesis(self, start: int) -> Node | None:
        if self._depth >= MAX_DEPTH:
            raise PatternError(f"groups are nested more than {MAX_DEPTH} levels deep", start)
        if self._source.text.startswith("?", self._source.at):
            self._source.at += 1
            return self._extension(start)
        verb = self._verb(start)
        return verb if verb is not None else self._group(start)

    def _extension(self, start: int) -> Node | None:
        kind = self._source.take_raw()
        match kind:
            case "<":
                if self._source.match("="):
                    return self._behind(start, negative=False)
                if self._source.match("!"):
                    return self._behind(start, negative=True)
                return self._named(start)
            case "=" | "!":
                return Ahead(self._look(start), kind == "!")
            case ">":
                return Atomic("", self._group(start), start, "this atomic group")
            case "#":
                self._comment(start)
                return None
            case "P":
                return self._python_extension(start)
        if kind in _REFUSED_GROUPS:
            self._refuse_group(kind, start)
        if kind and kind in "+-" and self._source.peek().isdecimal():
            self._refuse_group("1", start)
        self._source.at -= len(kind)
        return self._flag_group(start)

    def _python_extension(self, start: int) -> Node:
        kind = self._source.take()
        if kind == "<":
            return self._named(start)
        if kind == "=":
            raise PatternError("(?P=name) refers back to what a group matched", start, _NOT_STREAMED)
        if kind and kind in ">&":
            self._refuse_group("&", start)
        raise PatternError(f"(?P{kind} is no kind of group", start, "a named group is (?P<name>…)")

    def _refuse_group(self, kind: str, start: int) -> NoReturn:
        what, hint = _REFUSED_GROUPS[kind]
        raise PatternError(what, start, hint)

    def _group(self, start: int) -> Node:
        """Reads up to the `)`; flags set inside end with the group."""
        flags = self._flags
        self._depth += 1
        node = self._choice()
        self._source.expect(")", start, "the group")
        self._depth -= 1
        self._set_flags(flags)
        return node

    def _named(self, start: int) -> Node:
        name = self._source.take_until(")>")
        if not name.isidentifier():
            raise PatternError(f"{name!r} can not name a group", start, "a name is letters, digits and _, as in Python")
        if not self._source.match(">"):
            raise PatternError(f"the name {name!r} is not closed", start, "add the missing '>'")
        if self._looking_around:
            raise PatternError(
                f"the group {name!r} is inside a look-around",
                start,
                "what it captures can not be known while text streams in; group with (?:…), or capture outside",
            )
        if name in self._open_names:
            raise PatternError(f"the group {name!r} is inside a group of the same name", start, "rename one of them")
        self._open_names.append(name)
        node = self._group(start)
        self._open_names.pop()
        return Group(name, node)

    def _look(self, start: int) -> Node:
        outside, self._looking_around = self._looking_around, True
        node = self._group(start)
        self._looking_around = outside
        return node

    def _behind(self, start: int, negative: bool) -> Node:
        node = self._look(start)
        if any(isinstance(part, Ahead | Behind | TextEnd | WordEdge) for part in walk(node)):
            raise PatternError(
                "a look-behind may hold characters, groups, choices, counted repeats and ^ only",
                start,
                "take other assertions out of it",
            )
        if width(node)[1] is None:
            raise PatternError("a look-behind without a limit on its width", start, "use a counted repeat, as {0,20}")
        return Behind(node, negative)

    def _comment(self, start: int) -> None:
        while (char := self._source.take_raw()) != ")":
            if not char:
                raise PatternError("the comment is not closed", start, "add the missing ')'")
            if char == "\\":
                self._source.take_raw()

    def _verb(self, start: int) -> Node | None:
        """Reads `(*FAIL)`; None, and nothing read, if this is no verb."""
        if not self._source.text.startswith("*", self._source.at):
            return None
        self._source.at += 1
        word = self._source.take_until(")>")
        if word in ("FAIL", "F") and self._source.match(")"):
            return Choice()
        raise PatternError(f"(*{word}) steers how the package searches", start, "of the verbs only (*FAIL) is known")

    # Flags

    def _flag_group(self, start: int) -> Node | None:
        """Reads `(?flags)`, for what follows in the group, or `(?flags:…)`."""
        switched_on = self._flag_letters(start)
        switched_off = set()
        if self._source.match("-"):
            switched_off = self._flag_letters(start)
            if not switched_off or switched_off & (switched_on | _FLAGS_WITHOUT_EFFECT):
                raise PatternError("no flag that could be switched off follows the '-'", start)
        flags = replace(
            self._flags,
            **{_FLAG_NAMES[flag]: True for flag in switched_on if flag in _FLAG_NAMES},
            **{_FLAG_NAMES[flag]: False for flag in switched_off},
        )
        if self._source.match(")"):
            self._set_flags(flags)
            return None
        if not self._source.match(":"):
            raise PatternError(f"(?{self._source.peek()} is no kind of group", start, "a plain group is (?:…)")
        outside = self._flags
        self._set_flags(flags)
        node = self._group(start)
        self._set_flags(outside)
        return node

    def _flag_letters(self, start: int) -> set[str]:
        flags: set[str] = set()
        while flag := self._source.peek():
            if flag == "V":
                flag = self._source.text[self._source.at : self._source.at + 2]
            if flag in _REFUSED_FLAGS:
                raise PatternError(f"the flag {flag} {_REFUSED_FLAGS[flag]}", start)
            if flag not in _FLAG_NAMES and flag not in _FLAGS_WITHOUT_EFFECT:
                break
            self._source.at += len(flag)
            flags.add(flag)
        return flags

    def _set_flags(self, flags: _Flags) -> None:
        self._flags = flags
        self._source.verbose = flags.verbose
