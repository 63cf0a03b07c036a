"""The interpreted parser of transformers, which this project compiles instead, as something to compare results with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from transformers.utils.chat_parsing import response_parser, response_templates


@dataclass(frozen=True)
class Rejects:
    """The result of a reader that found no message in the output."""

    reason: str = ""

    def __repr__(self) -> str:
        return "<rejects>"


def same(one: Any, other: Any) -> bool:
    """Whether two results are equal to the last type: `True` is not 1, `1` not `1.0`, and keys keep their order."""
    return repr(one) == repr(other)


class Baseline:
    """The interpreter of one template, loaded once. Raises `ValueError` for a template it does not accept."""

    def __init__(self, template: dict[str, Any]) -> None:
        self._template = response_templates.load_response_template(template)

    def message(self, prefix: str, output: str, tools: list[Any] | None = None) -> dict[str, Any] | Rejects:
        """The message of a whole output that comes in one piece with what is kept of the prompt.

        So none of the flaws of its streaming show, which would begin where the prompt ends.
        """
        return self.published("", self._template.truncate_past_last_anchor(prefix) + output, tools)

    def published(self, prefix: str, output: str, tools: list[Any] | None = None) -> dict[str, Any] | Rejects:
        """The message as the interpreter's own one-shot call gives it."""
        try:
            return response_parser.parse_response(output, self._template, prefix=prefix, tools=tools)
        except Exception as error:  # not only ValueError gets out of it
            return Rejects(repr(error))

    def streamed(
        self, prefix: str, chunks: Iterable[str], tools: list[Any] | None = None
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The message and the events of an output that comes in `chunks`. Raises what the interpreter raises."""
        parser = response_parser.ResponseParser(self._template, prefix=prefix, tools=tools)
        events = list(parser.initial_events)
        for chunk in chunks:
            events += parser.feed(chunk)
        message, last = parser.finalize()
        return message, events + last
