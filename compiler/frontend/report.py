"""Collects the faults of one template."""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.compiler.diagnostics import Diagnostic, JsonPath, TemplateError, path_text
from untemplate.compiler.frontend.source import Locator, Place, Source


@dataclass(frozen=True, slots=True)
class _Finding:
    code: str
    path: JsonPath
    message: str
    hint: str
    at_key: bool = False
    index: int | None = None
    offset: int | None = None


class Report:
    """The faults found so far. All paths given to it start at the template, not at the document it stands in."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._findings: list[_Finding] = []
        self._lost: set[JsonPath] = set()
        self._unsound: set[JsonPath] = set()
        depth = len(source.root)
        for fault in source.faults:
            if fault.path[:depth] == source.root:
                self._findings.append(_Finding(fault.code, fault.path, fault.message, fault.hint, offset=fault.offset))
                self.distrust(fault.path[depth:])
                if fault.value_lost:
                    self._lost.add(fault.path[depth:])

    def add(
        self, code: str, path: JsonPath, message: str, hint: str = "", *, at_key: bool = False, index: int | None = None
    ) -> None:
        """Notes a fault of the value at `path`.

        Args:
            at_key: the fault is the key of the value: point there.
            index: the fault is this character of the value, a string: point there.
        """
        # What could not be decoded is reported already; that `None` stands in its place is not the author's fault.
        if not any(path[:length] in self._lost for length in range(len(path) + 1)):
            self._findings.append(_Finding(code, self.source.root + path, message, hint, at_key, index))
            self.distrust(path)

    def distrust(self, path: JsonPath) -> None:
        """Notes that the value at `path` is not what its author meant, so that nothing can be concluded from it."""
        self._unsound.update(path[:length] for length in range(len(path) + 1))

    def sound(self, *paths: JsonPath) -> bool:
        """Whether nothing is wrong with the values at these paths, nor with any value inside them."""
        return self._unsound.isdisjoint(paths)

    @property
    def any(self) -> bool:
        """Whether there is any fault."""
        return bool(self._findings)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All faults, in the order of their places."""
        if not self._findings:
            return ()
        locator = Locator(self.source)
        placed = [(_place(locator, finding), finding) for finding in self._findings]
        placed.sort(key=lambda pair: pair[0].rank)
        return tuple(
            Diagnostic(finding.code, path_text(finding.path), finding.message, finding.hint, place.line, place.column)
            for place, finding in placed
        )

    def error(self) -> TemplateError:
        """The error that carries all faults."""
        return TemplateError(self.diagnostics(), self.source.origin, self.source.text)


def _place(locator: Locator, finding: _Finding) -> Place:
    if finding.offset is not None:
        return locator.place_of_offset(finding.offset)
    return locator.place(finding.path, finding.at_key, finding.index)
