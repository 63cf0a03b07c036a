"""Chat completions: `chat.completion.chunk` objects from a stream, and `chat.completion` objects from a message.

All are plain dicts, ready for `json.dumps`. Beside the API's own keys there are two more, which its clients ignore:

- `errors` of a choice: a list of `{"type", "field", "message", "text", "tool_calls", "channel"}`, see `Problem`.
- `extra_fields` of a delta or message: the values of fields that the API has no place for.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from untemplate.integrations.deltas import (
    CONTENT,
    REASONING,
    CallPiece,
    CallStart,
    Delta,
    DeltaStream,
    Extra,
    Overwrites,
    Problem,
    Text,
)
from untemplate.integrations.deltas.message import read_message
from untemplate.integrations.deltas.stream import outcome
from untemplate.integrations.deltas.values import written
from untemplate.runtime.parser import Parser

from .ids import NewId, new_call_id

Chunk = dict[str, Any]

TEXT_KEYS = {CONTENT: "content", REASONING: "reasoning_content"}


class ChatCompletionStream:
    """Feeds a parser, and turns its events into the chunks of a chat completion.

    The parser may be made with either value of `on_malformed`: with "raise" the error ends the reply, but is reported
    here in the same way, not raised.

    Args:
        parser: a parser that was fed nothing yet; what its prefix has of the reply is in the first chunks.
        model: the name of the model.
        completion_id: the id of the completion; by default a random one.
        created: the time stamp, in seconds; by default now.
        new_id: makes the ids of calls that have none of their own.
        overwrites: see `DeltaStream`.
    """

    def __init__(
        self,
        parser: Parser,
        *,
        model: str,
        completion_id: str | None = None,
        created: int | None = None,
        new_id: NewId = new_call_id,
        overwrites: Overwrites = "send",
    ) -> None:
        self.id = completion_id or new_completion_id()
        self.model = model
        self.created = int(time.time()) if created is None else created
        self._head: Chunk = {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": model,
        }
        self._stream = DeltaStream(parser, overwrites)
        self._new_id = new_id
        self._made: dict[int, str] = {}  # the ids of calls that had none
        self._begun = False

    @property
    def message(self) -> dict[str, Any] | None:
        """The parsed message, once the stream is finished or has failed."""
        return self._stream.message

    @property
    def failed(self) -> bool:
        """Whether the parser raised an error: what is fed from then on is ignored."""
        return self._stream.failed

    @property
    def problems(self) -> list[Problem]:
        """All problems so far."""
        return self._stream.problems

    def feed(self, text: str) -> list[Chunk]:
        """The chunks (`list` of `dict`) that the next piece of output decides, the first of all with the role.

        Raises:
            RuntimeError: the stream is finished.
        """
        stream = self._stream
        piece = stream.passed(text)
        if not piece:
            return self._chunks(stream.take()) if piece is None else []
        target = stream.target
        if type(target) is str:
            delta: dict[str, Any] = {TEXT_KEYS[target]: piece}
        else:
            delta = {"tool_calls": [{"index": target, "function": {"arguments": piece}}]}
        chunk = self._head.copy()
        chunk["choices"] = [{"index": 0, "delta": delta, "finish_reason": None}]
        return [chunk]

    def finish(self, reason: str | None = None) -> list[Chunk]:
        """The last chunks (`list` of `dict`), of which the last has the finish reason.

        Args:
            reason: why the output ended, such as "length"; by default "error" if the parser failed or a call was
                malformed or is void, "tool_calls" if the message has calls, else "stop".

        Raises:
            RuntimeError: the stream is finished already.
        """
        return [*self._chunks(self._stream.finish()), self._chunk({}, reason or self._stream.outcome)]

    def completion(self, reason: str | None = None) -> dict[str, Any]:
        """The finished stream as one `chat.completion`, with the ids that its chunks had."""
        if self.message is None:
            raise RuntimeError("the stream has to be finished first")
        void = {index for problem in self.problems for index in problem.calls}
        made = iter([self._made[index] for index in sorted(self._made.keys() - void)])
        return chat_completion(
            self.message,
            model=self.model,
            finish_reason=reason or self._stream.outcome,
            completion_id=self.id,
            created=self.created,
            new_id=lambda: next(made),
            problems=self.problems,
        )

    def _chunks(self, deltas: list[Delta]) -> list[Chunk]:
        """The chunks for deltas; nothing is passed on before the first of these."""
        chunks: list[Chunk] = []
        if not self._begun:
            self._begun = True
            chunks.append(self._chunk({"role": self._stream.role, "content": ""}))
        for delta in deltas:
            chunks += self._render(delta)
        return chunks

    def _render(self, delta: Delta) -> tuple[Chunk, ...]:
        match delta:
            case Text(channel, piece):
                return (self._chunk({TEXT_KEYS[channel]: piece}),)
            case CallPiece(index, piece):
                return (self._chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}),)
            case CallStart(index, own_id, name):
                if own_id is None:
                    own_id = self._made[index] = self._new_id()
                function = {"name": name, "arguments": ""}
                call = {"index": index, "id": own_id, "type": "function", "function": function}
                return (self._chunk({"tool_calls": [call]}),)
            case Extra(fields):
                return (self._chunk({"extra_fields": fields}),)
            case Problem():
                chunk = self._chunk({})
                chunk["choices"][0]["errors"] = [error_object(delta)]
                return (chunk,)
        return ()

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> Chunk:
        chunk = self._head.copy()
        chunk["choices"] = [{"index": 0, "delta": delta, "finish_reason": reason}]
        return chunk


def chat_completion(
    message: dict[str, Any],
    *,
    model: str,
    finish_reason: str | None = None,
    completion_id: str | None = None,
    created: int | None = None,
    new_id: NewId = new_call_id,
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """A message (`dict`), as a parser returns it, as a `chat.completion` (`dict`).

    Args:
        finish_reason: by default "error" if the message holds a call that is none, "tool_calls" if it has calls, else
            "stop".
        problems: what a stream has reported; without them, those of the message alone.

    The other arguments are those of `ChatCompletionStream`.
    """
    parts = read_message(message)
    answer: dict[str, Any] = {"role": parts.role, "content": parts.texts[CONTENT] or None}
    if parts.texts[REASONING]:
        answer["reasoning_content"] = parts.texts[REASONING]
    if parts.calls:
        answer["tool_calls"] = [
            {
                "id": call.own_id or new_id(),
                "type": "function",
                "function": {"name": call.name, "arguments": written(call.arguments)},
            }
            for call in parts.calls
        ]
    if parts.extra:
        answer["extra_fields"] = parts.extra
    reported = list(problems) or parts.problems
    reason = finish_reason or outcome(reported, len(parts.calls))
    choice: dict[str, Any] = {"index": 0, "message": answer, "finish_reason": reason}
    if reported:
        choice["errors"] = [error_object(problem) for problem in reported]
    return {
        "id": completion_id or new_completion_id(),
        "object": "chat.completion",
        "created": int(time.time()) if created is None else created,
        "model": model,
        "choices": [choice],
    }


def error_object(problem: Problem) -> dict[str, Any]:
    """A problem as an entry of `errors`."""
    return {
        "type": problem.kind,
        "field": problem.field,
        "message": problem.reason,
        "text": problem.text,
        "tool_calls": list(problem.calls),
        "channel": TEXT_KEYS.get(problem.channel),
    }


def new_completion_id() -> str:
    """A random id for a completion."""
    return f"chatcmpl-{uuid4().hex}"
