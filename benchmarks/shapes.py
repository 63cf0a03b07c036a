"""Texts that make careless parsers slow, each with a template it is hostile to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dialects import DIALECTS
from texts import prose

Fill = Callable[[int], str]


@dataclass(frozen=True)
class Shape:
    """A template, and a text for it of any length.

    Attributes:
        name: what is hostile.
        template: the response template.
        fill: the text of about so many characters.
        in_prefix: whether the text is the prompt, not the output.
    """

    name: str
    template: dict[str, Any]
    fill: Fill
    in_prefix: bool = False


def repeated(unit: str, head: str = "", tail: str = "") -> Fill:
    """`head`, then `unit` as often as fits, then `tail`."""
    return lambda size: head + unit * (max(0, size - len(head) - len(tail)) // len(unit)) + tail


def _template(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"start_anchor": "<|assistant|>", "fields": fields}


def _opened(pattern: str, **more: Any) -> dict[str, Any]:
    """A template whose calls open with a pattern, beside plain content."""
    return _template(calls={"open_pattern": pattern, "close": "<|end|>", "repeats": True, **more}, content={})


def _closed(pattern: str, **more: Any) -> dict[str, Any]:
    """A template whose thought closes with a pattern, beside plain content."""
    return _template(thought={"open": "<think>", "close_pattern": pattern, **more}, content={})


def _tags(pattern: str, **more: Any) -> dict[str, Any]:
    """A template whose calls hold tags of a pattern."""
    arguments = {"tag_pattern": pattern, **more}
    return _template(call={"open": "<call>", "close": "</call>", "content": "xml-inline", "content_args": arguments})


def _body(content: str, **arguments: Any) -> dict[str, Any]:
    """A template whose calls have content of one kind."""
    return _template(call={"open": "<call>", "close": "</call>", "content": content, "content_args": arguments})


_NAME = {"transform": {"name": "{name}", "arguments": "{content}"}}
_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}


def _calls(name: str) -> Fill:
    dialect = _BY_NAME[name]
    one = len(dialect.many_calls(2)) - len(dialect.many_calls(1))
    return lambda size: dialect.many_calls(max(1, size // one))


def _long_argument(name: str) -> Fill:
    return _BY_NAME[name].long_argument


def _near_misses(name: str) -> Fill:
    """Each of a model's special tokens without its last character, again and again."""
    dialect = _BY_NAME[name]
    return repeated("".join(token[:-1] + " " for token in dialect.special), dialect.content[0])


def _family(name: str) -> list[Shape]:
    """What is hostile to a template in use."""
    dialect = _BY_NAME[name]
    template = dialect.template()
    return [
        Shape(f"{name}: plain text", template, dialect.plain),
        Shape(f"{name}: only <", template, repeated("<", dialect.content[0])),
        Shape(f"{name}: near misses", template, _near_misses(name)),
        Shape(f"{name}: many calls", template, _calls(name)),
        Shape(f"{name}: long argument", template, _long_argument(name)),
        Shape(f"{name}: argument of spaces", template, repeated(" ", dialect.calls([{"text": "§"}]).split("§")[0])),
    ]


_CATASTROPHES = (
    (r"(?:a+)+b", "a"),
    (r"(?:\s|\n)*X", " "),
    (r"(?:\s|\n)*X", "\n"),
    (r"(?:a|a)*b", "a"),
    (r"(?:.*?,){8}x", ","),
    (r"(?:.*?,){8}x", "a, "),
    (r"a*a*a*a*a*b", "a"),
    (r"(?:ab|a|b)*c", "ab"),
    (r"(?=(?:a+)+b)a", "a"),
    (r"\w*\d\w*<end>", "a1"),
)
"""Patterns that backtracking takes for ever over, and what they are repeated on."""

_PATTERNED = _BY_NAME["patterned"].template()

_ENCLOSED = r"<p=(?P<key>[^<>\n]+)>\n?(?P<value>.*?)(?:\n?</p>|(?=\n<p=[^<>\n]+>))"

SHAPES: tuple[Shape, ...] = (
    *(shape for dialect in DIALECTS for shape in _family(dialect.name)),
    Shape(
        "a header that never ends",
        _opened(r"<\|start\|>.*?<\|message\|>"),
        lambda size: "<|start|>" + prose(size, seed=5),
    ),
    Shape("headers that never end", _opened(r"<\|start\|>.*?<\|message\|>"), repeated("<|start|> to=x ")),
    Shape("gpt_oss: a header that never ends", _BY_NAME["gpt_oss"].template(), repeated("x", "<|channel|>final")),
    Shape(
        "a look-ahead whose close never comes",
        _opened(r"<think>(?=[\s\S]*?</think>)"),
        lambda size: "<think>" + prose(size, seed=5),
    ),
    Shape(
        "look-aheads whose close never comes", _opened(r"<think>(?=[\s\S]*?</think>)"), repeated("<think> a < b </thin")
    ),
    Shape(
        "look-aheads whose close comes last",
        _opened(r"<think>(?=[\s\S]*?</think>)"),
        repeated("<think>a<|end|>", tail="</think>"),
    ),
    Shape("look-aheads that all reach the end", _opened(r"<c>(?=[^\n]*\n)"), repeated("<c>a<|end|>", tail="\n")),
    Shape("many parts that may match nothing", _opened("<" + r"(?:\w*,?)?" * 20 + ">"), repeated("<aa,bb c ")),
    Shape("a header that runs far and fails", _opened(r"<[^>]*>|<a"), repeated("<a<|end|>")),
    Shape("a header that runs far and fails, decided", _opened(r"<[^>;]*>|<a"), repeated("<a<|end|>", tail=";")),
    Shape("a look-behind that is far away", _opened(r"a(?:[^q]*(?<=x)b)?"), repeated("a<|end|>")),
    Shape("a close that looks far ahead", _closed(r"</think>(?=[^<]*<answer>)"), repeated("</think> no ", "<think>")),
    Shape("white space before a literal", _PATTERNED, repeated(" " * 50 + "x")),
    Shape("white space without end", _PATTERNED, repeated(" \n")),
    Shape("white space before a near miss", _PATTERNED, repeated(" " * 1_000 + "<tool_cal")),
    Shape("a class gap that never ends", _opened(r"<\|channel\|>[^<]*<\|message\|>"), repeated("x", "<|channel|>")),
    Shape("class gaps that fail late", _opened(r"to=[^<]*<\|message\|>"), repeated("to=xxxx ")),
    Shape("a name that never ends", _opened(r"<call (?P<name>\w+)>", **_NAME), repeated("x", "<call ")),
    Shape("names that never end", _opened(r"call:(?P<name>[^\n]+)\n\{", **_NAME), repeated("call:x ")),
    Shape("a tail that never ends", _PATTERNED, repeated(" ", '<tool_call>{"name": "f"}</tool_call>')),
    Shape("tails with many calls", _PATTERNED, repeated('<tool_call>{"name": "f"}</tool_call>' + " " * 200)),
    Shape(
        "thousands of joined parts",
        _PATTERNED,
        repeated('a<tool_call>{"name": "f"}</tool_call>'),
    ),
    Shape(
        "thousands of joined thoughts",
        _template(thought={"open": "<t>", "close": "</t>", "repeats": True, "join": "\n"}, content={}),
        repeated("<t>a</t>b"),
    ),
    Shape("regions that all differ", _opened(r"<(?P<name>\w+)>", **_NAME), repeated("<a><|end|><b><|end|>c")),
    *(Shape(f"open {pattern} on {unit!r}", _opened(pattern), repeated(unit)) for pattern, unit in _CATASTROPHES),
    *(
        Shape(f"close {pattern} on {unit!r}", _closed(pattern), repeated(unit, "<think>"))
        for pattern, unit in _CATASTROPHES
    ),
    *(
        Shape(
            f"tag (?P<key>{pattern})=(?P<value>.) on {unit!r}",
            _tags(rf"(?P<key>{pattern})=(?P<value>.)"),
            repeated(unit, "<call>", "</call>"),
        )
        for pattern, unit in _CATASTROPHES
    ),
    Shape(
        "parameters that never close",
        _tags(r"<p=(?P<key>\w+)>(?P<value>.*?)</p>"),
        repeated("<p=a>value ", "<call>", "</call>"),
    ),
    Shape(
        "a value that never closes",
        _tags(r"<p=(?P<key>\w+)>(?P<value>.*?)</p>"),
        repeated("value ", "<call><p=a>", "</call>"),
    ),
    *(
        Shape(f"{name}, found by a regular expression", _tags(_ENCLOSED), repeated(unit, head, "</call>"))
        for name, unit, head in (
            ("parameters that never close", "<p=a>\nvalue ", "<call>"),
            ("a value that never closes", "a > b\n", "<call><p=a>"),
            ("ends that are none", "\n</p ", "<call><p=a>"),
            ("heads ahead that are none", "\n<p=a<", "<call><p=a>"),
            ("a key that never ends", "x", "<call><p="),
            ("keys that are none", "<p=a\n", "<call>"),
            ("many parameters", "<p=a>\nvalue\n</p>\n", "<call>"),
        )
    ),
    Shape("a greedy value", _tags(r"<p=(?P<key>\w+)>(?P<value>.*)</p>"), repeated("<p=a>b</p>", "<call>", "</call>x")),
    Shape(
        "values that look ahead",
        _tags(r"<p=(?P<key>\w+)>(?P<value>.*?)(?:</p>|(?=<p=))"),
        repeated("<p=a>b", "<call>", "</call>"),
    ),
    Shape("keys that never end", _tags(r"<(?P<key>\w+)>(?P<value>\d)"), repeated("x", "<call><", "</call>")),
    Shape("words that are no keys", _tags(r"(?P<key>\w+)=(?P<value>\d)"), repeated("x", "<call>", "</call>")),
    Shape("white space before tags", _tags(r"\s*<(?P<key>\w)>(?P<value>\d)"), repeated(" ", "<call>", "</call>")),
    Shape(
        "duplicates merged",
        _tags(r"<(?P<key>\w)>(?P<value>\d)", merge_duplicates=True),
        repeated("<a>1", "<call>", "</call>"),
    ),
    Shape("JSON: deep lists", _body("json"), repeated("[", "<call>", "</call>")),
    Shape("JSON: a long number", _body("json"), repeated("1", "<call>", "</call>")),
    Shape("JSON: escapes", _body("json"), repeated('\\"', '<call>"', '"</call>')),
    Shape(
        "JSON: delimited strings without an end",
        _body("json", string_delims=[["<s>", "</s>"]]),
        repeated("<s>a", "<call>", "</call>"),
    ),
    Shape(
        "JSON: many delimited strings",
        _body("json", string_delims=[["<s>", "</s>"]]),
        repeated("<s>a</s>,", "<call>[", "0]</call>"),
    ),
    Shape("JSON: unquoted keys", _body("json", unquoted_keys=True), repeated("{a: 1},", "<call>[", "0]</call>")),
    Shape("JSON: keys without a colon", _body("json", unquoted_keys=True), repeated("{ a ", "<call>", "</call>")),
    Shape("JSON: one long word", _body("json", unquoted_keys=True), repeated("a", "<call>{", "</call>")),
    Shape("JSON: white space in keys", _body("json", unquoted_keys=True), repeated(" ", "<call>{", "</call>")),
    Shape("JSON: open strings", _body("json", unquoted_keys=True), repeated('\\"', '<call>{"', "</call>")),
    Shape("lines", _body("kv-lines"), repeated("a: b\n", "<call>", "</call>")),
    Shape("lines without a key", _body("kv-lines"), repeated("a\n", "<call>", "</call>")),
    Shape("calls in a list", _body("python-call-list"), repeated("f(a=1), ", "<call>[", "f()]</call>")),
    Shape("a list of calls in a string", _body("python-call-list"), repeated("\\n", "<call>[f(a='", "')]</call>")),
    Shape("a name with many parts", _body("python-call-list"), repeated(".a", "<call>[f", "()]</call>")),
    Shape("a long number in a call", _body("python-call-list"), repeated("1", "<call>[f(a=", ")]</call>")),
    Shape("an open string in a call", _body("python-call-list"), repeated("\\'", "<call>[f(a='", "</call>")),
    Shape(
        "a prompt of near misses",
        {"start_anchor_pattern": r"\s*<\|assistant\|>[^<]*<\|sep\|>", "fields": {"content": {}}},
        repeated("   <|assistant|> x "),
        in_prefix=True,
    ),
    Shape(
        "a prompt of anchors",
        {"start_anchor_pattern": r"<\|assistant\|>\s*", "fields": {"content": {}}},
        repeated("<|assistant|> x "),
        in_prefix=True,
    ),
    Shape(
        "a prompt without an anchor",
        {"start_anchor": ["<|assistant|>", "<|model|>"], "fields": {"content": {}}},
        lambda size: prose(size, seed=6),
        in_prefix=True,
    ),
)
