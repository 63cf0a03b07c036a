"""What there is to tell a model's family by: names, chat templates, tokens, a response template of its own."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TOKENIZER_FILE = "tokenizer_config.json"
CHAT_TEMPLATE_FILES = ("chat_template.jinja", "chat_template.json")
MORE_CHAT_TEMPLATES = "additional_chat_templates"

_MODEL_ID = re.compile(r"(?:[\w.-]+/)?\w[\w.-]*")
_CACHED = re.compile(r"models--(.+?)--(.+)")


class SubjectError(ValueError):
    """A path that is not there, or a file that can not be read."""


@dataclass(frozen=True)
class Subject:
    """A model, as far as it is known.

    Attributes:
        names: what it is called: ids on the hub, names of folders.
        chat_templates: its chat templates by their name; the usual one is called "default".
        tokens: the texts of its special tokens.
        variables: special tokens by the name that chat templates use for them (`eos_token`, …).
        response_template: the response template that it carries, or `None`.
    """

    names: tuple[str, ...] = ()
    chat_templates: dict[str, str] = field(default_factory=dict)
    tokens: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    response_template: dict[str, Any] | None = None


def read_subject(where: str) -> Subject:
    """What is known of a model.

    Args:
        where: a model's folder, a tokenizer_config.json, a chat template, a response template, or else an id on the
            hub.

    Raises:
        SubjectError: it looks like a path, but there is nothing, or nothing that can be read.
    """
    path = Path(where)
    if path.is_dir():
        return _of_folder(path)
    if path.is_file():
        return _of_file(path)
    if path.suffix not in (".json", ".jinja", ".j2", ".txt") and _MODEL_ID.fullmatch(where):
        return Subject(names=(where,))
    raise SubjectError(f"{where}: there is no such file or folder, and it is no model id")


def _of_folder(folder: Path) -> Subject:
    tokenizer = folder / TOKENIZER_FILE
    subject = _of_config(_read_object(tokenizer)) if tokenizer.is_file() else Subject()
    templates = dict(subject.chat_templates)
    for name in CHAT_TEMPLATE_FILES:
        if (folder / name).is_file():
            templates.update(_of_file(folder / name).chat_templates)
            break
    for path in sorted((folder / MORE_CHAT_TEMPLATES).glob("*.jinja")):
        templates[path.stem] = _read(path)
    return Subject(
        names=_folder_names(folder),
        chat_templates=templates,
        tokens=subject.tokens,
        variables=subject.variables,
        response_template=subject.response_template,
    )


def _of_file(path: Path) -> Subject:
    if path.suffix == ".json":
        return _of_config(_read_object(path))
    return Subject(chat_templates={"default": _read(path)})


def _of_config(config: dict[str, Any]) -> Subject:
    """The subject of a tokenizer_config.json, of any JSON file with the same keys, or of a response template."""
    template = config.get("chat_template")
    if isinstance(template, list):
        named = [entry for entry in template if isinstance(entry, dict)]
        templates = {str(entry.get("name")): str(entry.get("template")) for entry in named}
    else:
        templates = {"default": template} if isinstance(template, str) else {}
    is_template = "fields" in config and not config.keys().isdisjoint(("start_anchor", "start_anchor_pattern"))
    response_template = config if is_template else config.get("response_template")
    return Subject(
        chat_templates=templates,
        tokens=tuple(dict.fromkeys(_special_tokens(config))),
        variables={key: text for key in config if key.endswith("_token") and (text := _token_text(config[key]))},
        response_template=response_template if isinstance(response_template, dict) else None,
    )


def _special_tokens(config: dict[str, Any]) -> list[str]:
    added = config.get("added_tokens_decoder")
    more = config.get("additional_special_tokens", config.get("extra_special_tokens"))
    values = list(added.values()) if isinstance(added, dict) else []
    values += more if isinstance(more, list) else list(more.values()) if isinstance(more, dict) else []
    values += [value for key, value in config.items() if key.endswith("_token")]
    return [text for value in values if (text := _token_text(value))]


def _token_text(value: Any) -> str:
    """The text of a token that is written as a string, or as an object with its properties."""
    text = value.get("content") if isinstance(value, dict) else value
    return text if isinstance(text, str) else ""


def _folder_names(folder: Path) -> tuple[str, ...]:
    """The folder's name, with that of its parent before it, and the id where the folder is one of the hub's cache."""
    parts = folder.resolve().parts
    cached = [f"{match[1]}/{match[2]}" for part in parts if (match := _CACHED.fullmatch(part))]
    return (*cached, "/".join(parts[-2:]), parts[-1])


def _read_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(_read(path))
    except (ValueError, RecursionError) as error:
        raise SubjectError(f"{path}: this is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise SubjectError(f"{path}: this JSON is not an object")
    return value


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SubjectError(f"{path}: the file can not be read: {_reason(error)}") from error


def _reason(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return f"it is not UTF-8, byte 0x{error.object[error.start]:02X} at {error.start}"
