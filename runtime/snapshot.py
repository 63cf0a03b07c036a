"""A parser's state as plain data, so that a stream can be forked, or go on in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .parser import Parser

_SAVED_AS_IS = (
    *("_field", "_captures", "_start", "_state", "_tail", "_after", "_on_malformed", "_malformed"),
    *("_message", "_joined"),
)


def take_snapshot(parser: Parser) -> dict[str, Any]:
    """All that a parser knows, but its tools: strings, numbers, lists and dicts, none of them shared with it."""
    state: dict[str, Any] = {"held": parser.held}  # asked for first: text for nobody is counted as read then
    state |= {name.lstrip("_"): getattr(parser, name) for name in _SAVED_AS_IS}
    state["template"] = parser.DIGEST
    state["body"] = "".join(parser._body)
    parser._save(state)
    return _copied(state)


def load_snapshot(parser: Parser, state: dict[str, Any]) -> None:
    """Brings a new parser into the state of another one of the same template.

    Raises:
        ValueError: the state is of another template.
    """
    if state.get("template") != parser.DIGEST:
        raise ValueError("this snapshot was taken with the parser of another template")
    state = _copied(state)
    for name in _SAVED_AS_IS:
        setattr(parser, name, state[name.lstrip("_")])
    parser._body = [state["body"]] if state["body"] else []
    parser._held = state["held"]
    if parser._field is not None:
        parser._chunk = parser.REGIONS[parser._field].chunk
    parser._load(state)


def _copied(value: dict[str, Any]) -> dict[str, Any]:
    """A copy of plain data, however deep, without recursion."""
    top: list[Any] = [value]
    todo: list[Any] = [top]
    while todo:
        holder = todo.pop()
        for key, item in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(item, (dict, list)):
                holder[key] = item.copy()
                todo.append(holder[key])
    copied: dict[str, Any] = top[0]
    return copied
