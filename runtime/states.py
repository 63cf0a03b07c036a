"""The states of an automaton: all threads after some text, and what they decide."""

from __future__ import annotations

import re
from collections.abc import Callable

from .foresight import Outlook
from .program import END_SLOT, MATCH, Instruction
from .threads import BEFORE, NOW, UNSET, Context, Thread, is_final, order_of

_LAST = 1 << 31

# Why the reading of a state stops.
IDLE, CERTAIN, DECIDED, ENDING = 1, 2, 4, 8

Search = Callable[[str, int], "re.Match[str] | None"]


class State:
    """All threads after some text, and what they decide.

    Attributes:
        threads: for each pattern its threads, the preferred first.
        steps: the state after a character, or a `Move` to it where registers change.
        foreseen: the same by character and what is known of the text behind it.
        stop: which of `IDLE` (nothing is held), `CERTAIN`, `DECIDED` and `ENDING` hold.
        holds: whether text is held back from the first start register on.
        ending: where a match is certain to start, though maybe not yet of which pattern, as in a `Thread`; or `UNSET`.
        winners: patterns with a decided match that no undecided one can precede: several if they start at one place.
        certain: the one pattern that is going to match from its first thread's start, though maybe not yet to which
            end; else -1.
        settled: whether the captures of `certain` are decided too.
        run: a text that can be read at once; `None` as long as it was not looked for.
        skips: whether it may be worth skipping the characters that lead back to the state.
        stays: finds the next one that does not; `None` as long as it was not looked for.
    """

    __slots__ = (
        *("certain", "context", "ending", "holds", "run", "settled", "spawns"),
        *("foreseen", "skips", "stays", "steps", "stop", "threads", "winners"),
    )

    def __init__(self, threads: tuple[tuple[Thread, ...], ...], context: Context, code: list[Instruction]) -> None:
        self.threads = threads
        self.context = context
        self.steps: dict[str, State | Move] = {}
        self.foreseen: dict[tuple[str, Outlook], State | Move] = {}
        self.run: Run | None = None
        self.skips = True
        self.stays: Search | None = None
        matched = [min((order_of(t) for t in row if is_final(t, code)), default=None) for row in threads]
        self.spawns = all(start is None for start in matched)
        self.holds = any(thread[1] != NOW for row in threads for thread in row)
        first = min((order_of(thread) for row in threads for thread in row), default=None)
        sure = [t for row in threads for t in row if is_final(t, code) and order_of(t) == first]
        self.ending = sure[0][1] if sure else UNSET
        self.winners = self._find_winners(code)
        self.certain, self.settled = (-1, False) if self.winners else self._find_certain(code)
        self.stop = (
            (0 if self.holds else IDLE)
            | (CERTAIN if self.certain >= 0 else 0)
            | (DECIDED if self.winners else 0)
            | (ENDING if sure else 0)
        )

    def _find_winners(self, code: list[Instruction]) -> tuple[int, ...]:
        decided = {index: order_of(row[0]) for index, row in enumerate(self.threads) if row and is_final(row[0], code)}
        if not decided:
            return ()
        best = min(decided.values())
        rivals = any(
            row and index not in decided and order_of(row[0]) <= best for index, row in enumerate(self.threads)
        )
        return () if rivals else tuple(index for index, start in decided.items() if start == best)

    def _find_certain(self, code: list[Instruction]) -> tuple[int, bool]:
        left = [index for index, row in enumerate(self.threads) if row]
        row = self.threads[left[0]] if len(left) == 1 else ()
        if not row or not is_final(row[-1], code) or row[0][1] != row[-1][1]:
            return -1, False
        captures = {thread[2][END_SLOT + 1 :] for thread in row}
        return left[0], len(captures) == 1 and not any(code[thread[0]].saves for thread in row)


class Move:
    """A step that changes registers: each new register's source is an old register or `BEFORE`; `None`: all stay."""

    __slots__ = ("slots", "starts", "state")

    def __init__(self, state: State, starts: tuple[int, ...] | None, slots: tuple[int, ...] | None) -> None:
        self.state = state
        self.starts = starts
        self.slots = slots


class Run:
    """A text that decides nothing where it comes next.

    Attributes:
        text: the text.
        states: the state after each of its characters; `None` where reading up to there would move registers.
    """

    __slots__ = ("states", "text")

    def __init__(self, text: str, states: list[State | None]) -> None:
        self.text = text
        self.states = states


def prune(rows: list[list[Thread]], code: list[Instruction]) -> list[list[Thread]]:
    """Drops the threads that can not win: those that start after a match that nothing can prevent, or match less."""
    finals = [order_of(thread) for row in rows for thread in row if is_final(thread, code)]
    if not finals:
        return rows
    first = min(finals)
    rows = [[thread for thread in row if order_of(thread) <= first] for row in rows]
    for index, row in enumerate(rows):
        if row and _is_sure(row, code):
            rows = [
                rest if at == index or not _loses(rest, row[-1], index < at, code) else []
                for at, rest in enumerate(rows)
            ]
    return rows


def _is_sure(row: list[Thread], code: list[Instruction]) -> bool:
    """Whether a pattern is going to match from one start, to where its last thread ends or further."""
    *others, last = row
    least = _end_of(last)
    return is_final(last, code) and all(
        one[1] == last[1] and (code[one[0]].op != MATCH or _end_of(one) >= least) for one in others
    )


def _loses(row: list[Thread], best: Thread, preferred: bool, code: list[Instruction]) -> bool:
    """Whether a pattern matches less than from where `best` starts to its end, or as much and `best` is preferred."""
    return all(one[1] == best[1] and _is_less(one, _end_of(best), preferred, code) for one in row)


def _is_less(rival: Thread, end: int, preferred: bool, code: list[Instruction]) -> bool:
    if rival[2][END_SLOT] == UNSET:
        return preferred and end == _LAST and not code[rival[0]].reads
    own = _end_of(rival)
    return own < end or (own == end and preferred)


def _end_of(thread: Thread) -> int:
    """Where a thread that has matched ends, as a number that orders ends."""
    end = thread[2][END_SLOT]
    return end if end >= 0 else 1 << 30 if end == BEFORE else _LAST


def registers_of(state: State) -> tuple[int, int]:
    """How many registers of starts and of slots a state uses."""
    threads = [thread for row in state.threads for thread in row]
    starts = max((thread[1] for thread in threads), default=UNSET)
    slots = max((slot for thread in threads for slot in thread[2]), default=UNSET)
    return max(starts, UNSET) + 1, max(slots, UNSET) + 1
