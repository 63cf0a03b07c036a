"""A server with the interface of chat completions that has parsers, but no model: it replays what models have written.

    python examples/serve.py --transcripts tests/transcripts --port 8000

The model of a request is a family of `untemplate.generated`. What the "model" writes is, in this order,

1. the transcript whose name the last user message is, if there is one for the family: its output, read behind its
   prompt;
2. else the last user message itself, read as the raw output of a model, delimiters and all.

It is fed to the family's parser in pieces of a few characters, as from a model. `max_tokens` ends it after so many
pieces, with the finish reason "length".
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from untemplate.generated import FAMILIES
from untemplate.integrations.openai import ChatCompletionStream


class BadRequest(Exception):
    """A request that can not be answered; `status` is the HTTP status."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Replay:
    """What is replayed: an output of a model, and the prompt and the tools it belongs to."""

    output: str
    prefix: str = ""
    tools: list[Any] | None = None


@dataclass
class Server:
    """The application's state and its handlers.

    Attributes:
        transcripts: family → name → transcript.
        piece: how many characters a piece has.
        delay: the seconds between two pieces.
        on_malformed: what parsers do with a region that is malformed.
        active: the number of streams that are being sent.
    """

    transcripts: dict[str, dict[str, Replay]] = field(default_factory=dict)
    piece: int = 4
    delay: float = 0.0
    on_malformed: Literal["raise", "event"] = "event"
    active: int = 0

    def app(self) -> Starlette:
        """The ASGI application."""
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self.complete, methods=["POST"]),
                Route("/v1/models", self.models),
                Route("/v1/models/{family}", self.model),
            ],
            exception_handlers={BadRequest: _refuse},
        )

    async def models(self, request: Request) -> Response:
        """All families."""
        return JSONResponse({"object": "list", "data": [_model(family) for family in FAMILIES]})

    async def model(self, request: Request) -> Response:
        """One family."""
        return JSONResponse(_model(_family(request.path_params["family"])))

    async def complete(self, request: Request) -> Response:
        """A chat completion, streamed or whole."""
        try:
            body = await request.json()
        except ValueError as error:
            raise BadRequest(f"the body is not JSON: {error}") from error
        if not isinstance(body, dict):
            raise BadRequest("the body has to be an object")
        family = _family(body.get("model"))
        replay = self._replay(family, body)
        try:
            parser = FAMILIES[family].ResponseParser(replay.prefix, replay.tools, self.on_malformed)
        except ValueError as error:
            raise BadRequest(f"the prompt can not be read: {error}") from error
        stream = ChatCompletionStream(parser, model=family)
        pieces = list(self._cut(replay.output))
        limit = body.get("max_completion_tokens") or body.get("max_tokens") or len(pieces)
        if not isinstance(limit, int):
            raise BadRequest("max_tokens has to be a number")
        reason = "length" if limit < len(pieces) else None
        if body.get("stream"):
            events = self._events(stream, pieces[:limit], reason)
            return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})
        for piece in pieces[:limit]:
            stream.feed(piece)
        stream.finish(reason)
        if stream.failed:
            return JSONResponse(_error(_failure(stream), "model_output_error"), status_code=502)
        return JSONResponse(stream.completion(reason))

    def _replay(self, family: str, body: dict[str, Any]) -> Replay:
        messages = body.get("messages")
        asked = [
            message.get("content")
            for message in (messages if isinstance(messages, list) else [])
            if isinstance(message, dict) and message.get("role") == "user"
        ]
        if not asked or not isinstance(asked[-1], str):
            raise BadRequest("there has to be a user message with a text: it says what is replayed")
        tools = body.get("tools") or None
        found = self.transcripts.get(family, {}).get(asked[-1])
        if found is not None:
            return Replay(found.output, found.prefix, tools or found.tools)
        return Replay(asked[-1], tools=tools)

    def _cut(self, output: str) -> Iterator[str]:
        for start in range(0, len(output), self.piece):
            yield output[start : start + self.piece]

    async def _events(self, stream: ChatCompletionStream, pieces: list[str], reason: str | None) -> AsyncIterator[str]:
        """The stream as server-sent events. If the client goes away this is cancelled, and the reply is dropped."""
        self.active += 1
        try:
            for piece in pieces:
                for chunk in stream.feed(piece):
                    yield _event(chunk)
                if stream.failed:
                    break
                await asyncio.sleep(self.delay)  # a model takes its time; without this others would have to wait
            for chunk in stream.finish(reason):
                yield _event(chunk)
            if stream.failed:
                yield _event(_error(_failure(stream), "model_output_error"))
            yield "data: [DONE]\n\n"
        finally:
            self.active -= 1


def load_transcripts(folder: Path) -> dict[str, dict[str, Replay]]:
    """Family → name → transcript, of all files in a folder."""
    loaded: dict[str, dict[str, Replay]] = {}
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        loaded[data["family"]] = {
            entry["name"]: Replay(entry["output"], entry.get("prefix", ""), entry.get("tools"))
            for entry in data["transcripts"]
        }
    return loaded


def _family(model: Any) -> str:
    """The family that the model of a request is. Raises `BadRequest`."""
    if not isinstance(model, str) or model not in FAMILIES:
        raise BadRequest(f"there is no model {model!r}: /v1/models lists them", 404)
    return model


def _model(family: str) -> dict[str, Any]:
    return {"id": family, "object": "model", "created": 0, "owned_by": "untemplate"}


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"


def _failure(stream: ChatCompletionStream) -> str:
    return stream.problems[-1].reason


def _error(message: str, kind: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


async def _refuse(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, BadRequest) else 500
    return JSONResponse(_error(str(error), "invalid_request_error"), status_code=status)


def main() -> None:
    """The command line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--transcripts", type=Path, help="a folder of transcripts, FAMILY.json")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--piece", type=int, default=4, help="characters in a piece of output")
    options.add_argument("--delay", type=float, default=0.02, help="seconds between two pieces")
    options.add_argument("--on-malformed", choices=["raise", "event"], default="event")
    chosen = options.parse_args()
    transcripts = load_transcripts(chosen.transcripts) if chosen.transcripts else {}
    server = Server(transcripts, chosen.piece, chosen.delay, chosen.on_malformed)
    uvicorn.run(server.app(), host=chosen.host, port=chosen.port)


if __name__ == "__main__":
    main()
