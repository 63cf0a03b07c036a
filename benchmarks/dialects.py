"""The templates that are measured, and how a model that follows each of them writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from texts import prose

_HERE = Path(__file__).parent
_LIBRARY = _HERE.parent / "templates"

Arguments = dict[str, str]


@dataclass(frozen=True)
class Dialect:
    """How one model family writes.

    Attributes:
        name: the template's name.
        path: its file.
        anchor: how its prompts end.
        reasoning: what stands around the reasoning.
        content: what stands around the content.
        calls: a row of calls of the function `lookup`, one for each of the arguments.
        end: how a message ends.
        special: what the model's tokenizer has single tokens for.
        body: the JSON of one call where every call is a region of its own with JSON in it, else `None`.
    """

    name: str
    path: Path
    anchor: str
    reasoning: tuple[str, str]
    content: tuple[str, str]
    calls: Callable[[list[Arguments]], str]
    end: str
    special: tuple[str, ...] = field(default=())
    body: Callable[[Arguments], str] | None = None

    def template(self) -> dict[str, Any]:
        """The template."""
        template: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return template

    def message(self, size: int) -> str:
        """A message of about `size` characters: four fifths reasoning, one fifth content, and one call at the end."""
        left = size - len(self._assemble(" ", " ", [_arguments(0)]))
        return self._assemble(prose(left * 4 // 5, seed=2), prose(left // 5, seed=3), [_arguments(0)])

    def many_calls(self, count: int) -> str:
        """A message of `count` calls, after a little reasoning."""
        return self._assemble(prose(200, seed=2), "", [_arguments(number) for number in range(count)])

    def call_bodies(self, count: int) -> list[str]:
        """The JSON of those calls, as it stands in their regions."""
        return [self.body(_arguments(number)) for number in range(count)] if self.body else []

    def long_argument(self, size: int) -> str:
        """A message of one call, with an argument of `size` characters."""
        return self._assemble("", "", [_long(size)])

    def long_body(self, size: int) -> str:
        """The JSON of that argument."""
        return _json(_long(size))

    def plain(self, size: int) -> str:
        """A message of nothing but content, of `size` characters."""
        return self.content[0] + prose(size, seed=4) + self.content[1] + self.end

    def _assemble(self, reasoning: str, content: str, calls: list[Arguments]) -> str:
        parts = [
            around[0] + text + around[1]
            for around, text in ((self.reasoning, reasoning), (self.content, content))
            if text
        ]
        return "".join(parts) + self.calls(calls) + self.end


def _long(size: int) -> Arguments:
    return {"text": prose(size, seed=4)}


def _arguments(number: int) -> Arguments:
    return {"city": f"Reykjavík {number}", "unit": "celsius", "note": 'as "soon" as possible'}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _tool_calls(calls: list[Arguments]) -> str:
    return "".join(f"\n<tool_call>\n{_named(arguments)}\n</tool_call>" for arguments in calls)


def _named(arguments: Arguments) -> str:
    return _json({"name": "lookup", "arguments": arguments})


def _harmony(calls: list[Arguments]) -> str:
    header = "<|start|>assistant<|channel|>commentary to=functions.lookup <|constrain|>json<|message|>"
    return "".join(f"{header}{_json(arguments)}<|call|>" for arguments in calls)


def _functions(calls: list[Arguments]) -> str:
    def one(arguments: Arguments) -> str:
        tags = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
        return f"\n<tool_call>\n<function=lookup>\n{tags}</function>\n</tool_call>"

    return "".join(map(one, calls))


def _actions(calls: list[Arguments]) -> str:
    items = [
        {"tool_call_id": str(number), "tool_name": "lookup", "parameters": arguments}
        for number, arguments in enumerate(calls)
    ]
    return f"<|START_ACTION|>{_json(items)}<|END_ACTION|>"


def _tool_list(calls: list[Arguments]) -> str:
    return f"<|tools_prefix|>{_json([{'lookup': arguments} for arguments in calls])}<|tools_suffix|>"


def _tags(calls: list[Arguments]) -> str:
    def one(number: int, arguments: Arguments) -> str:
        tags = "".join(
            f'<|open|>argument key="{key}" type="string"<|sep|>{value}<|close|>argument<|sep|>'
            for key, value in arguments.items()
        )
        return f'<|open|>call tool="lookup" index="{number}"<|sep|>{tags}<|close|>call<|sep|>'

    inner = "".join(one(number, arguments) for number, arguments in enumerate(calls, 1))
    return f"<|open|>tools<|sep|>{inner}<|close|>tools<|sep|>"


def _keys_and_values(calls: list[Arguments]) -> str:
    def one(arguments: Arguments) -> str:
        tags = "".join(
            f"<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n" for key, value in arguments.items()
        )
        return f"\n<tool_call>lookup\n{tags}</tool_call>"

    return "".join(map(one, calls))


_THINK = ("<think>\n", "\n</think>\n\n")
_CHAT = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<|im_end|>")

DIALECTS = (
    Dialect(
        "smollm3",
        _LIBRARY / "smollm3.json",
        "<|im_start|>assistant\n",
        _THINK,
        ("", ""),
        _tool_calls,
        "<|im_end|>",
        _CHAT,
        _named,
    ),
    Dialect(
        "patterned",
        _HERE / "templates" / "patterned.json",
        "<|im_start|>assistant\n",
        _THINK,
        ("", ""),
        _tool_calls,
        "<|im_end|>",
        _CHAT,
        _named,
    ),
    Dialect(
        "gpt_oss",
        _LIBRARY / "gpt_oss.json",
        "<|start|>assistant",
        ("<|channel|>analysis<|message|>", "<|end|>"),
        ("<|start|>assistant<|channel|>final<|message|>", "<|end|>"),
        _harmony,
        "",
        ("<|start|>", "<|channel|>", "<|message|>", "<|constrain|>", "<|end|>", "<|call|>"),
        _json,
    ),
    Dialect(
        "qwen3_coder",
        _LIBRARY / "qwen3_coder.json",
        "<|im_start|>assistant\n",
        ("", "\n\n"),
        ("", ""),
        _functions,
        "<|im_end|>",
        _CHAT,
    ),
    Dialect(
        "command_r7b",
        _LIBRARY / "command_r7b.json",
        "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
        _actions,
        "<|END_OF_TURN_TOKEN|>",
        (
            "<|START_THINKING|>",
            "<|END_THINKING|>",
            "<|START_RESPONSE|>",
            "<|END_RESPONSE|>",
            "<|START_ACTION|>",
            "<|END_ACTION|>",
            "<|END_OF_TURN_TOKEN|>",
        ),
    ),
    Dialect(
        "apertus",
        _LIBRARY / "apertus.json",
        "<|assistant_start|>",
        ("<|inner_prefix|>", "<|inner_suffix|>"),
        ("", ""),
        _tool_list,
        "<|assistant_end|>",
        ("<|inner_prefix|>", "<|inner_suffix|>", "<|tools_prefix|>", "<|tools_suffix|>", "<|assistant_end|>"),
        _json,
    ),
    Dialect(
        "kimi_k3",
        _LIBRARY / "kimi_k3.json",
        '<|open|>message role="assistant"<|sep|>',
        ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
        ("<|open|>response<|sep|>", "<|close|>response<|sep|>"),
        _tags,
        "<|close|>message<|sep|>",
        ("<|open|>", "<|close|>", "<|sep|>"),
    ),
)
"""Literal delimiters, a pattern header, patterns with white space, tags, a list of calls, and the widest patterns."""

TAGGED = Dialect(
    "glm4_5",
    _LIBRARY / "glm4_5.json",
    "<|assistant|>",
    ("\n<think>", "</think>\n"),
    ("", ""),
    _keys_and_values,
    "<|user|>",
    ("<think>", "</think>", "<tool_call>", "</tool_call>", "<|user|>"),
)
"""Another one with tags, for what its calls cost."""

QUICK = ("smollm3", "patterned")
"""What is measured where time is short."""
