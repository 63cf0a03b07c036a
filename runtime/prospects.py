"""What may happen next, whatever text comes: found out by going through all that may come.

There are finitely many places where the paths of a text can stand, so that there is an end to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import pairwise

from .automaton import Automaton
from .paths import NO_MORE, Happening, Path, Paths, TooManyError
from .pattern import CharSet
from .program import AHEAD, CHAR, MATCH, SPLIT, Instruction
from .states import State, registers_of
from .threads import Context
from .watch import Watch

Number = Callable[[str], str | int]
"""What stands for a text: the same for those that are the same."""

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
        self._facts: list[tuple[Context, ...]] = []
        self._numbers: dict[tuple[Context, ...], int] = {}
        self._steps: dict[tuple[int, str], int] = {}

    def number(self, text: str) -> int:
        """The number of what is known behind `text`: the last characters, or all there are."""
        if not self._automata:
            return 0
        number = self._number(tuple(one.begin(len(text) < self._reach) for one in self._automata))
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
        self, watches: Mapping[str, Watch], insides: Mapping[str, str], implicit: str | None, probes: str, context: int
    ) -> None:
        self.paths = Paths(watches, insides, implicit, context)
        self._watches = watches
        self._probes = probes
        self._context = context
        self._far: dict[Automaton, list[int]] = {}
        self._seen = Seen([watch.automaton for watch in watches.values() if watch.context], context)

    def shares(self, paths: list[Path], text: str, due: int, most: int) -> tuple[bool, int]:
        """Whether happening number `due` is the same however the text goes on, and what it took to find out.

        Args:
            paths: all ways in which `text` may turn out.
            most: how many steps may be taken; in more of them it is not found out.
        """
        try:
            return self._shares(paths, text, due, most)
        except TooManyError:
            return False, most + 1

    def _shares(self, paths: list[Path], text: str, due: int, most: int) -> tuple[bool, int]:
        happening: Happening | None = None
        known: set[Hashable] = set()
        number = self.numbers()
        search = Agenda()
        search.add(0, iter([(_known(path, text), text) for path in paths]))
        steps = 0
        for path, text in search:
            steps += path.weight
            if steps > most:
                return False, steps
            place = self.place(path, text, due, number)
            if place in known:
                continue
            known.add(place)
            one = self.paths.at_end(path, text, due)
            if one is not None and happening is not None and one != happening:
                return False, steps
            happening = happening or one
            if happening == NO_MORE:
                return False, steps
            if self._matters(path, due, happening):
                distance, wanted = self._ahead(path, due)
                search.add(distance, self._steps(path, text, due, wanted))
        return True, steps

    def _matters(self, path: Path, due: int, happening: Happening | None) -> bool:
        """Whether something else than `happening` may still come of a path."""
        if len(path.happened) < due:
            return True
        return bool(path.guesses) and path.happened[due - 1] != happening

    def _steps(self, path: Path, text: str, due: int, wanted: list[CharSet]) -> Iterator[tuple[Path, str]]:
        """The paths behind one more character of every kind, the wanted ones first."""
        for char in sorted(self._probes, key=lambda char: -sum(char in chars for chars in wanted)):
            longer = text + char
            for after in reversed(self.paths.follow(path.copy(), longer, due)):
                yield after, longer

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

    def numbers(self) -> Number:
        """What numbers texts anew, but for characters that delimiters tell apart: they stand for themselves."""
        texts: dict[str, int] = {}
        return lambda text: text if text in self._probes else texts.setdefault(text, len(texts))

    def place(self, path: Path, text: str, due: int, number: Number) -> Hashable:
        """Equal for paths whose happening number `due` is the same, however their texts go on.

        Args:
            number: numbers texts; what they are does not matter, but which of them are the same.
        """
        guesses = frozenset(guess.place() for guess in path.guesses)
        if len(path.happened) >= due:
            return guesses, *map(number, path.happened[due - 1])
        left = due - len(path.happened)
        held = min(len(text) - path.kept, left)
        last = path.kept + left - (1 if path.field is not None else 2)  # what is to happen, if the text is passed on
        char = number(text[last]) if path.kept <= last < len(text) else ""
        seen = self.seen(text)
        captures = tuple((name, number(path.captures[name])) for name in sorted(path.captures))
        here = (guesses, path.state, path.field, path.tail, left, held, char, seen, captures)
        cursor = path.cursor
        if cursor is None:
            return here
        used = cursor.starts[: registers_of(cursor.state)[0]]
        starts = tuple(min(start - path.kept, left) for start in used)
        return *here, cursor.state, starts, self._captured(path, text, left, number)

    def seen(self, text: str) -> int:
        """The number of what look-behinds know behind a text."""
        return self._seen.number(text[max(0, len(text) - self._context) :])

    def _captured(self, path: Path, text: str, left: int, number: Number) -> Hashable:
        """What was captured so far, as far as it can matter to what happens next."""
        watch, cursor = self._watches[path.state], path.cursor
        closes = left > 1 + (path.field is not None)  # a region that is yet to open
        if cursor is None or not (watch.captures or (closes and any(watch.automaton.program.names))):
            return ()
        size = len(text) if path.known is None else path.known
        slots = cursor.slots[: registers_of(cursor.state)[1]]
        ends = [*(at for at in slots if at <= size), size]
        # A capture that ends at this place is in no slot: it is there already, or is not.
        return len(text) > size, *(number(text[one:other]) for one, other in pairwise(ends))


def _known(path: Path, text: str) -> Path:
    """A path all of whose text is there already."""
    path = path.copy()
    path.known = len(text)
    return path


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
