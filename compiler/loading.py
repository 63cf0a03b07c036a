"""Parsers compiled in memory."""

from __future__ import annotations

import linecache
import threading
from collections import OrderedDict
from types import ModuleType

from untemplate.compiler.frontend.digest import template_digest
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.frontend.source import Source
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
    key = _key(source)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    module = _load(source)
    with _lock:
        kept = _kept.setdefault(key, module)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return kept


def _key(source: Source) -> str:
    """What tells templates apart; "" for one that is going to be refused."""
    if source.faults or not isinstance(source.template, dict):
        return ""
    try:
        return template_digest(source.template)
    except (TypeError, ValueError, RecursionError):
        return ""


def _load(source: Source) -> ModuleType:
    plan, code = compile_in_memory(source)
    module = ModuleType(f"untemplate.loaded.{plan.name}")
    filename = f"<response template {plan.name} {plan.digest[:12]}>"
    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    exec(compile(code, filename, "exec"), module.__dict__)
    return module
