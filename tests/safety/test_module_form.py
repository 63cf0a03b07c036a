"""A generated module holds what the back end may write, and nothing else, whatever its template says."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from safety.positions import POSITIONS
from safety.texts import CODE
from untemplate.compiler import TemplateError
from untemplate.compiler.backend.imports import RUNTIME_NAMES
from untemplate.compiler.pipeline import compile_in_memory, compile_standalone

ROOT = Path(__file__).parents[2]
GENERATED = sorted(path for path in (ROOT / "generated").glob("*.py") if path.name != "__init__.py")

NODES = (
    *(ast.Module, ast.ImportFrom, ast.alias, ast.Expr, ast.Assign, ast.AnnAssign, ast.ClassDef, ast.FunctionDef),
    *(ast.arguments, ast.arg, ast.Return, ast.If, ast.Try, ast.ExceptHandler, ast.Lambda, ast.ListComp),
    *(ast.comprehension, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call, ast.keyword, ast.Constant),
    *(ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.BitOr, ast.BoolOp),
    *(ast.And, ast.Or, ast.Compare, ast.Lt, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.Eq, ast.NotEq),
    *(ast.IfExp, ast.Load, ast.Store, ast.AugAssign),
)
BUILTINS = {"str", "int", "dict", "list", "tuple", "len", "frozenset", "isinstance", "__name__"}
LOCALS = {
    *(
        "self",
        "text",
        "at",
        "events",
        "start",
        "end",
        "found",
        "delimiter",
        "body",
        "content",
        "captures",
        "value",
        "close",
        "behind",
        "last",
    ),
    *(
        "event",
        "error",
        "item",
        "prefix",
        "tools",
        "on_malformed",
        "CODEGEN",
        "TEMPLATE_DIGEST",
        "TEMPLATE",
        "REGIONS",
        "DIGEST",
    ),
    *(
        "IMPLICIT",
        "REQUIRED",
        "DEFAULTS",
        "AWAITED",
        "JOINTS",
        "EXPRESSIONS",
        "WATCHES",
        "BEGINS",
        "DELIMITERS",
        "CONTEXT",
        "PROBES",
        "LEAD",
        "LED",
        "ResponseParser",
        "parse_response",
    ),
    *("Any", "ClassVar", "_ANCHOR", "_OUTSIDE", "_TRIGGERS", "_BEGINNINGS", "_LEAD", "__slots__", "feed"),
}
ATTRIBUTES = {
    *("find", "get", "rfind", "strip", "append", "span", "start", "lead_from", "last_end", "tags", "isdisjoint"),
    *("_body", "_captures", "_chunk", "_context", "_field", "_free", "copy"),
    *("_emit", "_open", "_wait", "_scan", "_swallow", "_take", "_tools", "_reject", "_store", "_message", "setdefault"),
    *("_join", "_read", "_wait_for", "rest", "_feed_led", "_led", "_held", "_start", "hold", "lastindex"),
    *("_hold", "_holds_on", "_state", "seek", "end", "update"),
}
IMPORTS = {"__future__": {"annotations"}, "typing": {"Any", "ClassVar"}}
METHODS = ("_inside_", "_close_", "_add_", "_outside", "_defaults", "_cut", "feed")


def faults(tree: ast.Module, standalone: bool = False) -> Iterator[str]:
    """What a module holds that none may."""
    names = BUILTINS | LOCALS | RUNTIME_NAMES
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    methods = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    states = {name for name in methods if name.startswith(("_inside_", "_close_", "_add_"))}
    odd = {name for name in own if name not in names and not _is_own(name)}
    yield from (f"defines {name}" for name in sorted(odd))
    for node in ast.walk(tree):
        line = f"line {getattr(node, 'lineno', 0)}: "
        match node:
            case ast.ImportFrom(module=module, names=aliases, level=level):
                allowed = IMPORTS.get(
                    module or "", RUNTIME_NAMES if (module or "").startswith("untemplate.runtime.") else ()
                )
                if level or any(alias.name not in allowed or alias.asname for alias in aliases):
                    yield f"{line}imports {module}"
            case ast.Name(id=name) if name not in names and not _is_own(name):
                yield f"{line}uses the name {name}"
            case ast.Attribute(attr=name) if name not in ATTRIBUTES and name not in states:
                yield f"{line}uses the attribute {name}"
            case ast.FunctionDef(name=name) if (
                not name.startswith(METHODS) and name != "parse_response" and not _is_own(name)
            ):
                yield f"{line}defines {name}"
            case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators) if decorators:
                yield f"{line}decorates"
            case ast.ClassDef(name=name, keywords=keywords) if name != "ResponseParser" or keywords:
                yield f"{line}defines the class {name}"
            case ast.Constant(value=value) if not isinstance(value, (str, int, float, bool, type(None))):
                yield f"{line}holds a {type(value).__name__}"
            case _ if not isinstance(node, NODES):
                yield f"{line}holds a {type(node).__name__}"
    if len(top := [node for node in tree.body if isinstance(node, ast.Expr)]) != (1 if standalone else 2):
        yield f"has {len(top)} expressions at the top: a doc string and a call of `require` are all there may be"


def _is_own(name: str) -> bool:
    """Whether a module may give this name to a constant or a function of its own."""
    return (
        name.startswith("_")
        and not name.startswith("__")
        and name.endswith(("_CLOSE", "_TAGS", "_DELIMITERS", "_value"))
    )


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.stem)
def test_generated(path: Path) -> None:
    assert list(faults(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize("position", POSITIONS, ids=repr)
def test_hostile(position: object) -> None:
    for text in CODE.values():
        try:
            _, code = compile_in_memory(position.run(text).template)  # type: ignore[attr-defined]
        except TemplateError:
            continue
        tree = ast.parse('"""doc string"""\n' + code)
        assert list(faults(tree)) == [], text
        assert not code.isspace()
        shown = [line for line in code.splitlines() if not line.isprintable()]
        assert not shown, "what does not show is escaped, in comments too"


def test_the_form_is_checked() -> None:
    """Each of these is found."""
    good = GENERATED[0].read_text("utf-8")
    for bad in (
        "import os",
        "from os import path",
        "from untemplate.runtime.parser import logger",
        "exec('1')",
        "_x_value = open",
        "x = 1",
        "def f(): pass",
        "class Other: pass",
        "TEMPLATE.__class__",
        "'text'.format",
        "_a_CLOSE = f'{1}'",
        "while True: pass",
        "del TEMPLATE",
        "_x_TAGS = b''",
    ):
        assert list(faults(ast.parse(f"{good}\n{bad}\n"))), bad


STANDALONE_IMPORTS = {
    *("__future__", "bisect", "collections", "collections.abc", "copy", "dataclasses", "decimal", "enum", "functools"),
    *("itertools", "json", "logging", "math", "re", "sys", "types", "typing", "urllib.parse", "unicodedata"),
}


@pytest.mark.parametrize("family", ["smollm3", "gpt_oss", "qwen3_coder"])
def test_standalone(family: str) -> None:
    """A standalone module is the runtime, which is written by hand, and the same module as otherwise."""
    tree = ast.parse(compile_standalone(ROOT / f"templates/{family}.json"))
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert imported <= STANDALONE_IMPORTS
    assert {str(name).partition(".")[0] for name in imported} <= sys.stdlib_module_names
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert used.isdisjoint({"open", "exec", "eval", "compile", "__import__", "__file__", "input", "globals"})
    start = next(
        number
        for number, node in enumerate(tree.body)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CODEGEN"
    )
    own = ast.Module([tree.body[0], *tree.body[start:]], [])
    assert list(faults(own, standalone=True)) == []
