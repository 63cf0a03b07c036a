"""Random templates in the style people write them, and outputs made for them, good and broken.

Everything is drawn from a `random.Random`, so that millions of cases can be made fast from a seed; hypothesis gets the
same cases through its own `Random`, which it can shrink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import regex
from hypothesis import strategies as st

from support.bodies import BLANKS, CALL_NAMES, KEYS, content, prose

Template = dict[str, Any]
Case = tuple[Template, str, str, list[dict[str, Any]] | None]

NAMES = ["reasoning_content", "tool_calls", "content", "meta", "count", "a", "b_2"]
ANCHORS: list[tuple[dict[str, Any], list[str]]] = [
    ({"start_anchor": "<|im_start|>assistant\n"}, ["<|im_start|>assistant\n"]),
    ({"start_anchor": ["<bot>", "<bot>\n", "[bot]"]}, ["<bot>", "<bot>\n", "[bot]"]),
    ({"start_anchor_pattern": r"<\|turn>model\n|<reply\|>"}, ["<|turn>model\n", "<reply|>"]),
    ({"start_anchor_pattern": r"\[model\](?:\s*<think>\n?)?"}, ["[model]", "[model]\n<think>\n", "[model]<think>"]),
]
TOOL_TYPES: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "integer"},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "array", "items": {}},
    {"type": "object"},
    {"type": ["integer", "null"]},
    {"type": "number", "nullable": True},
    {"anyOf": [{"type": "boolean"}, {"type": "integer"}]},
    {"oneOf": [{"type": "null"}, {"type": "string"}]},
    {"description": "anything"},
]


@dataclass
class Delimiter:
    """One way of writing `open` or `close`, texts that it matches, and whether it can match nothing."""

    spec: dict[str, Any]
    samples: list[str]
    empty: bool = False
    groups: list[str] = field(default_factory=list)


@dataclass
class FieldPlan:
    """A field of a template together with the means to write regions of it."""

    name: str
    open: Delimiter | None
    close: Delimiter | None
    body: Callable[[Random], str]


@dataclass
class TemplatePlan:
    """A template, and what outputs for it are made of."""

    template: Template
    fields: list[FieldPlan]
    anchors: list[str]


def _tag_pair(rng: Random, number: int) -> tuple[str, str]:
    name = rng.choice(["think", "call", "tool_call", "t", "tt", "x"])
    pair = rng.choice(
        [
            (f"<{name}>", f"</{name}>"),
            (f"<|{name}|>", f"<|/{name}|>"),
            (f"<|{name}|>", f"<|end_{name}|>"),
            (f"[{name.upper()}]", f"[/{name.upper()}]"),
            (f"<{name}", f"<{name}/>"),
            (f"```{name}\n", "```"),
            (f"<｜{name}▁begin｜>", f"<｜{name}▁end｜>"),
            ("(", ")"),
            ("<<", ">>"),
            (f"{number}:", ";"),
            ("aab", "aba"),
        ]
    )
    return pair


def _open(rng: Random, tag: str, other: str, close: str) -> Delimiter:
    e, o = regex.escape(tag), regex.escape(other)

    def pattern(source: str, *samples: str, groups: tuple[str, ...] = (), empty: bool = False) -> Delimiter:
        return Delimiter({"open_pattern": source}, list(samples), empty, list(groups))

    makers: list[Callable[[], Delimiter]] = [
        lambda: Delimiter({"open": tag}, [tag]),
        lambda: Delimiter({"open": tag}, [tag]),
        lambda: Delimiter({"open": tag}, [tag]),
        lambda: Delimiter({"open": [tag, other, tag + "+", tag + "+!"]}, [tag, other, tag + "+", tag + "+!"]),
        lambda: pattern(rf"{e}\s*", tag, tag + "\n", tag + "  \n"),
        lambda: pattern(rf"\s*{e}", tag, "\n" + tag, " \n " + tag),
        lambda: pattern(rf"{e}(?:OPEN)?", tag, tag + "OPEN", tag + "OP"),
        lambda: pattern(rf"(?:{o}\s*)?{e}", tag, other + tag, other + "\n" + tag),
        lambda: pattern(rf"{e}|{e}{o}", tag, tag + other),
        lambda: pattern(rf"{e}{o}|{e}", tag, tag + other),
        lambda: pattern(rf"{e}(?:\n|$)", tag, tag + "\n"),
        lambda: pattern(rf"(?<![\w]){e}(?!=)", tag, tag + "="),
        lambda: pattern(rf"^{e}|\n{e}", tag, "\n" + tag),
        lambda: pattern(rf"(?:{e})+?", tag, tag + tag),
        lambda: pattern(rf"(?:{e})+", tag, tag + tag),
        lambda: pattern(rf"(?:{e})?(?=(?:(?!{regex.escape(close)})[\s\S])*{regex.escape(close)})", tag, "", empty=True),
        lambda: pattern(r"(?=\{\s*\"name\"\s*:)", "", empty=True),
        lambda: pattern(rf"{e}(?P<name>[^>\n]+)>", f"{tag}f>", f"{tag}get_x>", groups=("name",)),
        lambda: pattern(rf"{e}\s*(?P<name>\w+)\s*", f"{tag} f\n", f"{tag}मौसम ", groups=("name",)),
        lambda: pattern(
            rf"{e} to=(?P<name>\w+).*?{o}", f"{tag} to=f json{other}", f"{tag} to=g{other}", groups=("name",)
        ),
        lambda: pattern(rf"{e}call:(?P<name>[^{{\s]+)(?=\{{)", f"{tag}call:f", groups=("name",)),
        lambda: pattern(
            rf"(?:{o} )?to=(?P<name>\w+)(?:{o})?(?:(?P<id>\d+))?{e}",
            f"to=f{tag}",
            f"{other} to=g7{tag}",
            groups=("name",),
        ),
    ]
    return rng.choice(makers)()


def _close(rng: Random, tag: str, other: str, captures: bool) -> Delimiter:
    e, o = regex.escape(tag), regex.escape(other)

    def pattern(source: str, *samples: str, empty: bool = False, groups: tuple[str, ...] = ()) -> Delimiter:
        return Delimiter({"close_pattern": source}, list(samples), empty, list(groups))

    makers: list[Callable[[], Delimiter]] = [
        lambda: Delimiter({"close": tag}, [tag]),
        lambda: Delimiter({"close": tag}, [tag]),
        lambda: Delimiter({"close": tag}, [tag]),
        lambda: Delimiter({"close": [tag, other, tag + tag[-1]]}, [tag, other, tag + tag[-1]]),
        lambda: pattern(rf"{e}\s*", tag, tag + "\n", tag + " \n\n"),
        lambda: pattern(rf"{e}\s*", tag, tag + "\n"),
        lambda: pattern(rf"\s*{e}\s*", "\n" + tag, tag, " " + tag + "\n"),
        lambda: pattern(rf"\n?{e}\n?", "\n" + tag, tag, "\n\n" + tag + "\n\n"),
        lambda: pattern(rf"{e}\s*|$", tag, tag + "\n", "", empty=True),
        lambda: pattern(rf"{e}|\Z", tag, "", empty=True),
        lambda: pattern(rf"{e}\s*|(?={o})", tag, tag + "\n", "", empty=True),
        lambda: pattern(rf"[^<]*{e}", "</arg>" + tag, "x" + tag, tag),
        lambda: pattern(rf"{e}(?:{o})?\s*", tag, tag + other, tag + other + "\n"),
        lambda: pattern(rf"{e}(?:\s*{o})?", tag, tag + "\n" + other, tag + "\n"),
        lambda: pattern(rf"{e}\b|{o}", tag, other, tag + "x"),
        lambda: pattern(rf"{e}(?!\w)", tag, tag + "x"),
        lambda: pattern(rf"(?:{e}){{1,2}}", tag, tag + tag),
        lambda: pattern(rf"{e}+?|{o}", tag, other),
    ]
    if captures:
        makers += [
            lambda: pattern(rf"{e}(?P<status>\w*)\s*", tag, tag + "ok\n", groups=("status",)),
            lambda: pattern(rf"{e}#(?P<name>\d+)|{o}", tag + "#12", other, groups=("name",)),
        ]
    return rng.choice(makers)()


def _transform(rng: Random, value: str, groups: list[str]) -> dict[str, Any]:
    """The transform keys that fit a kind of value and the captures, now and then none that do."""
    shape, _, key = value.partition(":")
    named = "{name}" if "name" in groups else None
    function: Any
    if shape == "call" and rng.random() < 0.8:
        function = rng.choice(["{content}", {"name": "{content.name}", "arguments": f"{{content.{key}}}"}])
    elif shape == "array" and rng.random() < 0.8:
        function = {"name": "{name}", "arguments": f"{{{key}}}"}
        return {"transform": {"type": "function", "function": function}, "transform_each": True}
    elif groups or rng.random() < 0.3:
        function = {"name": named or rng.choice(CALL_NAMES), "arguments": "{content}"}
    else:
        return {}
    extra: dict[str, Any] = {"status": "{status}"} if "status" in groups else {}
    extra |= {"n": 1, "list": ["plain", "{content}", None]} if rng.random() < 0.2 else {}
    return {"transform": {"type": "function", "function": function, **extra}}


def random_template(rng: Random) -> TemplatePlan:
    """A template of one to four fields that loads, and the plan of its outputs."""
    names = rng.sample(NAMES, rng.choice([1, 2, 2, 3, 3, 4]))
    implicit = rng.choice(names) if rng.random() < 0.75 else None
    tags = [_tag_pair(rng, number) for number in range(len(names) + 1)]
    fields: dict[str, Any] = {}
    plans = []
    for number, name in enumerate(names):
        (start, end), (other, other_end) = tags[number], tags[(number + 1) % len(tags)]
        keys, body, value = content(rng)
        if name == implicit and rng.random() < 0.8:
            keys, body, value = rng.choice([{}, {"content_args": {"strip": False}}]), prose, "string"
        opening = None if name == implicit else _open(rng, start, other, end)
        closing = None
        if rng.random() < 0.9:
            while closing is None or (closing.empty and opening is not None and opening.empty):
                closing = _close(rng, end, rng.choice([other, other_end]), captures=rng.random() < 0.3)
        groups = [name for delimiter in (opening, closing) if delimiter is not None for name in delimiter.groups]
        transform = _transform(rng, value, groups)
        if groups and not transform:
            transform = {"transform": ["{content}", "{name}"]}
        spec: dict[str, Any] = {
            **(opening.spec if opening else {}),
            **(closing.spec if closing else {}),
            **keys,
            **transform,
        }
        if rng.random() < 0.5:
            spec["repeats"] = True
            if value.partition(":")[0] in ("string", "any") and not transform and rng.random() < 0.7:
                spec["join"] = rng.choice(["", "\n", " | "])
        elif rng.random() < 0.1:
            spec["optional"] = rng.random() < 0.5
        fields[name] = spec
        plans.append(FieldPlan(name, opening, closing, body))
    anchor, anchor_texts = rng.choice(ANCHORS)
    template: Template = {**anchor, "fields": fields}
    if rng.random() < 0.7:
        template["defaults"] = rng.choice([{"role": "assistant"}, {}, {"role": "assistant", "extra": {"seen": []}}])
        name = rng.choice(names)
        if rng.random() < 0.2:
            spec = fields[name]
            template["defaults"] = {
                **template["defaults"],
                name: [] if spec.get("repeats") and "join" not in spec else "",
            }
    return TemplatePlan(template, plans, anchor_texts)


def random_output(rng: Random, plan: TemplatePlan) -> str:
    """A text for a template: regions of its fields, prose, delimiters whole, cut or doubled, and sometimes no end."""
    pieces: list[str] = []
    delimiters = [d for p in plan.fields for d in (p.open, p.close) if d is not None]

    def stray() -> str:
        sample = rng.choice(rng.choice(delimiters).samples) if delimiters else "<"
        return rng.choice([sample, sample[: rng.randrange(len(sample) + 1)], sample * 2, sample[:-1] + sample])

    for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4, 6])):
        roll = rng.random()
        if roll < 0.65:
            chosen = rng.choice(plan.fields)
            body = chosen.body(rng)
            if rng.random() < 0.12:
                cut = rng.randrange(len(body) + 1)
                body = body[:cut] + stray() + body[cut:]
            start = rng.choice(chosen.open.samples) if chosen.open else ""
            end = rng.choice(chosen.close.samples) if chosen.close and rng.random() < 0.9 else ""
            pieces.append(start + body + end)
        elif roll < 0.8:
            pieces.append(prose(rng))
        else:
            pieces.append(stray())
        if rng.random() < 0.3:
            pieces.append(rng.choice(BLANKS))
    text = "".join(pieces)
    return text[: rng.randrange(len(text) + 1)] if rng.random() < 0.15 else text


def random_tools(rng: Random) -> list[dict[str, Any]] | None:
    if rng.random() < 0.5:
        return None
    tools: list[dict[str, Any]] = []
    for name in rng.sample([*CALL_NAMES, "get_x", "g"], rng.randrange(1, 4)):
        properties = {key: rng.choice(TOOL_TYPES) for key in rng.sample([*KEYS, "a"], rng.randrange(5))}
        function = {"name": name, "parameters": {"type": "object", "properties": properties}}
        tools.append({"type": "function", "function": function} if rng.random() < 0.7 else function)
    return tools


def random_run(rng: Random, plan: TemplatePlan) -> tuple[str, str, list[dict[str, Any]] | None]:
    """A prompt, an output and tools for a template: the prompt may have written any part of the reply already."""
    text = random_output(rng, plan)
    roll = rng.random()
    if roll < 0.5:
        return "", text, random_tools(rng)
    written = rng.randrange(len(text) + 1) if roll < 0.8 else 0
    history = rng.choice(["", "hello\n", rng.choice(plan.anchors) + "earlier " + random_output(rng, plan) + "\n"])
    anchor = rng.choice(plan.anchors) if roll < 0.95 else ""
    return history + anchor + text[:written], text[written:], random_tools(rng)


def random_case(rng: Random) -> Case:
    """A template and one run of it."""
    plan = random_template(rng)
    return (plan.template, *random_run(rng, plan))


def cases() -> st.SearchStrategy[Case]:
    """The same random cases for hypothesis."""
    return st.randoms(use_true_random=False).map(random_case)
