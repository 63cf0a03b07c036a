"""The compiled parsers under test: every template is compiled once per run."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from support.baseline import Rejects
from support.chunking import Event, stream
from untemplate.compiler import load_parser
from untemplate.runtime import ResponseParseError


@lru_cache(maxsize=512)
def _compiled(source: str) -> Any:
    return load_parser(json.loads(source))


def parser_of(template: dict[str, Any]) -> Any:
    """The parser module of `template`. Raises `TemplateError`."""
    return _compiled(json.dumps(template))


def message_of(
    template: dict[str, Any], output: str, prefix: str = "", tools: list[Any] | None = None
) -> dict[str, Any] | Rejects:
    """The message of one call of the compiled parser."""
    try:
        message: dict[str, Any] = parser_of(template).parse_response(output, prefix=prefix, tools=tools)
    except ResponseParseError as error:
        return Rejects(str(error))
    return message


def streamed(
    template: dict[str, Any], chunks: list[str], prefix: str = "", tools: list[Any] | None = None
) -> tuple[dict[str, Any], list[Event]] | Rejects:
    """The message and the merged events of the compiled parser that is fed `chunks`."""
    try:
        return stream(parser_of(template), prefix, chunks, tools)
    except ResponseParseError as error:
        return Rejects(str(error))


def as_json(value: Any) -> str:
    """A value written down, for comparing by value and type where the order of keys does not matter."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
