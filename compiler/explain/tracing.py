"""When a delimiter takes effect, found out by feeding samples to the automaton that the parser uses."""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.compiler.explain.samples import Sample
from untemplate.compiler.plan.nodes import Scan
from untemplate.runtime.automaton import CERTAIN, DECIDED, Automaton, Cursor

_NEUTRAL = "\N{SNOWMAN}"
_PROSE = 'Some words, of which 12 count; and more.\n\nA second line (so to say) has others: "quoted", it\'s so. ' * 3


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened to a sample.

    Attributes:
        effect: how many characters, from the match's start on, the delimiter needed to take effect; `None`: all of
            them, and the end of the text.
        ends: whether its end was known then too.
        stall: the shortest beginning of the sample behind which prose of any length was held back; `None` if there is
            none.
    """

    effect: int | None
    ends: bool
    stall: str | None


class Tracer:
    """Tries samples on the watch of one state."""

    def __init__(self, search: Scan) -> None:
        self._watched = search.watched
        self._context = search.context
        self._automaton = Automaton([one.tree for one in search.watched], search.context)

    def trace(self, index: int, sample: Sample) -> Trace | None:
        """What happens to a sample of the watched delimiter `index`; `None` if it is no match after all."""
        for before in dict.fromkeys([sample.before, "", f"a{sample.before}", "\n", "a"]):
            effect = self._effect(index, before, sample)
            if effect is not None:
                return Trace(*effect, self._stall(before, sample))
        return None

    def _enter(self, before: str) -> Cursor:
        return self._automaton.enter(before[-self._context :] if self._context else "")

    def _effect(self, index: int, before: str, sample: Sample) -> tuple[int | None, bool] | None:
        cursor = self._enter(before)
        text = sample.match + sample.after + _NEUTRAL
        for at in range(len(text) + 1):
            state = cursor.state
            if state.stop & DECIDED:
                match = self._automaton.decided(cursor, at)
                return (at, True) if match.index == index and match.start == 0 else None
            if state.stop & CERTAIN and self._is_due(state.certain, state.settled):
                start = self._automaton.start_of_certain(cursor, at)
                return (at, False) if state.certain == index and start == 0 else None
            if at < len(text):
                self._automaton.read(cursor, text[at], 0, at, 0)
        cursor = self._enter(before)
        text = sample.match + sample.after
        self._automaton.read(cursor, text, 0, 0, 0)
        last = self._automaton.finish(cursor, len(text))
        return (None, True) if last is not None and last.index == index and last.start == 0 else None

    def _is_due(self, certain: int, settled: bool) -> bool:
        return self._watched[certain].opens or settled

    def _stall(self, before: str, sample: Sample) -> str | None:
        text = sample.match + sample.after
        for size in range(len(text) + 1):
            cursor = self._enter(before)
            tried = text[:size] + _PROSE
            at = self._automaton.read(cursor, tried, 0, 0, CERTAIN | DECIDED)
            if at == len(tried) and cursor.state.holds and cursor.starts[0] < max(size, 1):
                return text[:size]
            if at <= size and cursor.state.stop & (CERTAIN | DECIDED):
                return None
        return None
