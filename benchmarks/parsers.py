"""What is compared: the compiled parser, the interpreter of transformers, and the least that any parser must do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dialects import Dialect
from transformers.utils.chat_parsing import response_parser
from transformers.utils.chat_parsing.response_templates import load_response_template

from untemplate.compiler import load_parser

Message = dict[str, Any]


class Compiled:
    """The parser compiled from a template."""

    def __init__(self, dialect: Dialect) -> None:
        module = load_parser(dialect.template())
        self.create: Callable[..., Any] = module.ResponseParser
        self._parse: Callable[..., Any] = module.parse_response

    def parse(self, text: str) -> Message:
        """The message of a whole reply."""
        message: Message = self._parse(text, prefix="")
        return message


class Interpreted:
    """The interpreter of transformers, with the template loaded once."""

    def __init__(self, dialect: Dialect) -> None:
        self._template = load_response_template(dialect.template())

    def create(self, prefix: str, tools: list[Any] | None = None) -> Any:
        """A parser for one reply."""
        return response_parser.ResponseParser(self._template, prefix=prefix, tools=tools)

    def parse(self, text: str) -> Message:
        """The message of a whole reply."""
        return response_parser.parse_response(text, self._template, prefix="")


def floor(text: str) -> list[dict[str, Any]]:
    """The least that a parser must do for a chunk: one event in a list."""
    return [{"type": "region_chunk", "field": "content", "text": text, "dirty": False}]
