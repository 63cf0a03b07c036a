"""The little of vLLM and SGLang that their plugins touch, to run these without either."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest


class Registry:
    """Of vLLM, a manager of parsers."""

    parsers: dict[str, type]

    def __init_subclass__(cls) -> None:
        cls.parsers = {}

    @classmethod
    def register_module(cls, name: Any = None, force: bool = True, module: Any = None) -> Any:
        cls.parsers[name] = module
        return module


class ToolParserManager(Registry):
    """Of vLLM."""


class ReasoningParserManager(Registry):
    """Of vLLM."""


@dataclass
class DeltaFunctionCall:
    """Of vLLM."""

    name: str | None = None
    arguments: str | None = None


@dataclass
class DeltaToolCall:
    """Of vLLM."""

    index: int
    id: str | None = None
    type: str | None = None
    function: DeltaFunctionCall | None = None


@dataclass
class DeltaMessage:
    """Of vLLM."""

    role: str | None = None
    content: str | None = None
    reasoning: str | None = None
    tool_calls: list[DeltaToolCall] = field(default_factory=list)


def resolve_response_template(tokenizer: Any, template: Any = None) -> Any:
    return template if template is not None else tokenizer.response_template


class ResponseTemplateReasoningParser:
    """Of vLLM."""

    @classmethod
    def unified_parser_cls(cls) -> Any:
        return ResponseTemplateParser


class ResponseTemplateToolParser:
    """Of vLLM."""

    @classmethod
    def unified_parser_cls(cls) -> Any:
        return ResponseTemplateParser


class OwnStream:
    """Of vLLM, what interprets a template; here it marks what it is given."""

    def __init__(self, parse_reasoning: bool, parse_tools: bool) -> None:
        self.parse_reasoning = parse_reasoning
        self.parse_tools = parse_tools

    def feed(self, text: str, *, finished: bool) -> Any:
        return DeltaMessage(content=f"vLLM: {text}")


class ResponseTemplateParser:
    """Of vLLM."""

    def __init__(
        self,
        tokenizer: Any,
        tools: Any = None,
        *,
        response_template: Any = None,
        enable_auto_tools: Any = None,
        **kwargs: Any,
    ) -> None:
        self._tools = list(tools or ())
        self._prefix = ""
        self._auto = bool(enable_auto_tools)
        self._reasoning = kwargs.get("reasoning", True)
        self._stream: Any = None
        self._count = 0

    def parse_delta(self, delta_text: str, request: Any, prompt: str, *, finished: bool) -> Any:
        if self._stream is None:
            self._prefix = prompt
            self._stream = self._new_stream(
                request, enable_auto_tools=self._auto, include_reasoning=request.include_reasoning
            )
        return self._stream.feed(delta_text, finished=finished)

    def _new_stream(self, request: Any, *, enable_auto_tools: bool, include_reasoning: bool) -> Any:
        return OwnStream(self._reasoning, enable_auto_tools and request.tool_choice != "none")

    def _new_tool_call_id(self, name: str) -> str:
        self._count += 1
        return f"{name}-{self._count}"


@dataclass
class ToolCallItem:
    """Of SGLang."""

    tool_index: int
    parameters: str
    name: str | None = None


@dataclass
class ToolResult:
    """Of SGLang, where it is called `StreamingParseResult`."""

    normal_text: str = ""
    calls: list[ToolCallItem] = field(default_factory=list)


class BaseFormatDetector(ABC):
    """Of SGLang."""

    def __init__(self) -> None:
        self.prev_tool_call_arr: list[dict[str, Any]] = []
        self.current_tool_id = -1
        self.streamed_args_for_tool: list[str] = []

    @abstractmethod
    def has_tool_call(self, text: str) -> bool: ...

    @abstractmethod
    def detect_and_parse(self, text: str, tools: Any) -> ToolResult: ...

    def parse_streaming_increment(self, new_text: str, tools: Any) -> ToolResult:
        raise NotImplementedError

    def finish(self, tools: Any) -> ToolResult:
        return ToolResult()

    def supports_structural_tag(self) -> bool:
        return True

    @abstractmethod
    def structure_info(self) -> Any: ...


class ReasoningResult:
    """Of SGLang, where it is called `StreamingParseResult` as well."""

    def __init__(self, normal_text: str | None = None, reasoning_text: str | None = None) -> None:
        self.normal_text = normal_text or ""
        self.reasoning_text = reasoning_text or ""


class BaseReasoningFormatDetector:
    """Of SGLang."""

    def __init__(
        self,
        think_start_token: str,
        think_end_token: str,
        think_excluded_tokens: Any = None,
        force_reasoning: bool = False,
        stream_reasoning: bool = True,
        tool_start_token: str | None = None,
        continue_final_message: bool = False,
        previous_content: str = "",
        thinks_internally: bool = False,
        reasoning_default: str = "always",
        force_nonempty_content: bool = False,
        tool_start_at_line_start: bool = False,
    ) -> None:
        self.think_start_token = think_start_token
        self.think_end_token = think_end_token
        self.force_reasoning = force_reasoning
        self.stream_reasoning = stream_reasoning
        self.continue_final_message = continue_final_message
        self.previous_content = previous_content if continue_final_message else ""
        self._force_nonempty_content = force_nonempty_content

    def _maybe_apply_force_nonempty_content(self, ret: ReasoningResult) -> ReasoningResult:
        if self._force_nonempty_content and not ret.normal_text:
            return ReasoningResult(ret.reasoning_text, ret.normal_text)
        return ret

    def detect_and_parse(self, text: str) -> ReasoningResult:
        raise NotImplementedError

    def parse_streaming_increment(self, new_text: str) -> ReasoningResult:
        raise NotImplementedError

    def finish(self) -> ReasoningResult:
        return ReasoningResult()


VLLM: dict[str, dict[str, Any]] = {
    "entrypoints.generate.base.protocol": {
        "DeltaFunctionCall": DeltaFunctionCall,
        "DeltaMessage": DeltaMessage,
        "DeltaToolCall": DeltaToolCall,
    },
    "parser.response_template": {
        "ResponseTemplateParser": ResponseTemplateParser,
        "ResponseTemplateReasoningParser": ResponseTemplateReasoningParser,
        "ResponseTemplateToolParser": ResponseTemplateToolParser,
        "resolve_response_template": resolve_response_template,
    },
    "reasoning": {"ReasoningParserManager": ReasoningParserManager},
    "tool_parsers": {"ToolParserManager": ToolParserManager},
}


def sglang(forward_unknown_tools: bool) -> dict[str, dict[str, Any]]:
    flag = SimpleNamespace(get=lambda: forward_unknown_tools)
    return {
        "srt.environ": {"envs": SimpleNamespace(SGLANG_FORWARD_UNKNOWN_TOOLS=flag)},
        "srt.function_call.base_format_detector": {"BaseFormatDetector": BaseFormatDetector},
        "srt.function_call.core_types": {"StreamingParseResult": ToolResult, "ToolCallItem": ToolCallItem},
        "srt.function_call.function_call_parser": {"FunctionCallParser": SimpleNamespace(ToolCallParserEnum={})},
        "srt.parser.reasoning_parser": {
            "BaseReasoningFormatDetector": BaseReasoningFormatDetector,
            "ReasoningParser": SimpleNamespace(DetectorMap={}),
            "StreamingParseResult": ReasoningResult,
        },
    }


def stand_in(monkeypatch: pytest.MonkeyPatch, package: str, modules: dict[str, dict[str, Any]]) -> None:
    """Makes `package` importable with these modules, and the plugin for it be loaded anew."""
    for name in [name for name in sys.modules if name.startswith(f"untemplate.integrations.{package}")]:
        monkeypatch.delitem(sys.modules, name)
    for path, members in modules.items():
        parts = [package, *path.split(".")]
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name not in sys.modules:
                module = ModuleType(name)
                module.__path__ = []
                monkeypatch.setitem(sys.modules, name, module)
        vars(sys.modules[".".join(parts)]).update(members)
