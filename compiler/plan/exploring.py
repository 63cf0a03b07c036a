"""Whether something can be certain to happen before it is decided which delimiter matches, or where it ends.

Two delimiters may do the same where one matches and the other still can, and behind one whose end is open another may
match whatever comes. All that a parser can be in the middle of is gone through, as far as it matters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping
from itertools import chain, pairwise

from untemplate.compiler.patterns.analysis import wanted
from untemplate.compiler.plan.nodes import StatePlan
from untemplate.compiler.plan.searches import context
from untemplate.runtime.automaton import Automaton
from untemplate.runtime.paths import Happening, Path, TooManyError, forked
from untemplate.runtime.prospects import Expected, Moved, Prospects, is_read_again, moved
from untemplate.runtime.states import State
from untemplate.runtime.threads import UNSET
from untemplate.runtime.watch import Watch, closing, opening

_MOST_STEPS = 80_000  # in all
_MOST_STEPS_AT_ONCE = 1_000  # about one place
_THREADS_A_STEP = 2  # of new states
_MOST_HAPPENED = 3  # of what comes ahead of what is certain, no more is told apart


class Numbers:
    """Tells of texts which of them are the same.

    Args:
        wanted: characters that stand for themselves, as look-aheads may ask for them.
    """

    def __init__(self, wanted: frozenset[str]) -> None:
        self._wanted = wanted
        self._texts: dict[str, int] = {}

    def happened(self, one: Happening) -> Hashable:
        return (*one[:2], self.char(one[2])) if one[0] == "text" else one

    def char(self, char: str) -> Hashable:
        return char if char in self._wanted else self._texts.setdefault(char, len(self._texts))

    def captures(self, captures: Mapping[str, str]) -> Hashable:
        return tuple((name, self.char(text)) for name, text in sorted(captures.items()))

    def captured(self, text: str, slots: list[int], names: Collection[str]) -> Hashable:
        return (*(self.char(text[one:other]) for one, other in pairwise([*slots, len(text)])),)


class Exploration:
    """All that a parser can be in the middle of.

    Args:
        states: those of the parser, the outside first.
        implicit: the implicit field.
        kinds: characters of every kind that the delimiters tell apart.
    """

    def __init__(self, states: Iterable[StatePlan], implicit: str | None, kinds: tuple[str, ...]) -> None:
        states = tuple(states)
        self._watches = {state.method: _watch(state) for state in states if state.delimiters}
        self._implicit = implicit
        self._kinds = kinds
        reach = max((watch.context for watch in self._watches.values()), default=0)
        insides = {str(state.field): state.method for state in states[1:]}
        self._prospects = Prospects(self._watches, insides, implicit, "".join(kinds), reach)
        asked = {char for state in states for one in state.delimiters for char in wanted(one.tree)}
        self._wanted = frozenset(asked.intersection(kind for kind in kinds if len(kind) == 1))
        self._steps = 0
        self._states: set[State] = set()  # that were met: a new one is made, a thread at a time

    def begins(self) -> bool:
        """Whether something is certain before the first character."""
        return bool(self._is_certain(self._first(), "", 0))  # without any text a parser says nothing

    def finds(self) -> bool | None:
        """Whether something is certain somewhere before a parser that decides delimiters says it.

        `None`: there is too much to go through.
        """
        try:
            return self.begins() or self._finds()
        except TooManyError:
            return None

    def _finds(self) -> bool | None:
        known: set[Hashable] = set()
        todo = deque([(self._first(), "")])
        while todo:
            paths, text = todo.popleft()
            places = self._places(paths, text)
            if tuple(places) in known:
                continue
            known.add(tuple(places))
            paths = list(places.values())
            said = self._said(next(path for path in paths if not path.guesses))
            certain = self._is_certain(paths, text, said)
            if certain or certain is None or self._steps > _MOST_STEPS:
                return certain or None
            weight = sum(path.weight for path in paths)
            self._steps += len(self._kinds) * weight // 8  # they are looked at, which takes less than a step
            for char in self._characters(paths, text):
                self._steps += weight
                longer = text + char
                followed = [self._prospects.paths.follow(path.copy(), longer) for path in paths]
                todo.append((_rebased(list(chain(*followed))), longer))
        return False

    def _characters(self, paths: list[Path], text: str) -> Iterable[str]:
        """One character of each kind, but of those that lead to the same only one."""
        told = {one[2] for path in paths for one in path.happened[:_MOST_HAPPENED] if one[0] == "text"}
        told |= {text[path.kept] for path in paths if path.kept < len(text)} | self._wanted
        found: dict[Hashable, str] = {}
        for char in (kind[0] for kind in self._kinds):
            same = char if char in told else ""
            leads_to = tuple(self._leads_to(path, text, char, same) for path in paths)
            found.setdefault((leads_to, self._prospects.seen(text + char)), char)
        return found.values()

    def _leads_to(self, path: Path, text: str, char: str, same: str) -> Hashable:
        """What a character makes of a path; `None` if that ends there.

        Args:
            same: the character, if there is the same among what is told, as what has happened or is going to.
        """
        guesses = tuple(self._step(guess.automaton, guess.cursor.state, char) for guess in path.guesses)
        watch, cursor = self._watches.get(path.state), path.cursor
        is_told = bool(guesses) and len(path.happened) < _MOST_HAPPENED
        if watch is None or cursor is None:
            return guesses, is_told and same
        step = self._step(watch.automaton, cursor.state, char)
        if not is_read_again(step):
            is_first = step[0].holds and not cursor.state.holds
            return guesses, step, (is_told or is_first) and same
        if not step[0].winners:
            return guesses, step, char
        after = forked(cursor)
        watch.automaton.read(after, char, 0, len(text), 0)
        goes_on = watch.automaton.decided(after, len(text) + 1).end >= len(text)  # else another path has guessed it
        return (guesses, step, char) if goes_on else None

    def _step(self, automaton: Automaton, state: State, char: str) -> Moved:
        """What a character makes of a state."""
        result = moved(automaton, state, char)
        after = result[0]
        if after not in self._states:
            self._states.add(after)
            self._steps += sum(map(len, after.threads)) // _THREADS_A_STEP
            if self._steps > _MOST_STEPS:
                raise TooManyError
        return result

    def _first(self) -> list[Path]:
        return self._prospects.paths.follow(Path("_outside", None, 0), "")

    def _places(self, paths: list[Path], text: str) -> dict[Hashable, Path]:
        """Where the paths stand; equal where the same follows, whatever the characters are that happened."""
        texts = Numbers(self._wanted)
        place = self._prospects.place
        return {
            (
                place(path, text, len(path.happened) + 1, texts),
                *map(texts.happened, path.happened[:_MOST_HAPPENED]),
            ): path
            for path in paths
        }

    def _is_certain(self, paths: list[Path], text: str, said: int) -> bool | None:
        """Whether a happening is certain but for those said already; `None`: it takes too long to find out."""
        ending = self._prospects.ending(paths, text, said + 1)
        if ending is None:
            return False
        expected = Expected(ending[-1])  # whatever is captured: places that count as one here may differ in that
        certain, steps = self._prospects.shares(paths, text, said + 1, expected, _MOST_STEPS_AT_ONCE)
        self._steps += steps
        return certain if steps <= _MOST_STEPS_AT_ONCE else None

    def _said(self, path: Path) -> int:
        """How much a parser has said already of what a delimiter does whose end is open."""
        watch, cursor = self._watches.get(path.state), path.cursor
        if watch is None or cursor is None:
            return 0
        state = cursor.state
        is_open = path.field is not None
        if state.certain >= 0 and watch.delimiters[state.certain].opens:
            return 1 + is_open
        if state.certain >= 0 and is_open and state.settled:
            return 1
        ends = path.state == "_outside" and self._implicit is not None and not watch.captures
        return int(ends and is_open and state.ending != UNSET)


def _watch(state: StatePlan) -> Watch:
    delimiters = ((opening if one.opens else closing)(one.field, one.tree) for one in state.delimiters)
    return Watch(*delimiters, context=context(one.tree for one in state.delimiters))


def _rebased(paths: list[Path]) -> list[Path]:
    """The paths, with what has happened on all of them left out."""
    count = next(len(path.happened) for path in paths if not path.guesses)
    for path in paths:
        path.happened = path.happened[count:]
    return paths
