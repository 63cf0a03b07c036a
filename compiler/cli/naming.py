"""Which names a generated module can have."""

from __future__ import annotations

import keyword
import sys
import unicodedata

_PACKAGE_FILES = frozenset({"__init__", "__main__", "untemplate"})


def name_fault(name: str) -> str | None:
    """Why a module can not have this name; `None` if it can."""
    if not name.isidentifier():
        return "is no Python identifier"
    if keyword.iskeyword(name):
        return "is a keyword of Python"
    if unicodedata.normalize("NFKC", name) != name:
        return "is a name that Python would look for in another spelling"
    if folded(name) in _STANDARD:
        return "would shadow a module of the standard library"
    if folded(name) in _PACKAGE_FILES:
        return "would take the place of a package's own file"
    return None


def folded(name: str) -> str:
    """The name as file systems compare it that take small and capital letters for the same."""
    return unicodedata.normalize("NFKC", name).casefold()


_STANDARD = frozenset(map(folded, sys.stdlib_module_names)) - {"__main__"}
