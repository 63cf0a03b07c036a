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
from untemplate.runtime.parser import Parser

from .ids import NewId, new_call_id

Chunk = dict[str, Any]


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
        self._stream = DeltaStream(parser, overwrites)
        self._new_id = new_id
        self._ids: dict[int, str] = {}
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
        deltas = self._stream.feed(text)
        chunks = [] if self._begun else [self._begin()]
        for delta in deltas:
            if type(delta) is Text:
                chunks.append(self._chunk({_KEYS[delta.channel]: delta.piece}))
            elif type(delta) is CallPiece:
                call = {"index": delta.index, "function": {"arguments": delta.piece}}
                chunks.append(self._chunk({"tool_calls": [call]}))
            else:
                chunks += self._rare(delta)
        return chunks

    def finish(self, reason: str | None = None) -> list[Chunk]:
        """The last chunks (`list` of `dict`), of which the last has the finish reason.

        Args:
            reason: why the output ended, such as "length"; by default "error" if the parser failed or a call was
                malformed or is void, "tool_calls" if the message has calls, else "stop".

        Raises:
            RuntimeError: the stream is finished already.
        """
        chunks = [] if self._begun else [self._begin()]
        for delta in self._stream.finish():
            chunks += self._one(delta)
        return [*chunks, self._chunk({}, reason or finish_reason(self._stream))]

    def completion(self, reason: str | None = None) -> dict[str, Any]:
        """The finished stream as one `chat.completion`, with the ids that its chunks had."""
        if self.message is None:
            raise RuntimeError("the stream has to be finished first")
        own = iter(self._ids[index] for index in sorted(self._ids.keys() - _void(self.problems)))
        return chat_completion(
            self.message,
            model=self.model,
            finish_reason=reason or finish_reason(self._stream),
            completion_id=self.id,
            created=self.created,
            new_id=lambda: next(own),
            problems=self.problems,
        )

    def _begin(self) -> Chunk:
        self._begun = True
        return self._chunk({"role": self._stream.role, "content": ""})

    def _one(self, delta: Delta) -> list[Chunk]:
        if isinstance(delta, Text):
            return [self._chunk({_KEYS[delta.channel]: delta.piece})]
        if isinstance(delta, CallPiece):
            call = {"index": delta.index, "function": {"arguments": delta.piece}}
            return [self._chunk({"tool_calls": [call]})]
        return self._rare(delta)

    def _rare(self, delta: Delta) -> list[Chunk]:
        if isinstance(delta, CallStart):
            call_id = self._ids[delta.index] = delta.own_id or self._new_id()
            function = {"name": delta.name, "arguments": ""}
            call = {"index": delta.index, "id": call_id, "type": "function", "function": function}
            return [self._chunk({"tool_calls": [call]})]
        if isinstance(delta, Problem):
            chunk = self._chunk({})
            chunk["choices"][0]["errors"] = [error_object(delta)]
            return [chunk]
        return [self._chunk({"extra_fields": delta.fields})] if isinstance(delta, Extra) else []

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> Chunk:
        return {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }
