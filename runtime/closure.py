"""What threads lead to without reading a character."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .foresight import OPEN, YES, Outlook
from .program import AHEAD, BEHIND, CHAR, EDGE, END, END_SLOT, FAIL, MATCH, SAVE, SPLIT, START, Instruction
from .threads import NOTHING, NOW, UNSET, Context, Obligation, Thread, Way
from .unicode import WORD

if TYPE_CHECKING:
    from .automaton import Automaton

_LEAVES = (CHAR, MATCH)  # where a thread comes to rest: how it came there no longer counts


class Closure:
    """Collects the threads that are reached without reading a character, in order of preference.

    A thread is left out where a preferred one stands at the same instruction, or has matched, and waits for nothing
    that it does not wait for itself. An unconditional match closes the list: nothing after it can win.

    Args:
        automaton: whose program is followed.
        facts: what is known about the text before the present position.
        char: the character at the present position, "" at the end of the text, or `None` while it is unknown; then
            edges and ends stay in the list.
        outlook: what is known to be ahead of the present position.
        every: whether a match closes nothing: all that is reached counts.
    """

    def __init__(
        self,
        automaton: Automaton,
        facts: Context,
        char: str | None = None,
        outlook: Outlook | None = None,
        every: bool = False,
    ) -> None:
        self.threads: list[Thread] = []
        self.closed = False
        self._automaton = automaton
        self._code = automaton._code
        self._facts = facts
        self._char = char
        self._outlook = outlook
        self._every = every
        self._seen: dict[tuple[int, int], list[frozenset[Obligation]]] = {}
        self._matches: list[frozenset[Obligation]] = []

    def follow(self, at: int, start: int, slots: tuple[int, ...], waits: frozenset[Obligation]) -> None:
        """Adds the threads that a thread at instruction `at` leads to."""
        # The last member: the loops that have begun an iteration at this position. If one of them comes round again,
        # its iteration matched empty.
        stack = [(at, slots, waits, 0)]
        while stack and not self.closed:
            at, slots, waits, begun = stack.pop()
            one = self._code[at]
            begun &= one.inside  # in all others an iteration is over
            if self._is_seen(at, waits, begun if one.op not in _LEAVES else 0):
                continue
            if one.op == SPLIT and one.loop & begun:
                stack.append((one.leave, slots, waits, begun & ~one.loop))
            elif one.op == SPLIT:
                stack.append((one.other, slots, waits, begun | (one.loop if one.leave == one.next else 0)))
                stack.append((one.next, slots, waits, begun | (one.loop if one.leave == one.other else 0)))
            elif one.op == SAVE:
                stack.append((one.next, (*slots[: one.slot], NOW, *slots[one.slot + 1 :]), waits, begun))
            elif one.op == AHEAD:
                verdict = self._look_ahead(one)
                if isinstance(verdict, bool):
                    if verdict is not one.negative:
                        stack.append((one.next, slots, waits, begun))
                else:
                    stack.append((one.next, slots, waits | {(one.negative, verdict)}, begun))
            elif one.op == MATCH:
                ended = slots if slots[END_SLOT] != UNSET else (NOW, *slots[1:])
                if not waits and not self._every:  # the same match, whether what it waits for comes or not
                    while self.threads and self.threads[-1][:3] == (at, start, ended):
                        self.threads.pop()
                self.threads.append((at, start, ended, waits))
                if not self._every:
                    self._matches.append(waits)
                    self.closed = not waits
            elif one.op == CHAR or (self._char is None and one.op in (END, EDGE)):
                if self._code[one.next].alive or (self._facts[2] and one.op != CHAR):
                    self.threads.append((at, start, slots, waits))
            elif self._passes(one):
                stack.append((one.next, slots, waits, begun))

    def _is_seen(self, at: int, waits: frozenset[Obligation], begun: int) -> bool:
        """Whether a preferred thread came here; if not, this one did."""
        if any(known <= waits for known in self._matches):
            return True
        seen = self._seen.setdefault((at, begun), [])
        if any(known <= waits for known in seen):
            return True
        seen.append(waits)
        return False

    def _look_ahead(self, one: Instruction) -> bool | frozenset[Way]:
        if self._outlook is not None and self._outlook.values[one.other] != OPEN:
            return self._outlook.values[one.other] == YES
        ways = self._automaton._ways([(one.other, NOTHING)], self._facts, self._char)
        if self._char != "":
            return verdict_of(ways, self._code)
        return any(self._code[at].op == MATCH for at, _ in ways)

    def _passes(self, one: Instruction) -> bool:
        """Whether a test at the present position holds."""
        if one.op == BEHIND:
            return self._automaton._is_behind(one.other, self._facts) is not one.negative
        if one.op == START:
            return self._facts[2]
        if one.op == END:
            return self._char == ""
        if one.op == EDGE:
            is_word = bool(self._char) and self._char in WORD  # type: ignore[operator]
            return (is_word != self._facts[1]) is not one.negative
        assert one.op == FAIL
        return False


def verdict_of(ways: frozenset[Way], code: list[Instruction]) -> bool | frozenset[Way]:
    """Whether a look-around matches: yes, no, or what is still open."""
    if any(code[at].op == MATCH and not waits for at, waits in ways):
        return True
    return ways or False
