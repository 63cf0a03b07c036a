"""What a module does while it is executed and used, as Python's audit events tell."""

from __future__ import annotations

import builtins
import pkgutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any

import untemplate.runtime
from safety.texts import SENTINEL

for _, _name, _ in pkgutil.walk_packages(untemplate.runtime.__path__, "untemplate.runtime."):
    import_module(_name)  # so that the first parser is not seen to load its runtime
import_module("decimal")

_WATCHED = ("exec", "compile", "import", "open", "os.", "subprocess.", "socket.", "ctypes.", "shutil.", "pty.", "code.")
_here = threading.local()
_installed = False


def _hook(event: str, args: tuple[Any, ...]) -> None:
    seen: list[tuple[str, tuple[Any, ...]]] | None = getattr(_here, "seen", None)
    if seen is not None and event.startswith(_WATCHED):
        seen.append((event, args))


@contextmanager
def watched() -> Iterator[list[tuple[str, tuple[Any, ...]]]]:
    """Collects what this thread runs, imports and opens inside the block."""
    global _installed
    if not _installed:
        sys.addaudithook(_hook)  # there is no way to remove one, so it stays, and sleeps outside of blocks
        _installed = True
    _here.seen = seen = []
    try:
        yield seen
    finally:
        _here.seen = None


def execute(source: str, name: str = "module_under_test", runtime: bool = False) -> ModuleType:
    """The module that the source makes; fails if executing it does more than that.

    Args:
        runtime: whether the runtime is in the source; its data classes write their methods while it is executed.
    """
    module = ModuleType(name)
    code = compile(source, f"<{name}>", "exec", dont_inherit=True)
    sys.modules[name] = module
    try:
        with watched() as seen:
            exec(code, module.__dict__)
    finally:
        del sys.modules[name]
    check_quiet([one for one in seen if not (runtime and _is_dataclass(*one))], code)
    return module


def _is_dataclass(event: str, args: tuple[Any, ...]) -> bool:
    """Whether this is the standard library compiling annotations, or writing the methods of a data class."""
    if event == "compile":
        return args[1] == "<string>" and SENTINEL not in str(args[0])
    return event == "exec" and "__create_fn__" in args[0].co_names


def check_quiet(seen: list[tuple[str, tuple[Any, ...]]], own: CodeType | None = None) -> None:
    """Fails if code other than `own` ran, or if injected code left its mark."""
    assert not hasattr(builtins, SENTINEL), "text of a template was run"
    foreign = [(event, args) for event, args in seen if not (event == "exec" and args[0] is own)]
    assert not foreign, f"a module did {[f'{event} {args!r:.200}' for event, args in foreign[:5]]}"
