"""Text of a template is data: wherever it stands, it is refused or means itself, and nothing of it is run."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from safety.positions import POSITIONS, Position, Run
from safety.texts import ALL, CODE, PLAIN
from safety.watching import check_quiet, execute, watched
from support.baseline import Baseline, Rejects, same
from support.chunking import every_char, merge, stream
from support.comparison import oracle_result
from untemplate.compiler import TemplateError, compile_template, load_parser
from untemplate.compiler.backend.literals import literal
from untemplate.compiler.pipeline import compile_in_memory, compile_standalone
from untemplate.runtime import ResponseParseError


@pytest.fixture(autouse=True)
def _strict() -> Iterator[None]:
    """A warning about an escape sequence means that text got into the source without being made a literal."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def meaning(module: ModuleType, run: Run, streamed: bool = False) -> Any:
    """The message, and for a stream the events, that a module gives; nothing else may happen."""
    with watched() as seen:
        try:
            if streamed:
                found: Any = stream(module, run.prefix, every_char(run.output))
            else:
                found = module.parse_response(run.output, prefix=run.prefix)
        except ResponseParseError as error:
            found = Rejects(str(error))
    check_quiet(seen)
    return found


def check(run: Run, module: ModuleType) -> None:
    """Compares a module with the oracle and with the interpreter."""
    expected = oracle_result(run.template, run.prefix, run.output, None)
    found = meaning(module, run)
    assert same(found, expected.message), run
    if not isinstance(expected.message, Rejects):
        streamed = meaning(module, run, streamed=True)
        assert same(streamed, (expected.message, merge(expected.events))), run
    assert run.template == module.TEMPLATE
    theirs = Baseline(run.template).message(run.prefix, run.output)
    if not (isinstance(theirs, Rejects) and "sentinel" in theirs.reason):  # it keeps two characters for itself
        assert same(theirs, expected.message), run


@pytest.mark.parametrize("position", POSITIONS, ids=repr)
def test_a_text_in_one_place(position: Position) -> None:
    for name, text in ALL.items():
        run = position.run(text)
        try:
            _, code = compile_in_memory(run.template)
        except TemplateError:
            assert not position.free, (name, "is refused where any text may stand")
        else:
            check(run, execute(code))


def mixed(texts: list[str]) -> dict[str, Any]:
    """A template with texts in all its places."""
    at = iter(range(10**6))

    def text() -> str:
        return texts[next(at) % len(texts)]

    keys = [f"{number}{text()}" for number in range(len(POSITIONS))]
    fields = {
        f"{keys[number]}{text()}": field
        for number, field in enumerate(
            [
                {"open": [f"1{text()}", f"2{text()}"], "close": f"{text()}!", "transform": {text(): [f"{text()} "]}},
                {
                    "open_pattern": rf"{literal_pattern(text())}(?P<name>\w*)\s*",
                    "close_pattern": rf"(?:{literal_pattern(text())}|$)",
                    "content": "xml-inline",
                    "content_args": {"tag_pattern": rf"{literal_pattern(text())}(?P<key>\w)=(?P<value>\w)"},
                    "transform": {"n": "{name}", text(): "{content}"},
                },
                {
                    "open": f"3{text()}",
                    "close": f"4{text()}",
                    "content": "json",
                    "content_args": {"string_delims": [[text(), text()], [text(), "»"]], "unquoted_keys": True},
                    "repeats": True,
                },
                {
                    "open": f"5{text()}",
                    "content": "kv-lines",
                    "content_args": {"line_sep": text(), "kv_sep": text(), "value_parser": {"name": "int"}},
                },
                {"close": f"6{text()}", "repeats": True, "join": text()},
            ]
        )
    }
    return {"defaults": {text(): [text(), {text(): text()}]}, "start_anchor": [text(), f"{text()}+"], "fields": fields}


def literal_pattern(text: str) -> str:
    """A pattern that matches the text alone, with no more escapes than it needs."""
    return "".join(f"\\{char}" if char in "\\^$.|?*+()[]{}" else char for char in text[:500])


MIXES = {
    "plain texts": list(PLAIN.values())[:-2],
    "code": list(CODE.values()),
    "code from the end": list(CODE.values())[::-1],
    "long texts": list(PLAIN.values())[-2:],
}


@pytest.mark.parametrize("name", MIXES)
@pytest.mark.parametrize("standalone", [False, True], ids=["module", "standalone"])
def test_texts_in_all_places_of_a_committed_module(name: str, standalone: bool) -> None:
    template = mixed(MIXES[name])
    source = (compile_standalone if standalone else compile_template)(template)
    module = execute(source, runtime=standalone)
    starts = [*template["fields"].values()]
    pieces = [
        f"before{starts[0]['open'][0]}in{starts[0]['close']}",
        f"between{starts[0]['open'][1]}in{starts[0]['close']}",
        f"{starts[2]['open']}{{k: 1}}{starts[2]['close']}",
        f"after{starts[4]['close']}again",
    ]
    for output in ["".join(pieces), "".join(reversed(pieces)), *pieces]:
        check(Run(template, output, f"old{template['start_anchor'][0]}"), module)


@pytest.mark.parametrize("name", ALL)
def test_names_of_modules(name: str) -> None:
    """A module's name is an identifier, or its source says nothing else than that of a module with a good name."""
    template = {"start_anchor": "@", "fields": {"content": {"close": "<end>"}}}
    try:
        source = compile_template(template, name=ALL[name])
    except ValueError:
        return
    module = execute(source)
    assert ALL[name] in (module.__doc__ or "")
    good = compile_template(template, name="good")
    assert source.partition('\n"""\n')[2] == good.partition('\n"""\n')[2]


@pytest.mark.parametrize("name", ALL)
def test_names_of_files(name: str, tmp_path: Path) -> None:
    stem = ALL[name].replace("/", "").replace("\x00", "").encode("utf-8", "replace").decode("utf-8")[:60]
    path = tmp_path / f"{stem}.json"
    path.write_text(json.dumps({"start_anchor": "@", "fields": {"content": {"close": "<end>"}}}), "utf-8")
    module = execute(compile_template(path))
    assert module.parse_response("Yes.<end>", prefix="") == {"content": "Yes."}
    assert str(tmp_path) not in (module.__doc__ or "")


def test_values_that_pretend_to_be_json_are_refused_or_become_plain() -> None:
    class Text(str):
        def __repr__(self) -> str:
            return f"exec({CODE['ends a statement']!r})"

    class Number(int):
        __repr__ = Text.__repr__

    for value in (Text("x"), Number(1), [Text("x")], {"k": Number(2)}, {Text("x"): 1}, ("x",), {1: 2}, object()):
        template = {"start_anchor": "@", "defaults": {"d": value}, "fields": {"content": {}}}
        try:
            _, code = compile_in_memory(template)
        except TemplateError:
            continue
        assert "exec" not in code
        assert execute(code).parse_response("", prefix="") == {"d": value}


def test_literals_read_back_as_the_same_values() -> None:
    values = [*ALL.values(), *map(list, ALL.items()), dict(ALL), {text: [text, {text: None}] for text in ALL.values()}]
    values += [0, -1, 10**600, 1.5, -0.0, 1e308, 5e-324, True, False, None, [], {}, ()]
    for value in values:
        source = literal(value)
        assert same(eval(source, {"__builtins__": {}}), value)
        assert source.isprintable(), "a literal is one line that shows all it holds"


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", 1j, type, os.environ])
def test_other_values_have_no_literal(value: object) -> None:
    with pytest.raises(TypeError):
        literal(value)


def test_loading_a_hostile_template_runs_only_its_module() -> None:
    template = mixed(MIXES["code"])
    load_parser({"start_anchor": "@", "fields": {"content": {}}})  # whatever the compiler itself imports at first use
    with watched() as seen:
        module = load_parser(template)
    file = module.parse_response.__code__.co_filename
    assert {args[0].co_filename for event, args in seen if event == "exec"} == {file}
    assert {args[1] for event, args in seen if event == "compile"} <= {file, "<unknown>"}, "the latter is `ast.parse`"
    assert not [event for event, _ in seen if event not in ("exec", "compile", "import")]
    check_quiet([])
