"""Small parts of sentences: texts, patterns, sets of characters, lists."""

from __future__ import annotations

import json
from collections.abc import Sequence

from untemplate.compiler.patterns import render
from untemplate.compiler.plan.nodes import Watched
from untemplate.compiler.plan.origins import printable
from untemplate.runtime.pattern import ANY, Chars, Literal, Node, none_of
from untemplate.runtime.unicode import DIGIT, SPACE, WORD

_NAMED = {ANY: "any character", SPACE: "white space", WORD: "word characters", DIGIT: "digits"}
_MOST_LISTED = 12


def text_words(text: str) -> str:
    """A text as it is to be read: as a JSON string."""
    return printable(json.dumps(text, ensure_ascii=False))


def pattern_words(node: Node) -> str:
    """A part of a pattern: the text that it is, else the pattern between slashes."""
    return text_words(node.text) if isinstance(node, Literal) else f"/{printable(render(node))}/"


def delimiter_words(watched: Watched) -> str:
    """A delimiter as it stands in the template."""
    if watched.literals:
        return listed([text_words(literal) for literal in watched.literals], "or")
    return f"/{printable(watched.pattern)}/"


def chars_words(chars: Chars) -> str:
    """A set of characters."""
    if chars in _NAMED:
        return _NAMED[chars]
    few = _few(chars)
    if few:
        return listed([text_words(char) for char in few], "or")
    others = _few(none_of(chars))
    if others:
        return f"any character but {listed([text_words(char) for char in others], 'and')}"
    return printable(render(chars))


def listed(parts: Sequence[str], word: str = "and") -> str:
    """The parts as an enumeration."""
    return f" {word} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _few(chars: Chars) -> list[str]:
    """The characters of the set, if they are few."""
    if sum(last - first + 1 for first, last in chars.ranges) > _MOST_LISTED:
        return []
    return [chr(code) for first, last in chars.ranges for code in range(first, last + 1)]
