"""Renders chat templates with the conventions that chat templates are written for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

Message = dict[str, Any]
Tool = dict[str, Any]


class RenderError(ValueError):
    """The chat template can not be read, or does not get through a conversation.

    Attributes:
        refused: whether the chat template itself said no, by `raise_exception`.
    """

    def __init__(self, reason: str, refused: bool = False) -> None:
        super().__init__(reason)
        self.refused = refused


class ChatTemplate:
    """A chat template, ready to render.

    Args:
        source: the text of the chat template.
        variables: what the template finds under names of its own, such as `eos_token` or `enable_thinking`.

    Raises:
        RenderError: the text is no Jinja template.
    """

    def __init__(self, source: str, variables: Mapping[str, Any] | None = None) -> None:
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, jinja2.ext.loopcontrols]
        )
        environment.filters["tojson"] = _tojson
        environment.globals["raise_exception"] = _raise_exception
        # One time for all renderings: they are compared, and the clock must not make a difference.
        environment.globals["strftime_now"] = datetime.now().strftime
        try:
            self._template = environment.from_string(source)
        except jinja2.TemplateError as error:
            raise RenderError(f"the chat template can not be read: {error}") from error
        self._variables = dict(variables or {})

    def render(self, messages: Sequence[Message], tools: Sequence[Tool] | None, generate: bool) -> str:
        """The conversation as text; with `generate`, up to where the model's reply starts.

        Raises:
            RenderError: the chat template fails on it.
        """
        known = {"documents": None, **self._variables}
        try:
            return self._template.render(
                messages=[_with_aliases(message) for message in messages],
                tools=list(tools) if tools is not None else None,
                add_generation_prompt=generate,
                **known,
            )
        except _Refusal as error:
            raise RenderError(str(error), refused=True) from error
        except Exception as error:  # a chat template can fail in as many ways as Python code
            raise RenderError(f"{type(error).__name__}: {error}") from error


class _Refusal(jinja2.TemplateError):
    """Raised by a chat template about the conversation that it is given."""


class _Generation(jinja2.ext.Extension):
    """The tags around what the model writes. Training needs them; here they only make a scope."""

    tags = {"generation"}  # noqa: RUF012 (the base class declares it as an instance variable)

    def parse(self, parser: jinja2.parser.Parser) -> jinja2.nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.Scope(body).set_lineno(line)


def _raise_exception(message: str) -> NoReturn:
    raise _Refusal(message)


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    # Jinja's own filter would escape <, > and & for web pages.
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _with_aliases(message: Message) -> Message:
    """A copy of the message without empty keys, and with the second name that chat templates read reasoning by."""
    copy = {key: value for key, value in message.items() if value is not None}
    reasoning = copy.get("reasoning_content")
    return copy if reasoning is None else {"thinking": reasoning, **copy}
