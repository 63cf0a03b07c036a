"""The events of a streamed message, as the Messages API has them. All are plain dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from untemplate.integrations.deltas import Delta, DeltaStream, Overwrites, Problem
from untemplate.integrations.deltas.blocks import Begin, Block, Blocks, Piece, Step
from untemplate.runtime.parser import Parser

Event = dict[str, Any]


class MessageStream:
    """Feeds a parser, and turns its events into those of a message.

    Reasoning, content and calls become content blocks, in the order in which they are written. Beside the API's own
    keys, the last delta has `errors` if there were problems: `{"type", "field", "message", "text", "blocks"}` each,
    `blocks` being the indices of the blocks of calls that are void.

    Args:
        parser: a parser that was fed nothing yet.
        model: the name of the model.
        message_id: the id of the message; by default a random one.
        new_id: makes the ids of calls that have none of their own.
        overwrites: see `DeltaStream`.
    """

    def __init__(
        self,
        parser: Parser,
        *,
        model: str,
        message_id: str | None = None,
        new_id: Callable[[], str] = lambda: f"toolu_{uuid4().hex[:24]}",
        overwrites: Overwrites = "send",
    ) -> None:
        self.id = message_id or f"msg_{uuid4().hex[:24]}"
        self.model = model
        self._stream = DeltaStream(parser, overwrites)
        self._blocks = Blocks()
        self._new_id = new_id
        self._begun = False

    @property
    def message(self) -> dict[str, Any] | None:
        """The parsed message, once the stream is finished or has failed."""
        return self._stream.message

    @property
    def problems(self) -> list[Problem]:
        """All problems so far."""
        return self._stream.problems

    def feed(self, text: str) -> list[Event]:
        """The events (`list` of `dict`) that the next piece of output decides.

        Raises:
            RuntimeError: the stream is finished.
        """
        stream = self._stream
        piece = stream.passed(text)
        if not piece:
            return [*self._begin(), *self._render(stream.take())] if piece is None else []
        block = self._blocks.grow(stream.target, piece)
        return [_delta(block, piece)] if block is not None else self._render([stream.delta(piece)])

    def finish(self, reason: str | None = None) -> list[Event]:
        """The last events (`list` of `dict`).

        Args:
            reason: the stop reason, such as "max_tokens"; by default "error" if a call is malformed or void,
                "tool_use" if there are calls, else "end_turn".

        Raises:
            RuntimeError: the stream is finished already.
        """
        events = [*self._begin(), *self._render(self._stream.finish())]
        events += [event for step in self._blocks.end() for event in self._step(step)]
        delta: dict[str, Any] = {
            "stop_reason": reason or _REASONS[self._stream.outcome],
            "stop_sequence": None,
        }
        if self.problems:
            delta["errors"] = [self._error(problem) for problem in self.problems]
        end = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 0}}
        return [*events, end, {"type": "message_stop"}]

    def _begin(self) -> list[Event]:
        if self._begun:
            return []
        self._begun = True
        message: dict[str, Any] = {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 0, "output_tokens": 0},
        }
        return [{"type": "message_start", "message": message}]

    def _render(self, deltas: Iterable[Delta]) -> list[Event]:
        return [event for delta in deltas for step in self._blocks.steps(delta) for event in self._step(step)]

    def _step(self, step: Step) -> list[Event]:
        block = step.block
        match step:
            case Begin():
                return [{"type": "content_block_start", "index": block.number, "content_block": self._block(block)}]
            case Piece(_, text):
                return [_delta(block, text)]
        return [{"type": "content_block_stop", "index": block.number}]

    def _block(self, block: Block) -> dict[str, Any]:
        if block.kind == "call":
            return {"type": "tool_use", "id": block.own_id or self._new_id(), "name": block.name, "input": {}}
        if block.kind == "reasoning":
            return {"type": "thinking", "thinking": "", "signature": ""}
        return {"type": "text", "text": ""}

    def _error(self, problem: Problem) -> dict[str, Any]:
        blocks = [block.number for block in self._blocks.all if block.target in problem.calls]
        return {
            "type": problem.kind,
            "field": problem.field,
            "message": problem.reason,
            "text": problem.text,
            "blocks": blocks,
        }


_REASONS = {"error": "error", "tool_calls": "tool_use", "stop": "end_turn"}
_DELTAS = {
    "content": ("text_delta", "text"),
    "reasoning": ("thinking_delta", "thinking"),
    "call": ("input_json_delta", "partial_json"),
}


def _delta(block: Block, text: str) -> Event:
    """More text of a block."""
    kind, key = _DELTAS[block.kind]
    return {"type": "content_block_delta", "index": block.number, "delta": {"type": kind, key: text}}
