"""Compiles response templates into parser modules.

The names are imported when they are first asked for, so that what needs only a part of the compiler (a command line
that starts, a worker process) loads no more, and works without the packages that it does not use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from untemplate.compiler.diagnostics import Diagnostic, TemplateError
    from untemplate.compiler.loading import load_parser
    from untemplate.compiler.pipeline import compile_template

__all__ = ["Diagnostic", "TemplateError", "compile_template", "load_parser"]

_HOMES = {
    "Diagnostic": "diagnostics",
    "TemplateError": "diagnostics",
    "compile_template": "pipeline",
    "load_parser": "loading",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
