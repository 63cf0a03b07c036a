"""What may happen next, whatever text comes: a parser's delimiters, followed in all the ways they may turn out.

A parser that reads on where a match ends has to know the match first. Here it is guessed: a *path* is one way in which
what was read so far may turn out, with the *guesses* it rests on, each of them about which match wins among the threads
of an automaton. Every character is read once by each path; a guess that proves wrong ends its path. So where a path
stands is told by states of automata and a few positions, of which there are finitely many, and what all continuations
of a text have in common is found out by going through them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import pairwise

from .automaton import Automaton, Cursor, Match
from .pattern import CharSet
from .program import AHEAD, CHAR, MATCH, SPLIT, Instruction
from .states import State, registers_of
from .threads import Context
from .watch import Watch

Happening = tuple[str, ...]
"""The least that can happen: a region's opening, one character of its text, or its end."""

NO_MORE: Happening = ("nothing",)
"""The text ends, and no more happens."""

OVER = "_ignore"
"""The state of a parser for which nothing counts any more."""

MOST_PATHS = 16  # in which one text may turn out
_MOST_SEEN = 10_000  # steps that are kept; it bounds memory, not meaning
_AHEAD = "ahead"  # stands for a text that is not there yet


class TooManyError(Exception):
    """There are too many ways in which a text may turn out to go through them all."""


class Guess:
    """That `match` wins among the threads of a cursor, which has read up to index `at` of the text."""

    __slots__ = ("at", "automaton", "cursor", "match")

    def __init__(self, automaton: Automaton, cursor: Cursor, at: int, match: Match) -> None:
        self.automaton = automaton
        self.cursor = cursor
        self.at = at
        self.match = match

    def is_about(self, match: Match | None) -> bool:
        """Whether `match` is the one that was guessed."""
        mine = self.match
        return match is not None and (match.index, match.start, match.end, match.spans) == (
            mine.index,
            mine.start,
            mine.end,
            mine.spans,
        )

    def after(self, text: str) -> Guess | bool:
        """The guess once all of `text` is read, or whether it has come true."""
        cursor = forked(self.cursor)
        for at in range(self.at, len(text)):
            self.automaton.read(cursor, text[at], 0, at, 0)
            if cursor.state.winners:
                return self.is_about(self.automaton.decided(cursor, at + 1))
        if not any(map(self.is_about, self.automaton.matched(cursor, len(text)))):
            return False
        return Guess(self.automaton, cursor, len(text), self.match)

    def place(self) -> Hashable:
        """Equal for guesses that the same continuations prove right."""
        matches = self.automaton.matched(self.cursor, self.at)
        return self.cursor.state, next(number for number, one in enumerate(matches) if self.is_about(one))


class Path:
    """One way in which the text so far may turn out.

    Attributes:
        guesses: what it rests on.
        state: the state of the parser; `OVER` if nothing counts any more.
        field: the open region.
        captures: those of the open region.
        tail: the characters that belong to the delimiter before, as many as come.
        cursor: where the delimiters that are watched stand; `None` where nothing was read since the last one.
        at: up to which index the text is read.
        kept: from which index on text is held back.
        happened: all that has happened.
        known: how much of the text is there already; the rest is one of all that may come.
    """

    __slots__ = ("at", "captures", "cursor", "field", "guesses", "happened", "kept", "known", "state", "tail")

    def __init__(self, state: str, field: str | None, at: int) -> None:
        self.guesses: tuple[Guess, ...] = ()
        self.state = state
        self.field = field
        self.captures: dict[str, str] = {}
        self.tail = ""
        self.cursor: Cursor | None = None
        self.at = at
        self.kept = at
        self.happened: tuple[Happening, ...] = ()
        self.known: int | None = None

    def copy(self) -> Path:
        """A path that goes on from here by itself."""
        path = Path(self.state, self.field, self.at)
        path.guesses = self.guesses
        path.captures = self.captures
        path.tail = self.tail
        path.cursor = forked(self.cursor) if self.cursor is not None else None
        path.kept = self.kept
        path.happened = self.happened
        path.known = self.known
        return path


def forked(cursor: Cursor) -> Cursor:
    """A cursor that goes on from here by itself."""
    copy = Cursor(cursor.state)
    copy.starts, copy.slots = cursor.starts, cursor.slots
    return copy


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
    """

    def __init__(
        self, watches: Mapping[str, Watch], insides: Mapping[str, str], implicit: str | None, probes: str, context: int
    ) -> None:
        self._watches = watches
        self._insides = insides
        self._implicit = implicit
        self._probes = probes
        self._context = context
        self._far: dict[Automaton, list[int]] = {}
        self._seen = Seen([watch.automaton for watch in watches.values() if watch.context], context)

    # What all continuations have in common.

    def ways(self, path: Path, text: str) -> list[Path]:
        """A path that has read all of `text`, and all that differ from it by which matches win.

        Raises:
            TooManyError: there are too many.
        """
        found = [path]
        for fork in self.forks(path, text, 0):
            found += self.follow(fork, text)
            if len(found) > MOST_PATHS:
                raise TooManyError
        return found

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
        texts: dict[str, int] = {}
        search = Agenda()
        search.add(0, iter([(_known(path, text), text) for path in paths]))
        steps = 0
        for path, text in search:
            steps += 1
            if steps > most:
                return False, steps
            place = self.place(path, text, due, texts)
            if place in known:
                continue
            known.add(place)
            one = self._at_end(path, text, due)
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
            for after in reversed(self.follow(path.copy(), longer, due)):
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

    def place(self, path: Path, text: str, due: int, texts: dict[str, int]) -> Hashable:
        """Equal for paths whose happening number `due` is the same, however their texts go on.

        Args:
            texts: numbers of the texts that were met; what they are does not matter, but which of them are the same.
        """

        def number(text: str) -> str | int:
            return text if text in self._probes else texts.setdefault(text, len(texts))

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

    def _captured(self, path: Path, text: str, left: int, number: Callable[[str], str | int]) -> Hashable:
        """What was captured so far, as far as it can matter to what happens next."""
        watch, cursor = self._watches[path.state], path.cursor
        closes = left > 1 + (path.field is not None)  # a region that is yet to open
        if cursor is None or not (watch.captures or (closes and any(watch.automaton.program.names))):
            return ()
        size = len(text) if path.known is None else path.known
        slots = cursor.slots[: registers_of(cursor.state)[1]]
        return tuple(number(text[one:other]) for one, other in pairwise([*(at for at in slots if at <= size), size]))

    # One path.

    def forks(self, path: Path, text: str, since: int) -> Iterator[Path]:
        """The paths on which a match wins that a path knows of, and that ends at index `since` or behind."""
        watch = self._watches.get(path.state)
        if watch is None or path.cursor is None:
            return
        seen: list[Guess] = []
        for match in watch.automaton.matched(path.cursor, path.at):
            if match.end < since or any(guess.is_about(match) for guess in seen):
                continue
            guess = Guess(watch.automaton, forked(path.cursor), path.at, match)
            seen.append(guess)
            fork = path.copy()
            fork.guesses = (*path.guesses, guess)
            self._commit(fork, text, watch, match)
            yield fork

    def follow(self, path: Path, text: str, due: int | None = None) -> list[Path]:
        """The paths that a path becomes as it reads to the end of `text`; none if it proves wrong.

        Args:
            due: behind how many happenings it no longer matters where a path stands.

        Raises:
            TooManyError: there are too many.
        """
        found: list[Path] = []
        todo = [path]
        while todo:
            if len(todo) + len(found) > MOST_PATHS:
                raise TooManyError
            path = todo.pop()
            if self._read(path, text, due, todo) and self._hold_guesses(path, text):
                found.append(path)
        return found

    def _hold_guesses(self, path: Path, text: str) -> bool:
        """Whether no guess of a path has proved wrong; those that have come true are dropped."""
        left = []
        for guess in path.guesses:
            after = guess.after(text)
            if after is False:
                return False
            if after is not True:
                left.append(after)
        path.guesses = tuple(left)
        return True

    def _read(self, path: Path, text: str, due: int | None, todo: list[Path]) -> bool:
        """Reads to the end of the text, and adds to `todo` what else a path may become; returns whether it may be."""
        size = len(text)
        while due is None or len(path.happened) < due:
            watch = self._watches.get(path.state)
            if path.tail:
                self._swallow(path, text)
                if path.tail:
                    return True
            elif watch is None:
                self._pass_on(path, text, size)
                path.at = size
                return True
            elif path.cursor is None:
                path.cursor = self._enter(path, text, watch)
            elif path.at == size:
                return True
            else:
                watch.automaton.read(path.cursor, text[path.at], 0, path.at, 0)
                path.at += 1
            if watch is not None and path.cursor is not None and not self._decide(path, text, watch, todo):
                return False
        path.at = size
        return True

    def _decide(self, path: Path, text: str, watch: Watch, todo: list[Path]) -> bool:
        """What follows from the character just read; returns whether the path may be."""
        cursor = path.cursor
        assert cursor is not None
        if cursor.state.winners:
            match = watch.automaton.decided(cursor, path.at)
            if match.end < path.at - 1:
                return False  # another path has guessed that
            self._commit(path, text, watch, match)
            return True
        self._pass_on(path, text, cursor.starts[0] if cursor.state.holds else path.at)
        todo += self.forks(path, text, path.at - 1)
        return True

    def _enter(self, path: Path, text: str, watch: Watch) -> Cursor:
        before = text[max(0, path.at - self._context) : path.at] if watch.context else ""
        return watch.automaton.enter(before)

    def _swallow(self, path: Path, text: str) -> None:
        while path.at < len(text) and text[path.at] in path.tail:
            path.at += 1
        path.kept = path.at
        if path.at < len(text):
            path.tail = ""

    def _pass_on(self, path: Path, text: str, end: int) -> None:
        """Text up to index `end` is part of no delimiter."""
        if end <= path.kept:
            return
        if path.state != OVER and (path.field is not None or self._implicit is not None):
            if path.field is None:
                path.field = str(self._implicit)
                path.happened += (("open", path.field),)
            path.happened += tuple(("text", path.field, char) for char in text[path.kept : end])
        path.kept = end

    def _commit(self, path: Path, text: str, watch: Watch, match: Match) -> None:
        """A match takes effect."""
        self._pass_on(path, text, match.start)
        delimiter = watch.delimiters[match.index]
        if delimiter.opens:
            self._close(path)
            path.happened += (("open", delimiter.field),)
            path.field = delimiter.field
            path.state = self._insides[delimiter.field]
            path.captures = _captures(path, match, text)
        elif path.field is None and match.start == match.end:
            path.state = OVER
        else:
            path.captures = {**path.captures, **_captures(path, match, text)}
            self._close(path)
            path.state = "_outside"
        path.cursor = None
        path.at = path.kept = match.end

    def _close(self, path: Path) -> None:
        if path.field is not None:
            captures = (text for item in sorted(path.captures.items()) for text in item)
            path.happened += (("close", path.field, *captures),)
        path.field = None
        path.captures = {}

    def _at_end(self, path: Path, text: str, due: int) -> Happening | None:
        """What happening number `due` is if the text ends here; `None` if it then goes another way."""
        size = len(text)
        if not all(guess.is_about(guess.automaton.finish(guess.cursor, size)) for guess in path.guesses):
            return None
        happened = path.happened if len(path.happened) >= due else self._finished(path, text)
        if happened is None:
            return None
        return happened[due - 1] if len(happened) >= due else NO_MORE

    def _finished(self, path: Path, text: str) -> tuple[Happening, ...] | None:
        """All that has happened on a path if the text ends here; `None` if it then goes another way."""
        size = len(text)
        path = path.copy()
        watch = self._watches.get(path.state)
        while watch is not None:
            cursor = path.cursor or self._enter(path, text, watch)
            match = watch.automaton.finish(cursor, size)
            if match is None:
                break
            if match.end < size:
                return None  # another path has guessed that
            self._commit(path, text, watch, match)
            watch = self._watches.get(path.state)
        self._pass_on(path, text, size)
        self._close(path)
        return path.happened


def _known(path: Path, text: str) -> Path:
    """A path all of whose text is there already."""
    path = path.copy()
    path.known = len(text)
    return path


def _captures(path: Path, match: Match, text: str) -> dict[str, str]:
    """The captures of a match; of those that are not over yet it can not be known what they are going to be."""
    known = len(text) if path.known is None else path.known
    return {name: there(text[start:end]) if end <= known else _AHEAD for name, (start, end) in match.spans.items()}


def there(text: str) -> str:
    """A captured text that is there already, so written that it is never taken for one that is not."""
    return f"={text}"


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
