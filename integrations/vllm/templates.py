"""Templates as vLLM serves them."""

from __future__ import annotations

import copy
from typing import Any

REASONING = "thinking"
CONTENT = "content"
TOOL_CALLS = "tool_calls"

_OTHER_NAMES = ("reasoning_content", "reasoning")


def for_vllm(template: dict[str, Any]) -> dict[str, Any]:
    """A copy of a template that vLLM accepts: to be set as the tokenizer's `response_template`, and saved with it.

    The reasoning is called what vLLM calls it, of the defaults only the role stays, and texts are no longer joined:
    vLLM sends the text of several regions one after the other.

    Raises:
        ValueError: the template has a field that vLLM has no place for.
    """
    result = copy.deepcopy(template)
    names = {name: REASONING if name in _OTHER_NAMES else name for name in result["fields"]}
    unknown = set(names.values()) - {REASONING, CONTENT, TOOL_CALLS}
    if unknown or len(set(names.values())) < len(names):
        raise ValueError(f"vLLM serves one field each for reasoning, content and calls, not {sorted(names)}")
    result["fields"] = {names[name]: field for name, field in result["fields"].items()}
    for name in (REASONING, CONTENT):
        for key in ("repeats", "join"):
            result["fields"].get(name, {}).pop(key, None)
    if "defaults" in result:
        result["defaults"] = {key: value for key, value in result["defaults"].items() if key == "role"}
    return result


def streaming(template: dict[str, Any]) -> dict[str, Any]:
    """The form of a template that replies are read with: no field has to be there, and text of no field is content."""
    result = copy.deepcopy(template)
    fields = result["fields"]
    if CONTENT not in fields and all("open" in field or "open_pattern" in field for field in fields.values()):
        fields[CONTENT] = {}
    for field in fields.values():
        field.pop("optional", None)
    return result


def closes_with_the_next_message(template: dict[str, Any]) -> bool:
    """Whether a close ends with a start anchor. Generation stops before that, in the middle of the close."""
    anchors = _strings(template.get("start_anchor", ()))
    closes = [close for field in template["fields"].values() for close in _strings(field.get("close", ()))]
    return any(close != anchor and close.endswith(anchor) for close in closes for anchor in anchors)


def _strings(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
