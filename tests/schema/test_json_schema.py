"""The JSON Schema against the loader: it accepts whatever loads, and both refuse what has the wrong shape."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from support.cases import TEMPLATES
from support.strategies import random_template
from untemplate.compiler.cli.schema import command
from untemplate.compiler.diagnostics import TemplateError
from untemplate.compiler.families.catalogue import catalogue
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.frontend.source import source_of_value
from untemplate.compiler.json_schema import schema_text, template_schema

VALIDATOR = Draft202012Validator(template_schema())
Template = dict[str, Any]


def fits(template: Any) -> bool:
    """Whether the schema accepts the template."""
    return bool(VALIDATOR.is_valid(template))


def loads(template: Any) -> bool:
    """Whether the loader accepts the template."""
    try:
        load_template(source_of_value(template))
    except TemplateError:
        return False
    return True


def template(field: Any = None, **keys: Any) -> Template:
    """A template with one field, and other keys of the template in place of its own."""
    return {"start_anchor": "<bot>", "fields": {"content": {} if field is None else field}, **keys}


def test_is_a_valid_schema() -> None:
    Draft202012Validator.check_schema(template_schema())


def test_is_printed_as_shipped() -> None:
    result = CliRunner().invoke(command)
    assert result.exit_code == 0
    assert result.output == schema_text() == (TEMPLATES / "schema/response_template.schema.json").read_text("utf-8")


def test_every_key_has_a_title_and_a_description() -> None:
    definitions = template_schema()["$defs"]
    objects = [template_schema(), *definitions.values()]
    for key, value in [pair for part in objects for pair in part.get("properties", {}).items()]:
        target = {**definitions.get(value.get("$ref", "").rpartition("/")[2], {}), **value}
        assert target.get("title"), key
        assert target.get("description"), key


@pytest.mark.parametrize("family", catalogue())
def test_accepts_the_shipped_templates(family: str) -> None:
    assert list(VALIDATOR.iter_errors(catalogue()[family].template())) == []


GOOD: list[Template] = [
    template(),
    template(version=1),
    template(defaults={"role": "assistant", "content": None}),
    {"start_anchor": ["<a>", "<b>"], "fields": {"content": {}}},
    {"start_anchor_pattern": "<a>\\s*", "fields": {"content": {}}},
    template({"open": ["<a>", "<b>"], "close_pattern": "x|$"}),
    template({"repeats": True, "join": ""}),
    template({"repeats": False, "optional": False}),
    template({"content": "text", "content_args": {"strip": False}}),
    template({"content_args": {"strip": False}}),
    template({"content": "int", "content_args": {}}),
    template({"content": "json", "content_args": {"string_delims": [["<", ">"]], "allow_non_json": True}}),
    template({"content": "json", "content_args": {"string_delims": []}}),
    template({"content": "xml-inline", "content_args": {"tag_pattern": "(?P<key>a)(?P<value>b)"}}),
    template({"content": "kv-lines", "content_args": {"kv_sep": "=", "value_parser": {"name": "json"}}}),
    template({"content": "kv-lines", "content_args": {"value_parser": {}}}),
    template({"content": "kv-lines", "content_args": {"value_parser": {"name": "json", "args": {}}}}),
    template({"content": "python-call-list", "transform": {"a": "{name}"}, "transform_each": True}),
    template({"transform": "plain"}),
    template({"transform": ["{content}", 1, None, {"a": True}]}),
    template({"transform_each": False}),
]

BAD: list[Any] = [
    {},
    [],
    {"start_anchor": "<bot>"},
    {"fields": {"content": {}}},
    {"start_anchor": "<a>", "start_anchor_pattern": "<a>", "fields": {"content": {}}},
    {"start_anchor": "", "fields": {"content": {}}},
    {"start_anchor": [], "fields": {"content": {}}},
    {"start_anchor": ["<a>", ""], "fields": {"content": {}}},
    {"start_anchor": None, "fields": {"content": {}}},
    {"start_anchor_pattern": ["<a>"], "fields": {"content": {}}},
    template(version=2),
    template(version="1"),
    template(version=True),
    template(defaults=[]),
    template(defaults=None),
    template(fields={}),
    template(fields=[]),
    template(fields={"content": None}),
    template(feilds={}),
    template({"colse": "<"}),
    template({"open": "<a>", "open_pattern": "<a>"}),
    template({"close": "<a>", "close_pattern": "<a>"}),
    template({"open": ""}),
    template({"open": 3}),
    template({"open": ["<a>", 3]}),
    template({"open": None}),
    template({"repeats": 1}),
    template({"repeats": None}),
    template({"join": ""}),
    template({"repeats": False, "join": ""}),
    template({"repeats": True, "join": None}),
    template({"optional": "no"}),
    template({"content": "yaml"}),
    template({"content": None}),
    template({"content_args": None}),
    template({"content_args": {"unquoted_keys": True}}),
    template({"content": "int", "content_args": {"strip": True}}),
    template({"content": "json", "content_args": {"strip": True}}),
    template({"content": "json", "content_args": {"unquoted_keys": "yes"}}),
    template({"content": "json", "content_args": {"string_delims": ["<"]}}),
    template({"content": "json", "content_args": {"string_delims": [["<"]]}}),
    template({"content": "json", "content_args": {"string_delims": [["<", ""]]}}),
    template({"content": "json", "content_args": {"string_delims": [["<", ">", "<"]]}}),
    template({"content": "xml-inline"}),
    template({"content": "xml-inline", "content_args": {}}),
    template({"content": "xml-inline", "content_args": {"tag_pattern": "(?P<key>a)"}}),
    template({"content": "kv-lines", "content_args": {"kv_sep": ""}}),
    template({"content": "kv-lines", "content_args": {"value_parser": "json"}}),
    template({"content": "kv-lines", "content_args": {"value_parser": {"name": "yaml"}}}),
    template({"content": "kv-lines", "content_args": {"value_parser": {"parser": "json"}}}),
    template({"content": "kv-lines", "content_args": {"value_parser": {"name": "int", "args": {"strip": True}}}}),
    template({"content": "kv-lines", "content_args": {"value_parser": {"name": "xml-inline"}}}),
    template({"transform": None}),
    template({"transform": 1}),
    template({"transform_each": True}),
    template({"content": "json", "transform_each": True}),
    template({"content": "kv-lines", "transform": "{a}", "transform_each": True}),
]


@pytest.mark.parametrize("good", GOOD, ids=repr)
def test_both_accept(good: Template) -> None:
    assert loads(good)
    assert list(VALIDATOR.iter_errors(good)) == []


@pytest.mark.parametrize("bad", BAD, ids=repr)
def test_both_refuse(bad: Any) -> None:
    assert not loads(bad)
    assert not fits(bad)


WRONG_VALUES = [None, True, False, 0, 1, 2, -1.5, "", "text", "json", "(?P<key>a)(?P<value>b)", [], ["<a>"], [[]], {}]
OBJECTS = [template_schema(), *template_schema()["$defs"].values()]
KEYS = sorted({key for part in OBJECTS for key in part.get("properties", {})})


def objects_of(value: Any) -> list[dict[str, Any]]:
    """All objects in a template."""
    found = [value] if isinstance(value, dict) else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return found + [one for item in inner for one in objects_of(item)]


def mutated(rng: Random, original: Template) -> Template:
    """The template with a few keys gone, added, renamed, or of another value."""
    changed = copy.deepcopy(original)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        target = rng.choice(objects_of(changed))
        key = rng.choice([*target, rng.choice(KEYS)])
        roll = rng.random()
        if roll < 0.25:
            target.pop(key, None)
        elif roll < 0.4:
            target[rng.choice([*KEYS, "unknown"])] = target.pop(key, {})
        elif roll < 0.6:
            target[key] = copy.deepcopy(rng.choice(list(rng.choice(objects_of(changed)).values()) or [{}]))
        else:
            target[key] = copy.deepcopy(rng.choice(WRONG_VALUES))
    return changed


SHIPPED = [family.template() for family in catalogue().values()]


@settings(max_examples=200, deadline=None)
@given(st.randoms(use_true_random=False))
def test_accepts_whatever_loads(rng: Random) -> None:
    original = rng.choice([rng.choice(SHIPPED), rng.choice(GOOD), random_template(rng).template])
    changed = mutated(rng, original)
    assert fits(changed) or not loads(changed)
