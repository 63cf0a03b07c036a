"""Exact incremental matching of several patterns at once, in one pass.

A backtracking engine answers "does it match here" for a text that is complete. A stream needs a third answer: not yet
decided. This automaton follows all ways in which the patterns could match, in the order of preference of a
backtracking engine, so that at any time it is known

- whether a match is decided, whatever follows;
- from where on text must be held back, because a way is still open that makes it part of a match.

A *thread* is one way: where it stands in the program, where it started, what it captured, and its *obligations*: the
look-aheads it has passed that are not decided yet. The ordered threads of all patterns make up a `State`. States are
built when they are first needed and kept, with their steps by character, so that reading a character that was met
before in the same state costs one dictionary look-up. Positions live outside the states, in two lists of registers
that the cursor carries; most steps leave them alone. (Laurikari's tagged automata, built lazily.)

Work per character is bounded by the patterns alone, whatever came before: no backtracking, no second look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from .closure import Closure, verdict_of
from .foresight import NO, Foresight, Outlook
from .pattern import Chars, Node, char_class, one_of
from .program import CHAR, EDGE, END, END_SLOT, MATCH, Program
from .states import ENDING, Move, Run, Search, State, prune, registers_of
from .threads import BEFORE, NOTHING, NOW, UNSET, Context, Obligation, Thread, Way, order_of
from .unicode import WORD

_STATE_LIMIT = 4_000  # states and steps kept before the automaton starts afresh; it bounds memory, not meaning
_STEP_LIMIT = 100_000
_THREAD_LIMIT = 200_000

_MOST_BOUNDS = 64  # a state whose sets have more is read character by character

_LONGEST_RUN = 64
_SHORTEST_RUN = 3
_SHORTEST_BULK = 12  # in shorter texts a run is rarely whole


class Cursor:
    """Where one stream stands in an automaton. Positions are relative to the text the cursor was started in."""

    __slots__ = ("slots", "starts", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.starts: list[int] = []
        self.slots: list[int] = []

    def shift(self, count: int) -> None:
        """Drops `count` characters in front of the text that positions refer to."""
        self.starts = [at - count for at in self.starts]
        self.slots = [at - count for at in self.slots]


class Match:
    """A decided match of pattern `index`: its ends, and the ends of its captures by group name."""

    __slots__ = ("end", "index", "spans", "start")

    def __init__(self, index: int, start: int, end: int, spans: dict[str, tuple[int, int]]) -> None:
        self.index = index
        self.start = start
        self.end = end
        self.spans = spans

    def captures(self, text: str) -> dict[str, str]:
        """The captured texts by group name; groups that took no part are absent."""
        return {name: text[start:end] for name, (start, end) in self.spans.items()} if self.spans else {}


class Automaton:
    """Patterns that are looked for at the same time; states are shared by all streams and threads.

    Args:
        patterns: the patterns, in order of preference among matches of equal place and length.
        context: how many characters before a position its look-behinds, edges and start tests can see.
    """

    def __init__(self, patterns: list[Node], context: int = 0) -> None:
        self.program = Program(patterns)
        self.context = context
        self._code = self.program.code
        self._states: dict[tuple[tuple[tuple[Thread, ...], ...], Context], State] = {}
        self._entered: dict[tuple[str, Outlook | None], State] = {}
        self._steps = 0
        self._threads = 0

    @cached_property
    def foresight(self) -> Foresight:
        """Knows what is ahead in text that may go on."""
        return Foresight(self.program, self.context, final=False)

    @cached_property
    def last_foresight(self) -> Foresight:
        """Knows what is ahead in text that is complete."""
        return Foresight(self.program, self.context, final=True)

    def enter(self, context: str, outlook: Outlook | None = None) -> Cursor:
        """A cursor that starts after `context`: the last `self.context` characters of the text, or all there are.

        Args:
            outlook: what is known to be ahead.
        """
        key = (context, outlook)
        state = self._entered.get(key)
        if state is None:
            facts = self.begin(len(context) < self.context)
            for char in context:
                facts = self.step_context(facts, char)
            entries = range(len(self.program.entries))
            rows = [self._spawn(index, Closure(self, facts, outlook=outlook), outlook) for index in entries]
            state = self._state(prune(rows, self._code), facts)
            if len(self._entered) < _STATE_LIMIT:
                self._entered[key] = state
        return Cursor(state)

    def read(self, cursor: Cursor, text: str, at: int, base: int, mask: int) -> int:
        """Reads `text` from index `at` until a reason in `mask` stops it; returns the index reached.

        Args:
            base: the position of `text[0]`, as the cursor counts.
            mask: which of `IDLE`, `CERTAIN`, `DECIDED`, `ENDING` stop the reading.
        """
        state = cursor.state
        size = len(text)
        in_bulk = size - at >= _SHORTEST_BULK
        if not in_bulk and at < size:
            run = state.run or self._find_run(state)
            if run.text.startswith(text[at:]) and (after := run.states[size - at - 1]) is not None:
                cursor.state = after
                return size
        while at < size:
            if in_bulk:
                run = state.run or self._find_run(state)
                if run.text and text.startswith(run.text, at) and (after := run.states[-1]) is not None:
                    at += len(run.text)
                    state = after
                    continue
            char = text[at]
            step = state.steps.get(char) or self._grow(state, char)
            if isinstance(step, Move):
                before = at + base
                starts, slots = cursor.starts, cursor.slots
                if step.starts is not None:
                    cursor.starts = [starts[source] if source >= 0 else before for source in step.starts]
                if step.slots is not None:
                    cursor.slots = [slots[source] if source >= 0 else before for source in step.slots]
                step = step.state
            at += 1
            if step is state:
                search = state.stays
                if in_bulk and state.skips and (search or (search := self._find_stays(state))):
                    found = search(text, at)
                    at = found.start() if found is not None else size
                continue
            state = step
            if state.stop & mask:
                break
        cursor.state = state
        return at

    def read_foreseen(self, cursor: Cursor, text: str, at: int, mask: int, outlooks: list[Outlook]) -> int:
        """As `read`, for text of which it is known what is ahead of each place, counted from the end of the text."""
        state = cursor.state
        size = len(text)
        shift = len(outlooks) - size
        while at < size:
            key = (text[at], outlooks[at + shift])
            step = state.foreseen.get(key) or self._grow(state, *key)
            if isinstance(step, Move):
                starts, slots = cursor.starts, cursor.slots
                if step.starts is not None:
                    cursor.starts = [starts[source] if source >= 0 else at for source in step.starts]
                if step.slots is not None:
                    cursor.slots = [slots[source] if source >= 0 else at for source in step.slots]
                step = step.state
            at += 1
            state = step
            if state.stop & mask:
                break
        cursor.state = state
        return at

    def decided(self, cursor: Cursor, at: int) -> Match:
        """The match that has won at position `at`: the longest of those that start first, then by pattern order."""
        threads, winners = cursor.state.threads, cursor.state.winners
        if len(winners) == 1:
            return self._match(winners[0], threads[winners[0]][0], cursor, at)
        found = [self._match(index, threads[index][0], cursor, at) for index in winners]
        return max(found, key=lambda match: (match.end, -match.index))

    def finish(self, cursor: Cursor, at: int) -> Match | None:
        """The match that wins if the text ends at position `at`, or none."""
        found = [self._match(index, thread, cursor, at) for index, thread in self._finals(cursor.state)]
        return min(found, key=lambda match: (match.start, -match.end, match.index), default=None)

    def can_finish(self, state: State) -> bool:
        """Whether there is a match if the text ends in `state`."""
        return any(True for _ in self._finals(state))

    def matched(self, cursor: Cursor, at: int) -> list[Match]:
        """The matches behind which reading may have to go on, should nothing better come."""
        rows = enumerate(cursor.state.threads)
        return [
            self._match(index, thread, cursor, at) for index, row in rows for thread in row if thread[2][END_SLOT] >= 0
        ]

    def _finals(self, state: State) -> Iterator[tuple[int, Thread]]:
        """The preferred thread of each pattern that matches if the text ends in `state`."""
        for index, row in enumerate(state.threads):
            for thread in self._resolve(row, state.context, ""):
                if self._code[thread[0]].op == MATCH and self._meets_at_end(thread[3], state.context):
                    yield index, thread
                    break

    def step(self, state: State, char: str) -> State | Move:
        """What `char` leads to from `state`."""
        return state.steps.get(char) or self._grow(state, char)

    def start_of_ending(self, cursor: Cursor, at: int) -> int:
        """Where a match is certain to start."""
        start = cursor.state.ending
        return at if start == NOW else cursor.starts[start]

    def certain_match(self, cursor: Cursor, at: int) -> Match:
        """The certain match as far as it is known: start and captures, and the end if nothing more came."""
        return self._match(cursor.state.certain, cursor.state.threads[cursor.state.certain][-1], cursor, at)

    def _match(self, index: int, thread: Thread, cursor: Cursor, at: int) -> Match:
        _, first, own, _ = thread
        start = at if first == NOW else cursor.starts[first]
        end = at if own[END_SLOT] == NOW else cursor.slots[own[END_SLOT]]
        spans = {}
        for number, name in enumerate(self.program.names[index]):
            opened, closed = own[1 + 2 * number], own[2 + 2 * number]
            if opened != UNSET and closed != UNSET:
                spans[name] = (
                    at if opened == NOW else cursor.slots[opened],
                    at if closed == NOW else cursor.slots[closed],
                )
        return Match(index, start, end, spans)

    # Building states.

    def _grow(self, state: State, char: str, outlook: Outlook | None = None) -> State | Move:
        """The step from `state` by `char`, with what is known to be ahead then, built and kept."""
        if self._steps >= _STEP_LIMIT or len(self._states) >= _STATE_LIMIT or self._threads >= _THREAD_LIMIT:
            for old in (state, *self._states.values()):  # one that is kept elsewhere keeps no others
                old.steps = {}
                old.foreseen = {}
                old.run = None
            self._states.clear()
            self._entered.clear()
            self._steps = 0
            self._threads = 0
        facts = self.step_context(state.context, char)
        rows = []
        for index, row in enumerate(state.threads):
            closure = Closure(self, facts, outlook=outlook)
            for at, start, slots, waits in self._resolve(row, state.context, char):
                kept = self._advance(waits, state.context, char, facts)
                one = self._code[at]
                if kept is None or (one.op == CHAR and char not in one.chars):
                    continue
                if outlook is not None and one.op == CHAR and outlook.values[one.next] == NO:
                    continue
                start = BEFORE if start == NOW else start
                slots = tuple(BEFORE if slot == NOW else slot for slot in slots)
                closure.follow(at if one.op == MATCH else one.next, start, slots, kept)
                if closure.closed:
                    break
            rows.append(self._spawn(index, closure, outlook) if state.spawns else closure.threads)
        step = self._step(prune(rows, self._code), facts)
        if outlook is None:
            state.steps[char] = step
        else:
            state.foreseen[char, outlook] = step
        self._steps += 1
        return step

    def _find_stays(self, state: State) -> Search | None:
        """A search for the characters that lead away from the state, if those that do not are worth skipping."""
        bounds = {0}
        for at in self._positions(state):
            chars = self._code[at].chars
            ranges = chars.ranges if isinstance(chars, Chars) else one_of(str(chars)).ranges
            bounds |= {bound for first, last in ranges for bound in (first, last + 1)}
        if self.program.knows_words or len(bounds) > _MOST_BOUNDS:
            state.skips = False
            return None
        starts = sorted(bound for bound in bounds if bound <= 0x10FFFF)
        ends = [*(bound - 1 for bound in starts[1:]), 0x10FFFF]
        leading = [
            (chr(first), chr(last))
            for first, last in zip(starts, ends, strict=True)
            if self.step(state, chr(first)) is not state
        ]
        state.stays = re.compile(char_class(one_of(*leading)) if leading else "(?!)").search
        return state.stays

    def _positions(self, state: State) -> set[int]:
        """All instructions at which a thread of the state stands, or one of a look-around."""
        found = {at for ways in state.context[0] for at in ways}
        todo: list[Way] = [(thread[0], thread[3]) for row in state.threads for thread in row]
        while todo:
            at, waits = todo.pop()
            found.add(at)
            todo += [way for _, ways in waits for way in ways]
        return found

    def _find_run(self, state: State) -> Run:
        """What may come next, as far as reading it decides nothing."""
        wanted = self._wanted(state)
        starts, slots = (list(range(count)) for count in registers_of(state))
        states: list[State | None] = []
        after = state
        for char in wanted:
            step = self.step(after, char)
            if isinstance(step, Move):
                if step.starts is not None:
                    starts = [starts[source] if source >= 0 else BEFORE for source in step.starts]
                if step.slots is not None:
                    slots = [slots[source] if source >= 0 else BEFORE for source in step.slots]
                step = step.state
            after = step
            if after.stop & ~ENDING:
                break
            used = registers_of(after)
            stay = starts[: used[0]] == list(range(used[0])) and slots[: used[1]] == list(range(used[1]))
            states.append(after if stay else None)
        while states and states[-1] is None:
            states.pop()
        state.run = Run(wanted[: len(states)], states)
        return state.run

    def _wanted(self, state: State) -> str:
        """The literal text that the most preferred thread asks for next, of those that started first."""
        held = [thread for row in state.threads for thread in row if thread[1] != NOW]
        first = min(map(order_of, held), default=0)
        texts = (self._literal_at(thread[0]) for thread in held if order_of(thread) == first)
        return next((text for text in texts if len(text) >= _SHORTEST_RUN), "")

    def _literal_at(self, at: int) -> str:
        text = ""
        one = self._code[at]
        while one.op == CHAR and isinstance(one.chars, str) and len(text) < _LONGEST_RUN:
            text += one.chars
            one = self._code[one.next]
        return text

    def _spawn(self, index: int, closure: Closure, outlook: Outlook | None) -> list[Thread]:
        """The threads of a closure, and behind them those that start at the present position."""
        hopeless = outlook is not None and outlook.values[self.program.entries[index]] == NO
        if not closure.closed and not hopeless:
            slots = (UNSET,) * (1 + 2 * len(self.program.names[index]))
            closure.follow(self.program.entries[index], NOW, slots, NOTHING)
        return closure.threads

    def _step(self, rows: list[list[Thread]], facts: Context) -> State | Move:
        """Numbers the registers anew, in order of their positions, and finds out whether that moves any."""
        old_starts = sorted({t[1] for row in rows for t in row if t[1] != NOW}, key=lambda s: (s == BEFORE, s))
        starts = {source: number for number, source in enumerate(old_starts)}
        old_slots = sorted(
            {source for row in rows for t in row for source in t[2]} - {NOW, UNSET}, key=lambda s: (s == BEFORE, s)
        )
        slots = {source: number for number, source in enumerate(old_slots)}
        starts[NOW] = slots[NOW] = NOW
        slots[UNSET] = UNSET
        renamed = [
            [(at, starts[start], tuple(slots[slot] for slot in own), waits) for at, start, own, waits in row]
            for row in rows
        ]
        state = self._state(renamed, facts)
        start_moves = tuple(source for source in starts if source != NOW)
        slot_moves = tuple(source for source in slots if source not in (NOW, UNSET))
        starts_stay = start_moves == tuple(range(len(start_moves)))
        slots_stay = slot_moves == tuple(range(len(slot_moves)))
        if starts_stay and slots_stay:
            return state
        return Move(state, None if starts_stay else start_moves, None if slots_stay else slot_moves)

    def _state(self, rows: list[list[Thread]], facts: Context) -> State:
        threads = tuple(tuple(row) for row in rows)
        key = (threads, facts)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = State(threads, facts, self._code)
            self._threads += sum(map(len, threads))
        return state

    # What is known about the text before a position.

    def begin(self, at_start: bool) -> Context:
        """What is known before any text."""
        at_start = at_start and self.program.knows_start
        facts: Context = ((), False, at_start)
        sets = tuple(self._behind_set({entry}, facts) for entry in self.program.behinds)
        return sets, False, at_start

    def step_context(self, facts: Context, char: str) -> Context:
        """What is known behind `char`."""
        word = self.program.knows_words and char in WORD
        if not self.program.behinds:
            return (), word, False
        after: Context = ((), False, False)
        sets = []
        for entry, ways in zip(self.program.behinds, facts[0], strict=True):
            moved = {self._code[at].next for at in ways if self._code[at].op == CHAR and char in self._code[at].chars}
            sets.append(self._behind_set(moved | {entry}, after))
        return tuple(sets), word, False

    def _behind_set(self, starts: set[int], facts: Context) -> frozenset[int]:
        closure = Closure(self, facts, every=True)
        for start in sorted(starts):
            closure.follow(start, NOW, (UNSET,), NOTHING)
        return frozenset(thread[0] for thread in closure.threads)

    def _is_behind(self, number: int, facts: Context) -> bool:
        return any(self._code[at].op == MATCH for at in facts[0][number])

    # Look-aheads: only whether they match counts, so their threads are a set.

    def _look(self, entry: int, facts: Context) -> bool | frozenset[Way]:
        return verdict_of(self._ways([(entry, NOTHING)], facts), self._code)

    def _ways(self, start: Iterable[Way], facts: Context, char: str | None = None) -> frozenset[Way]:
        closure = Closure(self, facts, char)
        for at, waits in start:
            closure.follow(at, NOW, (UNSET,), waits)
            if closure.closed:
                break
        return frozenset((at, waits) for at, _, _, waits in closure.threads)

    def _resolve(self, row: Iterable[Thread], facts: Context, char: str) -> Iterable[Thread]:
        """Takes the threads past edges and ends, now that the next character is known ("": there is none)."""
        if not any(self._code[at].op in (END, EDGE) for at, _, _, _ in row):
            return row
        closure = Closure(self, facts, char)
        for at, start, slots, waits in row:
            closure.follow(at, start, slots, waits)
        return closure.threads

    def _advance(
        self, waits: frozenset[Obligation], before: Context, char: str, facts: Context
    ) -> frozenset[Obligation] | None:
        """The obligations left after `char`; none at all may be left, and `None` is a broken one."""
        if not waits:
            return waits
        left = set()
        for negative, ways in waits:
            moved = []
            for at, inner in self._resolve_ways(ways, before, char):
                kept = self._advance(inner, before, char, facts)
                one = self._code[at]
                if kept is not None and (one.op == MATCH or (one.op == CHAR and char in one.chars)):
                    moved.append((at if one.op == MATCH else one.next, kept))
            verdict = verdict_of(self._ways(moved, facts), self._code)
            if verdict is negative:
                return None
            if not isinstance(verdict, bool):
                left.add((negative, verdict))
        return frozenset(left)

    def _resolve_ways(self, ways: frozenset[Way], facts: Context, char: str) -> Iterable[Way]:
        if not any(self._code[at].op in (END, EDGE) for at, _ in ways):
            return ways
        return self._ways(ways, facts, char)

    def _meets_at_end(self, waits: frozenset[Obligation], facts: Context) -> bool:
        """Whether all obligations hold if the text ends here."""
        for negative, ways in waits:
            matched = any(
                self._code[at].op == MATCH and self._meets_at_end(inner, facts)
                for at, inner in self._resolve_ways(ways, facts, "")
            )
            if matched is negative:
                return False
        return True
