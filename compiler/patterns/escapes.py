"""Escapes that stand for one character or for a set of characters, in a pattern and inside `[…]`."""

from __future__ import annotations

import re
import string
import unicodedata

import regex

from untemplate.compiler.patterns.error import PatternError
from untemplate.compiler.patterns.every import characters_of
from untemplate.compiler.patterns.source import Source
from untemplate.runtime.pattern import Chars, none_of
from untemplate.runtime.unicode import DIGIT, SPACE, WORD

_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CLASSES = {"d": DIGIT, "s": SPACE, "w": WORD}
_SHORT_PROPERTIES = "CLMNPSZ"
_PROPERTY = r"\^?[A-Za-z0-9 &_.-]*(?:[:=][A-Za-z0-9 &_./-]+)?"
_POSIX_CLASS = re.compile(rf"\[:{_PROPERTY}:\]")


def cased(char: str) -> Chars:
    """`char` and all that equals it when case is ignored, by the `regex` package's simple case folding."""
    return characters_of(f"(?i)\\U{ord(char):08X}")


def read_escape(source: Source, in_set: bool, ignore_case: bool) -> str | Chars:
    """Reads what follows a backslash: one character (`str`) or a class.

    Args:
        source: just behind the backslash.
        in_set: whether this is inside `[…]`, where digits are always octal.
        ignore_case: whether a class takes in the other cases of its characters. Single characters are given back
            as written: the caller knows whether they end up in a range.

    Raises:
        PatternError: an escape that is unknown or incomplete.
    """
    start = source.at - 1
    kind = source.take_raw()
    if not kind:
        raise PatternError("the pattern ends in a backslash", start, r"a backslash itself is written \\")
    if kind in _HEX_DIGITS:
        return _hexadecimal(source, kind, start)
    if kind == "N":
        return _named(source, start)
    if kind in "pP":
        return _property(source, kind, start, ignore_case)
    if kind in _CONTROLS:
        return _CONTROLS[kind]
    if kind == "h":
        return characters_of(r"\h")
    if kind.lower() in _CLASSES:
        chars = _CLASSES[kind.lower()]
        return chars if kind.islower() else none_of(chars)
    if kind in string.ascii_letters:
        raise PatternError(f"unknown escape \\{kind}", start, "only letters with a meaning may be escaped")
    if kind in string.digits:
        return _octal(source, kind, start, in_set)
    return kind


def read_posix_class(source: Source) -> Chars | None:
    """Reads `[:name:]` inside a set; None, and nothing read, if there is none.

    Raises:
        PatternError: there is no class of that name.
    """
    found = _POSIX_CLASS.match(source.text, source.at)
    if not found:
        return None
    source.at = found.end()
    return _asked(f"[{found[0]}]", found[0], found.start())


def _hexadecimal(source: Source, kind: str, start: int) -> str:
    wanted = _HEX_DIGITS[kind]
    digits = source.take_while(string.hexdigits, wanted)
    if len(digits) < wanted:
        raise PatternError(f"\\{kind} needs {wanted} hexadecimal digits", start)
    if int(digits, 16) > 0x10FFFF:
        raise PatternError(f"\\{kind}{digits} is beyond the last character, \\U0010FFFF", start)
    return chr(int(digits, 16))


def _octal(source: Source, digit: str, start: int, in_set: bool) -> str:
    if in_set or digit == "0":
        digits = digit + source.take_while(string.octdigits, 2)
        if digit not in string.octdigits:
            raise PatternError(f"unknown escape \\{digit}", start)
        return chr(int(digits, 8))
    digits = digit + source.take_while(string.digits, 2)
    if len(digits) == 3 and set(digits) <= set(string.octdigits):
        return chr(int(digits, 8) & 0x1FF)
    raise PatternError(
        f"\\{digits} refers back to what a group matched",
        start,
        "a reference can not be decided exactly while text streams in; write out what may stand there",
    )


def _named(source: Source, start: int) -> str:
    """`\\N{NAME}`; without braces it is the letter, as in the package."""
    before = source.at
    if source.match("{"):
        end = source.at
        while source.text[end : end + 1] in {*string.ascii_letters, *string.digits, " ", "-"}:
            end += 1
        name, source.at = source.text[source.at : end], end
        if source.match("}"):
            try:
                char = unicodedata.lookup(name)
            except KeyError:
                char = ""
            if len(char) != 1:
                raise PatternError(f"there is no character of the name {name!r}", start)
            return char
    source.at = before
    return "N"


def _property(source: Source, kind: str, start: int, ignore_case: bool) -> str | Chars:
    """`\\p{…}`, `\\P{…}` and the short `\\pL`; before anything else it is the letter, as in the package."""
    before = source.at
    opened = source.take()
    if opened == "{":
        name = source.take_until("}")
        if not source.match("}") or not re.fullmatch(_PROPERTY, name):
            raise PatternError(f"\\{kind}{{ does not start a property", start, r"as in \p{L} or \p{Script=Greek}")
    elif opened and opened in _SHORT_PROPERTIES:
        name = opened
    else:
        source.at = before
        return kind
    shown = f"\\{kind}{{{name}}}"
    return _asked(f"(?i){shown}" if ignore_case else shown, shown, start)


def _asked(pattern: str, shown: str, start: int) -> Chars:
    try:
        return characters_of(pattern)
    except regex.error:
        raise PatternError(f"there is no character property {shown}", start, r"as in \p{L} or [[:alpha:]]") from None
