"""The conversations that a response template is verified on: the built-in ones, and how to read the user's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from untemplate.compiler.verify.chat_template import Message, Tool


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages whose last one is the assistant's, and the tools it may call; `name` says what it tries."""

    name: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] | None = None

    @property
    def history(self) -> tuple[Message, ...]:
        """All messages but the last."""
        return self.messages[:-1]

    @property
    def reply(self) -> Message:
        """The assistant's message, the last one."""
        return self.messages[-1]


class ConversationError(ValueError):
    """A file of conversations that holds something else."""


def spellings(conversation: Conversation) -> Iterator[tuple[str, Conversation]]:
    """The conversation in the ways that chat templates want calls: with arguments as object or as text, and with ids
    of two styles. Each with words that say which way it is, empty for the first."""
    yield "", conversation
    if not any(message.get("tool_calls") for message in conversation.messages):
        return
    named = _calls_changed(conversation, _with_named_id)
    yield "with arguments as JSON text", _calls_changed(conversation, _with_text)
    yield "with ids that hold the function's name", named
    yield "with arguments as JSON text and ids that hold the function's name", _calls_changed(named, _with_text)


def read_conversations(text: str, name: str) -> list[Conversation]:
    """Conversations from JSON: a list of messages, an object with `messages` and perhaps `tools`, or a list of such
    objects. Each of the assistant's messages is the end of one conversation.

    Raises:
        ConversationError: it is something else, or no message is the assistant's.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConversationError(f"{name}: this is not JSON: {error}") from error
    listed = value if isinstance(value, list) and value and _is_conversation(value[0]) else [value]
    found = [part for index, one in enumerate(listed) for part in _parts(one, f"{name}[{index}]")]
    if not found:
        raise ConversationError(f"{name}: none of the messages is the assistant's")
    return found


def _is_conversation(value: Any) -> bool:
    return isinstance(value, dict) and "messages" in value


def _parts(value: Any, name: str) -> Iterator[Conversation]:
    messages = value["messages"] if _is_conversation(value) else value
    tools = value.get("tools") if _is_conversation(value) else None
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise ConversationError(f"{name}: this is neither a list of messages nor an object with such a list")
    if tools is not None and not (isinstance(tools, list) and all(isinstance(tool, dict) for tool in tools)):
        raise ConversationError(f"{name}: the tools must be a list of objects")
    for index, message in enumerate(messages):
        if message.get("role") == "assistant":
            yield Conversation(
                f"{name}, message {index}", tuple(messages[: index + 1]), tuple(tools) if tools is not None else None
            )


def _calls_changed(conversation: Conversation, change: Callable[[dict[str, Any], int], dict[str, Any]]) -> Conversation:
    messages = []
    for message in conversation.messages:
        calls = message.get("tool_calls")
        if calls:
            message = {**message, "tool_calls": [change(call, index) for index, call in enumerate(calls)]}
        messages.append(message)
    return replace(conversation, messages=tuple(messages))


def _with_text(call: dict[str, Any], _: int) -> dict[str, Any]:
    function = call["function"]
    arguments = function["arguments"]
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": text}}


def _with_named_id(call: dict[str, Any], index: int) -> dict[str, Any]:
    return {**call, "id": f"functions.{call['function']['name']}:{index}"}


def _call(name: str, number: int, **arguments: Any) -> dict[str, Any]:
    # Some chat templates insist on ids of nine letters and digits.
    return {"id": f"call0000{number}", "type": "function", "function": {"name": name, "arguments": arguments}}


def _tool(name: str, description: str, **properties: dict[str, Any]) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


_WEATHER = _tool("get_weather", "The weather in a city.", city={"type": "string", "description": "The city."})
_NOTE = _tool(
    "save_note",
    "Saves a note.",
    title={"type": "string", "description": "The title."},
    text={"type": "string", "description": "The text."},
    code={"type": "string", "description": "A code."},
    priority={"type": "integer", "description": "From 1 to 9."},
    score={"type": "number", "description": "A score."},
    pinned={"type": "boolean", "description": "Whether it stays on top."},
    parent={"type": ["integer", "null"], "description": "The note above."},
    labels={"type": "array", "items": {"type": "string"}, "description": "Labels."},
    place={"type": "object", "description": "A place."},
)
_TOOLS = (_WEATHER, _NOTE)


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _assistant(**parts: Any) -> Message:
    return {"role": "assistant", "content": "", **parts}


BUILT_IN: tuple[Conversation, ...] = (
    Conversation("content", (_user("Greet me."), _assistant(content="Bonjour ! Ça va ?\n\n- 1 < 2 & 3 > 2"))),
    Conversation(
        "reasoning and content",
        (
            _user("What is 17 times 23?"),
            _assistant(reasoning_content="17 × 20 = 340.\n17 × 3 = 51.", content="It is **391**."),
        ),
    ),
    Conversation(
        "one call",
        (_user("Is it warm in Oslo?"), _assistant(tool_calls=[_call("get_weather", 1, city="Oslo")])),
        _TOOLS,
    ),
    Conversation(
        "parallel calls",
        (
            _user("Is it warmer in Oslo or in Zürich?"),
            _assistant(tool_calls=[_call("get_weather", 1, city="Oslo"), _call("get_weather", 2, city="Zürich")]),
        ),
        _TOOLS,
    ),
    Conversation(
        "hard arguments",
        (
            _user("Save that as a note."),
            _assistant(
                tool_calls=[
                    _call(
                        "save_note",
                        1,
                        title='It\'s a "quote", {braced}, [bracketed]: 100 %',
                        text="first line\n  second\\line\n\n<b>&amp;</b> 😀 日本語",
                        code="007",
                        priority=3,
                        score=-0.5,
                        pinned=True,
                        parent=None,
                        labels=["a, b", "c=d"],
                        place={"name": "Łódź", "at": [51.8, 19.5], "open": False},
                    )
                ]
            ),
        ),
        _TOOLS,
    ),
)
"""What every response template should get right, as far as its models can write it."""
