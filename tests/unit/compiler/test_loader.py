"""From JSON to a checked template."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.response_templates import load_response_template

from support.strategies import random_template
from untemplate.compiler.diagnostics import TemplateError
from untemplate.compiler.frontend import limits, schema
from untemplate.compiler.frontend.contents import read_content
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.frontend.reading import ObjectView
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.source import source_of_text, source_of_value
from untemplate.compiler.patterns import read_pattern

TESTS = Path(__file__).parents[2]
TEMPLATES: dict[str, dict[str, Any]] = {
    f"{path.stem}/{name}": template
    for path in sorted((TESTS / "data").glob("*.json"))
    for name, template in json.loads(path.read_text(encoding="utf-8")).get("templates", {}).items()
}

# What we refuse on purpose though the reference loads it; most of it fails there when a reply is parsed.
STRICTER = {
    *("wrong-type", "unknown-key", "unknown-parser", "missing-key", "missing-group", "empty-separator"),
    *("empty-literal", "not-a-pair", "default-not-extendable", "each-without-list", "join-not-string"),
    *("unresolvable-placeholder", "bad-pattern", "over-limit", "not-finite", "integer-too-long", "too-deep"),
}

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["json", "xml-inline", "kv-lines", "python-call-list", "int", "{content}", "{content.a}", "{a}"])
    | st.sampled_from(["(?P<a>x)", "(", "(?P<key>a)(?P<value>b)", "a{b}"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["open", "content", "name", "args", "a", "fields"]), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("version", "defaults", "start_anchor", "start_anchor_pattern", "fields", "open", "open_pattern", "close"),
        *("close_pattern", "repeats", "join", "optional", "content", "content_args", "transform", "transform_each"),
        *("strip", "tag_pattern", "value_parser", "string_delims", "name", "args", "kv_sep", "tool_calls"),
    ]
)


def codes(template: Any) -> list[str]:
    """The codes of all faults of a template."""
    try:
        load_template(source_of_value(template))
    except TemplateError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


def field(**keys: Any) -> dict[str, Any]:
    """A template with one field."""
    return {"start_anchor": "<a>", "fields": {"f": {"open": "<f>", **keys}}}


def content(name: str, **options: Any) -> schema.Content:
    """The content parser of a field with these options."""
    template = field(content=name, content_args=options)
    return load_template(template).fields[0].content


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates_in_use_load(name: str) -> None:
    template = load_template(TEMPLATES[name])
    assert template.raw == TEMPLATES[name]
    assert [part.name for part in template.fields] == list(TEMPLATES[name]["fields"])


def test_whole_template() -> None:
    raw = {
        "version": 1,
        "defaults": {"role": "assistant", "n": [1]},
        "start_anchor_pattern": "<a>\\n?",
        "fields": {
            "calls": {
                "open_pattern": "<call (?P<name>\\w+)(?P<id>#\\d+)?>",
                "close": ["</call>", "</c>", "</call>"],
                "repeats": True,
                "optional": False,
                "content": "json",
                "content_args": {"unquoted_keys": True, "string_delims": [["<q>", "</q>"]]},
                "transform": {"n": "{name}", "a": ["{content.x.y}", "{ content }", 1.5, None]},
            },
            "text": {"close": "<end>", "repeats": True, "join": "", "content_args": {"strip": False}},
        },
    }
    open_pattern = "<call (?P<name>\\w+)(?P<id>#\\d+)?>"
    at = ("fields", "calls")
    assert load_template(raw) == schema.Template(
        defaults={"role": "assistant", "n": [1]},
        anchor=schema.PatternDelimiter("<a>\\n?", read_pattern("<a>\\n?"), (), ("start_anchor_pattern",)),
        fields=(
            schema.Field(
                name="calls",
                open=schema.PatternDelimiter(
                    open_pattern, read_pattern(open_pattern), ("name", "id"), (*at, "open_pattern")
                ),
                close=schema.LiteralDelimiter(("</call>", "</c>"), (*at, "close")),
                repeats=True,
                join=None,
                optional=False,
                content=schema.Json(unquoted_keys=True, string_delims=(("<q>", "</q>"),)),
                transform=schema.ObjectOf(
                    (
                        ("n", schema.Placeholder(("name",))),
                        (
                            "a",
                            schema.ListOf(
                                (
                                    schema.Placeholder(("content", "x", "y")),
                                    schema.Constant("{ content }"),
                                    schema.Constant(1.5),
                                    schema.Constant(None),
                                )
                            ),
                        ),
                    )
                ),
                transform_each=False,
                path=at,
            ),
            schema.Field(
                name="text",
                open=None,
                close=schema.LiteralDelimiter(("<end>",), ("fields", "text", "close")),
                repeats=True,
                join="",
                optional=True,
                content=schema.Text(strip=False),
                transform=None,
                transform_each=False,
                path=("fields", "text"),
            ),
        ),
        raw=raw,
    )


def test_content_parsers() -> None:
    assert content("text") == schema.Text(strip=True)
    assert [content(name) for name in ("int", "float", "bool", "python-call-list")] == [
        *(schema.Int(), schema.Float(), schema.Bool(), schema.PythonCallList())
    ]
    assert content("json", allow_non_json=True) == schema.Json(allow_non_json=True)
    assert content("kv-lines", kv_sep="=", value_parser={}) == schema.KvLines(kv_sep="=", value_parser=schema.Text())
    tag = "<(?P<key>a)>(?P<value>b)"
    nested = {"name": "kv-lines", "args": {"value_parser": {"name": "json", "args": {"unquoted_keys": True}}}}
    assert content("xml-inline", tag_pattern=tag, value_parser=nested, merge_duplicates=True) == schema.XmlInline(
        tag, read_pattern(tag), schema.KvLines(value_parser=schema.Json(unquoted_keys=True)), True
    )


def test_each_parser_class_knows_its_name() -> None:
    for name in ("text", "int", "float", "bool", "json", "xml-inline", "kv-lines", "python-call-list"):
        options = {"tag_pattern": "(?P<key>a)(?P<value>b)"} if name == "xml-inline" else {}
        view = ObjectView(Report(source_of_value({})), (), {"content": name, "content_args": options}, "a field")
        assert read_content(view).parser == name


def test_defaults_are_not_shared_with_raw() -> None:
    template = load_template({**field(), "defaults": {"l": [1]}})
    template.defaults["l"].append(2)
    assert template.raw["defaults"] == {"l": [1]}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"transform": "{name}"}, ["unresolvable-placeholder"]),
        ({"transform": "{name}", "transform_each": True, "content": "json"}, []),
        ({"transform": "{f}", "close_pattern": "(?P<f>x)"}, []),
        ({"transform": "{f.a}", "close_pattern": "(?P<f>x)"}, ["unresolvable-placeholder"]),
        ({"transform": "{content.a.b}", "content": "json"}, []),
        ({"transform": "{content.a}", "content": "kv-lines"}, []),
        ({"transform": "{content.a.b}", "content": "kv-lines"}, ["unresolvable-placeholder"]),
        (
            {
                "transform": "{content.a.b}",
                "content": "kv-lines",
                "content_args": {"value_parser": {"name": "json"}},
            },
            [],
        ),
        ({"transform": "{content.name}", "content": "python-call-list"}, ["unresolvable-placeholder"]),
        ({"transform": "{content.a}", "close_pattern": "(?P<content>x)", "content": "json"}, []),
        ({"transform": "{मौसम}", "close_pattern": "(?P<मौसम>x)"}, []),
        ({"transform": "a {x}", "content": "json"}, ["mixed-placeholder"]),
        ({"transform": ["{a b}", "{}", "{.a}", "{a.}"]}, []),
        ({"transform": ["{content}{content}"]}, ["mixed-placeholder"]),
        ({"repeats": True, "join": "", "content": "json"}, []),
        ({"repeats": True, "join": "", "content": "json", "transform": "{content.a}"}, []),
        ({"repeats": True, "join": "", "content": "int", "transform": "x"}, []),
        ({"repeats": True, "join": "", "content": "int", "transform": "{f}", "close_pattern": "(?P<f>x)"}, []),
        ({"repeats": True, "join": "", "content": "python-call-list"}, ["join-not-string"]),
        ({"repeats": True, "join": "", "transform": ["{content}"]}, ["join-not-string"]),
        ({"transform_each": True, "transform": {}, "content": "python-call-list"}, []),
        ({"transform_each": True, "transform": {}, "content": "bool"}, ["each-without-list"]),
        ({"transform_each": False}, []),
        # One fault does not cause others.
        ({"transfrom": "{name}", "close_pattern": "(?P<name>x)"}, ["unknown-key"]),
        ({"repeat": True, "join": ""}, ["unknown-key"]),
        ({"repeats": 1, "join": ""}, ["wrong-type"]),
        ({"transform": "{name}", "close_pattern": "(?P<name>x"}, ["bad-pattern"]),
        ({"transform": "{content.a}", "content": "jsn"}, ["unknown-parser"]),
        ({"content": "xml-inline", "content_args": {"tagpattern": "x"}}, ["unknown-key"]),
        ({"content": "xml-inline", "content_args": {"tag_pattern": "("}}, ["bad-pattern"]),
        ({"content": "xml-inline"}, ["missing-key"]),
    ],
)
def test_checks_of_a_field(keys: dict[str, Any], expected: list[str]) -> None:
    assert codes(field(**keys)) == expected


def test_misspelt_open_is_not_an_implicit_field() -> None:
    fields = {"a": {"opn": "x"}, "b": {}}
    assert codes({"start_anchor": "s", "fields": fields}) == ["unknown-key"]
    assert codes({"start_achor": "s", "fields": {"b": {}}}) == ["unknown-key"]
    assert codes({"start_anchor": "s", "field": {"b": {}}}) == ["unknown-key"]


def test_defaults_of_fields() -> None:
    repeats = {**field(repeats=True), "defaults": {"f": []}}
    assert codes(repeats) == []
    assert codes({**repeats, "defaults": {"f": None}}) == ["default-not-extendable"]
    joined = {**field(repeats=True, join=""), "defaults": {"f": "x"}}
    assert codes(joined) == []
    assert codes({**joined, "defaults": {"f": []}}) == ["default-not-extendable"]
    assert codes({**field(), "defaults": {"f": 5, "other": {}}}) == []


def test_limits() -> None:
    fields = {f"f{number}": {"open": f"<{number}>"} for number in range(limits.FIELDS + 1)}
    assert codes({"start_anchor": "s", "fields": fields}) == ["over-limit"]
    del fields["f0"]
    assert codes({"start_anchor": "s", "fields": fields}) == []
    assert codes(field(close=["x"] * (limits.LITERALS + 1))) == ["over-limit"]
    assert codes(field(close="x" * (limits.LITERAL_CHARACTERS + 1))) == ["over-limit"]
    assert codes(field(close=["y", "x" * limits.LITERAL_CHARACTERS])) == []
    delims = [["<", ">"]] * (limits.STRING_DELIMS + 1)
    assert codes(field(content="json", content_args={"string_delims": delims})) == ["over-limit"]


def test_a_dict_that_is_not_json() -> None:
    template = field(close=("a", "b"), repeats={1}, content_args={1: 2})
    with pytest.raises(TemplateError) as caught:
        load_template(template)
    assert [(found.code, found.path) for found in caught.value.diagnostics] == [
        ("not-json-value", "$.fields.f.close"),
        ("not-json-value", "$.fields.f.repeats"),
        ("not-json-value", "$.fields.f.content_args"),
    ]


def test_a_fault_in_a_pattern_points_at_its_character() -> None:
    text = '{"start_anchor_pattern": "\\u0041\\ud83d\\ude00\\n(?P<n>x", "fields": {"content": {}}}'
    with pytest.raises(TemplateError) as caught:
        load_template(source_of_text(text, "t.json"))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "bad-pattern"
    assert diagnostic.column == text.index("(?P<n>") + 1


def reference_refuses(template: Any) -> bool:
    try:
        load_response_template(copy.deepcopy(template))
    except Exception:
        return True
    return False


@given(JSON_VALUES)
@settings(max_examples=150, deadline=None)
def test_any_json(value: Any) -> None:
    assert codes(value) != [] or not reference_refuses(value)


@given(st.sampled_from(sorted(TEMPLATES)), st.data())
@settings(max_examples=300, deadline=None)
def test_mutations_are_judged_as_by_the_reference(name: str, data: st.DataObject) -> None:
    template = copy.deepcopy(TEMPLATES[name])
    for _ in range(data.draw(st.integers(1, 2))):
        mutate(template, data)
    found = codes(template)
    if reference_refuses(template):
        assert found
    else:
        assert set(found) <= STRICTER


def mutate(template: dict[str, Any], data: st.DataObject) -> None:
    """Changes, removes or adds one value somewhere in the template."""
    containers = [template]
    for container in containers:
        values = container.values() if isinstance(container, dict) else container
        containers += [value for value in values if isinstance(value, (dict, list))]
    container = data.draw(st.sampled_from(containers))
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    if isinstance(container, dict) and (not keys or data.draw(st.booleans())):
        container[data.draw(KEYS)] = data.draw(JSON_VALUES)
    elif keys and data.draw(st.booleans()):
        container[data.draw(st.sampled_from(keys))] = data.draw(JSON_VALUES)
    elif keys:
        del container[data.draw(st.sampled_from(keys))]


@given(st.integers(0, 10**9))
@settings(max_examples=100, deadline=None)
def test_random_templates_load(seed: int) -> None:
    # Their tag patterns may refer back to a group, which patterns can not.
    assert set(codes(random_template(Random(seed)).template)) <= {"bad-pattern"}
