"""The ways in which a text that is not decided yet may turn out, and what happens on each.

A parser that reads on where a match ends has to know the match first. Here it is guessed: a *path* is one way in which
what was read so far may turn out, with the *guesses* it rests on, each of them about which match wins among the threads
of an automaton. Every character is read once by each path; a guess that proves wrong ends its path. So where a path
stands is told by states of automata and a few positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from .automaton import Automaton, Cursor, Match
from .states import State
from .watch import Watch

Happening = tuple[str, ...]
"""The least that can happen: a region's opening, one character of its text, or its end with what was captured."""

NO_MORE: Happening = ("nothing",)
"""The text ends, and no more happens."""

OVER = "_ignore"
"""The state of a parser for which nothing counts any more."""

MOST_PATHS = 64  # in which one text may turn out
_MOST_TRIED = 4 * MOST_PATHS  # ways that may prove wrong, on the way to those
_THREADS_A_STEP = 32


class TooManyError(Exception):
    """There are too many ways in which a text may turn out to go through them all."""


class Guess:
    """That `match` wins among the threads of a cursor, which has read up to index `at` of the text.

    Among the matches that the automaton knows of there it has that `number`.
    """

    __slots__ = ("at", "automaton", "cursor", "match", "number")

    def __init__(self, automaton: Automaton, cursor: Cursor, at: int, match: Match, number: int) -> None:
        self.automaton = automaton
        self.cursor = cursor
        self.at = at
        self.match = match
        self.number = number

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
        matches = enumerate(self.automaton.matched(cursor, len(text)))
        number = next((number for number, match in matches if self.is_about(match)), None)
        return False if number is None else Guess(self.automaton, cursor, len(text), self.match, number)

    def is_excluded(self, before: Guess) -> bool:
        """Whether one made before excludes it, as another match wins there."""
        return self.at == before.at and self.cursor.state is before.cursor.state and self.number != before.number

    def is_again(self, before: Guess) -> bool:
        """Whether it is the one made before: an open is made for ever then, a close that closes nothing ends all."""
        return self.at == before.at and self.cursor.state is before.cursor.state and before.is_about(self.match)

    def place(self) -> Hashable:
        """Equal for guesses that the same continuations prove right."""
        return self.cursor.state, self.number


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
    """

    __slots__ = ("at", "captures", "cursor", "field", "guesses", "happened", "kept", "state", "tail")

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

    @property
    def weight(self) -> int:
        """How many steps it counts for to read a character: one for every so many threads."""
        cursors = [guess.cursor for guess in self.guesses]
        cursors += [self.cursor] if self.cursor is not None else []
        return 1 + sum(len(row) for cursor in cursors for row in cursor.state.threads) // _THREADS_A_STEP

    def copy(self) -> Path:
        """A path that goes on from here by itself."""
        path = Path(self.state, self.field, self.at)
        path.guesses = self.guesses
        path.captures = self.captures
        path.tail = self.tail
        path.cursor = forked(self.cursor) if self.cursor is not None else None
        path.kept = self.kept
        path.happened = self.happened
        return path


def forked(cursor: Cursor) -> Cursor:
    """A cursor that goes on from here by itself."""
    copy = Cursor(cursor.state)
    copy.starts, copy.slots = cursor.starts, cursor.slots
    return copy


def captures_at(closing: Happening) -> dict[str, str]:
    """What was captured for a region that ends."""
    texts = closing[2:]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _captures(match: Match, text: str) -> dict[str, str]:
    return {name: text[start:end] for name, (start, end) in match.spans.items()}


def _may_be(path: Path, due: int | None) -> bool:
    """Whether the guesses of a path do not exclude each other: where cursors stand at the same, the same match wins.

    What a path guesses to be over has not won where it still stands itself.
    """
    wins: dict[State, int] = {}
    if any(wins.setdefault(guess.cursor.state, guess.number) != guess.number for guess in path.guesses):
        return False
    if due is not None and len(path.happened) >= due:
        return True  # it has not read on
    return path.cursor is None or path.cursor.state not in wins


class Paths:
    """Follows paths.

    Args:
        watches: the delimiters of every state that has some.
        insides: the state inside of each field's regions.
        implicit: the implicit field.
        context: how many characters before a position the delimiters can look at.
    """

    def __init__(
        self,
        watches: Mapping[str, Watch],
        insides: Mapping[str, str],
        implicit: str | None,
        context: int,
    ) -> None:
        self._watches = watches
        self._insides = insides
        self._implicit = implicit
        self._context = context

    def ways(self, path: Path, text: str, due: int) -> list[Path]:
        """A path that has read all of `text`, and all that differ from it by which matches win.

        Args:
            due: behind how many happenings it no longer matters where a path stands.

        Raises:
            TooManyError: there are too many.
        """
        found = [path]
        for fork in self.forks(path, text, 0):
            found += self.follow(fork, text, due)
            if len(found) > MOST_PATHS:
                raise TooManyError
        return found

    def forks(self, path: Path, text: str, since: int) -> Iterator[Path]:
        """The paths on which a match wins that a path knows of, and that ends at index `since` or behind."""
        watch = self._watches.get(path.state)
        if watch is None or path.cursor is None:
            return
        seen: list[Guess] = []
        for number, match in enumerate(watch.automaton.matched(path.cursor, path.at)):
            if match.end < since or any(guess.is_about(match) for guess in seen):
                continue
            guess = Guess(watch.automaton, forked(path.cursor), path.at, match, number)
            seen.append(guess)
            opens = watch.delimiters[match.index].opens
            if any(guess.is_excluded(before) or (opens and guess.is_again(before)) for before in path.guesses):
                continue
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
        tried = 0
        while todo:
            tried += 1
            if len(todo) + len(found) > MOST_PATHS or tried > _MOST_TRIED:
                raise TooManyError
            path = todo.pop()
            if self._read(path, text, due, todo) and self._hold_guesses(path, text) and _may_be(path, due):
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

    def _pass_on(self, path: Path, text: str, end: int, due: int | None = None) -> None:
        """Text up to index `end` is part of no delimiter; behind happening number `due` it does not matter."""
        if end <= path.kept:
            return
        if path.state != OVER and (path.field is not None or self._implicit is not None):
            if path.field is None:
                path.field = str(self._implicit)
                path.happened += (("open", path.field),)
            last = end if due is None else min(end, path.kept + max(0, due - len(path.happened)))
            path.happened += tuple(("text", path.field, char) for char in text[path.kept : last])
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
            path.captures = _captures(match, text)
        elif path.field is None and match.start == match.end:
            path.state = OVER
        else:
            path.captures = {**path.captures, **_captures(match, text)}
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

    def at_end(self, path: Path, text: str, due: int) -> tuple[Happening, ...] | None:
        """All up to happening number `due` if the text ends here; `None` if it then goes another way."""
        size = len(text)
        if not all(guess.is_about(guess.automaton.finish(guess.cursor, size)) for guess in path.guesses):
            return None
        happened = path.happened if len(path.happened) >= due else self._finished(path, text, due)
        if happened is None:
            return None
        return happened[:due] if len(happened) >= due else (*happened, NO_MORE)

    def _finished(self, path: Path, text: str, due: int) -> tuple[Happening, ...] | None:
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
        self._pass_on(path, text, size, due)
        self._close(path)
        return path.happened
