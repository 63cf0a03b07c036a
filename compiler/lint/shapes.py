"""Questions about the shape of a pattern that only the rules ask."""

from __future__ import annotations

from collections.abc import Iterator

from untemplate.compiler.patterns.analysis import common, first, nullable, one_char, walk
from untemplate.compiler.patterns.build import sequence
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
from untemplate.runtime.unicode import SPACE

_USUAL = ("a", "A", "1", " ", "\n", "<", "x")


def holds(chars: Chars, part: Chars) -> bool:
    """Whether every character of `part` is in `chars`."""
    return not common(none_of(chars), part).ranges


def overlap(left: Chars, right: Chars) -> bool:
    """Whether a character is in both sets."""
    return bool(common(left, right).ranges)


def empty_nearly_everywhere(node: Node) -> bool:
    """Whether `node` matches the empty text at most places: without condition, or unless something is there."""
    match node:
        case Sequence(items=items):
            return all(map(empty_nearly_everywhere, items))
        case Choice(options=options):
            return any(map(empty_nearly_everywhere, options))
        case Repeat(item=item, least=least):
            return least == 0 or empty_nearly_everywhere(item)
        case Group(item=item):
            return empty_nearly_everywhere(item)
        case Ahead(item=item, negative=negative) | Behind(item=item, negative=negative):
            return negative or empty_nearly_everywhere(item)
        case WordEdge():
            return True
        case _:
            return False


def made_of(node: Node, chars: Chars) -> bool:
    """Whether a match can be made of these characters only, what its look-aheads ask for included."""
    match node:
        case Literal(text=text):
            return all(char in chars for char in text)
        case Chars():
            return overlap(node, chars)
        case Sequence(items=items):
            return all(made_of(item, chars) for item in items)
        case Choice(options=options):
            return any(made_of(option, chars) for option in options)
        case Repeat(item=item, least=least):
            return least == 0 or made_of(item, chars)
        case Group(item=item) | Ahead(item=item, negative=False):
            return made_of(item, chars)
        case TextEnd() | TextStart():
            return False
        case _:
            return True


def spelled(node: Node) -> Node:
    """The node with what its look-aheads ask for in their place, as if it were taken."""
    match node:
        case Sequence(items=items):
            return Sequence(*map(spelled, items))
        case Choice(options=options):
            return Choice(*map(spelled, options))
        case Repeat(item=item, least=least, most=most, lazy=lazy):
            return Repeat(spelled(item), least, most, lazy)
        case Group(item=item) | Ahead(item=item, negative=False):
            return spelled(item)
        case _:
            return node


def eats_space(node: Node) -> bool:
    """Whether a match leaves no white space behind it: it takes all there is, or something else has to follow."""
    match node:
        case Sequence(items=()):
            return False
        case Sequence(items=items):
            *before, last = items
            return eats_space(last) and (not nullable(last) or _is_final(last) or eats_space(sequence(before)))
        case Choice(options=options):
            return all(map(eats_space, options))
        case Repeat(item=item, most=most):
            chars = one_char(item)
            return holds(chars, SPACE) and most is None if chars is not None else eats_space(item)
        case Group(item=item):
            return eats_space(item)
        case Ahead(item=item, negative=False):
            # What it asks for is known to be next, and is no business of the implicit field.
            return at_end(node) or not made_of(item, SPACE)
        case TextEnd():
            return True
        case _:
            return False


def _is_final(node: Node) -> bool:
    """Whether a match of `node` settles what follows, even where it takes nothing: white space, or a look-ahead."""
    if isinstance(node, Choice):
        return all(not nullable(option) or _is_final(option) for option in node.options)
    if isinstance(node, Repeat):
        chars = one_char(node.item)
        return node.most is None and chars is not None and holds(chars, SPACE)
    return isinstance(node, Ahead | TextEnd)


def at_end(node: Node) -> bool:
    """Whether this is `$` or `\\Z`: an assertion that the text ends here, but for a line end."""
    match node:
        case TextEnd():
            return True
        case Ahead(item=Choice(options=options), negative=False):
            return any(map(at_end, options))
        case Ahead(item=Sequence(items=items), negative=False):
            return bool(items) and isinstance(items[-1], TextEnd)
        case _:
            return False


def options_of(node: Node) -> tuple[Node, ...]:
    """The alternatives that the pattern consists of, or itself."""
    return node.options if isinstance(node, Choice) else (node,)


def visible(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it but those inside of look-arounds."""
    yield node
    match node:
        case Sequence(items=items):
            parts = items
        case Choice(options=options):
            parts = options
        case Repeat(item=item) | Group(item=item):
            parts = (item,)
        case _:
            parts = ()
    for part in parts:
        yield from visible(part)


def followed(node: Node, rest: Chars = ANY) -> Iterator[tuple[Repeat, Chars]]:
    """All repeats outside of look-arounds, each with the characters that can come behind it; `rest` behind `node`."""
    match node:
        case Sequence(items=items):
            for at, item in enumerate(items):
                yield from followed(item, starts(sequence(items[at + 1 :]), rest))
        case Choice(options=options):
            for option in options:
                yield from followed(option, rest)
        case Group(item=item):
            yield from followed(item, rest)
        case Repeat(item=item):
            yield node, rest
            yield from followed(item, one_of(starts(item, rest), rest))
        case _:
            return


def starts(node: Node, rest: Chars) -> Chars:
    """The characters that can come next where `node` stands before something that starts with `rest`."""
    start = first(node)
    if start is None:
        return rest if nullable(node) else ANY
    return one_of(start, rest) if nullable(node) and not _asks(node) else start


def _asks(node: Node) -> bool:
    return any(isinstance(part, Ahead) and not part.negative for part in walk(node))


def sample_char(chars: Chars) -> str:
    """A character of the set, a usual one if it has any."""
    return next((char for char in _USUAL if char in chars), chr(chars.ranges[0][0]) if chars.ranges else "")


def samples(node: Node, most: int = 6) -> list[str]:
    """Some texts that `node` matches, if its assertions hold: at most so many, none twice."""
    match node:
        case Literal(text=text):
            found = [text]
        case Chars():
            found = [sample_char(node)]
        case Sequence(items=items):
            found = [""]
            for item in items:
                found = [left + right for left in found for right in samples(item, most)][:most]
        case Choice(options=options):
            found = [text for option in options for text in samples(option, most)]
        case Repeat(item=item, least=least):
            once = samples(item, most)
            found = [text * max(least, 1) for text in once] + ([""] if least == 0 else [])
        case Group(item=item) | Behind(item=item, negative=False):
            found = samples(item, most)
        case _:
            found = [""]
    return list(dict.fromkeys(found))[:most]
