"""Putting compiled parsers into transformers and taking them out again, and what happens with what they can not do."""

from __future__ import annotations

import importlib
import json
import logging
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import transformers.utils.chat_parsing as parsing
from transformers import tokenization_utils_base
from transformers.cli.serving import utils as serving
from transformers.utils.chat_parsing.response_templates import load_response_template
from transformers.utils.chat_template_utils import DocstringParsingException

from support.baseline import same
from support.cases import TEMPLATES
from support.tokenizers import byte_level
from untemplate.compiler import TemplateError
from untemplate.integrations.transformers import attach, compiled, install, installed, uninstall
from untemplate.integrations.transformers.parsers import InterpretedParser, ResponseParser, TransformError
from untemplate.runtime import ResponseParseError

QWEN3: dict[str, Any] = json.loads((TEMPLATES / "qwen3.json").read_text("utf-8"))
REPLY = '<think>Hm.</think>Hi.<tool_call>{"name": "f", "arguments": {"x": "1"}}</tool_call><|im_end|>'
MESSAGE = {
    "role": "assistant",
    "reasoning_content": "Hm.",
    "content": "Hi.",
    "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"x": "1"}}}],
}


@pytest.fixture(autouse=True)
def uninstalled() -> Iterator[None]:
    """Each test begins with nothing compiled and nothing installed."""
    compiled.templates.__init__()  # type: ignore[misc]
    yield
    uninstall()


def bindings() -> dict[tuple[str, str], int]:
    """What each name in each module of transformers is bound to."""
    modules = [(name, module) for name, module in list(sys.modules.items()) if name.startswith("transformers")]
    return {(name, key): id(value) for name, module in modules for key, value in list(vars(module).items())}


def is_installed() -> bool:
    """Whether all places that make parsers make compiled ones; they have to agree."""
    made_by = {
        parsing.ResponseParser,
        parsing.response_parser.ResponseParser,
        tokenization_utils_base.ResponseParser,
        serving.ResponseParser,
    }
    assert len(made_by) == 1
    return made_by == {ResponseParser}


def template_with(**fields: Any) -> dict[str, Any]:
    return {"start_anchor": "@", "fields": fields}


# Installing.


def test_install_and_uninstall() -> None:
    before = bindings()
    install()
    assert is_installed()
    install()
    uninstall()
    assert not is_installed()
    assert bindings() == before
    uninstall()
    assert bindings() == before


def test_few_names_change() -> None:
    before = bindings()
    with installed():
        now = bindings()
        changed = {name for name in before if before[name] != now[name]}
    base = "transformers.utils.chat_parsing"
    assert changed == {
        (base, "ResponseParser"),
        (base, "parse_response"),
        (f"{base}.response_parser", "ResponseParser"),
        (f"{base}.response_parser", "parse_response"),
        ("transformers.tokenization_utils_base", "ResponseParser"),
        ("transformers.tokenization_utils_base", "_template_parse_response"),
        ("transformers.cli.serving.utils", "ResponseParser"),
    }


def test_contexts_nest() -> None:
    with installed():
        with installed():
            assert is_installed()
        assert is_installed()
        install()
    assert is_installed()
    uninstall()
    assert not is_installed()
    install()
    with installed():
        uninstall()
        assert is_installed()
    assert not is_installed()


def test_a_context_ends_with_an_error_as_well() -> None:
    with pytest.raises(KeyError, match="x"), installed():
        raise KeyError("x")
    assert not is_installed()


def test_contexts_of_several_threads_overlap() -> None:
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with installed():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=hold)
    with installed():
        thread.start()
        inside.wait(10)
    assert is_installed()
    leave.set()
    thread.join()
    assert not is_installed()


def test_modules_that_are_imported_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They take the names from where these are rebound, and get the interpreter's back at the end."""
    (tmp_path / "model_code.py").write_text("from transformers.utils.chat_parsing import ResponseParser as Parser\n")
    package = ModuleType("transformers_modules")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "transformers_modules", package)
    with installed():
        later = importlib.import_module("transformers_modules.model_code")
        assert later.Parser is ResponseParser
    assert later.Parser is InterpretedParser
    monkeypatch.delitem(sys.modules, "transformers_modules.model_code")


def test_parsers_outlive_the_installation() -> None:
    with installed():
        parser = byte_level().get_response_parser(QWEN3, prefix="")
    parser.feed(REPLY)
    assert same(parser.finalize()[0], MESSAGE)


# What the stand-ins are.


def test_parsers_are_still_of_the_class_that_others_imported() -> None:
    with installed():
        assert isinstance(parsing.ResponseParser(QWEN3, ""), InterpretedParser)
        assert issubclass(parsing.ResponseParser, InterpretedParser)


def test_subclasses_are_compiled_as_well() -> None:
    with installed():

        class Counting(parsing.ResponseParser):
            count = 0

            def feed(self, text: str) -> list[dict[str, Any]]:
                self.count += 1
                return super().feed(text)

        parser = Counting(QWEN3, prefix="")
        parser.feed(REPLY)
        assert parser.count == 1
        assert same(parser.finalize()[0], MESSAGE)


def test_initial_events() -> None:
    prefix = "<|im_start|>assistant\n<think>\n"
    expected = InterpretedParser(QWEN3, prefix).initial_events
    assert expected
    with installed():
        assert same(parsing.ResponseParser(QWEN3, prefix).initial_events, expected)


def test_templates_that_transformers_has_loaded_stay_interpreted() -> None:
    loaded = load_response_template(QWEN3)
    with installed():
        parser = parsing.ResponseParser(loaded, "")
        parser.feed(REPLY)
        assert same(parser.finalize()[0], MESSAGE)
        assert same(parsing.parse_response(REPLY, loaded, prefix=""), MESSAGE)


def add(x: int) -> int:
    """
    Adds something.

    Args:
        x: what to add
    """
    return x


def undocumented(x: int) -> int:
    return x


def test_functions_as_tools() -> None:
    """They are described as for the chat template, whose errors callers may expect."""
    reply = '<tool_call>{"name": "add", "arguments": {"x": "1"}}</tool_call>'
    with installed():
        [call] = parsing.parse_response(reply, QWEN3, prefix="", tools=[add])["tool_calls"]
        assert call["function"]["arguments"] == {"x": 1}
        with pytest.raises(DocstringParsingException):
            parsing.ResponseParser(QWEN3, "", tools=[undocumented])


# Compiling.


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every template that is compiled from now on."""
    seen: list[Any] = []
    real = compiled.load_parser

    def load(template: Any) -> Any:
        seen.append(template)
        return real(template)

    monkeypatch.setattr(compiled, "load_parser", load)
    return seen


def test_a_template_is_compiled_once(compilations: list[Any]) -> None:
    tokenizer = byte_level()
    with installed():
        for _ in range(3):
            tokenizer.parse_response([REPLY, REPLY], QWEN3, prefix="")
            tokenizer.get_response_parser(deepcopy(QWEN3), prefix="")
    with installed():
        tokenizer.parse_response(REPLY, QWEN3, prefix="")
    assert compilations == [QWEN3]


def test_a_template_is_compiled_once_by_many_threads(compilations: list[Any]) -> None:
    tokenizer = byte_level()
    start = threading.Barrier(8)

    def work(number: int) -> Any:
        start.wait(10)
        return tokenizer.parse_response(REPLY, deepcopy(QWEN3), prefix="")

    with installed(), ThreadPoolExecutor(8) as pool:
        for message in pool.map(work, range(8)):
            assert same(message, MESSAGE)
    assert len(compilations) == 1


def test_templates_may_change() -> None:
    template = deepcopy(QWEN3)
    with installed():
        assert "reasoning_content" in parsing.parse_response(REPLY, template, prefix="")
        template["fields"]["thinking"] = template["fields"].pop("reasoning_content")
        assert "thinking" in parsing.parse_response(REPLY, template, prefix="")


def test_old_templates_are_forgotten(monkeypatch: pytest.MonkeyPatch, compilations: list[Any]) -> None:
    monkeypatch.setattr(compiled, "_MOST_KEPT", 2)
    some = [template_with(a={"open": mark, "close": ">"}) for mark in ("<1", "<2", "<3")]
    for template in [*some, some[0]]:
        assert compiled.templates.find(template) is not None
    assert len(compilations) == 4
    assert max(len(compiled.templates._by_content), len(compiled.templates._by_identity)) == 2


# What is refused.

# Only the compiler refuses a misspelt option.
REFUSED = template_with(a={"open": "<", "close": ">", "content": "json", "content_args": {"unqoted_keys": True}})


def test_templates_that_only_the_compiler_refuses(caplog: pytest.LogCaptureFixture) -> None:
    other = deepcopy(REFUSED)
    other["fields"]["b"] = {}
    with installed(), caplog.at_level(logging.WARNING, "untemplate"):
        for template in (REFUSED, REFUSED, deepcopy(REFUSED), other):
            assert parsing.parse_response("<1>", template, prefix="") == {"a": 1}
            parser = parsing.ResponseParser(template, "")
            assert [event["type"] for event in parser.feed("<1>")] == ["region_open", "region_chunk", "region_close"]
            assert parser.finalize()[0] == {"a": 1}
    assert len(caplog.records) == 2
    assert all("unqoted_keys" in record.getMessage() for record in caplog.records)


WRONG = [
    {"fields": {"a": {}}},
    {"start_anchor": "@", "fields": {}},
    {"start_anchor": "@", "fields": {"a": {}, "b": {}}},
    {"start_anchor": "@", "fields": {"a": {"open": ""}}},
    {"start_anchor": "@", "fields": {"a": {"open_pattern": "("}}},
    {"start_anchor": "@", "fields": {"a": {"content": "yaml"}}},
    {"version": 2, "start_anchor": "@", "fields": {"a": {}}},
    [],
    "qwen3",
]


@pytest.mark.parametrize("template", WRONG, ids=str)
def test_templates_that_are_wrong(template: Any, caplog: pytest.LogCaptureFixture) -> None:
    """The error is the interpreter's own, and there is no warning beside it."""
    with pytest.raises(Exception) as expected:  # noqa: PT011
        parsing.parse_response("x", template, prefix="")
    with installed():
        for make in (parsing.parse_response, lambda text, template, prefix: parsing.ResponseParser(template, prefix)):
            with pytest.raises(expected.type) as found:
                make("x", template, prefix="")
            assert str(found.value) == str(expected.value)
    assert not caplog.records


# Errors.

NAMED = {"open_pattern": r"\[(?P<name>\w+)?:", "close": "]", "transform": {"name": "{name}", "body": "{content}"}}
JSON = {"open": "<", "close": ">", "content": "json"}
REJECTED = [
    ("bad JSON", template_with(a=JSON), "<x>", ValueError),
    ("no integer", template_with(a={"open": "<", "close": ">", "content": "int"}), "<x>", ValueError),
    ("no call list", template_with(a={"open": "<", "close": ">", "content": "python-call-list"}), "<x>", ValueError),
    ("missing field", template_with(a={"open": "<", "close": ">", "optional": False}, b={}), "x", ValueError),
    ("no object", template_with(a={**JSON, "transform": "{content.x}"}), "<1>", ValueError),
    ("a missing capture", template_with(a=NAMED), "[:x]", KeyError),
]


@pytest.mark.parametrize(("template", "text", "kind"), [row[1:] for row in REJECTED], ids=[row[0] for row in REJECTED])
def test_errors_are_caught_as_before(template: dict[str, Any], text: str, kind: type[Exception]) -> None:
    def one_shot() -> None:
        parsing.parse_response(text, template, prefix="")

    def streamed() -> None:
        parser = parsing.ResponseParser(template, "")
        for character in text:
            parser.feed(character)
        parser.finalize()

    def in_the_prefix() -> None:
        parsing.ResponseParser(template, f"@{text}").finalize()

    for read in (one_shot, streamed, in_the_prefix):
        with pytest.raises(kind):
            read()
        with installed():
            with pytest.raises(kind) as caught:
                read()
            assert isinstance(caught.value, ResponseParseError)
            assert isinstance(caught.value, ValueError)


def test_a_transform_error_says_what_any_other_says() -> None:
    with installed(), pytest.raises(TransformError) as caught:
        parsing.parse_response("[:x]", template_with(a=NAMED), prefix="")
    assert (caught.value.field, caught.value.raw, caught.value.position) == ("a", "x", 2)
    assert "name" in str(caught.value)
    assert caught.value.__cause__ is not None


def test_misuse() -> None:
    tokenizer = byte_level()
    with installed():
        with pytest.raises(ValueError, match="prefix"):
            parsing.ResponseParser(QWEN3)
        with pytest.raises(ValueError, match="prefix"):
            parsing.parse_response("x", QWEN3)
        with pytest.raises(ValueError, match="prefix"):
            tokenizer.parse_response("x", QWEN3)
        with pytest.raises(AttributeError, match="response_template"):
            tokenizer.parse_response("x", prefix="")
        with pytest.raises(AttributeError, match="response_template"):
            tokenizer.get_response_parser(prefix="")
        with pytest.raises(ValueError, match="prefix"):
            tokenizer.parse_response(["x", "y"], QWEN3, prefix=["", "", ""])
        parser = parsing.ResponseParser(QWEN3, "")
        parser.finalize()
        for call in (lambda: parser.feed("x"), parser.finalize):
            with pytest.raises(RuntimeError):
                call()


def test_serving_survives_a_cut_off_call() -> None:
    """Serving catches the error of `finalize` when the tokens run out inside of a call."""
    with installed():
        parser = serving.ResponseParser(QWEN3, "")
        parser.feed('<tool_call>{"name": ')
        with pytest.raises((ValueError, RuntimeError)):
            parser.finalize()


# Attaching.


class _Processor:
    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer


def test_attach_a_template(tmp_path: Path) -> None:
    for given in (QWEN3, TEMPLATES / "qwen3.json", str(TEMPLATES / "qwen3.json")):
        tokenizer = byte_level()
        attach(tokenizer, given)
        assert tokenizer.response_template == QWEN3
        with installed():
            assert same(tokenizer.parse_response(REPLY, prefix=""), MESSAGE)
    processor = _Processor(byte_level())
    attach(processor, QWEN3)
    assert processor.tokenizer.response_template == QWEN3
    assert not hasattr(processor, "response_template")
    processor.tokenizer.save_pretrained(tmp_path)
    other = byte_level()
    attach(other, tmp_path)
    assert other.response_template == QWEN3


def test_attach_a_family(compilations: list[Any]) -> None:
    from untemplate.generated import qwen3

    tokenizer = byte_level()
    attach(tokenizer, "qwen3")
    assert tokenizer.response_template == qwen3.TEMPLATE
    assert tokenizer.response_template is not qwen3.TEMPLATE
    with installed():
        assert same(tokenizer.parse_response(REPLY, prefix=""), MESSAGE)
        assert compiled.templates.find(tokenizer.response_template).parser is qwen3.ResponseParser
    assert compilations == []


def test_attach_nothing() -> None:
    tokenizer = byte_level()
    with pytest.raises(TemplateError):
        attach(tokenizer, "no such family or file")
    with pytest.raises(TemplateError):
        attach(tokenizer, REFUSED)
    assert getattr(tokenizer, "response_template", None) is None
