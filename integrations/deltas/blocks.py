"""The deltas as blocks that begin, grow and end one after the other, as APIs with output items have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .kinds import REASONING, CallEnd, CallPiece, CallStart, Delta, Text

Kind = Literal["content", "reasoning", "call"]


@dataclass
class Block:
    """A run of text of one channel, or a call.

    Attributes:
        number: its place among all blocks.
        kind: what it is.
        own_id, name: those of a call.
        call: the number of the call among the calls; -1 for text.
    """

    number: int
    kind: Kind
    own_id: str | None = None
    name: str = ""
    call: int = -1
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All of its text so far; for a call that of its arguments."""
        return "".join(self.pieces)


class Begin(NamedTuple):
    """A block begins."""

    block: Block


class Piece(NamedTuple):
    """More text of the block that began last."""

    block: Block
    text: str


class End(NamedTuple):
    """The block that began last ends."""

    block: Block


Step = Begin | Piece | End


class Blocks:
    """Puts deltas into blocks.

    Attributes:
        all: all blocks so far; the last one may still be open.
    """

    def __init__(self) -> None:
        self.all: list[Block] = []
        self._open: Block | None = None

    def steps(self, delta: Delta) -> Iterator[Step]:
        """What a delta does to the blocks; none for `Extra` and `Problem`."""
        match delta:
            case Text(channel, piece):
                kind: Kind = "reasoning" if channel == REASONING else "content"
                if self._open is None or self._open.kind != kind:
                    yield from self._begin(Block(len(self.all), kind))
                yield from self._grow(piece)
            case CallStart(call, own_id, name):
                yield from self._begin(Block(len(self.all), "call", own_id, name, call))
            case CallPiece(_, piece):
                yield from self._grow(piece)
            case CallEnd():
                yield from self.end()

    def end(self) -> Iterator[Step]:
        """Ends the block that is open, if one is."""
        if self._open is not None:
            block, self._open = self._open, None
            yield End(block)

    def _begin(self, block: Block) -> Iterator[Step]:
        yield from self.end()
        self._open = block
        self.all.append(block)
        yield Begin(block)

    def _grow(self, piece: str) -> Iterator[Step]:
        assert self._open is not None
        self._open.pieces.append(piece)
        yield Piece(self._open, piece)
