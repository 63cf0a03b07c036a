"""Whether two delimiters can match at the same place: a search for the shortest text that both can start with."""

from __future__ import annotations

from collections import deque

import regex

from untemplate.compiler.frontend.schema import Delimiter, PatternDelimiter
from untemplate.compiler.lint.shapes import sample_char
from untemplate.compiler.lint.subject import tree_of
from untemplate.compiler.patterns.analysis import common
from untemplate.runtime.pattern import Ahead, Chars, Choice, Group, Literal, Node, Repeat, Sequence, one_of

_MOST_PAIRS = 20_000
_MOST_COPIES = 3  # counted repeats are followed so far; what is found is tried with the pattern itself

_DONE = -1
_Found = tuple[str, int, int]


def same_place(left: Delimiter, right: Delimiter) -> _Found | None:
    """A text that both delimiters match from its start, and how many characters each of them takes.

    `None` if there is none, or none was found in a search that is bounded.
    """
    text = _shortest(_Machine(tree_of(left)), _Machine(tree_of(right)))
    if text is None:
        return None
    ends = (_end(left, text), _end(right, text))
    return (text, *ends) if min(ends) > 0 else None


def _end(delimiter: Delimiter, text: str) -> int:
    """Where the delimiter's match at the start of the text ends, by the real thing; -1 if there is none."""
    if isinstance(delimiter, PatternDelimiter):
        found = regex.compile(delimiter.pattern, regex.DOTALL).match(text)
        return found.end() if found else -1
    return max((len(literal) for literal in delimiter.literals if text.startswith(literal)), default=-1)


def _shortest(left: _Machine, right: _Machine) -> str | None:
    """The shortest text that both machines accept a start of."""
    start = (left.start, right.start)
    came: dict[tuple[int, int], tuple[tuple[int, int], str]] = {start: (start, "")}
    todo = deque([start])
    while todo and len(came) < _MOST_PAIRS:
        pair = todo.popleft()
        if pair == (_DONE, _DONE):
            return _spelled(came, pair)
        free, taking = _moves(left, right, pair)
        for after in free:
            if after not in came:
                came[after] = (pair, "")
                todo.appendleft(after)
        for after, char in taking:
            if after not in came:
                came[after] = (pair, char)
                todo.append(after)
    return None


def _spelled(came: dict[tuple[int, int], tuple[tuple[int, int], str]], pair: tuple[int, int]) -> str:
    chars: list[str] = []
    while came[pair][0] != pair:
        pair, char = came[pair]
        chars.append(char)
    return "".join(reversed(chars))


def _moves(
    left: _Machine, right: _Machine, pair: tuple[int, int]
) -> tuple[list[tuple[int, int]], list[tuple[tuple[int, int], str]]]:
    """The steps from a pair of states: those that take nothing, and those that take a character."""
    one, other = pair
    free = [(after, other) for after in left.free.get(one, [])] + [(one, after) for after in right.free.get(other, [])]
    taking: list[tuple[tuple[int, int], str]] = []
    for chars, after in left.steps(one):
        for others, behind in right.steps(other):
            shared = chars if others is None else others if chars is None else common(chars, others)
            if shared is not None and shared.ranges:
                taking.append(((after, behind), sample_char(shared)))
    return free, taking


class _Machine:
    """The states of a pattern without its assertions, but for a look-ahead at its end: what it asks for must follow."""

    def __init__(self, tree: Node) -> None:
        self.free: dict[int, list[int]] = {}
        self._taking: dict[int, list[tuple[Chars, int]]] = {}
        self._count = 0
        self.start = self._state()
        end = self._add(tree, self.start, last=True)
        self.free.setdefault(end, []).append(_DONE)

    def steps(self, state: int) -> list[tuple[Chars | None, int]]:
        """The characters that lead on, and where to; a match that is over takes anything (`None`)."""
        if state == _DONE:
            return [(None, _DONE)]
        return [*self._taking.get(state, [])]

    def _state(self) -> int:
        self._count += 1
        return self._count - 1

    def _join(self, start: int, end: int) -> None:
        self.free.setdefault(start, []).append(end)

    def _add(self, node: Node, start: int, last: bool) -> int:
        """Adds the states of `node` behind `start`; returns the state behind it."""
        match node:
            case Literal(text=text):
                for char in text:
                    start = self._take(one_of(char), start)
            case Chars():
                start = self._take(node, start)
            case Sequence(items=items):
                for at, item in enumerate(items, 1):
                    start = self._add(item, start, last and at == len(items))
            case Choice(options=options):
                end = self._state()
                for option in options:
                    self._join(self._add(option, start, last), end)
                return end
            case Repeat():
                return self._repeat(node, start)
            case Group(item=item):
                return self._add(item, start, last)
            case Ahead(item=item, negative=False) if last:
                return self._add(item, start, last)
        return start

    def _take(self, chars: Chars, start: int) -> int:
        end = self._state()
        self._taking.setdefault(start, []).append((chars, end))
        return end

    def _repeat(self, node: Repeat, start: int) -> int:
        for _ in range(min(node.least, _MOST_COPIES)):
            start = self._add(node.item, start, last=False)
        end = self._state()
        self._join(start, end)
        if node.most is None or node.most > node.least:
            again = self._state()
            self._join(start, again)
            after = self._add(node.item, again, last=False)
            self._join(after, end)
            if node.most is None or node.most > node.least + 1:
                self._join(after, again)
        return end
