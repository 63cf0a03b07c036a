"""The events of a streamed response, as the Responses API has them. All are plain dicts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from untemplate.integrations.deltas import Delta, DeltaStream, Overwrites, Problem
from untemplate.integrations.deltas.blocks import Begin, Block, Blocks, Piece, Step
from untemplate.runtime.parser import Parser

from .chat import error_object
from .ids import NewId, new_call_id

Event = dict[str, Any]


class ResponseStream:
    """Feeds a parser, and turns its events into those of a response.

    Reasoning, content and calls become output items, in the order in which they are written. A `Problem` is an entry
    of `errors` in the last event's response, whose status is then "failed" if a call is malformed or void.

    Args:
        parser: a parser that was fed nothing yet.
        model: the name of the model.
        response_id: the id of the response, which those of its items are made from; by default a random one.
        created: the time stamp, in seconds; by default now.
        new_id: makes the ids of calls that have none of their own.
        overwrites: see `DeltaStream`.
    """

    def __init__(
        self,
        parser: Parser,
        *,
        model: str,
        response_id: str | None = None,
        created: int | None = None,
        new_id: NewId = new_call_id,
        overwrites: Overwrites = "send",
    ) -> None:
        self.id = response_id or f"resp_{uuid4().hex}"
        self.model = model
        self.created = int(time.time()) if created is None else created
        self._stream = DeltaStream(parser, overwrites)
        self._blocks = Blocks()
        self._new_id = new_id
        self._items: dict[int, dict[str, Any]] = {}
        self._growth: Event = {}  # what all deltas of the open block have
        self._count = 0

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
        return [self._delta(block, piece)] if block is not None else self._render([stream.delta(piece)])

    def finish(self, reason: str | None = None) -> list[Event]:
        """The last events (`list` of `dict`).

        Args:
            reason: why the output was cut off, such as "max_output_tokens": the response is then "incomplete".

        Raises:
            RuntimeError: the stream is finished already.
        """
        events = [*self._begin(), *self._render(self._stream.finish())]
        for step in self._blocks.end():
            events += self._step(step)
        failed = self._stream.outcome == "error"
        status = "incomplete" if reason else "failed" if failed else "completed"
        return [*events, self._event(f"response.{status}", response=self._response(status, reason))]

    def _begin(self) -> list[Event]:
        if self._count:
            return []
        kinds = ("response.created", "response.in_progress")
        return [self._event(kind, response=self._response("in_progress")) for kind in kinds]

    def _render(self, deltas: Iterable[Delta]) -> list[Event]:
        return [event for delta in deltas for step in self._blocks.steps(delta) for event in self._step(step)]

    def _step(self, step: Step) -> list[Event]:
        block = step.block
        place = {"item_id": self._item_id(block), "output_index": block.number}
        inside = place if block.kind == "call" else {**place, "content_index": 0}
        match step:
            case Begin():
                item = self._items[block.number] = self._item(block)
                self._growth = {"type": f"{_TEXTS[block.kind]}.delta", "sequence_number": 0, **inside, "delta": ""}
                events = [self._event("response.output_item.added", output_index=block.number, item=dict(item))]
                if block.kind == "content":
                    events.append(self._event("response.content_part.added", **inside, part=_part("")))
                return events
            case Piece(_, text):
                return [self._delta(block, text)]
        return self._end(block, inside)

    def _delta(self, block: Block, text: str) -> Event:
        """More text of a block; the way of most events, and therefore a short one."""
        event = self._growth.copy()
        event["sequence_number"] = self._count
        self._count += 1
        event["delta"] = text
        if block.kind == "content":
            event["logprobs"] = []
        return event

    def _end(self, block: Block, inside: dict[str, Any]) -> list[Event]:
        item = self._items[block.number]
        if block.kind == "call":
            item |= {"arguments": block.text, "status": "completed"}
            done = [self._event(f"{_TEXTS['call']}.done", **inside, name=block.name, arguments=block.text)]
        elif block.kind == "reasoning":
            item |= {"content": [{"type": "reasoning_text", "text": block.text}], "status": "completed"}
            done = [self._event(f"{_TEXTS['reasoning']}.done", **inside, text=block.text)]
        else:
            item |= {"content": [_part(block.text)], "status": "completed"}
            done = [
                self._event(f"{_TEXTS['content']}.done", **inside, text=block.text, logprobs=[]),
                self._event("response.content_part.done", **inside, part=_part(block.text)),
            ]
        return [*done, self._event("response.output_item.done", output_index=block.number, item=dict(item))]

    def _item(self, block: Block) -> dict[str, Any]:
        item: dict[str, Any] = {"id": self._item_id(block), "status": "in_progress"}
        if block.kind == "call":
            call_id = block.own_id or self._new_id()
            return {**item, "type": "function_call", "call_id": call_id, "name": block.name, "arguments": ""}
        if block.kind == "reasoning":
            return {**item, "type": "reasoning", "summary": [], "content": []}
        return {**item, "type": "message", "role": "assistant", "content": []}

    def _item_id(self, block: Block) -> str:
        return f"{_PREFIXES[block.kind]}_{self.id.removeprefix('resp_')}_{block.number}"

    def _response(self, status: str, reason: str | None = None) -> dict[str, Any]:
        void = {call for problem in self.problems for call in problem.calls}
        response: dict[str, Any] = {
            "id": self.id,
            "object": "response",
            "created_at": self.created,
            "model": self.model,
            "status": status,
            "error": None,
            "incomplete_details": {"reason": reason} if reason else None,
            "output": [dict(self._items[block.number]) for block in self._blocks.all if block.target not in void],
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        if status == "failed":
            response["error"] = {"code": "server_error", "message": self.problems[-1].reason}
        if self.problems:
            response["errors"] = [error_object(problem) for problem in self.problems]
        return response

    def _event(self, kind: str, **keys: Any) -> Event:
        self._count += 1
        return {"type": kind, "sequence_number": self._count - 1, **keys}


_TEXTS = {
    "content": "response.output_text",
    "reasoning": "response.reasoning_text",
    "call": "response.function_call_arguments",
}
_PREFIXES = {"content": "msg", "reasoning": "rs", "call": "fc"}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}
