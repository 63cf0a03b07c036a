"""What is ahead, over text that is known already: for all places, in one pass from right to left.

A look-ahead such as `(?=[\\s\\S]*?</think>)` may have to see far ahead, and so may an optional part such as
`</t>(?:[\\s\\S]*?</end>)?`. Where a text holds many places that ask for the same, each of them seeing for itself would
cost the square of the distance. From the right each place follows from the one behind it.
"""

from __future__ import annotations

from .program import AHEAD, BEHIND, CHAR, EDGE, END, MATCH, SAVE, SPLIT, START, Instruction, Program
from .unicode import WORD

NO, OPEN, YES = 0, 1, 2
"""Whether there is a match from a place on: there can not be, it can not be said from the known text, there is."""


class Outlook:
    """What is ahead of one place.

    Attributes:
        values: for the instructions at which a thread can go on behind a character, and for those at which patterns and
            look-aheads start: whether there is a match from here on (`NO`, `OPEN` or `YES`).
        steps: the outlook of the place before, by the character between and by what stands in front of that.
    """

    __slots__ = ("steps", "values")

    def __init__(self, values: dict[int, int]) -> None:
        self.values = values
        self.steps: dict[tuple[str, bool | None], Outlook] = {}


class Foresight:
    """Computes outlooks for the patterns of a program; outlooks are built when they are first needed, and kept.

    Args:
        program: the patterns.
        final: whether the known text is all there will be.
    """

    def __init__(self, program: Program, final: bool) -> None:
        self._code = program.code
        self._final = final
        bodies = {one.other: self._body(one.other) for one in self._code if one.op == AHEAD}
        self._bodies = [bodies[entry] for entry in _innermost_first(bodies, self._code)]
        self._bodies += [self._body(entry) for entry in program.entries]
        asked = {one.next for one in self._code if one.op == CHAR}
        self._kept = tuple(sorted(asked | set(bodies) | set(program.entries)))
        self._known: dict[tuple[int, ...], Outlook] = {}
        self._knows_words = program.knows_words

    def outlooks(self, text: str, at: int) -> list[Outlook]:
        """The outlook of each place of `text` from index `at` on, its end included."""
        outlook = self._outlook({}, "", self._is_word(text, len(text) - 1))
        found = [outlook]
        for index in range(len(text) - 1, at - 1, -1):
            key = (text[index], self._is_word(text, index - 1) if self._knows_words else None)
            before = outlook.steps.get(key)
            if before is None:
                before = outlook.steps[key] = self._outlook(outlook.values, *key)
            outlook = before
            found.append(outlook)
        found.reverse()
        return found

    def _is_word(self, text: str, index: int) -> bool | None:
        """Whether a word character stands there; `None` in front of the text, where that is not known."""
        return text[index] in WORD if index >= 0 else None

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

    def _outlook(self, behind: dict[int, int], char: str, after_word: bool | None) -> Outlook:
        """The outlook of the place before `char`, behind which the values are known; "" stands for the known end.

        Args:
            after_word: whether a word character stands in front of the place; `None` if that is not known.
        """
        values: dict[int, int] = {}
        for body in self._bodies:
            values |= dict.fromkeys(body, NO)
            changed = True
            while changed:
                changed = False
                for at in body:
                    value = self._value(at, behind, char, after_word, values)
                    if value != values[at]:
                        values[at] = value
                        changed = True
        kept = {at: values.get(at, OPEN) for at in self._kept}
        return self._known.setdefault(tuple(kept.values()), Outlook(kept))

    def _value(
        self, at: int, behind: dict[int, int], char: str, after_word: bool | None, values: dict[int, int]
    ) -> int:
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
        if one.op == EDGE and after_word is not None and (char or self._final):
            passes = ((bool(char) and char in WORD) != after_word) is not one.negative
            return values[one.next] if passes else NO
        if one.op in (START, BEHIND, EDGE):  # what is on the left is not known here
            return min(OPEN, values[one.next])
        return NO


def _innermost_first(bodies: dict[int, list[int]], code: list[Instruction]) -> list[int]:
    """The entries of look-aheads in such an order that one inside another comes before it."""
    ordered: list[int] = []
    inside = {entry: {code[at].other for at in body if code[at].op == AHEAD} for entry, body in bodies.items()}
    while len(ordered) < len(bodies):
        ordered += [entry for entry in sorted(bodies) if entry not in ordered and inside[entry].issubset(ordered)]
    return ordered
