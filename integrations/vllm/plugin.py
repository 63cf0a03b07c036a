"""Registers `untemplate` as a tool parser and as a reasoning parser of vLLM.

It takes the place of vLLM's own parsers called `response_template`, and reads the same templates with compiled parsers.
All the rest of them stays as it is: grammars, the end of reasoning for structured output, and token counts.
"""

from __future__ import annotations

import logging
from typing import Any

from vllm.entrypoints.generate.base.protocol import (  # type: ignore[import-not-found]
    DeltaFunctionCall,
    DeltaMessage,
    DeltaToolCall,
)
from vllm.parser.response_template import (  # type: ignore[import-not-found]
    ResponseTemplateParser,
    ResponseTemplateReasoningParser,
    ResponseTemplateToolParser,
    resolve_response_template,
)
from vllm.reasoning import ReasoningParserManager  # type: ignore[import-not-found]
from vllm.tool_parsers import ToolParserManager  # type: ignore[import-not-found]

from untemplate.compiler import TemplateError
from untemplate.integrations.serving import Reply, parser_for
from untemplate.integrations.vllm.templates import closes_with_the_next_message, streaming
from untemplate.runtime.parser import Parser

logger = logging.getLogger("untemplate")

NAME = "untemplate"

_refused: set[str] = set()


class CompiledStream:
    """One generation, read by a compiled parser.

    Args:
        reply: the reply, nothing of which is read yet.
        parse_reasoning: whether reasoning is told apart from content.
        include_reasoning: whether reasoning is sent, where it is told apart.
        new_tool_call_id: makes the id of a call from its name.
    """

    def __init__(self, reply: Reply, parse_reasoning: bool, include_reasoning: bool, new_tool_call_id: Any) -> None:
        self._reply = reply
        self._parse_reasoning = parse_reasoning
        self._include_reasoning = include_reasoning
        self._new_tool_call_id = new_tool_call_id
        self._begun = False
        self._finished = False

    def feed(self, text: str, *, finished: bool) -> Any:
        """The `DeltaMessage` of the next piece of output; `None` if it decides nothing."""
        if self._finished:
            return None
        self._begun = self._begun or bool(text)
        additions = [self._reply.feed(text)]
        if finished:
            self._finished = True
            if self._begun:
                additions.append(self._reply.finish())
        reasoning = "".join(addition.reasoning for addition in additions)
        content = "".join(addition.content for addition in additions)
        if not self._parse_reasoning:
            reasoning, content = "", reasoning + content
        calls = [
            DeltaToolCall(
                index=call.index,
                id=self._new_tool_call_id(call.name),
                type="function",
                function=DeltaFunctionCall(name=call.name, arguments=call.arguments),
            )
            for addition in additions
            for call in addition.calls
        ]
        parts = {
            "reasoning": reasoning if self._include_reasoning else "",
            "content": content,
            "tool_calls": calls,
        }
        parts = {name: part for name, part in parts.items() if part}
        return DeltaMessage(**parts) if parts else None


class CompiledParser(ResponseTemplateParser):  # type: ignore[misc]
    """vLLM's parser for response templates, with a compiled parser for the replies."""

    def __init__(
        self,
        tokenizer: Any,
        tools: list[Any] | None = None,
        *,
        response_template: dict[str, Any] | None = None,
        enable_auto_tools: bool | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            tokenizer, tools, response_template=response_template, enable_auto_tools=enable_auto_tools, **kwargs
        )
        self._compiled = _compiled(resolve_response_template(tokenizer, response_template))

    def _new_stream(self, request: Any, *, enable_auto_tools: bool, include_reasoning: bool) -> Any:
        """A stream for one generation: vLLM's own where calls are not parsed, but passed on as they are written."""
        own = super()._new_stream(request, enable_auto_tools=enable_auto_tools, include_reasoning=include_reasoning)
        if self._compiled is None or not own.parse_tools:
            return own
        reply = Reply(self._compiled, self._prefix, self._tools)
        return CompiledStream(reply, own.parse_reasoning, include_reasoning, self._new_tool_call_id)


class CompiledReasoningParser(ResponseTemplateReasoningParser):  # type: ignore[misc]
    """Selects `CompiledParser` as the reasoning parser."""

    @classmethod
    def unified_parser_cls(cls) -> type[CompiledParser]:
        """The parser that this one stands for."""
        return CompiledParser


class CompiledToolParser(ResponseTemplateToolParser):  # type: ignore[misc]
    """Selects `CompiledParser` as the tool parser."""

    @classmethod
    def unified_parser_cls(cls) -> type[CompiledParser]:
        """The parser that this one stands for."""
        return CompiledParser


def _compiled(template: dict[str, Any]) -> type[Parser] | None:
    """The parser for a template; `None`, with a warning, where vLLM's own has to read it."""
    reason = "a close ends with the start of the next message, which is not generated"
    if not closes_with_the_next_message(template):
        try:
            return parser_for(streaming(template))
        except TemplateError as error:
            reason = str(error)
    if reason not in _refused:
        _refused.add(reason)
        logger.warning("this response template is not compiled, vLLM goes on interpreting it: %s", reason)
    return None


ReasoningParserManager.register_module(name=NAME, module=CompiledReasoningParser)
ToolParserManager.register_module(name=NAME, module=CompiledToolParser)
