"""Facts about a pattern that its tree alone tells: what it can start with, how wide it is, where it looks.

Pure functions over the nodes of `untemplate.runtime.pattern`. Where an exact answer would take a search, the answer
errs on the side named in the docstring.
"""

from __future__ import annotations

from collections.abc import Iterator

from untemplate.compiler.patterns.sets import count, members
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

_NOTHING = Chars(())
_FEW = 8  # characters of a set


def children(node: Node) -> tuple[Node, ...]:
    """The nodes right below `node`, in the order of the pattern."""
    match node:
        case Sequence(items=items):
            return items
        case Choice(options=options):
            return options
        case Repeat(item=item) | Group(item=item) | Ahead(item=item) | Behind(item=item):
            return (item,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, in the order of the pattern."""
    yield node
    for child in children(node):
        yield from walk(child)


def depth(node: Node) -> int:
    """Levels of the tree; 1 for a leaf."""
    return 1 + max(map(depth, children(node)), default=0)


def size(node: Node) -> int:
    """Leaves of the tree, what is repeated counted as often as its repeat names (the larger of its two counts)."""
    if isinstance(node, Repeat):
        return size(node.item) * max(1, node.least, node.most or 0)
    return sum(map(size, children(node))) if children(node) else 1


def one_char(node: Node) -> Chars | None:
    """The set of characters, if `node` matches exactly one character whatever its surroundings; else None."""
    if isinstance(node, Literal) and len(node.text) == 1:
        return one_of(node.text)
    return node if isinstance(node, Chars) else None


def common(left: Chars, right: Chars) -> Chars:
    """The characters that both sets hold."""
    return none_of(none_of(left), none_of(right))


def group_names(node: Node) -> tuple[str, ...]:
    """Names of the captures, each once, in the order of the pattern."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Group) and part.name))


def constant_groups(node: Node) -> frozenset[str]:
    """Names of the captures that take part in every match."""
    match node:
        case Choice(options) if len(options) > 1:
            return frozenset()
        case Repeat(_, 0):
            return frozenset()
    own = {node.name} if isinstance(node, Group) and node.name else set()
    return frozenset(own).union(*map(constant_groups, children(node)))


def nullable(node: Node) -> bool:
    """Whether `node` can match the empty text. Assertions are taken to hold, so this may be true too often."""
    span = _width(node)
    return span is not None and span[0] == 0


def width(node: Node) -> tuple[int, int | None]:
    """The least and the most (None: no limit) characters that a match takes; (0, 0) if there is never a match.

    Every match keeps these bounds; that they are reached is not promised.
    """
    return _width(node) or (0, 0)


def _width(node: Node) -> tuple[int, int | None] | None:
    """Like `width`, None for a node that never matches."""
    match node:
        case Literal(text=text):
            return len(text), len(text)
        case Chars(ranges=ranges):
            return (1, 1) if ranges else None
        case Sequence(items=items):
            spans = [_width(item) for item in items]
            if None in spans:
                return None
            return sum(span[0] for span in spans if span), _total([span[1] for span in spans if span])
        case Choice(options=options):
            some = [span for option in options if (span := _width(option))]
            if not some:
                return None
            mosts = [most for _, most in some if most is not None]
            return min(least for least, _ in some), max(mosts) if len(mosts) == len(some) else None
        case Repeat(item=item, least=least, most=most):
            span = _width(item)
            if span is None:
                return None if least else (0, 0)
            return span[0] * least, 0 if 0 in (span[1], most) else _product(span[1], most)
        case Group(item=item):
            return _width(item)
        case _:
            return 0, 0


def _total(numbers: list[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _product(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left * right


def first(node: Node) -> Chars | None:
    """The characters that can come next where a match starts, look-aheads included; None if any can.

    A safe superset: where the next character is not in the set no match starts. The end of the text, where there is
    no next character, is not covered: there a nullable pattern may match whatever its set.
    """
    chars = _first(node, ANY)
    return None if chars == ANY else chars


def _first(node: Node, rest: Chars) -> Chars:
    """What can come next where `node` matches and then something that starts with `rest`."""
    match node:
        case Literal(text=text):
            return one_of(text[0])
        case Chars():
            return node
        case Sequence(items=items):
            # Nothing after an item that takes a character matters here.
            end = next((at for at, item in enumerate(items, 1) if not nullable(item)), len(items))
            for item in reversed(items[:end]):
                rest = _first(item, rest)
            return rest
        case Choice(options=options):
            return one_of(*(_first(option, rest) for option in options))
        case Repeat(item=item, least=least, most=most):
            if most == 0:
                return rest
            # Applying an item twice gives what applying it once gives, so one round stands for all.
            once = _first(item, rest)
            return once if least else one_of(once, rest)
        case Group(item=item):
            return _first(item, rest)
        case Ahead(item=item, negative=False):
            return common(_first(item, ANY), rest)
        case Ahead(item=item):
            barred = one_char(item)
            return common(none_of(barred), rest) if barred else rest
        case TextEnd():
            return _NOTHING
        case _:
            return rest


def behind_width(node: Node) -> int:
    """How many characters before its start `node` may look at.

    `TextStart` counts as none: it needs no characters, only to know whether there are any.
    """
    match node:
        case Behind(item=item):
            return width(item)[1] or 0
        case WordEdge():
            return 1
        case Sequence(items=items):
            reach = taken = 0
            for item in items:
                reach = max(reach, behind_width(item) - taken)
                taken += width(item)[0]
            return reach
        case _:
            return max(map(behind_width, children(node)), default=0)


def looks_back(node: Node) -> bool:
    """Whether a match may have to look back at characters that it has taken itself, or at whether there are any."""
    return any(isinstance(part, Behind | TextStart) for part in _behind(node))


def _behind(node: Node, is_behind: bool = False) -> Iterator[Node]:
    """What looks at text, behind something in the same pattern that may take characters.

    Args:
        is_behind: whether all of the node is.
    """
    match node:
        case Sequence(items):
            for item in items:
                yield from _behind(item, is_behind)
                is_behind = is_behind or width(item)[1] != 0
        case Choice(options):
            for option in options:
                yield from _behind(option, is_behind)
        case Repeat(item=item):
            yield from _behind(item, is_behind or width(item)[1] != 0)
        case Group(item=item):
            yield from _behind(item, is_behind)
        case Ahead() | Behind() | TextStart() if is_behind:
            yield from walk(node)


def looks_at_start(node: Node) -> bool:
    """Whether `node` asks anywhere for the start of the whole text."""
    return any(isinstance(part, TextStart) for part in walk(node))


def looks_ahead(node: Node) -> bool:
    """Whether a match may depend on what comes after it, or on nothing coming after it."""
    return any(isinstance(part, Ahead | TextEnd | WordEdge) for part in walk(node))


def wanted(node: Node) -> frozenset[str]:
    """The characters that look-aheads behind taken text name, or name as the only others, for some place behind it."""
    aheads = (part for part in _behind(node) if isinstance(part, Ahead))
    return frozenset(char for ahead in aheads for char in _named(ahead.item)[0])


def _named(node: Node) -> tuple[set[str], bool]:
    """The characters that the node names up to the first run of many others, and whether there is no such run."""
    match node:
        case Literal(text):
            return set(text), True
        case Chars():
            return _few(node) | _few(none_of(node)), True
        case Sequence(items):
            found: set[str] = set()
            for item in items:
                chars, goes_on = _named(item)
                found |= chars
                if not goes_on:
                    return found, False
            return found, True
        case Choice(options):
            parts = [_named(option) for option in options]
            return {char for chars, _ in parts for char in chars}, any(goes_on for _, goes_on in parts)
        case Repeat(item, least, most):
            chars, goes_on = _named(item)
            is_free = least != most and any(isinstance(part, Chars) and not _few(part) for part in walk(item))
            return chars, goes_on and not is_free
        case Group(item=item) | Ahead(item=item):
            return _named(item)
    return set(), True


def _few(chars: Chars) -> set[str]:
    """The members of a set, if they are few."""
    return set(members(chars)) if count(chars) <= _FEW else set()


def literal_prefix(node: Node) -> str:
    """The text that every match starts with, as far as the tree shows it; empty if there is none."""
    return _prefix(node)[0]


def _prefix(node: Node) -> tuple[str, bool]:
    """The text that every match starts with, and whether a match takes that text and no more."""
    match node:
        case Literal(text=text):
            return text, True
        case Chars():
            return "", False
        case Sequence(items=items):
            text = ""
            for item in items:
                more, whole = _prefix(item)
                text += more
                if not whole:
                    return text, False
            return text, True
        case Choice(options=options):
            sides = {_prefix(option) for option in options}
            return shared_start([text for text, _ in sides]), len(sides) == 1 and all(whole for _, whole in sides)
        case Repeat(item=item, least=least, most=most):
            text, whole = _prefix(item)
            return (text * least, least == most) if whole else (text if least else "", False)
        case Group(item=item):
            return _prefix(item)
        case _:
            return "", True


def shared_start(texts: list[str]) -> str:
    """The longest text that all `texts` start with; that of the first and the last in order is that of all."""
    low, high = min(texts, default=""), max(texts, default="")
    return next((low[:at] for at, (left, right) in enumerate(zip(low, high, strict=False)) if left != right), low)


def required_literals(node: Node) -> tuple[str, ...]:
    """Texts that every match contains, in the order of the pattern; none is part of another.

    Only what the match itself takes counts, not what look-arounds ask for.
    """
    found = list(dict.fromkeys(_required(node)))
    return tuple(text for text in found if not any(text != other and text in other for other in found))


def _required(node: Node) -> list[str]:
    match node:
        case Sequence(items=items):
            found: list[str] = []
            run = ""
            for item in items:
                more, whole = _prefix(item)
                run += more
                if not whole:
                    found += [run, *_required(item)]
                    run = ""
            return [text for text in [*found, run] if text]
        case Choice(options=options):
            sides = [_required(option) for option in options]
            texts = [text for side in sides for text in side]
            return [text for text in texts if all(any(text in other for other in side) for side in sides)]
        case Repeat(item=item, least=least):
            text, whole = _prefix(node)
            return [text] if whole and text else _required(item) if least else []
        case Group(item=item):
            return _required(item)
        case Literal(text=text):
            return [text]
        case _:
            return []


def lead(node: Node) -> tuple[Chars, Node] | None:
    """The run of one class that the pattern starts with, and the rest: `\\s*<call>` gives white space and `<call>`.

    Given for a repeat without upper limit over one set C, greedy or lazy, before a rest R that takes at least one
    character and can start with none of C. Promised: a match is a run of C up to the place where the run ends, and
    R at that very place. So a search may look for R and then step back over the characters of C: the leftmost match
    starts where that run starts. With a least count (`C+`, `C{3,}`) the run has to be that long, which the caller has
    to check: R alone, or after a shorter run, is no match. What R looks at before its start is the text itself.
    """
    if not isinstance(node, Sequence) or len(node.items) < 2:
        return None
    run, *others = node.items
    if not isinstance(run, Repeat) or run.most is not None:
        return None
    chars = one_char(run.item)
    rest = others[0] if len(others) == 1 else Sequence(*others)
    start = first(rest)
    if chars is None or start is None or nullable(rest) or common(chars, start).ranges:
        return None
    return chars, rest
