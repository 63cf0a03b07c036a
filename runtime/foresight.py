"""Look-aheads over text that is known already: their verdicts at all places, in one pass from right to left.

A look-ahead such as `(?=[\\s\\S]*?</think>)` may have to see far ahead. Where a text holds many places that ask for the
same, each of them seeing for itself would cost the square of the distance. From the right each place follows from the
one behind it.
"""

from __future__ import annotations

from .program import AHEAD, CHAR, FAIL, MATCH, SAVE, SPLIT, Instruction, Program

NO, OPEN, YES = 0, 1, 2
"""What a look-ahead is at a place: no match, not decided by the known text, a match."""


class Outlook:
    """What is ahead of one place, as far as the program's look-aheads ask.

    Attributes:
        verdicts: for the entry of each look-ahead whether it matches here: `NO`, `OPEN` or `YES`.
        steps: the outlook of the place before, by the character between.
    """

    __slots__ = ("_values", "steps", "verdicts")

    def __init__(self, values: dict[int, int], entries: tuple[int, ...]) -> None:
        self._values = values
        self.steps: dict[str, Outlook] = {}
        self.verdicts = {entry: values[entry] for entry in entries}


class Foresight:
    """Computes outlooks for the look-aheads of a program; outlooks are built when they are first needed, and kept.

    Attributes:
        possible: whether all that the look-aheads ask for lies to their right; else there is no foresight.
    """

    def __init__(self, program: Program) -> None:
        self._code = program.code
        bodies = {one.other: self._body(one.other) for one in self._code if one.op == AHEAD}
        self._entries = tuple(_innermost_first(bodies, self._code))
        self._bodies = [bodies[entry] for entry in self._entries]
        inside = [self._code[at] for body in self._bodies for at in body]
        self.possible = bool(inside) and all(one.op in (CHAR, SPLIT, SAVE, AHEAD, MATCH, FAIL) for one in inside)
        # The values at these are all that counts for the place before.
        self._asked = tuple(sorted({one.next for one in inside if one.op == CHAR}))
        self._known: dict[tuple[int, ...], Outlook] = {}
        self._end = self._outlook({}, "") if self.possible else None

    def outlooks(self, text: str, at: int) -> list[Outlook]:
        """The outlook of each place of `text` from index `at` on, its end included; what comes behind it is open."""
        assert self._end is not None
        outlook = self._end
        found = [outlook]
        for index in range(len(text) - 1, at - 1, -1):
            char = text[index]
            before = outlook.steps.get(char)
            if before is None:
                before = outlook.steps[char] = self._outlook(outlook._values, char)
            outlook = before
            found.append(outlook)
        found.reverse()
        return found

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

    def _outlook(self, behind: dict[int, int], char: str) -> Outlook:
        """The outlook of the place before `char`, behind which the values are known; "" stands for the known end."""
        values: dict[int, int] = {}
        for body in self._bodies:
            values |= dict.fromkeys(body, NO)
            changed = True
            while changed:
                changed = False
                for at in body:
                    value = self._value(at, behind, char, values)
                    if value != values[at]:
                        values[at] = value
                        changed = True
        kept = {at: values[at] for at in (*self._entries, *self._asked)}
        return self._known.setdefault(tuple(kept.values()), Outlook(kept, self._entries))

    def _value(self, at: int, behind: dict[int, int], char: str, values: dict[int, int]) -> int:
        """Whether a thread at instruction `at` comes to a match, as far as `values` says it of the others."""
        one = self._code[at]
        if one.op == MATCH:
            return YES
        if one.op == CHAR:
            return OPEN if not char else behind[one.next] if char in one.chars else NO
        if one.op == SAVE:
            return values[one.next]
        if one.op == SPLIT:
            return max(values[one.next], values[one.other])
        if one.op == AHEAD:
            inner = values[one.other]
            return min(YES - inner if one.negative else inner, values[one.next])
        return NO


def _innermost_first(bodies: dict[int, list[int]], code: list[Instruction]) -> list[int]:
    """The entries of look-aheads in such an order that one inside another comes before it."""
    ordered: list[int] = []
    inside = {entry: {code[at].other for at in body if code[at].op == AHEAD} for entry, body in bodies.items()}
    while len(ordered) < len(bodies):
        ordered += [entry for entry in sorted(bodies) if entry not in ordered and inside[entry].issubset(ordered)]
    return ordered
