"""Tool calls for SGLang."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sglang.srt.environ import envs  # type: ignore[import-not-found]
from sglang.srt.function_call.base_format_detector import BaseFormatDetector  # type: ignore[import-not-found]
from sglang.srt.function_call.core_types import StreamingParseResult, ToolCallItem  # type: ignore[import-not-found]

from untemplate.integrations.serving import Addition, Reply
from untemplate.runtime.parser import Parser

TOOL_CALLS = "tool_calls"


class CompiledToolDetector(BaseFormatDetector):  # type: ignore[misc]
    """Finds calls, and the content beside them, in the text that the reasoning parser leaves."""

    parser: type[Parser]

    def __init__(self) -> None:
        super().__init__()
        self._reply: Reply | None = None

    def has_tool_call(self, text: str) -> bool:
        """Whether a region of calls opens in the text, be it complete or not."""
        parser = self.parser("", None, "event")
        events = parser.feed(text) + parser.finalize()[1]
        return any(event["type"] == "region_open" and event["field"] == TOOL_CALLS for event in events)

    def detect_and_parse(self, text: str, tools: list[Any]) -> Any:
        """The content and the calls of a whole text."""
        reply = _reply(self.parser, tools)
        return _result(reply.feed(text), reply.finish())

    def parse_streaming_increment(self, new_text: str, tools: list[Any]) -> Any:
        """The content, and the calls that are complete, with the next piece of text."""
        self._reply = self._reply or _reply(self.parser, tools)
        return self._noted(self._reply.feed(new_text))

    def finish(self, tools: list[Any]) -> Any:
        """What was held back until the end of the text."""
        self._reply = self._reply or _reply(self.parser, tools)
        return self._noted(self._reply.finish())

    def supports_structural_tag(self) -> bool:
        return False

    def structure_info(self) -> Any:
        raise NotImplementedError("a response template says how to read calls, not how to constrain them")

    def _noted(self, addition: Addition) -> Any:
        """The result, with the calls put down where the server looks for arguments that were not sent yet."""
        for call in addition.calls:
            self.prev_tool_call_arr.append({"name": call.name, "arguments": json.loads(call.arguments)})
            self.streamed_args_for_tool.append(call.arguments)
            self.current_tool_id = call.index
        return _result(addition)


def tool_detector(parser: type[Parser]) -> type[CompiledToolDetector]:
    """The detector class of one template."""
    return type("CompiledToolDetector", (CompiledToolDetector,), {"parser": parser})


def _reply(parser: type[Parser], tools: Sequence[Any]) -> Reply:
    schemas = [tool.model_dump() for tool in tools]
    names = {schema["function"]["name"] for schema in schemas}
    unknown_too = envs.SGLANG_FORWARD_UNKNOWN_TOOLS.get()
    return Reply(parser, "", schemas, lambda name: unknown_too or name in names)


def _result(*additions: Addition) -> Any:
    calls = [
        ToolCallItem(tool_index=call.index, name=call.name, parameters=call.arguments)
        for addition in additions
        for call in addition.calls
    ]
    # There is no place for reasoning here; what comes after the answer has begun is passed on as text.
    text = "".join(addition.reasoning + addition.content for addition in additions)
    return StreamingParseResult(normal_text=text, calls=calls)
