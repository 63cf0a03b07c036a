"""What may happen next, whatever text comes: found out by going through all that may come.

There are finitely many places where the paths of a text can stand, so that there is an end to it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain, pairwise
from typing import Protocol

from .asking import Asked
from .automaton import Automaton
from .paths import NO_MORE, Happening, Path, Paths, TooManyError, captures_at
from .pattern import CharSet
from .program import AHEAD, CHAR, MATCH, SPLIT, Instruction
from .states import Move, State, registers_of
from .threads import Context
from .watch import Watch

_LONGEST_KEPT = 100  # characters of a text that are kept to know it again
_MOST_SEEN = 10_000  # steps that are kept; it bounds memory, not meaning


class Seen:
    """Numbers what look-behinds know of the text before a place: equal where they know the same.

    Args:
        automata: those with look-behinds.
        reach: how many characters these can see.
    """

    def __init__(self, automata: list[Automaton], reach: int) -> None:
        self._automata = automata
        self._reach = reach
        self._first: dict[bool, int] = {}
        self._facts: list[tuple[Context, ...]] = []
        self._numbers: dict[tuple[Context, ...], int] = {}
        self._steps: dict[tuple[int, str], int] = {}

    def number(self, text: str) -> int:
        """The number of what is known behind `text`: the last characters, or all there are."""
        if not self._automata:
            return 0
        is_all = len(text) < self._reach
        number = self._first.get(is_all)
        if number is None:
            number = self._first[is_all] = self._number(tuple(one.begin(is_all) for one in self._automata))
        for char in text:
            after = self._steps.get((number, char))
            if after is None:
                if len(self._steps) >= _MOST_SEEN:
                    self._steps.clear()
                known = zip(self._automata, self._facts[number], strict=True)
                after = self._number(tuple(one.step_context(facts, char) for one, facts in known))
                self._steps[number, char] = after
            number = after
        return number

    def _number(self, facts: tuple[Context, ...]) -> int:
        if facts not in self._numbers:
            self._numbers[facts] = len(self._facts)
            self._facts.append(facts)
        return self._numbers[facts]


class Texts(Protocol):
    """What is told of the texts at a place."""

    def happened(self, one: Happening) -> Hashable:
        """What is told of what has happened."""

    def char(self, char: str) -> Hashable:
        """What is told of a character that is going to happen."""

    def captures(self, captures: Mapping[str, str]) -> Hashable:
        """What is told of captures, by their names."""

    def captured(self, text: str, slots: list[int], names: Collection[str]) -> Hashable:
        """What is told of captures of those names that are under way, their ends so far at those places of a text."""


class Expected:
    """Tells how texts compare with one happening, which is all that matters where that is the only one that may come.

    Args:
        happening: the happening.
        asked: of the end of a region: what its value asks of captures.
    """

    def __init__(self, happening: Happening, asked: Asked | None = None) -> None:
        self.happening = happening
        self._char = happening[2] if happening[0] == "text" else ""
        self._asked = sorted((asked or {}).items())
        self._chars = frozenset(chain(self._char, *(one for _, one in self._asked if isinstance(one, str))))

    def key(self, probes: str, names: Collection[str]) -> Hashable:
        """Equal for happenings that texts ahead compare with in the same way.

        Args:
            probes: characters of every kind that the delimiters tell apart.
            names: those of the captures that are not yet whole.
        """
        known = {name: _brief(one) if name in names else "" for name, one in self._asked if isinstance(one, str)}
        asked = ((name, known.get(name, one)) for name, one in self._asked)
        return *self.happening[:2], self._char if self._char in probes else "", *asked

    def told(self, char: str) -> str:
        """The character if it may be compared with one of the happening; else "", as for all others."""
        return char if char in self._chars else ""

    def is_same(self, one: Happening) -> bool:
        """Whether it is the one that happens."""
        if one[0] != "close":
            return one == self.happening
        return one[:2] == self.happening[:2] and all(self.captures(captures_at(one)))

    def happened(self, one: Happening) -> Hashable:
        return self.is_same(one)

    def char(self, char: str) -> Hashable:
        return char == self._char

    def captures(self, captures: Mapping[str, str]) -> tuple[bool, ...]:
        found = ((captures.get(name), one) for name, one in self._asked)
        return tuple(text == one if isinstance(one, str) else (text is not None) is one for text, one in found)

    def captured(self, text: str, slots: list[int], names: Collection[str]) -> Hashable:
        wanted = [one for name, one in self._asked if isinstance(one, str) and name in names]
        if not wanted:
            return ()
        most = 1 + max(map(len, wanted))  # longer captures are other ones
        lengths = (min(other - one, most) for one, other in pairwise([*slots, len(text)]))
        begun = (one.startswith(text[at : at + len(one)]) for one in wanted for at in slots)
        return *lengths, *begun


Moved = tuple[State, tuple[int, ...] | None, tuple[int, ...] | None]
"""The state that a character leads to, and where starts and slots come from, if they change."""


def moved(automaton: Automaton, state: State, char: str) -> Moved:
    """What a character makes of a state."""
    step = automaton.step(state, char)
    return (step.state, step.starts, step.slots) if isinstance(step, Move) else (step, None, None)


def is_read_again(step: Moved) -> bool:
    """Whether the character may be read in another state too, as a match is decided or may end in front of it."""
    state, _, slots = step
    return bool(state.winners) or any(source < 0 for source in slots or ())


def _brief(text: str) -> str | int:
    """What is kept of a text to know it again."""
    return text if len(text) <= _LONGEST_KEPT else hash(text)


class Agenda:
    """What is still to be gone through, the most promising first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Iterator[tuple[Path, str]]]] = []
        self._count = 0

    def add(self, distance: int, ways: Iterator[tuple[Path, str]]) -> None:
        """Adds paths that are about so far from being decided; each that is taken makes the rest less promising."""
        self._count += 1
        heappush(self._heap, (distance, -self._count, ways))

    def __iter__(self) -> Iterator[tuple[Path, str]]:
        while self._heap:
            distance, _, ways = heappop(self._heap)
            found = next(ways, None)
            if found is not None:
                self.add(distance + 1, ways)
                yield found


class Prospects:
    """Knows what delimiters do, and so what may happen.

    Args:
        watches: the delimiters of every state that has some.
        insides: the state inside of each field's regions.
        implicit: the implicit field.
        probes: characters of every kind that the delimiters tell apart: two of each that has more than one.
        context: how many characters before a position the delimiters can look at.

    Attributes:
        paths: follows the ways in which a text may turn out.
    """

    def __init__(
        self,
        watches: Mapping[str, Watch],
        insides: Mapping[str, str],
        implicit: str | None,
        probes: str,
        context: int,
    ) -> None:
        self.paths = Paths(watches, insides, implicit, context)
        self._watches = watches
        self._probes = probes
        self._context = context
        self._far: dict[Automaton, list[int]] = {}
        self._captured: dict[Watch, frozenset[str]] = {}
        self._captured_for: dict[str, frozenset[str]] = {}
        self._seen = Seen([watch.automaton for watch in watches.values() if watch.context], context)

    def ending(self, paths: Iterable[Path], text: str, due: int) -> tuple[Happening, ...] | None:
        """All up to happening number `due` if the text ends here; `None` if none of the paths goes on to that end."""
        ends = (self.paths.at_end(path, text, due) for path in paths)
        return next((one for one in ends if one is not None), None)

    def shares(self, paths: list[Path], text: str, due: int, expected: Expected, most: int) -> tuple[bool, int]:
        """Whether happening number `due` is the expected one however the text goes on, and what it took to find out.

        Args:
            paths: ways in which `text` may turn out.
            most: how many steps may be taken; in more of them it is not found out.
        """
        try:
            return self._shares(paths, text, due, expected, most)
        except TooManyError:
            return False, most + 1

    def _shares(self, paths: list[Path], text: str, due: int, expected: Expected, most: int) -> tuple[bool, int]:
        if expected.happening == NO_MORE:
            return False, 1
        known: dict[Hashable, list[frozenset[Hashable]]] = {}
        search = Agenda()
        search.add(0, iter([(path, text) for path in paths]))
        steps = 0
        for path, text in search:
            steps += path.weight
            if steps > most:
                return False, steps
            guesses, place = self.place(path, text, due, expected)
            before = known.setdefault(place, [])
            if any(fewer <= guesses for fewer in before):  # of which more texts prove right
                continue
            before.append(guesses)
            one = self.paths.at_end(path, text, due)
            if one is not None and not expected.is_same(one[-1]):
                return False, steps
            if self._matters(path, due, expected):
                distance, wanted = self._ahead(path, due)
                search.add(distance, self._steps(path, text, due, expected, wanted))
        return True, steps

    def _matters(self, path: Path, due: int, expected: Expected) -> bool:
        """Whether something else than what is expected may still come of a path."""
        if len(path.happened) < due:
            return True
        return bool(path.guesses) and not expected.is_same(path.happened[due - 1])

    def _steps(
        self, path: Path, text: str, due: int, expected: Expected, wanted: list[CharSet]
    ) -> Iterator[tuple[Path, str]]:
        """The paths behind one more character of every kind, the wanted ones first."""
        known: set[Hashable] = set()
        for char in sorted(self._probes, key=lambda char: -sum(char in chars for chars in wanted)):
            longer = text + char
            leads_to = self._leads_to(path, longer, due, expected)
            if leads_to in known:
                continue
            known.add(leads_to)
            for after in reversed(self.paths.follow(path.copy(), longer, due)):
                yield after, longer

    def _leads_to(self, path: Path, longer: str, due: int, expected: Expected) -> Hashable:
        """Equal for texts whose last characters, not yet read, lead a path to the same places."""
        char = longer[-1]
        guesses = tuple(moved(guess.automaton, guess.cursor.state, char) for guess in path.guesses)
        if len(path.happened) >= due:
            return guesses
        watch, cursor = self._watches.get(path.state), path.cursor
        if watch is None or cursor is None:
            return char
        step = moved(watch.automaton, cursor.state, char)
        if is_read_again(step):
            return char
        return guesses, step, expected.told(char), self.seen(longer)

    def _ahead(self, path: Path, due: int) -> tuple[int, list[CharSet]]:
        """How many characters it takes at least until a path is decided, and which come next then."""
        found = [self._nearest(one.automaton, one.cursor.state, one.match.index) for one in path.guesses]
        watch = self._watches.get(path.state)
        if len(path.happened) < due and watch is not None and path.cursor is not None:
            found.append(self._nearest(watch.automaton, path.cursor.state))
        return max((distance for distance, _ in found), default=0), [chars for _, wanted in found for chars in wanted]

    def _nearest(self, automaton: Automaton, state: State, index: int | None = None) -> tuple[int, list[CharSet]]:
        """How far it is to the nearest match, of one pattern or of any, and which characters come next on that way."""
        far = self._distances(automaton)
        code = automaton.program.code
        rows = state.threads if index is None else (state.threads[index],)
        least: tuple[int, list[int]] = (0, [])
        for at, start, _, waits in (thread for row in rows for thread in row):
            if start == 0:
                places = [at, *(min(ways, key=lambda way: far[way[0]])[0] for negative, ways in waits if not negative)]
                distance = max(far[place] for place in places)
                least = min(least, (distance, places)) if least[1] else (distance, places)
        return least[0], [code[at].chars for at in least[1] if code[at].op == CHAR]

    def _distances(self, automaton: Automaton) -> list[int]:
        """How many characters there are at least from each instruction to a match."""
        known = self._far.get(automaton)
        if known is None:
            known = self._far[automaton] = distances(automaton.program.code)
        return known

    def situation(self, paths: list[Path], text: str, due: int, expected: Expected) -> Hashable:
        """Equal where it is the same whether happening number `due` is the expected one."""
        names = {name for path in paths for name in self._names(path, due - len(path.happened))}
        key = expected.key(self._probes, names)
        return key, *(self.place(path, text, due, expected) for path in paths)

    def _names(self, path: Path, left: int) -> Collection[str]:
        """The names of captures that are not yet whole, as far as they can matter to what happens next.

        Args:
            left: how many happenings that is from here.
        """
        watch = self._watches.get(path.state)
        if watch is None or left <= 0:
            return ()
        if left > 1 + (path.field is not None):  # the region that is going to close is yet to open
            return self.names
        return self._names_in(watch) if watch.captures else ()

    def captured_for(self, field: str) -> frozenset[str]:
        """The names of all that may be captured for a region of a field."""
        known = self._captured_for.get(field)
        if known is None:
            watches = self._watches.values()
            found = (zip(watch.delimiters, watch.automaton.program.names, strict=True) for watch in watches)
            names = (names for delimiter, names in chain(*found) if delimiter.field == field)
            known = self._captured_for[field] = frozenset(chain(*names))
        return known

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all that delimiters capture."""
        return frozenset().union(*map(self._names_in, self._watches.values()))

    def _names_in(self, watch: Watch) -> frozenset[str]:
        """The names of all that the delimiters of a state capture."""
        known = self._captured.get(watch)
        if known is None:
            known = self._captured[watch] = frozenset(chain(*watch.automaton.program.names))
        return known

    def place(self, path: Path, text: str, due: int, texts: Texts) -> tuple[frozenset[Hashable], Hashable]:
        """What a path rests on, and where it stands: equal where happening number `due` is the same, whatever comes.

        Args:
            texts: tells as much of texts as matters.
        """
        guesses = frozenset(guess.place() for guess in path.guesses)
        if len(path.happened) >= due:
            return guesses, texts.happened(path.happened[due - 1])
        left = due - len(path.happened)
        held = min(len(text) - path.kept, left)
        last = path.kept + left - (1 if path.field is not None else 2)  # what is to happen, if the text is passed on
        char = texts.char(text[last]) if path.kept <= last < len(text) else ""
        seen = self.seen(text)
        here = (path.state, path.field, path.tail, left, held, char, seen, texts.captures(path.captures))
        cursor = path.cursor
        if cursor is None:
            return guesses, here
        used = cursor.starts[: registers_of(cursor.state)[0]]
        starts = tuple(min(start - path.kept, left) for start in used)
        names = self._names(path, left)
        slots = cursor.slots[: registers_of(cursor.state)[1]]
        # A capture that ends at this place is in no slot: the state tells.
        return guesses, (*here, cursor.state, starts, texts.captured(text, slots, names) if names else ())

    def seen(self, text: str) -> int:
        """The number of what look-behinds know behind a text."""
        return self._seen.number(text[max(0, len(text) - self._context) :])


def distances(code: list[Instruction]) -> list[int]:
    """How many characters there are at least from each instruction to a match."""
    far = [0 if one.op == MATCH else len(code) for one in code]
    changed = True
    while changed:
        changed = False
        for at, one in enumerate(code):
            targets = [far[next] for next in (one.next, one.other if one.op == SPLIT else -1) if next >= 0]
            least = min(targets, default=len(code)) + (one.op == CHAR)
            if one.op == AHEAD and not one.negative:
                least = max(least, far[one.other])
            if least < far[at]:
                far[at] = least
                changed = True
    return far
