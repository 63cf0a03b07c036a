"""Pattern trees as programs: flat instructions that the automaton steps through.

The instruction set is the classic one of a Pike machine (https://swtch.com/~rsc/regexp/regexp2.html), with look-arounds
as instructions of their own. Alternatives are ordered: the first target of a `SPLIT` is the preferred one.
"""

from __future__ import annotations

from .pattern import (
    Ahead,
    Behind,
    Chars,
    CharSet,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    TextStart,
    WordEdge,
)

CHAR, SPLIT, SAVE, AHEAD, BEHIND, START, END, EDGE, MATCH, FAIL = range(10)

END_SLOT = 0
"""The slot of a match's end; the captures' slots follow, two for each name."""


class Instruction:
    """One instruction; which of the operands count depends on `op`.

    The `SPLIT` of a loop has a bit of its own, `loop`, and `leave`: where to go on after an iteration that matched
    empty, which ends the loop. `inside` has the bits of all loops that the instruction is in. What can still come is
    noted too: whether a capture is set (`saves`), whether a character is read (`reads`), and whether there can be a
    match at all, away from the text start (`alive`).
    """

    __slots__ = (
        "alive",
        "chars",
        "inside",
        "leave",
        "loop",
        "negative",
        "next",
        "op",
        "other",
        "reads",
        "saves",
        "slot",
    )

    def __init__(
        self,
        op: int,
        next: int = -1,
        other: int = -1,
        chars: CharSet = "",
        slot: int = -1,
        negative: bool = False,
    ) -> None:
        self.op = op
        self.next = next
        self.other = other
        self.chars = chars
        self.slot = slot
        self.negative = negative
        self.loop = 0
        self.inside = 0
        self.leave = -1
        self.saves = False
        self.reads = False
        self.alive = False


class Program:
    """The code of several patterns that are watched at the same time.

    Attributes:
        code: all instructions; targets are indexes into it.
        entries: where each pattern starts.
        names: the group names of each pattern, in order of first appearance.
        behinds: where the sub-programs of look-behinds start.
        knows_words: whether a word edge is asked for.
        knows_start: whether the text start is asked for.
        takes_nothing: whether one of the patterns can match the empty text, if what it looks at is as it wants it.
    """

    def __init__(self, patterns: list[Node]) -> None:
        self.code: list[Instruction] = []
        self.entries: list[int] = []
        self.names: list[tuple[str, ...]] = []
        self.behinds: list[int] = []
        self.knows_words = False
        self.knows_start = False
        self._loops = 0
        self._inside = 0
        for pattern in patterns:
            self._slots: dict[str, int] = {}
            self.entries.append(self._emit(pattern, self._add(MATCH)))
            self.names.append(tuple(self._slots))
        self._mark()
        self.takes_nothing = any(map(self._takes_nothing, self.entries))

    def _add(
        self,
        op: int,
        next: int = -1,
        other: int = -1,
        chars: CharSet = "",
        slot: int = -1,
        negative: bool = False,
    ) -> int:
        self.code.append(Instruction(op, next, other, chars, slot, negative))
        self.code[-1].inside = self._inside
        return len(self.code) - 1

    def _emit(self, node: Node, next: int) -> int:
        """Adds the code of `node`, which goes on at `next`; returns where it starts."""
        match node:
            case Literal(text):
                for char in reversed(text):
                    next = self._add(CHAR, next, chars=char)
                return next
            case Chars():
                return self._add(CHAR, next, chars=node)
            case Sequence(items):
                for item in reversed(items):
                    next = self._emit(item, next)
                return next
            case Choice(options):
                return self._choice(options, next)
            case Repeat():
                return self._repeat(node, next)
            case Group(name, item):
                slot = self._slots.setdefault(name, 1 + 2 * len(self._slots))
                return self._add(SAVE, self._emit(item, self._add(SAVE, next, slot=slot + 1)), slot=slot)
            case Ahead(item, negative):
                return self._add(AHEAD, next, self._emit(item, self._add(MATCH)), negative=negative)
            case Behind(item, negative):
                self.behinds.append(self._emit(item, self._add(MATCH)))
                return self._add(BEHIND, next, len(self.behinds) - 1, negative=negative)
            case TextStart():
                self.knows_start = True
                return self._add(START, next)
            case TextEnd():
                return self._add(END, next)
            case WordEdge(negative):
                self.knows_words = True
                return self._add(EDGE, next, negative=negative)

    def _choice(self, options: tuple[Node, ...], next: int) -> int:
        if not options:
            return self._add(FAIL)
        start = self._emit(options[-1], next)
        for option in reversed(options[:-1]):
            start = self._add(SPLIT, self._emit(option, next), start)
        return start

    def _repeat(self, node: Repeat, next: int) -> int:
        if node.most is None:
            start = self._loop(node.item, node.lazy, next)
        else:
            start = next
            outer, bit = self._inside, self._new_loop()
            for _ in range(node.most - node.least):
                start = self._split(self._emit(node.item, start), next, node.lazy)
                self.code[start].leave, self.code[start].loop = next, bit
            self._inside = outer
        for _ in range(node.least):
            start = self._emit(node.item, start)
        return start

    def _loop(self, item: Node, lazy: bool, next: int) -> int:
        outer, bit = self._inside, self._new_loop()
        again = self._add(SPLIT)
        body = self._emit(item, again)
        first, second = (next, body) if lazy else (body, next)
        self.code[again].next, self.code[again].other = first, second
        self.code[again].leave = next
        self.code[again].loop = bit
        self._inside = outer
        return again

    def _new_loop(self) -> int:
        """The bit of a loop that all further instructions are in."""
        bit = 1 << self._loops
        self._loops += 1
        self._inside |= bit
        return bit

    def _split(self, more: int, next: int, lazy: bool) -> int:
        return self._add(SPLIT, next, more) if lazy else self._add(SPLIT, more, next)

    def _takes_nothing(self, entry: int) -> bool:
        todo = [entry]
        seen: set[int] = set()
        while todo:
            at = todo.pop()
            if at < 0 or at in seen:
                continue
            seen.add(at)
            one = self.code[at]
            if one.op == MATCH:
                return True
            if one.op != CHAR:
                todo += [one.next, one.other if one.op == SPLIT else -1]
        return False

    def _mark(self) -> None:
        """Notes what can come behind each instruction, by going backwards until nothing changes."""
        changed = True
        while changed:
            changed = False
            for one in self.code:
                targets = [self.code[at] for at in (one.next, one.other if one.op == SPLIT else -1) if at >= 0]
                saves = one.op == SAVE or any(target.saves for target in targets)
                reads = one.op == CHAR or any(target.reads for target in targets)
                blocked = one.op in (START, FAIL) or (
                    one.op == CHAR and isinstance(one.chars, Chars) and not one.chars.ranges
                )
                alive = one.op == MATCH or (not blocked and any(target.alive for target in targets))
                if (saves, reads, alive) != (one.saves, one.reads, one.alive):
                    one.saves, one.reads, one.alive = saves, reads, alive
                    changed = True
