"""Which compiled parser stands for a template that transformers is about to interpret."""

from __future__ import annotations

import copy
import logging
import threading
from dataclasses import dataclass
from typing import Any

from transformers.utils.chat_parsing.response_templates import load_response_template

from untemplate.compiler import TemplateError, load_parser
from untemplate.runtime.parser import Parser

logger = logging.getLogger("untemplate")

_MOST_KEPT = 256


@dataclass(frozen=True, slots=True)
class Compiled:
    """A compiled template.

    Args:
        parser: the class of its parsers.
        transformed: the fields that have a transform.
    """

    parser: type[Parser]
    transformed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A template object that was looked up before, and what it held then: callers may change it afterwards."""

    template: dict[str, Any]
    content: dict[str, Any]
    compiled: Compiled


class CompiledTemplates:
    """The compiled templates of this process. Each template is compiled once, whatever the number of threads."""

    def __init__(self) -> None:
        self._by_content: dict[str, Compiled | None] = {}
        self._by_identity: dict[int, _Seen] = {}
        self._lock = threading.RLock()

    def find(self, template: Any) -> Compiled | None:
        """The compiled form of `template`; `None` if the interpreter has to read it.

        That is so for templates that transformers has loaded already, whose source is gone, for what the interpreter
        refuses as well, and for templates that the compiler refuses, of which a warning is logged, one for each.
        """
        if not isinstance(template, dict):
            return None
        seen = self._by_identity.get(id(template))
        if seen is not None and seen.template is template and seen.content == template:
            return seen.compiled
        key = repr(template)  # tells True from 1, and the orders of keys apart
        with self._lock:
            if key not in self._by_content:
                _keep(self._by_content, key, _compile(template))
            compiled = self._by_content[key]
            if compiled is not None:
                _keep(self._by_identity, id(template), _Seen(template, copy.deepcopy(template), compiled))
        return compiled

    def add(self, template: dict[str, Any], parser: type[Parser]) -> None:
        """Makes `parser`, generated ahead of time, the one that stands for `template`."""
        with self._lock:
            _keep(self._by_content, repr(template), _described(template, parser))


def _keep(kept: dict[Any, Any], key: Any, value: Any) -> None:
    """Keeps a value, and forgets the oldest ones where there are too many."""
    kept.pop(key, None)
    while len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = value


def _described(template: dict[str, Any], parser: type[Parser]) -> Compiled:
    fields = template["fields"].items()
    return Compiled(parser, frozenset(name for name, field in fields if field.get("transform") is not None))


def _compile(template: dict[str, Any]) -> Compiled | None:
    try:
        load_response_template(template)
    except Exception:  # the interpreter raises it again, in its own words, for the caller
        return None
    try:
        return _described(template, load_parser(template).ResponseParser)
    except TemplateError as error:
        logger.warning("this response template can not be compiled, transformers goes on interpreting it: %s", error)
        return None


templates = CompiledTemplates()
