"""Sends calls, as far as they are known, and sees to it that in the end what was sent is what the message has."""

from __future__ import annotations

from typing import Any

from .kinds import CallEnd, CallPiece, CallStart, Delta, Problem, Text
from .values import NotACall, as_call, reads_as, written

_PIECES = (Text, CallPiece)


class Outbox:
    """The deltas that are to be sent next, the number of calls so far, and all problems."""

    __slots__ = ("calls", "deltas", "problems")

    def __init__(self) -> None:
        self.deltas: list[Delta] = []
        self.calls = 0
        self.problems: list[Problem] = []

    def report(self, problem: Problem) -> None:
        """Sends a problem."""
        self.deltas.append(problem)
        self.problems.append(problem)

    def take_piece(self, call: int) -> str | None:
        """All that is to be sent, if that is one piece of a call's arguments, or nothing, ""; else `None`."""
        if not self.deltas:
            return ""
        delta = self.deltas[0]
        if len(self.deltas) > 1 or type(delta) is not CallPiece or delta.call != call:
            return None
        self.deltas.clear()
        return delta.piece

    def take(self) -> list[Delta]:
        """The deltas since this was last asked."""
        deltas, self.deltas = self.deltas, []
        return deltas if len(deltas) < 2 else _merged(deltas)


def _merged(deltas: list[Delta]) -> list[Delta]:
    """The deltas, neighbouring pieces of the same text or arguments made one."""
    merged: list[Delta] = []
    start, size = 0, len(deltas)
    for end in range(1, size + 1):
        first = deltas[start]
        if end < size and type(deltas[end]) is type(first) in _PIECES and deltas[end][0] == first[0]:
            continue
        if end > start + 1 and isinstance(first, _PIECES):
            first = first._replace(
                piece="".join([delta.piece for delta in deltas[start:end] if isinstance(delta, _PIECES)])
            )
        merged.append(first)
        start = end
    return merged


class SentCall:
    """One call, sent in part or whole.

    Attributes:
        pieces: what was sent of its arguments.
        record: takes a piece that is sent without a delta.
        entries: its arguments so far, if they are sent one by one; `None` if their text is.
        verbatim: whether the pieces are all of the text that the parser reads the arguments from, and no types cast
            any: then they need not be compared.
    """

    __slots__ = ("_outbox", "entries", "index", "name", "own_id", "pieces", "record", "verbatim")

    def __init__(self, outbox: Outbox, name: str, own_id: str | None) -> None:
        self.index = outbox.calls
        self.name = name
        self.own_id = own_id
        self.entries: dict[str, Any] | None = None
        self.verbatim = False
        self._outbox = outbox
        self.pieces: list[str] = []
        self.record = self.pieces.append
        outbox.calls += 1
        outbox.deltas.append(CallStart(self.index, own_id, name))

    def piece(self, text: str) -> None:
        """Sends more of the text of the arguments."""
        self.record(text)
        self.deliver(text)

    def deliver(self, text: str) -> None:
        """Sends text of the arguments that is recorded already."""
        self._outbox.deltas.append(CallPiece(self.index, text))

    def entry(self, key: str, value: Any) -> str:
        """Records one argument of those that are sent one by one; returns its text, which is to be delivered."""
        text = f"{', ' if self.entries else '{'}{written(key)}: {written(value)}"
        if self.entries is None:
            self.entries = {}
        self.entries[key] = value
        self.record(text)
        return text

    def close(self) -> None:
        """Sends the end of arguments that were sent one by one."""
        self.piece("}" if self.entries else "{}")
        self.entries = None

    def finish(self, name: str, own_id: str | None, arguments: Any) -> bool:
        """Sends what is missing; returns whether the whole is the call with these parts, and if so ends it."""
        if self.entries is not None or not self.pieces:
            self._send_rest(arguments)
        if (name, own_id) != (self.name, self.own_id):
            return False
        if not self.verbatim and not reads_as("".join(self.pieces), arguments):
            return False
        self._outbox.deltas.append(CallEnd(self.index, arguments))
        return True

    def _send_rest(self, arguments: Any) -> None:
        if not isinstance(arguments, dict):
            if not self.pieces:
                self.piece(written(arguments))
        elif self.entries is None:
            self.piece(written(arguments))
        else:
            for key, value in arguments.items():
                if key not in self.entries or not _is_same(value, self.entries[key]):
                    self.deliver(self.entry(key, value))
            self.piece("}")


def _is_same(value: Any, sent: Any) -> bool:
    """Whether two values are the same, to the type of every number and the order of keys."""
    return value == sent if isinstance(value, str) else reads_as(written(value), sent)


class RegionCalls:
    """The calls of one region: sent while it is written, then compared with its value.

    Attributes:
        take_piece: that of the outbox.
    """

    __slots__ = ("_field", "_outbox", "_sent", "take_piece")

    def __init__(self, outbox: Outbox, field: str) -> None:
        self._outbox = outbox
        self.take_piece = outbox.take_piece
        self._field = field
        self._sent: list[SentCall] = []

    @property
    def started(self) -> bool:
        """Whether any of its calls has been sent."""
        return bool(self._sent)

    def start(self, name: str, own_id: str | None) -> SentCall:
        """Begins to send the next call."""
        call = SentCall(self._outbox, name, own_id)
        self._sent.append(call)
        return call

    def settle(self, values: list[Any]) -> list[int]:
        """Sends what is missing of the calls that the region's value holds.

        Returns the indices of the calls that are valid: those that were sent as they are, or are sent anew.
        """
        valid: list[int] = []
        for number, value in enumerate(values):
            if number >= len(self._sent):
                self._send_whole(value, valid)
                continue
            call = self._sent[number]
            if self._agrees(call, value):
                valid.append(call.index)
                continue
            self._retract("rewritten", "the call turned out different from what was sent of it", "", number)
            self._send_whole(value, valid)
        if len(self._sent) > len(values):
            self._retract("rewritten", "the region has fewer calls than were sent", "", len(values))
        return valid

    def reject(self, text: str, reason: str) -> None:
        """Reports the region as malformed, with all that was sent of its calls."""
        self._retract("malformed", reason, text, 0)

    def _agrees(self, call: SentCall, value: Any) -> bool:
        try:
            wanted = as_call(value)
            return call.finish(wanted.name, wanted.own_id, wanted.arguments)
        except NotACall:
            return False

    def _send_whole(self, value: Any, valid: list[int]) -> None:
        try:
            wanted = as_call(value)
            text = written(wanted.arguments)
        except NotACall as error:
            self._outbox.report(Problem("malformed", self._field, str(error), _shown(value)))
            return
        call = SentCall(self._outbox, wanted.name, wanted.own_id)
        call.piece(text)
        self._outbox.deltas.append(CallEnd(call.index, wanted.arguments))
        valid.append(call.index)

    def _retract(self, kind: str, reason: str, text: str, first: int) -> None:
        """Declares void what was sent from the call number `first` of the region on."""
        calls = tuple(call.index for call in self._sent[first:])
        del self._sent[first:]
        self._outbox.report(Problem(kind, self._field, reason, text, calls))


def _shown(value: Any) -> str:
    try:
        return written(value)
    except NotACall:
        return ""
