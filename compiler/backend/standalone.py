"""One file that needs the standard library alone: the module, with the parts of the runtime that it uses in front."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

_PACKAGE = "untemplate.runtime"
_LEFT_OUT = ("__init__.py", "api.py")


@dataclass(frozen=True, slots=True)
class Part:
    """A top-level definition of the runtime.

    Attributes:
        names: what it defines.
        order: its place among all parts: definitions it needs while it is executed stand before it.
        source: its text, with the comment above it, without relative imports.
        needs: the names that it uses.
    """

    names: tuple[str, ...]
    order: tuple[int, int]
    source: str
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stock:
    """All parts of the runtime by name, and its imports from the standard library by the name that they bind."""

    parts: dict[str, Part]
    imports: dict[str, str]


def standalone_body(body: str) -> str:
    """The body of a module with its runtime included.

    Raises:
        ValueError: a name of the module is one of the runtime's.
    """
    stock = _stock()
    tree = ast.parse(body)
    wanted = _imported(tree)
    own = _without(body, [node for node in tree.body if _is_import(node) or _is_require(node)])
    clash = {name for node in tree.body if not _is_import(node) for name in _defined(node)} & set(
        _closure(stock, wanted)
    )
    if clash:
        raise ValueError(f"the module and the runtime both define {', '.join(sorted(clash))}")
    parts = _closure(stock, wanted)
    ordered = sorted({id(part): part for part in parts.values()}.values(), key=lambda part: part.order)
    used = frozenset().union(*(part.needs for part in ordered), _names(ast.parse(own)))
    imports = sorted({line for name, line in stock.imports.items() if name in used})
    sections = [
        "from __future__ import annotations",
        "\n".join(imports),
        "\n\n\n".join(part.source for part in ordered),
    ]
    return "\n\n".join(sections) + "\n\n\n" + own.lstrip()


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


def _closure(stock: Stock, wanted: list[str]) -> dict[str, Part]:
    """The parts that define the wanted names, and those that they need in turn."""
    found: dict[str, Part] = {}
    todo = list(wanted)
    while todo:
        name = todo.pop()
        if name not in found and name in stock.parts:
            part = found[name] = stock.parts[name]
            todo += sorted(part.needs)
    return found


@cache
def _stock() -> Stock:
    parts: dict[str, Part] = {}
    imports: dict[str, str] = {}
    for number, (_, text) in enumerate(_sorted_modules()):
        tree = ast.parse(text)
        for node in tree.body:
            if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and _is_outside(node)):
                imports |= _bound(node)
            for name in _defined(node):
                if name in parts:
                    raise ValueError(f"the runtime defines {name} twice: a single file has room for one")
                parts[name] = _part(node, text, number)
    return Stock(parts, imports)


def _is_outside(node: ast.ImportFrom) -> bool:
    """Whether an import is from the standard library."""
    return node.level == 0 and not (node.module or "").startswith(("untemplate", "__future__"))


def _bound(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """The import line for each name that the import binds."""
    head = "import" if isinstance(node, ast.Import) else f"from {node.module} import"
    return {alias.asname or alias.name: f"{head} {ast.unparse(alias)}" for alias in node.names}


def _part(node: ast.stmt, text: str, module: int) -> Part:
    lines = text.splitlines()
    start = _first_line(node)
    while start > 1 and lines[start - 2].startswith("#"):
        start -= 1
    inner = [one for one in ast.walk(node) if isinstance(one, ast.ImportFrom) and not _is_outside(one)]
    end = node.end_lineno or start
    dropped = {
        line for one in [*inner, *_docstrings(node)] for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)
    }
    kept = [lines[line - 1] for line in range(start, end + 1) if line not in dropped]
    needs = _names(node) | {alias.name for one in inner for alias in one.names}
    return Part(_defined(node), (module, start), "\n".join(kept), frozenset(needs))


def _docstrings(node: ast.stmt) -> list[ast.stmt]:
    """The docstrings inside a definition that is more than that: they stand in the runtime, to be read there."""
    scopes = [one for one in ast.walk(node) if isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    return [one.body[0] for one in scopes if len(one.body) > 1 and ast.get_docstring(one) is not None]


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


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _without(text: str, nodes: list[ast.stmt]) -> str:
    dropped = {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
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
