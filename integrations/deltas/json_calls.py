"""Calls that are written as JSON, sent while they are."""

from __future__ import annotations

from collections.abc import Callable

from untemplate.runtime.content import parse_json
from untemplate.runtime.errors import ContentError
from untemplate.runtime.tools import ToolTypes

from .arguments import TypedArguments, casting
from .dialect import Dialect
from .layout import Body, Capture, Layout, Member, Source
from .sending import RegionCalls, SentCall
from .spans import Spans, brackets, in_string, key_text, marks
from .texts import Passing
from .values import as_id

# What the value that is being read is of the call; these three are as in `Layout.members`.
_NAME, _ID, _ARGUMENTS = "name", "own_id", "arguments"
_LIST, _CALL, _OTHER = "list", "call", "other"


class JsonCalls:
    """Reads a region's body, and sends the calls in it: each from when its name and id are known.

    Args:
        layout: where the parts of a call are.
        captures: what the open of the region captured; it has all that `layout` asks for.

    Attributes:
        target: the call whose arguments `pass_on` sends.
        pass_on: reads the next piece; returns what is to be sent of the arguments, or `None` if there are deltas.
    """

    pass_on: Callable[[str], str | None]

    def __init__(self, layout: Layout, captures: dict[str, str], calls: RegionCalls, types: ToolTypes) -> None:
        self._layout = layout
        self._captures = captures
        self._calls = calls
        self._types = types
        self._parts = layout.members
        self._open: list[str] = []
        self._next = _LIST if layout.each else _CALL
        self._lost = False
        self._text: list[str] = []
        self._spans = Spans(self)
        self._dialect = Dialect(layout.options) if _is_dialect(layout) else None
        self.target = 0
        self.pass_on = self._read
        self._plain = False  # whether no types cast any of the arguments that are being sent
        self._ending = ""  # the character without which the arguments that are being sent do not end
        self._known = 0  # how many of their pieces were read: without that character they are only passed on
        self._quoted = False  # whether a string is open in them, if types may cast some
        self._begin_call()
        if isinstance(layout.arguments, Body):
            self._next = _ARGUMENTS
            self._start_if_known()

    def feed(self, text: str) -> None:
        """Reads the next piece of the body."""
        if self._lost:
            return
        if self._plain:
            self._catch_up()
            self._plain = False
        self._spans.feed(text if self._dialect is None else self._dialect.feed(text))

    @property
    def passing(self) -> Passing:
        """The short way, which has looked at all that came."""
        self._look()
        return self

    def _look(self) -> None:
        """Finds out whether the arguments of a call are being sent as they come."""
        call, typed = self._call, self._typed
        self.pass_on, self._plain = self._read, False
        if self._lost or self._dialect is not None or call is None or self._open[-1:] != [_ARGUMENTS]:
            return
        self._record, self._ending = call.record, self._spans.ending
        if typed is None and self._ending:
            self._known = len(call.pieces)
            self.pass_on, self._plain = self._pass_plain, True
        elif typed is not None and self._ending and typed.inside:
            self._quoted = self._spans.quoted
            self.pass_on = self._pass_typed

    def _pass_plain(self, text: str) -> str | None:
        if self._ending in text:
            self._catch_up()
            if not (self._spans.quoted and in_string(text)):
                return self._read(text)
        self._record(text)
        return text

    def _catch_up(self) -> None:
        """Reads what was only passed on."""
        assert self._call is not None
        pieces = self._call.pieces
        if len(pieces) > self._known:
            self._spans.skip("".join(pieces[self._known :]))
            self._known = len(pieces)

    def _pass_typed(self, text: str) -> str | None:
        if self._quoted:
            if ('"' in text or "\\" in text) and not in_string(text):
                return self._read_marks(text)
        elif marks(text):
            return self._read_marks(text)
        self._record(text)
        return text

    def _read_marks(self, text: str) -> str | None:
        """Reads text in which strings may begin and end that the tool's types say something about."""
        assert self._typed is not None
        if brackets(text) or not self._typed.passes(text):
            return self._read(text)
        if text.count('"') & 1:
            self._quoted = self._spans.quoted = not self._quoted
        self._record(text)
        return text

    def _read(self, text: str) -> str | None:
        self.feed(text)
        self._look()
        return self._calls.take_piece(self.target)

    # What the spans of the body say.

    def begin(self, char: str) -> bool:
        part = self._next
        self._open.append(part)
        if part in (_LIST, _CALL):
            if char != ("[" if part == _LIST else "{"):
                self._lost = True
            self._next = _CALL
            if part == _CALL and self._layout.each:
                self._begin_call()
            return not self._lost
        if part == _ARGUMENTS:
            self._begin_arguments()
        else:
            self._text = []
        return False

    def key(self, raw: str) -> None:
        key = key_text(raw)
        self._next = _OTHER if key is None else self._parts.get(key, _OTHER)

    def text(self, piece: str) -> None:
        part = self._open[-1]
        if part == _ARGUMENTS:
            if self._call is None:
                self._waiting.append(piece)
            elif not self._lost:
                self._send(piece)
        elif part is not _OTHER:
            self._text.append(piece)

    def end(self) -> None:
        part = self._open.pop()
        if part in (_NAME, _ID):
            self._learn(part)
        elif part == _ARGUMENTS:
            self._has_arguments = True
            if not self._open:
                self._seal()
        elif part == _CALL:
            self._next = _CALL
            self._end_call()

    # One call.

    def _begin_call(self) -> None:
        self._call: SentCall | None = None
        self._typed: TypedArguments | None = None
        self._waiting: list[str] = []
        self._has_arguments = False
        self._name = self._outside(self._layout.name)
        own_id = self._layout.own_id
        self._own_id = as_id(self._outside(own_id))
        self._knows_id = not isinstance(own_id, Member)

    def _outside(self, source: Source | None) -> str | None:
        """What is known of a source without the body."""
        if isinstance(source, str):
            return source
        return self._captures[source.name] if isinstance(source, Capture) else None

    def _learn(self, part: str) -> None:
        try:
            value = parse_json("".join(self._text))
        except ContentError:
            self._lost = True
            return
        if self._call is not None:  # a second time; the end of the region puts it right
            self._lost = True
        elif part == _NAME:
            self._name = value if isinstance(value, str) else None
        else:
            self._own_id, self._knows_id = as_id(value), True
        self._start_if_known()

    def _start_if_known(self) -> None:
        if self._call is not None or not self._name or not self._knows_id or self._lost:
            return
        self._call = self._calls.start(self._name, self._own_id)
        self.target = self._call.index
        self._send = self._call.piece
        if self._types and casting(self._types, self._name):
            self._typed = TypedArguments(self._call, self._types)
            self._send = self._typed.feed
        if self._waiting:
            self._send("".join(self._waiting))

    def _begin_arguments(self) -> None:
        if self._has_arguments:
            self._waiting = []  # a second time: the last one counts
            self._lost = self._call is not None

    def _end_call(self) -> None:
        own_id = self._layout.own_id
        if isinstance(own_id, Member) and not self._knows_id and own_id.fallback in self._captures:
            self._own_id, self._knows_id = as_id(self._captures[own_id.fallback]), True
            self._start_if_known()
        # Of a call that can not be sent, or has no arguments, the end of the region says what it is.
        self._lost = self._lost or self._call is None or not self._has_arguments
        self._seal()

    def _seal(self) -> None:
        """Notes whether what is sent of a call is the very text that the parser reads its arguments from."""
        if self._call is not None:
            self._call.verbatim = self._typed is None and self._dialect is None and not self._lost


def _is_dialect(layout: Layout) -> bool:
    return bool(layout.options.get("unquoted_keys") or layout.options.get("string_delims"))
