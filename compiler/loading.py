"""Parsers compiled in memory."""

from __future__ import annotations

import linecache
import threading
from collections import OrderedDict
from types import ModuleType
from typing import Any

from untemplate.compiler.frontend.digest import template_digest
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.pipeline import TemplateLike, compile_in_memory

_MOST_KEPT = 256
_kept: OrderedDict[str, ModuleType] = OrderedDict()
_lock = threading.Lock()


def load_parser(template: TemplateLike) -> ModuleType:
    """A module with the parser for a template, the same as a generated one; each template is compiled once.

    Raises:
        TemplateError: there is no template, or something is wrong with it.
    """
    source = read_source(template)
    key = _key(source.template)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    module = _load(template)
    with _lock:
        kept = _kept.setdefault(key, module)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return kept


def _key(raw: Any) -> str:
    try:
        return template_digest(raw)
    except (TypeError, ValueError, RecursionError):
        return ""  # no JSON: loading it is going to say what is wrong


def _load(template: TemplateLike) -> ModuleType:
    plan, code = compile_in_memory(template)
    module = ModuleType(f"untemplate.loaded.{plan.name}")
    filename = f"<response template {plan.name} {plan.digest[:12]}>"
    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    exec(compile(code, filename, "exec"), module.__dict__)
    return module
