"""What is ahead, over text that is known already: for all places, in one pass from right to left.

A look-ahead such as `(?=[\\s\\S]*?</think>)` may have to see far ahead, and so may an optional part such as
`</t>(?:[\\s\\S]*?</end>)?`. Where a text holds many places that ask for the same, each of them seeing for itself would
cost the square of the distance. From the right each place follows from the one behind it.
"""

from __future__ import annotations

from .program import AHEAD, BEHIND, CHAR, EDGE, END, FAIL, MATCH, SAVE, SPLIT, START, Instruction, Program
from .unicode import WORD

Left = tuple[bool | None, tuple[bool, ...] | None]
"""Of the text in front of a place: whether a word character is last, and which look-behinds match; `None`: unknown."""

NO, OPEN, YES = 0, 1, 2
"""Whether there is a match from a place on: there can not be, it can not be said from the known text, there is."""


class Outlook:
    """What is ahead of one place.

    Attributes:
        values: for the instructions at which a thread can go on behind a character, and for those at which patterns and
            look-aheads start: whether there is a match from here on (`NO`, `OPEN` or `YES`).
        steps: the outlook of the place before, by the character between and by what is known of the text in front.
    """

    __slots__ = ("steps", "values")

    def __init__(self, values: dict[int, int]) -> None:
        self.values = values
        self.steps: dict[tuple[str, Left], Outlook] = {}


class Foresight:
    """Computes outlooks for the patterns of a program; outlooks are built when they are first needed, and kept.

    Args:
        program: the patterns.
        reach: how many characters look-behinds can see.
        final: whether the known text is all there will be.
    """

    def __init__(self, program: Program, reach: int, final: bool) -> None:
        self._code = program.code
        self._reach = reach
        self._final = final
        bodies = {one.other: self._body(one.other) for one in self._code if one.op == AHEAD}
        self._bodies = [bodies[entry] for entry in _innermost_first(bodies, self._code)]
        self._bodies += [self._body(entry) for entry in program.entries]
        asked = {one.next for one in self._code if one.op == CHAR}
        self._kept = tuple(sorted(asked | set(bodies) | set(program.entries)))
        self._known: dict[tuple[int, ...], Outlook] = {}
        self._knows_words = program.knows_words
        self._behinds = Behinds(program) if program.behinds else None

    def outlooks(self, text: str, at: int) -> list[Outlook]:
        """The outlook of each place of `text` from index `at` on, its end included."""
        lefts = self._lefts(text, at)
        outlook = self._outlook({}, "", lefts[-1])
        found = [outlook]
        for index in range(len(text) - 1, at - 1, -1):
            key = (text[index], lefts[index - at])
            before = outlook.steps.get(key)
            if before is None:
                before = outlook.steps[key] = self._outlook(outlook.values, *key)
            outlook = before
            found.append(outlook)
        found.reverse()
        return found

    def _lefts(self, text: str, at: int) -> list[Left]:
        """What is known of the text in front of each place from index `at` on, as far as any pattern asks for it."""
        count = len(text) + 1 - at
        words: list[bool | None] = [None] * count
        if self._knows_words:
            words = [text[index - 1] in WORD if index else None for index in range(at, len(text) + 1)]
        if self._behinds is None:
            return [(word, None) for word in words]
        start = max(0, at - self._reach)
        matched = self._behinds.matched(text, start)[at - start :]
        known = max(0, start + self._reach - at)  # in front of that there may be more text than this
        return [
            (word, found if place >= known else None)
            for place, (word, found) in enumerate(zip(words, matched, strict=True))
        ]

    def _body(self, entry: int) -> list[int]:
        """The instructions of one look-ahead, without those of look-aheads inside."""
        found: list[int] = []
        todo = [entry]
        while todo:
            at = todo.pop()
            if at >= 0 and at not in found:
                found.append(at)
                one = self._code[at]
                todo += [one.next, one.other if one.op == SPLIT else -1]
        return sorted(found)

    def _outlook(self, behind: dict[int, int], char: str, left: Left) -> Outlook:
        """The outlook of the place before `char`, behind which the values are known; "" stands for the known end."""
        values: dict[int, int] = {}
        for body in self._bodies:
            values |= dict.fromkeys(body, NO)
            changed = True
            while changed:
                changed = False
                for at in body:
                    value = self._value(at, behind, char, left, values)
                    if value != values[at]:
                        values[at] = value
                        changed = True
        kept = {at: values.get(at, OPEN) for at in self._kept}
        return self._known.setdefault(tuple(kept.values()), Outlook(kept))

    def _value(self, at: int, behind: dict[int, int], char: str, left: Left, values: dict[int, int]) -> int:
        """Whether a thread at instruction `at` comes to a match, as far as `values` says it of the others."""
        one = self._code[at]
        if one.op == MATCH:
            return YES
        if one.op == CHAR:
            if not char:
                return NO if self._final else OPEN
            return behind[one.next] if char in one.chars else NO
        if one.op == SAVE:
            return values[one.next]
        if one.op == SPLIT:
            return max(values[one.next], values[one.other])
        if one.op == AHEAD:
            inner = values[one.other]
            return min(YES - inner if one.negative else inner, values[one.next])
        if one.op == END and not char:
            return values[one.next] if self._final else min(OPEN, values[one.next])
        after_word, behinds = left
        if one.op == EDGE and after_word is not None and (char or self._final):
            passes = ((bool(char) and char in WORD) != after_word) is not one.negative
            return values[one.next] if passes else NO
        if one.op == BEHIND and behinds is not None:
            return values[one.next] if behinds[one.other] is not one.negative else NO
        if one.op in (START, BEHIND, EDGE):  # what is on the left is not known here
            return min(OPEN, values[one.next])
        return NO


class Behinds:
    """Finds out which look-behinds of a program match in front of each place of a text, in one pass.

    A place that is not further from the beginning than they can see does not count: there may be text in front.
    """

    def __init__(self, program: Program) -> None:
        self._code = program.code
        self._entries = program.behinds
        self._steps: dict[tuple[tuple[frozenset[int], ...], str], tuple[frozenset[int], ...]] = {}

    def matched(self, text: str, at: int) -> list[tuple[bool, ...]]:
        """For each place from index `at` on, the end included, which look-behinds match."""
        sets = tuple(self._reached({entry}) for entry in self._entries)
        found = [self._which(sets)]
        for index in range(at, len(text)):
            key = (sets, text[index])
            after = self._steps.get(key)
            if after is None:
                after = self._steps[key] = self._step(*key)
            sets = after
            found.append(self._which(sets))
        return found

    def _which(self, sets: tuple[frozenset[int], ...]) -> tuple[bool, ...]:
        return tuple(any(self._code[at].op == MATCH for at in reached) for reached in sets)

    def _step(self, sets: tuple[frozenset[int], ...], char: str) -> tuple[frozenset[int], ...]:
        moved = [
            {self._code[at].next for at in reached if self._code[at].op == CHAR and char in self._code[at].chars}
            for reached in sets
        ]
        return tuple(self._reached({entry, *places}) for entry, places in zip(self._entries, moved, strict=True))

    def _reached(self, places: set[int]) -> frozenset[int]:
        """The places where characters are read, or all has matched; the text start is not near."""
        found: set[int] = set()
        todo = list(places)
        while todo:
            at = todo.pop()
            one = self._code[at]
            if at in found or one.op in (START, FAIL):
                continue
            found.add(at)
            if one.op == SPLIT:
                todo += [one.next, one.other]
            elif one.op == SAVE:
                todo.append(one.next)
        return frozenset(found)


def _innermost_first(bodies: dict[int, list[int]], code: list[Instruction]) -> list[int]:
    """The entries of look-aheads in such an order that one inside another comes before it."""
    ordered: list[int] = []
    inside = {entry: {code[at].other for at in body if code[at].op == AHEAD} for entry, body in bodies.items()}
    while len(ordered) < len(bodies):
        ordered += [entry for entry in sorted(bodies) if entry not in ordered and inside[entry].issubset(ordered)]
    return ordered
