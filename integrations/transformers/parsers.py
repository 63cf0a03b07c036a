"""Stand-ins for the two names of `transformers.utils.chat_parsing`, with compiled parsers behind them."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction, ismethod
from typing import Any

from transformers.utils.chat_parsing import response_parser as interpreter
from transformers.utils.chat_template_utils import get_json_schema

from untemplate.runtime import ResponseParseError

from .compiled import Compiled, templates

Tools = list[dict[str, Any] | Callable[..., Any]]

InterpretedParser = interpreter.ResponseParser
interpreted_response = interpreter.parse_response


class TransformError(ResponseParseError, KeyError):
    """A rejected region of a field with a transform: where a name is missing for it, the interpreter raises `KeyError`,
    and callers may rely on catching that."""


class ResponseParser(InterpretedParser):
    """A streaming parser with the signature, the events and the errors of the one it stands for.

    Args:
        response_template: the template (`dict`), or one that transformers has loaded, which stays interpreted.
        prefix: the prompt (`str`); required.
        tools: JSON-schema tools (`dict`s) or Python functions.

    Attributes:
        initial_events: the events (`list` of `dict`) that the prefix caused.

    Raises:
        ValueError: the template is wrong, or there is no prefix; as `ResponseParseError`, the prefix holds a region
            that is rejected.
    """

    def __init__(self, response_template: Any, prefix: str | None = None, *, tools: Tools | None = None) -> None:
        self._compiled = templates.find(response_template)
        if self._compiled is None:
            super().__init__(response_template, prefix, tools=tools)
            return
        try:
            self._parser = self._compiled.parser(prefix, _schemas(tools))
        except ResponseParseError as error:
            raise _as_interpreted(error, self._compiled) from error.__cause__
        self.initial_events = self._parser.initial_events  # type: ignore[assignment]

    def feed(self, text: str) -> list[dict[str, Any]]:
        """Reads the next piece of output and returns the events that it decides.

        Raises:
            ResponseParseError: a region that it closes is rejected.
            RuntimeError: the parser is finished.
        """
        if self._compiled is None:
            interpreted: list[dict[str, Any]] = super().feed(text)
            return interpreted
        try:
            return self._parser.feed(text)  # type: ignore[return-value]
        except ResponseParseError as error:
            raise _as_interpreted(error, self._compiled) from error.__cause__

    def finalize(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Ends the stream; returns the message and the events that the end decides.

        Raises:
            ResponseParseError: the last region is rejected, or a field that is not optional is missing.
            RuntimeError: the parser is finished.
        """
        if self._compiled is None:
            interpreted: tuple[dict[str, Any], list[dict[str, Any]]] = super().finalize()
            return interpreted
        try:
            return self._parser.finalize()  # type: ignore[return-value]
        except ResponseParseError as error:
            raise _as_interpreted(error, self._compiled) from error.__cause__


def parse_response(
    text: str, response_template: Any, *, prefix: str | None = None, tools: Tools | None = None
) -> dict[str, Any]:
    """The message of a whole output; the arguments and errors are those of `ResponseParser`, without its events."""
    compiled = templates.find(response_template)
    if compiled is None:
        message: dict[str, Any] = interpreted_response(text, response_template, prefix=prefix, tools=tools)
        return message
    try:
        return compiled.parser.parse(text, prefix, _schemas(tools))
    except ResponseParseError as error:
        raise _as_interpreted(error, compiled) from error.__cause__


def _schemas(tools: Tools | None) -> list[Any] | None:
    """The tools with functions turned into schemas the way chat templates do it, so that prompt and parser agree."""
    return [get_json_schema(tool) if isfunction(tool) or ismethod(tool) else tool for tool in tools or ()] or None


def _as_interpreted(error: ResponseParseError, compiled: Compiled) -> ResponseParseError:
    """The error in a class that whoever catches the interpreter's error catches as well."""
    if error.field not in compiled.transformed:
        return error
    return TransformError(error.reason, error.field, error.raw, error.position, error.message, error.events)
