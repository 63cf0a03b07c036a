"""Cases that were once wrong, each with the right value: whole, by character, with empty pieces, after a prefix."""

from __future__ import annotations

from typing import Any

import pytest

from support.chunking import Item, items, merge, stream
from support.oracle import interpret
from untemplate.compiler import load_parser
from untemplate.runtime.foretelling import ForetellingParser

OPTIONAL_THINK = {
    "start_anchor": "<|assistant|>",
    "fields": {"reasoning_content": {"open_pattern": r"^(?:<think>\s*)?", "close": "</think>"}, "content": {}},
}
OPTIONAL_CLOSE = {
    "start_anchor": "@",
    "fields": {"c": {"open": "<call>", "close_pattern": "(?:</call>)?", "repeats": True}, "y": {}},
}
EMPTY_OR_ONE = {
    "start_anchor": "@",
    "fields": {
        "y": {"open": "a", "close_pattern": r"(?:\W|)", "repeats": True},
        "z": {"close": ["baa", "a"], "content_args": {"strip": False}, "repeats": True, "join": ""},
    },
}
SAME_TEXT_TWICE = {
    "start_anchor": "@",
    "fields": {"x": {"open": "a", "close_pattern": "a(?=b)"}, "y": {"close_pattern": r"\s*a"}},
}
CAPTURE_OF_A_CLOSE_THAT_CLOSED_NOTHING = {
    "start_anchor": "@",
    "fields": {
        "a": {
            "close_pattern": r"\)#(?P<name>\d+)|<<",
            "transform": {"name": "{name}", "text": "{content}"},
            "repeats": True,
        }
    },
}
FAR_LOOK_AHEADS = {
    "start_anchor": "@",
    "fields": {
        "r": {"open_pattern": r"<think>(?=[\s\S]*?</think>)", "close": "<|end|>", "repeats": True},
        "c": {"repeats": True, "join": ""},
    },
}
LITERAL_IN_A_LEAD = {
    "start_anchor": "@",
    "fields": {"z": {"open_pattern": "(?:a|b)*<"}, "y": {"close_pattern": r"a\s*", "repeats": True}},
}
NEVER_IN_A_DECIDED_ONE = {
    "start_anchor": "@",
    "fields": {"x": {"open": "[", "close_pattern": r"x(?:a(*FAIL)|\d+)y"}, "c": {}},
}
OPENS_BEHIND_THE_LAST_TAIL = {
    "start_anchor": "@",
    "fields": {"x": {"open": "<", "close_pattern": "b[ab]*"}, "z": {"open_pattern": "..é|q?", "close": "<"}, "y": {}},
}

CASES = [
    (OPTIONAL_THINK, "<think>Hm.</think>Yes.", {"reasoning_content": "Hm.", "content": "Yes."}),
    (OPTIONAL_CLOSE, "<call></call>x<call>y", {"c": ["", ""], "y": "y"}),
    (EMPTY_OR_ONE, "ab<  a \n<baa", {"y": ["", ""], "z": "b<  \n<"}),
    (SAME_TEXT_TWICE, " ab", {"y": "b"}),
    (FAR_LOOK_AHEADS, "<think>a<|end|>" * 9 + "</think>", {"r": ["a"] * 9, "c": "</think>"}),
    (LITERAL_IN_A_LEAD, "ba<x", {"z": "x"}),
    (LITERAL_IN_A_LEAD, "ba cb", {"y": ["b", "cb"]}),
    (NEVER_IN_A_DECIDED_ONE, "[hello xay and more x12y tail........", {"x": "hello xay and more", "c": "tail........"}),
    (OPENS_BEHIND_THE_LAST_TAIL, "<b", {}),
]


@pytest.mark.parametrize(("template", "text", "message"), CASES)
def test_however_it_is_cut(template: dict[str, Any], text: str, message: dict[str, Any]) -> None:
    module = load_parser(template)
    assert module.parse_response(text, prefix="") == message
    anchor = template["start_anchor"]
    assert module.parse_response(text, prefix=f"before{anchor}") == message
    pieces = [[text], list(text), ["", *text], [piece for char in text for piece in (char, "")]]
    results = [stream(module, "", chunks, None) for chunks in pieces]
    assert all(result == results[0] for result in results)
    assert results[0][0] == message


def test_captures_of_a_close_that_closed_nothing_are_forgotten() -> None:
    module = load_parser(CAPTURE_OF_A_CLOSE_THAT_CLOSED_NOTHING)
    with pytest.raises(ValueError, match="no 'name'"):
        module.parse_response(")#12 x<<", prefix="")


@pytest.mark.parametrize("pattern", [r"\Z", r"\Zx", r"[^\s\S]"])
def test_a_close_that_can_start_with_nothing(pattern: str) -> None:
    module = load_parser({"start_anchor": "@", "fields": {"content": {"close_pattern": pattern}}})
    assert module.parse_response("Yes.", prefix="") == {"content": "Yes."}


def test_nothing_is_held_once_the_scan_has_ended() -> None:
    module = load_parser({"start_anchor": "@", "fields": {"x": {"open": "<x>"}, "y": {"close_pattern": "|q"}}})
    parser = module.ResponseParser("")
    assert [parser.feed(text) for text in ("<", "y", "x>", "more")] == [[], [], [], []]
    assert parser.held == ""
    assert parser.finalize() == ({}, [])


def test_a_region_that_opens_behind_the_last_tail_is_told() -> None:
    parser = load_parser(OPENS_BEHIND_THE_LAST_TAIL).ResponseParser("")
    events = [event for text in ("<b", "") for event in parser.feed(text)] + parser.finalize()[1]
    assert [(event["type"], event["field"]) for event in events] == [
        ("region_open", "x"),
        ("region_close", "x"),
        ("region_open", "z"),
        ("region_close", "z"),
    ]


WHATEVER_IT_IS = [
    # Whichever of the two it is, and wherever that starts: where text is for nobody, the region opens.
    ({"x": {"open": ["a", "ba<", "bb"], "close": "<a"}}, "ba", ["region_open"]),
    ({"x": {"open_pattern": "(?:ab)?b(?:<b)?", "close": "<"}}, "aab", ["region_open"]),
    # A capture that is still to come can only be what is captured already.
    (
        {"x": {"open_pattern": "(?P<n>[a<])(?=<a)", "close_pattern": r"a(?P<n>a)?\s*", "transform": "{n}"}, "y": {}},
        "a<a",
        ["region_open", "region_chunk", "region_close"],
    ),
    (
        {"x": {"open": "<", "close_pattern": "(?P<n>bb)(?:abb|a)?", "transform": "{n}"}},
        "<bb",
        ["region_open", "region_close"],
    ),
    # The capture that is missing makes it malformed, whatever the other one is going to be.
    (
        {"x": {"open": "<", "close_pattern": "a(?P<n>b?)|(?P<m>ab)b", "transform": {"n": "{n}", "m": "{m}"}}, "y": {}},
        "<a",
        ["region_open", "region_malformed"],
    ),
    # What is captured behind the region makes no difference to a body that is rejected anyhow.
    (
        {"x": {"open": "<", "content": "json", "close_pattern": r">(?P<n>\w*)", "transform": ["{n}", "{content}"]}},
        "<a>",
        ["region_open", "region_chunk", "region_malformed"],
    ),
    (
        {"x": {"open": "<", "content": "json", "close_pattern": r">(?P<n>\w*)", "transform": ["{n}", "{content.k}"]}},
        "<[]>",
        ["region_open", *["region_chunk"] * 2, "region_malformed"],
    ),
    (
        {"x": {"open": "<", "content": "json", "close_pattern": r">(?P<n>\w*)", "transform": ["{n}", "{content}"]}},
        "<[]>",
        ["region_open", *["region_chunk"] * 2],
    ),
    # Nor to a list of nothing, or of what has such a key itself.
    (
        {
            "x": {
                "open": "<",
                "content": "json",
                "close_pattern": r">(?P<n>\w*)",
                "transform_each": True,
                "transform": "{n}",
            }
        },
        "<[]>",
        ["region_open", *["region_chunk"] * 2, "region_close"],
    ),
    (
        {
            "x": {
                "open": "<",
                "content": "python-call-list",
                "close_pattern": r">(?P<name>\w*)",
                "transform_each": True,
                "transform": {"n": "{name}"},
            }
        },
        "<[f()]>",
        ["region_open", *["region_chunk"] * 5, "region_close"],
    ),
    # Nor does what the open captures, once it is certain that there is no body: not even where the open ends.
    (
        {"x": {"open_pattern": "<(?P<n>[^b]*)", "content": "json", "close": "b", "transform": ["{n}", "{content}"]}},
        "<",
        ["region_open", "region_malformed"],
    ),
    # Wherever the open ends, the close is there.
    ({"x": {"open_pattern": "<[^b]*", "close": "b"}}, "<", ["region_open", "region_close"]),
    ({"x": {"open_pattern": r"<a>\s*", "close_pattern": r"\S"}}, "<a>", ["region_open", "region_close"]),
    ({"x": {"open_pattern": "<.*", "close": "a"}}, "<", ["region_open", "region_close"]),
    # What looks back at what it took itself can never match.
    ({"x": {"open_pattern": "bb(?<!b)", "close": "a"}, "y": {}}, "b", ["region_open", "region_chunk"]),
    # Many characters are held back when it turns out that the region opens anyhow.
    (
        {"x": {"open_pattern": r"<[^<>]*;(?:>|(?=[^>]*>)|(?![^>]*>))", "close": "."}, "y": {}},
        f"<{'n' * 300};",
        ["region_open"],
    ),
]


@pytest.mark.parametrize(("fields", "text", "said"), WHATEVER_IT_IS)
def test_what_happens_whatever_comes_is_said_at_once(fields: dict[str, Any], text: str, said: list[str]) -> None:
    parser = load_parser({"start_anchor": "@", "fields": fields}).ResponseParser("", on_malformed="event")
    events = [event for char in text for event in parser.feed(char)]
    assert [event["type"] for event in events] == said


def test_what_is_asked_of_captures_is_of_each_body_alone() -> None:
    """The same place is met with a body that is rejected, and with one that is not."""
    field = {"open": "<", "content": "json", "close_pattern": r">(?P<n>\w*)", "transform": ["{n}", "{content}"]}
    module = load_parser({"start_anchor": "@", "fields": {"x": {**field, "repeats": True}}})
    for text in ("<1>a.<?>", "<?>a.<1>a", "<?>b.<1>a.<?>b.<1>a"):
        parser = module.ResponseParser("", on_malformed="event")
        events = [[event["type"] for event in parser.feed(char)] for char in text]
        ends = {"?": "region_malformed", "1": "region_close"}
        assert events[2] == ([ends["?"]] if text[1] == "?" else [])
        message, rest = parser.finalize()
        said = [kind for each in events for kind in each] + [event["type"] for event in rest]
        assert [kind for kind in said if kind in ends.values()] == [ends[char] for char in text if char in ends]
        assert message == {"x": [["a", 1] for char in text if char == "1"]}


def test_a_body_is_not_read_again_once_its_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """It can be long, and what comes next be held back for long."""
    field = {"open": "<", "content": "json", "close_pattern": ">(?=[^Z]*Z)(?P<n>)|>(?![^Z]*Z)", "repeats": True}
    fields = {"x": {**field, "transform": ["{content}"]}, "y": {"repeats": True}}
    parser = load_parser({"start_anchor": "@", "fields": fields}).ResponseParser("")
    read = 0
    copy = ForetellingParser._copy

    def counted(self: ForetellingParser, with_body: bool = True) -> ForetellingParser:
        nonlocal read
        read += with_body
        return copy(self, with_body)

    monkeypatch.setattr(ForetellingParser, "_copy", counted)
    said = [event["type"] for event in parser.feed("<[1]>")]
    assert said == ["region_open", "region_chunk", "region_close"]
    said = [event["type"] for char in "abc " * 50 for event in parser.feed(char)]
    assert said[:2] == ["region_open", "region_chunk"]
    assert read == 1


def test_what_is_kept_of_places_is_bounded() -> None:
    field = {"open": "<", "content": "json", "close_pattern": r">(?P<n>\w*)", "transform": ["{n}", "{content}"]}
    parser = load_parser({"start_anchor": "@", "fields": {"x": field}}).ResponseParser("", on_malformed="event")
    for number in range(3_000):
        parser.feed(f"<?>i{number}")
        parser.feed(" text ")
    assert len(parser._met) < 2_000


def test_an_error_is_the_same_however_captures_come() -> None:
    """One is captured in front of the other, or behind it: a third that is missing is said to be missing alike."""
    part = {"transform": ["{l}"], "transform_each": True, "content": "json"}
    fields = {"x": {"open_pattern": "(?P<m>a)?<(?P<n>b)?", "close_pattern": ">(?P<n>b)?(?P<m>a)?(?P<l>c)?", **part}}
    module = load_parser({"start_anchor": "@", "fields": fields})
    errors = set()
    for text in ("a<[{}]>b", "<b[{}]>a", "a<b[{}]>", "<[{}]>ba"):
        parser = module.ResponseParser("", on_malformed="event")
        events = [*parser.feed(text), *parser.finalize()[1]]
        errors.add(events[-1]["error"])
    assert len(errors) == 1


def test_a_close_said_early_is_over_once_its_delimiter_is_there() -> None:
    """Behind an "a" a region of x opens, or y closes: its close is certain. Behind "<" that is no longer true."""
    fields = {"x": {"open_pattern": "(?<=a)", "close": ">"}, "y": {"close": "<", "repeats": True}}
    parser = load_parser({"start_anchor": "@", "fields": fields}).ResponseParser("")
    types = [[event["type"] for event in parser.feed(char)] for char in "a<a"]
    assert types[0] == types[2] == ["region_open", "region_chunk", "region_close"]


@pytest.mark.parametrize(
    ("opens", "chunks", "held"),
    [
        ({"x": r"\s*<ab>", "z": "<cd"}, "  <c", "<c"),
        ({"x": r"-*>", "z": r"\s*<"}, "a- - - -", "-"),
        ({"x": r"-*>", "z": r"\s*<"}, "a- - -  ", "  "),
    ],
)
def test_a_run_is_held_only_while_it_may_lead_somewhere(opens: dict[str, str], chunks: str, held: str) -> None:
    fields = {name: {"open_pattern": pattern, "close": "!"} for name, pattern in opens.items()}
    module = load_parser({"start_anchor": "@", "fields": {**fields, "y": {"content_args": {"strip": False}}}})
    for pieces in (list(chunks), [chunks]):
        parser = module.ResponseParser("")
        for piece in pieces:
            parser.feed(piece)
        assert parser.held == held


FAR_LOOK_BEHINDS = [
    ({"open_pattern": r"a(?:[^q]*(?<=x)b)?", "close": "b"}, "ab" * 200 + "xb"),
    ({"open_pattern": r"a(?=[^q]*(?<!x)b)", "close": "b"}, "ab" * 200 + "xbq" + "axb" * 100),
    ({"open": "<", "close_pattern": r"</t>(?:[^;]*(?<!x)</end>)?"}, "<</t>x</end>" * 100 + ";"),
]


@pytest.mark.parametrize(("field", "text"), FAR_LOOK_BEHINDS)
def test_look_behinds_that_are_far_away(field: dict[str, str], text: str) -> None:
    template = {"start_anchor": "@", "fields": {"x": {**field, "repeats": True}, "c": {"repeats": True, "join": "|"}}}
    expected = interpret(template, "", text)
    module = load_parser(template)
    for chunks in ([text], [text[at : at + 90] for at in range(0, len(text), 90)], list(text)):
        assert stream(module, "", chunks) == (expected.message, expected.events)


def test_nothing_is_passed_on_once_the_scan_has_ended() -> None:
    fields = {"b": {"close_pattern": r";\s*|(?=ab)"}, "x": {"open_pattern": r"\s*<x>"}}
    module = load_parser({"start_anchor": "@", "fields": fields})
    parser = module.ResponseParser("")
    events = [event for text in ("q", " ", "ab", "zz", " ", "z") for event in parser.feed(text)]
    assert [event["type"] for event in events] == ["region_open", "region_chunk", "region_chunk", "region_close"]
    assert parser.finalize() == ({"b": "q"}, [])


# Fields, a text, and what all its continuations begin with, although it is not decided which delimiters there are.
SHARED_BY_CHANCE = [
    ({"z": {"open_pattern": "ab|a", "close": "<"}, "y": {"close_pattern": "ab|a"}}, "a", [("open", "z")]),
    ({"z": {"open_pattern": r"a\s*", "close": "a"}, "y": {"close_pattern": r"a\s*|$"}}, "a  ", [("open", "z")]),
    ({"x": {"open_pattern": "(?:ab)?", "close": "<"}, "y": {}}, "", [("open", "x")]),
    ({"x": {"open_pattern": r"a\s*|$", "close": "b"}}, "", [("open", "x")]),
    ({"x": {"open_pattern": r"a\s*", "close_pattern": "(?:<|)"}}, "a ", [("open", "x"), ("close", "x", "''")]),
    ({"x": {"open": "<a"}, "y": {"close_pattern": r"a(?=b)|\s+<"}}, "a", [("open", "y")]),
    ({"x": {"open": "<a"}, "y": {"close_pattern": r"a(?=\s*b)"}}, "a  ", [("open", "y")]),
    ({"x": {"open": "<a"}, "y": {"close_pattern": "b$"}}, "b\n", [("open", "y")]),
    ({"x": {"open_pattern": "(?=[^b]*b)a|a"}}, "aa", [("open", "x"), ("char", "x", "a")]),
    (
        {"x": {"open": "aba", "close_pattern": "(?=a)|(?!a)"}, "z": {"open_pattern": "a*b?<"}},
        "aba",
        [("open", "x"), ("close", "x", "''")],
    ),
    ({"x": {"open_pattern": "a(?:a(?=[^b]*b))?"}}, "aaa", [("open", "x"), ("char", "x", "a")]),
    (
        {"x": {"open_pattern": "(?:ab)?(?=[^b]*b)", "close": "<"}, "y": {"close": "<"}},
        "aba",
        [("open", "x"), ("char", "x", "a")],
    ),
    (  # what is captured and not asked for makes no difference
        {"x": {"open": "<", "close_pattern": r"(?P<n>\w*)b*", "transform": "{content}"}},
        "<",
        [("open", "x"), ("close", "x", "''")],
    ),
    (
        {"x": {"open_pattern": "a(?=b)"}, "y": {"close_pattern": "a(?!b)"}},
        "ba",
        [("open", "y"), ("char", "y", "b"), ("close", "y", "'b'")],
    ),
    *(
        (
            {
                "x": {"open_pattern": "(?=a)|(?!a)", "close": "<"},
                "y": {"close_pattern": "a(?:a(?=[^b]*b))?"},
            },
            text,
            [("open", "x")],
        )
        for text in ("", "a", "aa")
    ),
    (
        {"x": {"open_pattern": "a(?=[^b]*b)|a(?![^b]*b)", "close_pattern": r"\b"}, "y": {}},
        "aa",
        [("open", "x"), ("char", "x", "a")],
    ),
    (
        {"z": {"open_pattern": "a(?=b)|a(?!b)", "close_pattern": "(?=[^b]*b)|(?![^b]*b)"}, "y": {}},
        "a<",
        [("open", "z"), ("close", "z", "''"), ("open", "y"), ("char", "y", "<")],
    ),
    (
        {"x": {"open_pattern": "(?=[^b]*b)|(?![^b]*b)", "close": "<"}, "y": {}},
        "<<<",
        [("open", "x"), ("close", "x", "''")] * 3 + [("open", "x")],
    ),
    (
        {
            "x": {"open": "<long_call_of_more_than_thirty_two_characters", "close": "!"},
            "y": {"close_pattern": "<long_call_of_more_than_thirty_two_characters(?=b)"},
        },
        "a<long_call_of_more_than_thirty_two_characters",
        [("open", "y"), ("char", "y", "a"), ("close", "y", "'a'"), ("open", "x")],
    ),
]


@pytest.mark.parametrize(("fields", "text", "shared"), SHARED_BY_CHANCE)
def test_what_is_certain_by_chance_is_said(fields: dict[str, Any], text: str, shared: list[Item]) -> None:
    template = {"start_anchor": "@", "fields": fields}
    module = load_parser(template)
    for chunks in ([text], list(text)):
        parser = module.ResponseParser("")
        events = [*parser.initial_events, *(event for chunk in chunks for event in parser.feed(chunk))]
        assert items(events) == shared
        for rest in ("", "b", "ab<a  b", "\n", "<ab "):
            copy = module.ResponseParser.restore(parser.snapshot())
            further = [*events, *copy.feed(rest)]
            message, last = copy.finalize()
            expected = interpret(template, "", text + rest)
            assert (message, merge([*further, *last])) == (expected.message, expected.events)


FORETOLD = {
    "start_anchor": "@",
    "fields": {
        "x": {"open": "<a>", "content": "json", "close_pattern": r"\s*</a>|\s*</a>b"},
        "y": {"close_pattern": "<a>|<a>b"},
    },
}


def test_what_is_said_in_advance_depends_on_the_reply_alone() -> None:
    """Not on what other replies have tried before."""
    module = load_parser(FORETOLD)

    def counts() -> list[int]:
        parser = module.ResponseParser("", on_malformed="event")
        return [len(parser.feed(char)) for char in "x<a>[1, 2]  \n </a>by <a>1\x0b</a>"]

    first = counts()
    for number in range(1_500):
        module.ResponseParser("", on_malformed="event").feed(f"<a>[{number}] \x0b" + " " * (number % 30))
    assert counts() == first


def test_a_restored_parser_says_nothing_again() -> None:
    template = {"start_anchor": "@", "fields": {"x": {"open_pattern": "(?:<a>)?", "close": "</a>"}, "y": {}}}
    parser = load_parser(template).ResponseParser("")
    assert [event["type"] for event in parser.initial_events] == ["region_open"]
    parser.feed("hi")
    assert type(parser).restore(parser.snapshot()).initial_events == []


def test_what_is_said_in_advance_is_said_however_often_it_comes() -> None:
    fields = {"x": {"open": "<a"}, "y": {"close_pattern": r"a(?=b)|\s+<", "repeats": True, "join": ""}}
    parser = load_parser({"start_anchor": "@", "fields": fields}).ResponseParser("")
    for _ in range(1_000):
        assert [event["type"] for event in parser.feed("a")] == ["region_open"]
        assert [event["type"] for event in parser.feed("c <")] == ["region_chunk", "region_close"]


def test_a_value_with_what_a_close_captures_is_not_said_before_it_is_whole() -> None:
    call = {"open": "aab", "close_pattern": r"aba(?P<status>\w*)\s*", "repeats": True, "transform": "{status}"}
    fields = {"x": call, "y": {"close_pattern": r">>\s*|(?=;)"}}
    module = load_parser({"start_anchor": "@", "fields": fields})
    text = "b>>\naabnanabaok\n"
    parser = module.ResponseParser("")
    events = [event for char in text for event in parser.feed(char)]
    message, rest = parser.finalize()
    assert [one["value"] for one in (*events, *rest) if one["type"] == "region_close"][1:] == ["ok"]
    assert message == module.parse_response(text, "")
