"""Readers to be measured, and measuring them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from types import ModuleType
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply with what belongs to it."""

    text: str
    prefix: str
    tools: list[Any] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """Microseconds: for a reply in one piece, for one that is streamed, and for a chunk of it."""

    whole: float
    streamed: float
    chunk: float


class Reader(Protocol):
    """Something that reads replies; `template` is the one it reads by."""

    name: str
    template: dict[str, Any]

    def read(self, reply: Reply) -> Any:
        """The message of a reply in one piece."""

    def streamed(self, reply: Reply, size: int) -> Any:
        """The message of a reply that comes in chunks of `size` characters."""

    def accepts(self, reply: Reply) -> bool:
        """Whether the reply is not rejected."""


class Compiled:
    """The compiled parser."""

    name = "untemplate"

    def __init__(self, module: ModuleType) -> None:
        self.template: dict[str, Any] = module.TEMPLATE
        self._parse = module.parse_response
        self._parser = module.ResponseParser

    def read(self, reply: Reply) -> Any:
        """See `Reader`."""
        return self._parse(reply.text, prefix=reply.prefix, tools=reply.tools)

    def streamed(self, reply: Reply, size: int) -> Any:
        """See `Reader`."""
        return _streamed(self._parser(reply.prefix, reply.tools), reply.text, size)

    def accepts(self, reply: Reply) -> bool:
        """See `Reader`."""
        return _accepts(self.read, reply)


class Interpreted:
    """The interpreter of transformers."""

    name = "transformers"

    def __init__(self, template: dict[str, Any]) -> None:
        # Without a tensor library transformers warns when it is imported; this part of it needs none.
        os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
        from transformers.utils.chat_parsing import response_parser, response_templates

        self.template = template
        self._loaded = response_templates.load_response_template(template)
        self._parse = response_parser.parse_response
        self._parser = response_parser.ResponseParser

    @classmethod
    def of(cls, template: dict[str, Any]) -> Interpreted | None:
        """The interpreter of a template; `None` if transformers is not there, has none, or refuses the template."""
        try:
            return cls(template)
        except (ImportError, ValueError):
            return None

    def read(self, reply: Reply) -> Any:
        """See `Reader`."""
        return self._parse(reply.text, self._loaded, prefix=reply.prefix, tools=reply.tools)

    def streamed(self, reply: Reply, size: int) -> Any:
        """See `Reader`."""
        return _streamed(self._parser(self._loaded, prefix=reply.prefix, tools=reply.tools), reply.text, size)

    def accepts(self, reply: Reply) -> bool:
        """See `Reader`."""
        return _accepts(self.read, reply)


def measure(reader: Reader, replies: list[Reply], size: int, seconds: float) -> Measured:
    """Measures a reader on all replies, in one piece and in chunks of `size` characters, for `seconds` each."""
    chunks = sum(max(1, -(-len(reply.text) // size)) for reply in replies)
    whole = _best(lambda: [reader.read(reply) for reply in replies], seconds)
    streamed = _best(lambda: [reader.streamed(reply, size) for reply in replies], seconds)
    return Measured(whole / len(replies) * 1e6, streamed / len(replies) * 1e6, streamed / chunks * 1e6)


def _streamed(parser: Any, text: str, size: int) -> Any:
    feed = parser.feed
    for at in range(0, len(text), size):
        feed(text[at : at + size])
    return parser.finalize()[0]


def _accepts(read: Callable[[Reply], Any], reply: Reply) -> bool:
    try:
        read(reply)
    except Exception:  # the interpreter raises whatever its content parsers do
        return False
    return True


def _best(work: Callable[[], Any], seconds: float) -> float:
    """The least time that a round of the work took, in seconds."""
    best = float("inf")
    end = perf_counter() + seconds
    while True:
        start = perf_counter()
        work()
        now = perf_counter()
        best = min(best, now - start)
        if now >= end:
            return best
