"""Where a template comes from."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from untemplate.compiler.diagnostics import Diagnostic, TemplateError
from untemplate.compiler.frontend import limits
from untemplate.compiler.frontend.inputs import module_name, read_source
from untemplate.compiler.frontend.loader import load_template

TEMPLATE = {"start_anchor": "<a>", "fields": {"content": {}}}
TOKENIZER = {"chat_template": "x", "response_template": TEMPLATE}


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def refusal(where: Any) -> Diagnostic:
    """The one fault of an input."""
    with pytest.raises(TemplateError) as caught:
        read_source(where)
    (diagnostic,) = caught.value.diagnostics
    # Inputs are judged in one line, plus the hint and the place if there is one.
    assert "\n" not in diagnostic.message
    return diagnostic


def test_template_file(tmp_path: Path) -> None:
    path = write(tmp_path / "SmolLM3.json", TEMPLATE)
    for where in (path, str(path)):
        source = read_source(where)
        assert source.template == TEMPLATE
        assert (source.origin, source.root, source.module_name) == (str(path), (), "smollm3")
    assert load_template(source).raw == TEMPLATE
    assert read_source(source) is source


def test_tokenizer_file(tmp_path: Path) -> None:
    source = read_source(write(tmp_path / "SmolLM3-3B" / "tokenizer_config.json", TOKENIZER))
    assert source.template == TEMPLATE
    assert (source.root, source.module_name) == (("response_template",), "smollm3_3b")
    # The key is looked for under any name, and in dicts.
    assert read_source(write(tmp_path / "saved.json", TOKENIZER)).template == TEMPLATE
    assert read_source(TOKENIZER).template == TEMPLATE
    # A template itself is taken too, whatever the name of its file.
    assert read_source(write(tmp_path / "x" / "tokenizer_config.json", TEMPLATE)).template == TEMPLATE


def test_tokenizer_file_without_template(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    for document in ({"chat_template": "x"}, {"response_template": None}, {}, []):
        diagnostic = refusal(write(path, document))
        assert diagnostic.code == "no-template"
        assert "response_template" in diagnostic.message
        assert "tokenizer.response_template" in diagnostic.hint


def test_faults_point_into_the_tokenizer_file(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text('{"a": 1,\n "response_template": {"start_anchor": 5,\n  "fields": {"content": {}}}}')
    with pytest.raises(TemplateError) as caught:
        load_template(read_source(path))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.path, diagnostic.line, diagnostic.column) == ("$.response_template.start_anchor", 2, 40)


def test_folder(tmp_path: Path) -> None:
    folder = tmp_path / "My Model v2"
    write(folder / "tokenizer_config.json", {"chat_template": "x"})
    write(folder / "config.json", {"hidden_size": 1})
    (folder / "broken.json").write_text("{")
    assert refusal(folder).code == "no-template"
    write(folder / "one.json", TEMPLATE)
    assert (read_source(folder).template, read_source(folder).module_name) == (TEMPLATE, "one")
    write(folder / "two.json", TEMPLATE)
    diagnostic = refusal(folder)
    assert diagnostic.code == "ambiguous-folder"
    assert '"one.json", "two.json"' in diagnostic.message
    write(folder / "response_template.json", {**TEMPLATE, "version": 1})
    assert read_source(folder).template["version"] == 1
    assert read_source(f"{folder}/").module_name == "my_model_v2"
    write(folder / "tokenizer_config.json", TOKENIZER)
    assert read_source(folder).template == TEMPLATE


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    source = read_source("-", io.BytesIO(b"\xef\xbb\xbf" + json.dumps(TEMPLATE).encode()))
    assert (source.template, source.origin, source.module_name) == (TEMPLATE, "<stdin>", "template")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{")))
    with pytest.raises(TemplateError, match=r"^<stdin>:1:2: error: this is not JSON"):
        read_source("-")


def test_missing_file(tmp_path: Path) -> None:
    diagnostic = refusal(tmp_path / "nothing.json")
    assert diagnostic == Diagnostic("no-such-file", "", "there is no such file or folder", "")
    assert "json.loads" in refusal(json.dumps(TEMPLATE)).hint


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path / "a.json", TEMPLATE)
    monkeypatch.setattr(Path, "open", refuse)
    diagnostic = refusal(path)
    assert (diagnostic.code, diagnostic.message) == ("unreadable-file", "the file can not be read: Permission denied")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "\ud800"])
def test_impossible_names(name: str) -> None:
    assert refusal(name).code in ("unreadable-file", "no-such-file")


def test_too_large_file(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(limits.FILE_BYTES + 1)
    assert refusal(path).code == "too-large"


def test_template_in_the_wrong_place(tmp_path: Path) -> None:
    diagnostic = refusal(write(tmp_path / "a.json", {"x": [{"response_template": TEMPLATE}], "version": 3}))
    assert (diagnostic.code, diagnostic.path) == ("misplaced-template", "$.x[0].response_template")
    assert "inside $.x[0].response_template" in diagnostic.message
    assert refusal(write(tmp_path / "a.json", [TEMPLATE])).path == "$[0]"
    assert refusal({"x": TEMPLATE}).code == "misplaced-template"


@pytest.mark.parametrize("document", [[], 5, "x", None, {"model_type": "llama", "transformers_version": "5"}])
def test_json_that_is_no_template(document: Any, tmp_path: Path) -> None:
    diagnostic = refusal(write(tmp_path / "a.json", document))
    assert (diagnostic.code, diagnostic.path, diagnostic.line) == ("not-a-template", "$", 1)


def test_neither_path_nor_dict() -> None:
    diagnostic = refusal(["start_anchor"])
    assert diagnostic.message == "a template is a path or a dict, not a Python list"
    assert refusal(b"{}").code == "not-json-value"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("x/SmolLM3.json", "smollm3"),
        ("Qwen2.5-7B/tokenizer_config.json", "qwen2_5_7b"),
        ("DeepSeek-R1/response_template.json", "deepseek_r1"),
        ("3b.json", "template_3b"),
        ("class.json", "class_"),
        ("模型.json", "template"),
        ("__init__.json", "init"),
        ("/tokenizer_config.json", "template"),
    ],
)
def test_module_name(path: str, name: str) -> None:
    assert module_name(Path(path)) == name
    assert name.isidentifier()
