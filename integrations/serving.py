"""A reply for servers, whose deltas can not be taken back: text as it comes, and each call once it is complete."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from untemplate.compiler import load_parser
from untemplate.generated import FAMILIES
from untemplate.runtime.parser import Parser

from .deltas import CONTENT, CallEnd, CallStart, Delta, DeltaStream, Problem, Text
from .deltas.values import written

logger = logging.getLogger("untemplate")

TEMPLATE_VARIABLE = "UNTEMPLATE_TEMPLATE"


@dataclass(frozen=True, slots=True)
class WholeCall:
    """A call with all its arguments, as JSON text; `index` counts the calls of the reply."""

    index: int
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Addition:
    """What a piece of output adds to the message."""

    reasoning: str = ""
    content: str = ""
    calls: tuple[WholeCall, ...] = ()


class Reply:
    """One reply, read while it is generated.

    Args:
        parser: the class of the parser to use.
        prefix: the prompt; what it holds of the message is not given out.
        tools: JSON-schema tools (`dict`s).
        accepts: whether a call of this name is passed on; calls that are not, and malformed ones, are logged.
    """

    def __init__(
        self,
        parser: type[Parser],
        prefix: str = "",
        tools: Sequence[dict[str, Any]] = (),
        accepts: Callable[[str], bool] = lambda name: True,
    ) -> None:
        self._stream = DeltaStream(parser(prefix, list(tools), "event"))
        self._accepts = accepts
        self._names: dict[int, str] = {}
        self._calls = 0
        self._stream.feed("")  # the deltas of the prefix

    def feed(self, text: str) -> Addition:
        """What the next piece of output decides."""
        return self._addition(self._stream.feed(text))

    def finish(self) -> Addition:
        """What the end of the output decides."""
        return self._addition(self._stream.finish())

    def _addition(self, deltas: list[Delta]) -> Addition:
        reasoning: list[str] = []
        content: list[str] = []
        calls: list[WholeCall] = []
        for delta in deltas:
            match delta:
                case Text(channel, piece):
                    (content if channel == CONTENT else reasoning).append(piece)
                case CallStart(index, _, name):
                    self._names[index] = name
                case CallEnd(index, arguments):
                    calls += self._ended(self._names.pop(index), arguments)
                case Problem(kind="malformed", field=field, reason=reason):
                    logger.warning("a malformed region of %r is dropped: %s", field, reason)
        return Addition("".join(reasoning), "".join(content), tuple(calls))

    def _ended(self, name: str, arguments: Any) -> list[WholeCall]:
        if not self._accepts(name):
            logger.warning("a call of %r is dropped: there is no such tool", name)
            return []
        self._calls += 1
        return [WholeCall(self._calls - 1, name, arguments if isinstance(arguments, str) else written(arguments))]


def module_for(template: str | os.PathLike[str] | dict[str, Any]) -> Any:
    """The parser module of a family or a template: a dict, a JSON file, a tokenizer_config.json or a model's folder.

    Raises:
        TemplateError: there is no template, or something is wrong with it.
    """
    if isinstance(template, dict):
        return _module_of(json.dumps(template))
    return FAMILIES[template] if isinstance(template, str) and template in FAMILIES else load_parser(template)


def parser_for(template: str | os.PathLike[str] | dict[str, Any]) -> type[Parser]:
    """The class of the parsers of a template; as `module_for`."""
    return cast("type[Parser]", module_for(template).ResponseParser)


@lru_cache(maxsize=64)
def _module_of(template: str) -> Any:
    return load_parser(json.loads(template))
