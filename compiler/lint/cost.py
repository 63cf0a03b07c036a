"""What a pattern costs an engine that backtracks, counted in steps instead of seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from untemplate.compiler.lint.shapes import samples
from untemplate.compiler.patterns.analysis import one_char, width
from untemplate.compiler.patterns.build import sequence
from untemplate.runtime.pattern import (
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
)

LINEAR, QUADRATIC, EXPONENTIAL = 0, 1, 2

_MOST_STEPS = 60_000
_MOST_PUMPS = 24
_STOP = "\0"  # comes behind the repeated text, so that the match fails there
# Steps for a text twice as long: twice as many if linear, four times if quadratic, less what does not grow.
_SHORT, _LONG, _QUADRATIC_GROWTH = 24, 48, 3.0
# Six rounds more: a polynomial of degree 4 grows by 9, the slowest exponential met in practice (1.6 ** n) by 17.
_FEW, _MORE, _EXPONENTIAL_GROWTH = 8, 14, 13

_Next = Callable[[int], bool]


class _TooManySteps(Exception):
    pass


def growth(node: Node) -> tuple[int, str]:
    """How the work of a backtracking search grows with the text: a constant from above, and what repeated causes it.

    Texts are tried in which what the pattern repeats comes many times and then breaks off: never too bad an answer,
    but worse texts may exist.
    """
    worst = (LINEAR, "")
    for tried, (before, pump) in enumerate(_pumps(node)):
        if tried >= _MOST_PUMPS:
            break
        found = _growth(node, before, pump)
        if found > worst[0]:
            worst = (found, pump)
        if worst[0] == EXPONENTIAL:
            break
    return worst


def _growth(node: Node, before: str, pump: str) -> int:
    try:
        return _measured(node, before, pump)
    except RecursionError:  # a pattern too deep to be tried so; nothing is claimed about it
        return LINEAR


def _measured(node: Node, before: str, pump: str) -> int:
    few = _search_steps(node, before + pump * _FEW + _STOP)
    if few is None:
        return EXPONENTIAL
    more = _search_steps(node, before + pump * _MORE + _STOP)
    if more is None or more > few * _EXPONENTIAL_GROWTH:
        return EXPONENTIAL
    short = _search_steps(node, before + pump * _SHORT + _STOP)
    long = _search_steps(node, before + pump * _LONG + _STOP) if short is not None else None
    if short is None or long is None or long > short * _QUADRATIC_GROWTH:
        return QUADRATIC
    return LINEAR


def _pumps(node: Node, before: str = "") -> Iterator[tuple[str, str]]:
    """What is repeated without limit, outside of look-arounds: a text that leads to it, and one round of it."""
    match node:
        case Sequence(items=items):
            for at, item in enumerate(items):
                yield from _pumps(item, before + samples(sequence(items[:at]), 1)[0])
        case Choice(options=options):
            for option in options:
                yield from _pumps(option, before)
        case Group(item=item):
            yield from _pumps(item, before)
        case Repeat(item=item, most=most):
            if most is None or most > _MORE:
                yield from ((before, text) for text in samples(item) if text)
            yield from _pumps(item, before)
        case _:
            return


def _search_steps(node: Node, text: str) -> int | None:
    """The steps of a search from every place of the text; `None` if they are too many to count."""
    engine = _Engine(text)
    try:
        for start in range(len(text) + 1):
            if engine.match(node, start, _reached):
                break
    except _TooManySteps:
        return None
    return engine.steps


def _reached(_: int) -> bool:
    return True


class _Engine:
    """Backtracks as common engines do: a repeat of one character counts first, all else is tried in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.steps = 0

    def match(self, node: Node, at: int, then: _Next) -> bool:
        """Whether `node` matches at `at` and what comes `then` matches behind it."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise _TooManySteps
        match node:
            case Literal(text=text):
                return self._text.startswith(text, at) and then(at + len(text))
            case Chars():
                return at < len(self._text) and self._text[at] in node and then(at + 1)
            case Sequence(items=items):
                return self._sequence(items, 0, at, then)
            case Choice(options=options):
                return any(self.match(option, at, then) for option in options)
            case Repeat():
                chars = one_char(node.item)
                return self._run(node, chars, at, then) if chars is not None else self._rounds(node, 0, at, then)
            case Group(item=item):
                return self.match(item, at, then)
            case Ahead(item=item, negative=negative):
                return self.match(item, at, _reached) != negative and then(at)
            case Behind(item=item, negative=negative):
                return self._behind(item, at) != negative and then(at)
            case TextStart():
                return at == 0 and then(at)
            case TextEnd():
                return at == len(self._text) and then(at)
            case _:
                return then(at)

    def _sequence(self, items: tuple[Node, ...], index: int, at: int, then: _Next) -> bool:
        if index == len(items):
            return then(at)
        return self.match(items[index], at, lambda end: self._sequence(items, index + 1, end, then))

    def _run(self, node: Repeat, chars: Chars, at: int, then: _Next) -> bool:
        end = at
        limit = len(self._text) if node.most is None else min(len(self._text), at + node.most)
        while end < limit and self._text[end] in chars:
            end += 1
        ends = range(at + node.least, end + 1)
        self.steps += len(ends)
        return any(then(stop) for stop in (ends if node.lazy else reversed(ends)))

    def _rounds(self, node: Repeat, done: int, at: int, then: _Next) -> bool:
        def again() -> bool:
            if node.most is not None and done >= node.most:
                return False
            return self.match(node.item, at, lambda end: end > at and self._rounds(node, done + 1, end, then))

        enough = done >= node.least
        if node.lazy:
            return (enough and then(at)) or again()
        return again() or (enough and then(at))

    def _behind(self, item: Node, at: int) -> bool:
        least, most = width(item)
        starts = range(max(0, at - (most or 0)), at - least + 1)
        return any(self.match(item, start, lambda end: end == at) for start in starts)
