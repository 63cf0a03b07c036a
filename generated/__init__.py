"""The generated parsers, one module a model family: `from untemplate.generated import smollm3`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType

__all__ = ["FAMILIES", "load"]


class _Families(Mapping[str, ModuleType]):
    """The modules by the id of their family, in the order of the ids; each is imported when it is asked for."""

    def __init__(self) -> None:
        self._found: tuple[str, ...] | None = None

    def __getitem__(self, family: str) -> ModuleType:
        if family not in self._names():
            raise KeyError(family)
        return import_module(f"{__name__}.{family}")

    def __contains__(self, family: object) -> bool:
        return family in self._names()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<{len(self)} families: {', '.join(self)}>"

    def _names(self) -> tuple[str, ...]:
        if self._found is None:
            # Here, so that who wants one parser does not pay for it. It asks the import system, not the file system,
            # so that a package in a zip file or a frozen one is listed as well.
            from pkgutil import iter_modules

            names = (module.name for module in iter_modules(__path__) if not module.ispkg)
            self._found = tuple(sorted(name for name in names if not name.startswith("_")))
        return self._found


FAMILIES: Mapping[str, ModuleType] = _Families()
"""Family id → its parser module. Listing imports nothing."""


def load(family: str) -> ModuleType:
    """The parser module of a family.

    Raises:
        LookupError: there is no family of that id.
    """
    if family not in FAMILIES:
        raise LookupError(f"there is no family {family!r}; untemplate.generated.FAMILIES lists all {len(FAMILIES)}")
    return FAMILIES[family]
