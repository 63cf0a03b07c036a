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
        target: the channel of text, or the number of the call among the calls.
    """

    number: int
    kind: Kind
    target: str | int
    own_id: str | None = None
    name: str = ""
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
        open: the one that is.
    """

    def __init__(self) -> None:
        self.all: list[Block] = []
        self.open: Block | None = None

    def grow(self, target: str | int, piece: str) -> Block | None:
        """Adds to the open block, and returns it, if that is the one that `piece` belongs to."""
        block = self.open
        if block is None or block.target != target:
            return None
        block.pieces.append(piece)
        return block

    def steps(self, delta: Delta) -> Iterator[Step]:
        """What a delta does to the blocks; none for `Extra` and `Problem`."""
        match delta:
            case Text(channel, piece):
                if self.open is None or self.open.target != channel:
                    kind: Kind = "reasoning" if channel == REASONING else "content"
                    yield from self._begin(Block(len(self.all), kind, channel))
                yield from self._grow(channel, piece)
            case CallStart(call, own_id, name):
                yield from self._begin(Block(len(self.all), "call", call, own_id, name))
            case CallPiece(call, piece):
                yield from self._grow(call, piece)
            case CallEnd():
                yield from self.end()

    def end(self) -> Iterator[Step]:
        """Ends the block that is open, if one is."""
        if self.open is not None:
            block, self.open = self.open, None
            yield End(block)

    def _begin(self, block: Block) -> Iterator[Step]:
        yield from self.end()
        self.open = block
        self.all.append(block)
        yield Begin(block)

    def _grow(self, target: str | int, piece: str) -> Iterator[Step]:
        block = self.grow(target, piece)
        assert block is not None
        yield Piece(block, piece)
