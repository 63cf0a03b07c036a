"""One file that needs the standard library alone: the module, with the parts of the runtime that it uses in front."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise

from untemplate.compiler.backend.annotations import without_annotations
from untemplate.compiler.backend.unset import without_unset

_PACKAGE = "untemplate.runtime"
_LEFT_OUT = ("__init__.py", "api.py")
_BASE = "Parser"
"""The class whose methods a module's own class may have instead; its public ones are for those who use the module."""

_ERROR = "ResponseParseError"
"""What every file has, to be caught by whoever uses it."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What a piece of code refers to.

    Attributes:
        names: variables.
        members: attributes, and all strings, as state methods are asked for by name.
    """

    names: frozenset[str]
    members: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """A method or private attribute of a class, left out where nothing refers to it.

    Attributes:
        name: its name.
        lines: the numbers of its lines.
        uses: what it refers to.
    """

    name: str
    lines: range
    uses: Uses


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A top-level definition of the runtime.

    Attributes:
        names: what it defines.
        order: its place among all parts: definitions it needs while it is executed stand before it.
        lines: its text by line number, with the comment above it, without relative imports.
        members: what may be left out of it.
        uses: what all the rest of it refers to.
    """

    names: tuple[str, ...]
    order: tuple[int, int]
    lines: dict[int, str]
    members: tuple[Member, ...]
    uses: Uses

    def source(self, kept: Collection[Member]) -> str:
        """Its text with these members only."""
        dropped = {line for member in self.members if member not in kept for line in member.lines}
        return "\n".join(text for line, text in sorted(self.lines.items()) if line not in dropped)


@dataclass(frozen=True, slots=True)
class Import:
    """A name from the standard library: the module, and what is imported from it; "" for the module itself."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Stock:
    """All parts of the runtime by name, and its imports from the standard library by the name that they bind."""

    parts: dict[str, Part]
    imports: dict[str, Import]


@dataclass(frozen=True, slots=True)
class Selection:
    """What a module needs of the runtime.

    Attributes:
        parts: the parts, in order.
        members: those of their members that are not left out.
        names: all variables that the module and the parts refer to.
    """

    parts: list[Part]
    members: set[Member]
    names: set[str]


def standalone_body(body: str) -> str:
    """The body of a module with its runtime included.

    Raises:
        ValueError: a name of the module is one of the runtime's.
    """
    tree = ast.parse(body)
    stock = _stock(_settings(tree))
    own = _without(body, [node for node in tree.body if _is_import(node) or _is_require(node)])
    selection = _selection(stock, [_ERROR, *_imported(tree)], ast.parse(own))
    taken = {name for part in selection.parts for name in part.names}
    clash = taken.intersection(name for node in tree.body for name in _defined(node))
    if clash:
        raise ValueError(f"the module and the runtime both define {', '.join(sorted(clash))}")
    sections = [
        "from __future__ import annotations",
        _import_lines(one for name, one in stock.imports.items() if name in selection.names),
        _joined([part.source(selection.members) for part in selection.parts]),
    ]
    return "\n\n".join(sections) + "\n\n\n" + own.lstrip()


def _joined(sources: list[str]) -> str:
    """The definitions one below the other, constants without space between them."""
    text = ""
    for before, source in pairwise(["", *sources]):
        text += ("\n" if "\n" not in before + source else "\n\n\n") + source
    return text.lstrip()


def _selection(stock: Stock, wanted: list[str], own: ast.Module) -> Selection:
    """The parts with the wanted names and those that they need in turn, without members that nothing refers to."""
    replaced = {
        name for node in own.body if isinstance(node, ast.ClassDef) for one in node.body for name in _defined(one)
    }
    uses = _uses(own)
    names, referred = {*wanted, *uses.names}, {*uses.members}
    parts: set[Part] = set()
    members: set[Member] = set()
    while True:
        more = {part for name, part in stock.parts.items() if name in names} - parts
        within = {one for part in parts for one in part.members if _is_needed(one, part, referred, replaced)} - members
        if not more and not within:
            return Selection(sorted(parts, key=lambda part: part.order), members, names)
        parts |= more
        members |= within
        for uses in [one.uses for one in more] + [one.uses for one in within]:
            names |= uses.names
            referred |= uses.members


def _is_needed(member: Member, part: Part, referred: Collection[str], replaced: Collection[str]) -> bool:
    if _BASE not in part.names:
        return member.name in referred
    is_public = not (member.name.isupper() or member.name.startswith("_"))
    return member.name not in replaced and (is_public or member.name in referred)


def _import_lines(imports: Iterable[Import]) -> str:
    """One line for each module, whole modules first."""
    whole: list[str] = []
    parts: dict[str, list[str]] = {}
    for one in sorted(imports, key=lambda one: (one.module, one.name)):
        if one.name:
            parts.setdefault(one.module, []).append(one.name)
        else:
            whole.append(f"import {one.module}")
    return "\n".join(whole + [f"from {module} import {', '.join(names)}" for module, names in parts.items()])


def _imported(tree: ast.Module) -> list[str]:
    nodes = [
        node for node in tree.body if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_PACKAGE)
    ]
    return [alias.name for node in nodes for alias in node.names if alias.name != "require"]


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _is_require(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="require"))):
            return True
    return False


def _settings(tree: ast.Module) -> frozenset[str]:
    """The attributes that the module's class sets; others have a value that counts as false."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return frozenset(name for node in classes for one in node.body for name in _defined(one))


@cache
def _stock(settings: frozenset[str]) -> Stock:
    parts: dict[str, Part] = {}
    imports: dict[str, Import] = {}
    for number, (_, annotated) in enumerate(_sorted_modules()):
        text = without_unset(without_annotations(annotated), settings)
        tree = ast.parse(text)
        for node in tree.body:
            if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and _is_outside(node)):
                imports |= _bound(node)
            part = _part(node, text, number)
            for name in part.names:
                if name in parts:
                    raise ValueError(f"the runtime defines {name} twice: a single file has room for one")
                parts[name] = part
    if both := imports.keys() & parts:
        raise ValueError(f"the runtime both defines and imports {', '.join(sorted(both))}: a single file can not")
    return Stock(parts, imports)


def _is_outside(node: ast.ImportFrom) -> bool:
    """Whether an import is from the standard library."""
    return node.level == 0 and not (node.module or "").startswith(("untemplate", "__future__"))


def _bound(node: ast.Import | ast.ImportFrom) -> dict[str, Import]:
    """What the import imports, by the name that it binds."""
    if isinstance(node, ast.Import):
        return {alias.name: Import(alias.name, "") for alias in node.names}
    return {alias.name: Import(node.module or "", alias.name) for alias in node.names}


def _part(node: ast.stmt, text: str, module: int) -> Part:
    lines = text.splitlines()
    start = _first_line(node)
    while start > 1 and lines[start - 2].startswith("#"):
        start -= 1
    kept = {line: lines[line - 1] for line in range(start, (node.end_lineno or start) + 1)}
    for one in ast.walk(node):
        if isinstance(one, ast.ImportFrom) and not _is_outside(one):
            _drop(kept, one)
        elif isinstance(one, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(one) is not None:
            _drop_docstring(kept, one)
    members = tuple(_members(node)) if isinstance(node, ast.ClassDef) else ()
    rest = _uses(node, {line for member in members for line in member.lines})
    return Part(_defined(node), (module, start), kept, members, rest)


def _drop_docstring(lines: dict[int, str], node: ast.FunctionDef | ast.ClassDef) -> None:
    """Docstrings stand in the runtime, to be read there."""
    docstring = node.body[0]
    _drop(lines, docstring)
    if len(node.body) == 1:
        lines[docstring.lineno] = " " * docstring.col_offset + "pass"
    elif lines.get(after := (docstring.end_lineno or docstring.lineno) + 1) == "":
        del lines[after]


def _drop(lines: dict[int, str], node: ast.stmt) -> None:
    for line in _span(node):
        del lines[line]


def _span(node: ast.stmt) -> range:
    return range(_first_line(node), (node.end_lineno or node.lineno) + 1)


def _members(node: ast.ClassDef) -> Iterator[Member]:
    """What may be left out of a class."""
    for one in node.body:
        for name in _defined(one):
            is_inner = name.isupper() or (name.startswith("_") and not name.startswith("__"))
            if is_inner or (isinstance(one, ast.FunctionDef) and not name.startswith("_")):
                yield Member(name, _span(one), _uses(one))


def _uses(node: ast.AST, left_out: Collection[int] = ()) -> Uses:
    """What code refers to, but for some of its lines."""
    names: set[str] = set()
    members: set[str] = set()
    for one in ast.walk(node):
        if getattr(one, "lineno", 0) in left_out:
            continue
        match one:
            case ast.Name(id=name):
                names.add(name)
            case ast.ImportFrom(names=aliases) if not _is_outside(one):
                names.update(alias.name for alias in aliases)
            case ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                members.add(name)
    return Uses(frozenset(names), frozenset(members))


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _defined(node: ast.stmt) -> tuple[str, ...]:
    """The names that a top-level statement defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Assign(targets=targets):
            found = [one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            return tuple(one.id for one in found if not one.id.startswith("__"))
        case ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
    return ()


def _without(text: str, nodes: list[ast.stmt]) -> str:
    dropped = {line for node in nodes for line in _span(node)}
    return "\n".join(line for number, line in enumerate(text.splitlines(), 1) if number not in dropped) + "\n"


def _sorted_modules() -> list[tuple[str, str]]:
    """The runtime's modules as (name, text), each behind those that it imports."""
    texts = dict(_modules(files(_PACKAGE), ""))
    done: list[str] = []

    def visit(name: str) -> None:
        if name in done or name not in texts:
            return
        for node in ast.parse(texts[name]).body:
            if isinstance(node, ast.ImportFrom):
                for target in _targets(name, node):
                    visit(target)
        done.append(name)

    for name in sorted(texts):
        visit(name)
    return [(name, texts[name]) for name in done]


def _targets(name: str, node: ast.ImportFrom) -> list[str]:
    """The runtime modules that an import at the top of module `name` may mean."""
    if node.level == 0:
        full = (node.module or "").removeprefix(_PACKAGE).lstrip(".")
        return [full] if (node.module or "").startswith(_PACKAGE) else []
    base = name.split(".")[: -node.level]
    full = ".".join([*base, *([node.module] if node.module else [])])
    return [full, *(f"{full}.{alias.name}".lstrip(".") for alias in node.names)]


def _modules(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.name.startswith("__"):
            yield from _modules(entry, f"{prefix}{entry.name}.")
        elif entry.name.endswith(".py") and entry.name not in _LEFT_OUT:
            yield prefix + entry.name.removesuffix(".py"), entry.read_text(encoding="utf-8")
