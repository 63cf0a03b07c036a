"""The JSON text of a call's arguments on its way: as it was written, but for strings that a tool's types may cast."""

from __future__ import annotations

import json
from collections.abc import Callable

from untemplate.runtime.tools import ToolTypes, Types, type_calls

from .spans import key_text
from .values import written

CASTING = frozenset(("integer", "number", "boolean", "null", "object", "array"))


class TypedArguments:
    """A sink for the JSON of the arguments: sends it member by member, what the types may cast when it is complete.

    Args:
        tool: the tool that is called.
        types: the types of all tools' properties.
        over: is called when the arguments have ended.
    """

    def __init__(
        self, send: Callable[[str], None], tool: str, types: ToolTypes, over: Callable[[], None] | None = None
    ) -> None:
        self._send = send
        self._tool = tool
        self._types = types
        self._casts = casting(types, tool)
        self._over = over
        self._depth = 0
        self._is_object = False
        self._any = False
        self._key: str | None = None
        self._held: list[str] | None = None

    @property
    def holds(self) -> bool:
        """Whether a value is being held back."""
        return self._held is not None

    def begin(self, char: str) -> bool:
        self._depth += 1
        if self._depth == 1:
            self._is_object = char == "{"
            if self._is_object:
                self._send(char)
            return self._is_object
        types = self._casts.get(self._key) if self._key is not None else None
        if types and (char == '"' or (char == "[" and "array" not in types)):
            self._held = []
        return False

    def key(self, raw: str) -> None:
        self._send(f", {raw}: " if self._any else f"{raw}: ")
        self._any = True
        self._key = key_text(raw)

    def text(self, piece: str) -> None:
        if self._held is None:
            self._send(piece)
        else:
            self._held.append(piece)

    def end(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            if self._is_object:
                self._send("}")
            if self._over is not None:
                self._over()
        elif self._held is not None and self._key is not None:
            text = "".join(self._held)
            self._held = None
            try:
                value = json.loads(text)
                self._send(written(typed_entry(self._tool, self._key, value, self._types)))
            except (ValueError, RecursionError):  # no JSON, and the parser is going to say so
                self._send(text)


def casting(types: ToolTypes, tool: str) -> dict[str, Types]:
    """The properties of a tool whose types cast strings."""
    return {key: names for key, names in types.get(tool, {}).items() if not CASTING.isdisjoint(names)}


def typed_entry(tool: str, key: str, value: object, types: ToolTypes) -> object:
    """The value of one argument, cast as the parser casts it."""
    arguments = {key: value}
    if types:
        type_calls({"function": {"name": tool, "arguments": arguments}}, types)
    return arguments[key]
