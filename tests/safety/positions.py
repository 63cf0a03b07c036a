"""All places of a template that hold text, each with the template around it and a reply that meets the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import regex

Template = dict[str, Any]
NAMED = r"<(?P<name>\w+)>"
TAGS = r"\[(?P<key>\w+)\](?P<value>\w*)"


@dataclass(frozen=True)
class Run:
    """A template with a text in it, and a reply to a prompt."""

    template: Template
    output: str
    prefix: str = ""


@dataclass(frozen=True)
class Position:
    """A place of a template.

    Attributes:
        name: which place.
        run: the run in which a text stands there.
        free: whether any text may stand there. Elsewhere a template may be refused.
    """

    name: str
    run: Callable[[str], Run]
    free: bool = True

    def __repr__(self) -> str:
        return self.name


def template(field: dict[str, Any], **more: Any) -> Template:
    """A template with one field beside the implicit one."""
    given = {"open": "<a>", "close": "</a>", **field}
    for key in ("open", "close"):
        if f"{key}_pattern" in given:
            del given[key]
    return {"start_anchor": "@", "fields": {"a": given, "content": {"close": "<end>"}}, **more}


def _anchored(keys: Callable[[str], dict[str, Any]]) -> Callable[[str], Run]:
    def run(text: str) -> Run:
        base = template({})
        del base["start_anchor"]
        return Run({**base, **keys(text)}, "<a>1</a>2", f"<a>old</a>{text}<a>0</a>{text}new ")

    return run


def _delimiter(keys: Callable[[str], dict[str, Any]], closes: bool = False) -> Callable[[str], Run]:
    def run(text: str) -> Run:
        region = f"<a>in{text}" if closes else f"{text}in</a>"
        return Run(template({**keys(text), "repeats": True}), f"before {region} between {text[:1]}{region}{text[:-1]}")

    return run


def _transformed(shape: Callable[[str], Any], **field: Any) -> Callable[[str], Run]:
    return lambda text: Run(template({**field, "transform": shape(text)}), "<a>value</a>rest")


def _content(parser: str, options: Callable[[str], dict[str, Any]], body: Callable[[str], str]) -> Callable[[str], Run]:
    return lambda text: Run(template({"content": parser, "content_args": options(text)}), f"<a>{body(text)}</a>rest")


def _field_name(text: str) -> Run:
    fields = {text: {"open": "<a>", "close": "</a>", "repeats": True}, f"{text}2": {}}
    return Run({"start_anchor": "@", "fields": fields}, "one<a>two</a>three<a>four")


def _typed_field_name(text: str) -> Run:
    field = {"open": "<a>", "close": "</a>", "content": "int", "repeats": True}
    join = {"repeats": True, "join": "-", "content": "json", "close": "<e>"}
    return Run({"start_anchor": "@", "fields": {text: field, f"{text}\n": join}}, '"x"<a>1</a>"y"<e><a>2')


def _required_name(text: str) -> Run:
    field = {"open": "<a>", "close": "</a>", "optional": False}
    return Run({"start_anchor": "@", "defaults": {text: "d"}, "fields": {text: field}}, "<a>1</a>")


def _names_alike(text: str) -> Run:
    names = [text, text + "!", text.upper() + "_2", text.lower() + "_2", "_" + text, text + " "]
    fields = {name: {"open": f"<{number}>", "close": ";"} for number, name in enumerate(dict.fromkeys(names))}
    return Run({"start_anchor": "@", "fields": fields}, "<0>a;<1>b;<2>c;<3>d;<4>e;<5>f;")


def _tags(text: str) -> Run:
    pattern = regex.escape(text) + TAGS
    return _content("xml-inline", lambda _: {"tag_pattern": pattern}, lambda text: f"{text}[k]v{text}[l]w")(text)


def _nested_value(text: str) -> Run:
    options = {"value_parser": {"name": "kv-lines", "args": {"kv_sep": text, "line_sep": f"{text};"}}}
    return Run(template({"content": "kv-lines", "content_args": options}), f"<a>k: x{text}1{text};y{text}2</a>")


def _refused(field: Callable[[str], dict[str, Any]]) -> Callable[[str], Run]:
    return lambda text: Run(template(field(text)), "<a>1</a>")


POSITIONS = [
    Position("start_anchor", _anchored(lambda text: {"start_anchor": text})),
    Position("start_anchor list", _anchored(lambda text: {"start_anchor": ["none", text, text + "x"]})),
    Position("start_anchor_pattern, escaped", _anchored(lambda text: {"start_anchor_pattern": regex.escape(text)})),
    Position("start_anchor_pattern", _anchored(lambda text: {"start_anchor_pattern": text}), free=False),
    Position("field name", _field_name),
    Position("name of a field with content", _typed_field_name),
    Position("name of a field that is required and has a default", _required_name),
    Position("field names that are alike", _names_alike),
    Position("open", _delimiter(lambda text: {"open": text})),
    Position("open list", _delimiter(lambda text: {"open": ["<none>", text, text + text]})),
    Position("open_pattern, escaped", _delimiter(lambda text: {"open_pattern": regex.escape(text)})),
    Position("open_pattern with tail", _delimiter(lambda text: {"open_pattern": regex.escape(text) + r"\s*"})),
    Position("open_pattern with choice", _delimiter(lambda text: {"open_pattern": f"(?:{regex.escape(text)}|!+x)"})),
    Position("open_pattern", _delimiter(lambda text: {"open_pattern": text}), free=False),
    Position("open_pattern, class", _delimiter(lambda text: {"open_pattern": f"[{regex.escape(text)}]+!"})),
    Position("close", _delimiter(lambda text: {"close": text}, closes=True)),
    Position("close list", _delimiter(lambda text: {"close": [text, "</none>"]}, closes=True)),
    Position("close_pattern, escaped", _delimiter(lambda text: {"close_pattern": regex.escape(text)}, closes=True)),
    Position("close_pattern", _delimiter(lambda text: {"close_pattern": text}, closes=True), free=False),
    Position("join", lambda text: Run(template({"repeats": True, "join": text}), "<a>1</a>x<a>2</a>")),
    Position("default", lambda text: Run(template({}, defaults={"d": text, "e": [text, {text: [text]}]}), "x")),
    Position("default key", lambda text: Run(template({}, defaults={text: {"k": text}}), "x")),
    Position("transform key", _transformed(lambda text: {text: "{content}", "k": [{text: 1}]})),
    Position(
        "transform text", _transformed(lambda text: {"v": f"x{text}", "w": [f"{text} ", "{content}"]}), free=False
    ),
    Position("whole transform", _transformed(lambda text: text), free=False),
    Position("placeholder", _transformed(lambda text: {"v": f"{{content.{text}}}"}, content="json"), free=False),
    Position(
        "transform_each",
        lambda text: Run(
            template({"content": "json", "transform": {text: "{k}"}, "transform_each": True}),
            '<a>[{"k": 1}, {"k": 2}]</a>',
        ),
    ),
    Position("group name", _delimiter(lambda text: {"open_pattern": f"(?P<{text}>a)"}), free=False),
    Position(
        "group and transform",
        lambda text: Run(
            template({"open_pattern": regex.escape(text) + NAMED, "transform": {text: "{name}"}}), f"{text}<f>x</a>"
        ),
    ),
    Position(
        "string_delims",
        _content(
            "json", lambda text: {"string_delims": [[text, text + "!"], ["«", text]]}, lambda text: f"[{text}x{text}!]"
        ),
    ),
    Position(
        "line_sep and kv_sep",
        _content("kv-lines", lambda t: {"line_sep": t, "kv_sep": t[-1] + "="}, lambda t: f"k{t[-1]}=v{t}l{t[-1]}=w"),
    ),
    Position("tag_pattern, escaped", _tags),
    Position(
        "tag_pattern",
        _content("xml-inline", lambda text: {"tag_pattern": text + TAGS}, lambda text: f"{text}[k]v"),
        free=False,
    ),
    Position("value_parser options", _nested_value),
    Position("field key", _refused(lambda text: {text: True}), free=False),
    Position("content", _refused(lambda text: {"content": text}), free=False),
    Position("content_args key", _refused(lambda text: {"content_args": {text: 1}}), free=False),
    Position(
        "value_parser name",
        _refused(lambda text: {"content": "kv-lines", "content_args": {"value_parser": {"name": text}}}),
        free=False,
    ),
    Position("template key", lambda text: Run(template({}, version=1) | {text: 1}, "x"), free=False),
]
