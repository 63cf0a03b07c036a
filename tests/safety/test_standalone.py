"""Standalone modules work with nothing but the standard library, and give what the ordinary ones give."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Literal

import pytest

from safety.watching import execute, watched
from support.cases import load_transcripts
from support.chunking import fixed, stream
from untemplate.compiler.backend.standalone import standalone_body
from untemplate.compiler.pipeline import compile_in_memory, compile_standalone
from untemplate.generated import FAMILIES

TEMPLATES = Path(__file__).parents[2] / "templates"
COMPARED = (
    *("smollm3", "qwen3_coder", "gpt_oss", "command_r7b"),
    *("deepseek_v3_1", "gemma4", "kimi_k2", "llama4_pythonic", "minimax_m2"),
)

# Reads (module, prefix, chunks, tools) from its input and prints messages and events. Where the modules come from is
# the first argument; nothing else is on the path but the standard library.
DRIVER = """
import json, sys
sys.path.insert(0, sys.argv[1])
results = []
for name, prefix, chunks, tools in json.load(sys.stdin):
    module = __import__(name)
    whole = module.parse_response("".join(chunks), prefix=prefix, tools=tools)
    parser = module.ResponseParser(prefix, tools=tools)
    events = list(parser.initial_events)
    for chunk in chunks:
        events += parser.feed(chunk)
    message, last = parser.finalize()
    results.append([whole, message, events + last])
foreign = {getattr(module, "__file__", None) or "" for name, module in sys.modules.items() if "untemplate" in name}
print(json.dumps([results, sorted(foreign)]))
"""


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """The standalone modules that are compared."""
    return {family: compile_standalone(TEMPLATES / f"{family}.json") for family in COMPARED}


@pytest.mark.parametrize("family", ["smollm3", "qwen3_coder", "gpt_oss", "command_r7b"])
def test_it_is_small(family: str, sources: dict[str, str]) -> None:
    assert len(sources[family].encode()) < 40_000


@pytest.fixture(scope="module")
def jobs() -> list[list[Any]]:
    """(family, prefix, chunks, tools) of all transcripts of the families that are compared."""
    return [
        [case.name.partition("-")[0], case.prefix, fixed(7)(case.output), case.tools]
        for case in load_transcripts()
        if case.name.partition("-")[0] in COMPARED
    ]


@pytest.mark.parametrize("options", [(), ("-O",), ("-OO",)], ids=["plain", "-O", "-OO"])
@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_without_anything_installed(
    sources: dict[str, str], jobs: list[list[Any]], tmp_path: Path, zipped: bool, options: tuple[str, ...]
) -> None:
    where = tmp_path / "modules.zip" if zipped else tmp_path
    if zipped:
        with zipfile.ZipFile(where, "w") as archive:
            for family, source in sources.items():
                archive.writestr(f"{family}.py", source)
    else:
        for family, source in sources.items():
            (where / f"{family}.py").write_text(source, "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-W", "error", *options, "-c", DRIVER, str(where)],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    results, foreign = json.loads(done.stdout)
    assert foreign == [], "a standalone module brings its runtime along"
    for (family, prefix, chunks, tools), found in zip(jobs, results, strict=True):
        module = FAMILIES[family]
        parser = module.ResponseParser(prefix, tools=tools)
        events = [*parser.initial_events, *(event for chunk in chunks for event in parser.feed(chunk))]
        message, last = parser.finalize()
        whole = module.parse_response("".join(chunks), prefix=prefix, tools=tools)
        assert json.dumps(found) == json.dumps([whole, message, events + last]), (family, chunks)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_compiles_and_reads_no_file(family: str) -> None:
    """Executed from memory, with no file to stand in, under a watch for whatever is opened or imported.

    The code is not laid out, which takes longer than all the rest.
    """
    source = standalone_body(compile_in_memory(TEMPLATES / f"{family}.json")[1])
    assert "untemplate.runtime" not in source.replace('"untemplate.runtime', "")
    module = execute(source, f"standalone_{family}", runtime=True)
    assert not hasattr(module, "__file__")
    for case in load_transcripts():
        if case.name.partition("-")[0] == family:
            chunks = fixed(5)(case.output)
            expected = stream(FAMILIES[family], case.prefix, chunks, case.tools)
            with watched() as seen:
                found = stream(module, case.prefix, chunks, case.tools)
            assert [event for event, _ in seen if event == "open" or event.startswith(("os.", "subprocess."))] == []
            assert repr(found) == repr(expected)


def test_rejections_are_of_the_module_s_own_class(sources: dict[str, str]) -> None:
    """A standalone module has `ResponseParseError` and all other names that a caller needs."""
    module = execute(sources["smollm3"], "standalone_errors", runtime=True)
    with pytest.raises(module.ResponseParseError) as caught:
        module.parse_response("<tool_call>no JSON</tool_call>", prefix="")
    assert caught.value.field == "tool_calls"
    assert caught.value.raw == "no JSON"


def test_one_that_rejects_nothing_has_the_error_too() -> None:
    """Whoever calls it need not know that."""
    source = compile_standalone({"start_anchor": "@", "fields": {"content": {}}})
    assert issubclass(execute(source, "standalone_text", runtime=True).ResponseParseError, ValueError)


def test_names_of_the_runtime_do_not_hide_those_of_the_standard_library(sources: dict[str, str]) -> None:
    """The runtime has a class `Literal` of its own, and hints of tools are made of that of `typing`."""

    def lookup(count: Literal[1, 2]) -> None:
        """Looks up."""

    reply = '<tool_call>{"name": "lookup", "arguments": {"count": "2"}}</tool_call>'
    for module in (execute(sources["smollm3"], "standalone_hints", runtime=True), FAMILIES["smollm3"]):
        message = module.parse_response(reply, prefix="", tools=[lookup])
        assert message["tool_calls"][0]["function"]["arguments"] == {"count": 2}


@pytest.mark.parametrize("family", COMPARED)
def test_nothing_is_included_that_nothing_refers_to(sources: dict[str, str], family: str) -> None:
    tree = ast.parse(sources[family])
    defined = [
        one.name
        for node in tree.body
        for one in (node.body if isinstance(node, ast.ClassDef) else [node])
        if isinstance(one, ast.FunctionDef) and not one.name.startswith("__")
    ]
    seen = {
        getattr(one, attribute)
        for one in ast.walk(tree)
        for attribute in ("id", "attr", "value")
        if isinstance(getattr(one, attribute, None), str)
    }
    face = {"parse_response", "feed", "finalize", "held", "snapshot", "restore", "parse"}
    assert set(defined) - seen - face == set()


@pytest.mark.parametrize("family", COMPARED)
def test_a_module_is_imported_from_once(sources: dict[str, str], family: str) -> None:
    modules = [node.module for node in ast.parse(sources[family]).body if isinstance(node, ast.ImportFrom)]
    assert len(modules) == len(set(modules))
