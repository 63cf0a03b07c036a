"""Puts the stand-ins where transformers looks for its parser, and takes them out again."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from .parsers import InterpretedParser, ResponseParser, interpreted_response, parse_response

# Code that comes with a model is imported under the second name.
_PACKAGES = ("transformers", "transformers_modules")

_STAND_INS = ((InterpretedParser, ResponseParser), (interpreted_response, parse_response))


class _Switch:
    """Whether the stand-ins are in place: installed for good, or for as long as one of the contexts is open."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._for_good = False
        self._contexts = 0

    def for_good(self, wanted: bool) -> None:
        with self._lock:
            self._for_good = wanted
            self._settle()

    def context(self, step: int) -> None:
        with self._lock:
            self._contexts += step
            self._settle()

    def _settle(self) -> None:
        wanted = self._for_good or self._contexts > 0
        for interpreted, compiled in _STAND_INS:
            _replace(interpreted, compiled) if wanted else _replace(compiled, interpreted)


_switch = _Switch()


def install() -> None:
    """Makes transformers use compiled parsers, from now on and in all threads; a second call changes nothing.

    It rebinds the names `ResponseParser` and `parse_response` in the modules of transformers that have imported them;
    modules that are imported later find them rebound. Names that other code has imported before stay interpreted.
    """
    _switch.for_good(True)


def uninstall() -> None:
    """Undoes `install`. Every module of transformers gets its own names back, once no `installed()` is open either.

    Parsers that were made before go on as they are.
    """
    _switch.for_good(False)


@contextmanager
def installed() -> Iterator[None]:
    """A context in which transformers uses compiled parsers, in all threads. Contexts may be nested, and overlap."""
    _switch.context(1)
    try:
        yield
    finally:
        _switch.context(-1)


def _replace(old: object, new: object) -> None:
    """Rebinds each name of a module of transformers that is bound to `old`."""
    for module in _modules():
        names = [name for name, value in list(vars(module).items()) if value is old]
        for name in names:
            setattr(module, name, new)


def _modules() -> list[ModuleType]:
    modules = list(sys.modules.items())
    return [
        module for name, module in modules if name.partition(".")[0] in _PACKAGES and isinstance(module, ModuleType)
    ]
