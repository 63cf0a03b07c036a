"""Where a template comes from: a file, a model's folder, standard input, or a dict."""

from __future__ import annotations

import keyword
import os
import re
import sys
from pathlib import Path
from typing import Any, BinaryIO

from untemplate.compiler.diagnostics import JsonPath, TemplateError, path_text, quoted
from untemplate.compiler.frontend import limits
from untemplate.compiler.frontend.reading import closest
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.source import Source, lone_error, source_of_bytes, source_of_value

TOKENIZER_FILE = "tokenizer_config.json"
TEMPLATE_FILE = "response_template.json"
TEMPLATE_KEY = "response_template"

_TEMPLATE_KEYS = ("fields", "start_anchor", "start_anchor_pattern", "defaults", "version")
# Looking for a template that is in the wrong place stops after so many values.
_MOST_SEARCHED = 100_000


def read_source(where: Source | str | os.PathLike[str] | dict[str, Any], stdin: BinaryIO | None = None) -> Source:
    """The source of a template.

    Args:
        where: a JSON file with the template, or with the template under `response_template`, as a
            tokenizer_config.json; a folder that holds one; `-` for standard input; the same JSON as a dict; or a source
            that was read before, which is given back.
        stdin: what to read for `-`, if not the process's standard input.

    Raises:
        TemplateError: there is no template.
    """
    if isinstance(where, Source):
        return where
    if isinstance(where, dict):
        return _at_template(source_of_value(where))
    if not isinstance(where, (str, os.PathLike)):
        message = f"a template is a path or a dict, not a Python {type(where).__name__}"
        raise lone_error("<template>", "not-json-value", message, "for JSON text, pass what json.loads makes of it")
    name = os.fspath(where)
    if name == "-":
        data = (stdin or sys.stdin.buffer).read(limits.FILE_BYTES + 1)
        return _at_template(source_of_bytes(data, "<stdin>"))
    path = Path(name)
    return _of_folder(path) if os.path.isdir(name) else _of_file(path)


def module_name(path: Path) -> str:
    """A Python identifier for the module of a template: the file's name, or the folder's where the file has none."""
    generic = path.name in (TOKENIZER_FILE, TEMPLATE_FILE)
    name = Path(os.path.abspath(path)).parent.name if generic else path.stem
    word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if not word:
        return "template"
    if word[0].isdigit():
        return f"template_{word}"
    return f"{word}_" if keyword.iskeyword(word) else word


def _of_file(path: Path) -> Source:
    """The template in this file."""
    source = _document(path)
    if path.name == TOKENIZER_FILE and not _has_key(source.document) and not _is_template(source.document):
        hint = "set tokenizer.response_template and save the tokenizer, or give the template in a file of its own"
        raise lone_error(str(path), "no-template", f"there is no {quoted(TEMPLATE_KEY)} in this file", hint)
    return _at_template(source)


def _of_folder(folder: Path) -> Source:
    """The template in a model's folder: in its tokenizer_config.json, else its response_template.json, else in the
    only other JSON file that is a template."""
    tokenizer, template = folder / TOKENIZER_FILE, folder / TEMPLATE_FILE
    if tokenizer.is_file():
        source = _document(tokenizer)
        if _has_key(source.document):
            return _at_template(source)
    if template.is_file():
        return _of_file(template)
    found = _templates_in(folder)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(quoted(Path(source.origin).name) for source in found[:5]) + (", …" if len(found) > 5 else "")
        message = f"the folder holds {len(found)} templates: {names}"
        raise lone_error(str(folder), "ambiguous-folder", message, "give one of the files")
    looked = f"neither {TEMPLATE_FILE}, nor {quoted(TEMPLATE_KEY)} in a {TOKENIZER_FILE}, nor a template in a *.json"
    raise lone_error(str(folder), "no-template", f"the folder holds no template: {looked}", "give the file itself")


def _templates_in(folder: Path) -> list[Source]:
    """The files of a folder that are templates, in the order of their names. Files that are not JSON are none."""
    found: list[Source] = []
    for path in sorted(folder.glob("*.json")):
        try:
            source = _document(path)
        except TemplateError:
            continue
        if _is_template(source.document):
            found.append(source)
    return found


def _document(path: Path) -> Source:
    """The JSON document in a file; its root is the whole of it."""
    name = str(path)
    try:
        with path.open("rb") as file:
            data = file.read(limits.FILE_BYTES + 1)
    except FileNotFoundError as error:
        hint = "this looks like JSON: pass what json.loads makes of it" if name.lstrip().startswith("{") else ""
        shown = name if len(name) <= 200 else f"{name[:199]}…"
        raise lone_error(shown, "no-such-file", "there is no such file or folder", hint) from error
    except (OSError, ValueError) as error:
        shown = name if len(name) <= 200 else f"{name[:199]}…"
        reason = getattr(error, "strerror", None) or str(error)
        raise lone_error(shown, "unreadable-file", f"the file can not be read: {reason}", "") from error
    return source_of_bytes(data, name, module_name(path))


def _at_template(source: Source) -> Source:
    """The source with its root at the template.

    Raises:
        TemplateError: there is none at the top, and none under the key.
    """
    document = source.document
    if _has_key(document):
        return source.at((TEMPLATE_KEY,))
    if isinstance(document, dict) and not {"fields", "start_anchor", "start_anchor_pattern"}.isdisjoint(document):
        return source
    hidden = _hidden_template(document)
    if hidden is None and isinstance(document, dict) and (not document or _means_template(document)):
        return source
    report = Report(source)
    if hidden is not None:
        message = f"this looks like a template inside {path_text(hidden)}"
        hint = f"give that object in a file of its own, or under the key {quoted(TEMPLATE_KEY)} at the top"
        report.add("misplaced-template", hidden, message, hint)
    else:
        kind = "an object without any of its keys" if isinstance(document, dict) else "not even an object"
        hint = 'a template looks like {"start_anchor": "…", "fields": {"content": {}}}'
        report.add("not-a-template", (), f"this JSON is no response template: it is {kind}", hint)
    raise report.error()


def _has_key(document: Any) -> bool:
    """Whether this is a document that carries a template under the key, and not itself a template."""
    return isinstance(document, dict) and document.get(TEMPLATE_KEY) is not None and "fields" not in document


def _means_template(document: dict[str, Any]) -> bool:
    """Whether any key is one of a template, perhaps misspelt: then the loader has more to say about it."""
    return any(closest(key, _TEMPLATE_KEYS) for key in document)


def _is_template(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("fields"), dict)
        and ("start_anchor" in value or "start_anchor_pattern" in value)
    )


def _hidden_template(document: Any) -> JsonPath | None:
    """The path of the outermost value in the document that is a template, in its order; `None` if there is none."""
    waiting: list[tuple[JsonPath, Any]] = [((), document)]
    for path, value in waiting:
        if _is_template(value):
            return path
        if len(waiting) > _MOST_SEARCHED:
            return None
        if isinstance(value, dict):
            waiting += [((*path, key), member) for key, member in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, index), item) for index, item in enumerate(value)]
    return None
