"""SGLang: registers a tool parser and a reasoning parser called `untemplate`, for one template."""

from __future__ import annotations

import os
from typing import Any

from untemplate.integrations.serving import TEMPLATE_VARIABLE, module_for

__all__ = ["plugin", "register"]


def register(
    template: str | os.PathLike[str] | dict[str, Any],
    name: str = "untemplate",
    reasoning_marks: tuple[str, str] | None = None,
) -> None:
    """Adds the parsers of a template to those that SGLang has, in this process.

    Args:
        template: the name of a family; or a template, as a dict, a JSON file, a tokenizer_config.json or a model's
            folder.
        name: what `--tool-call-parser` and `--reasoning-parser` call them, in lower case.
        reasoning_marks: what opens and what closes the reasoning, where the template's patterns do not show it.

    Raises:
        TemplateError: there is no template, or something is wrong with it.
        ValueError: the marks do not open and close the reasoning; the tool parser is registered all the same.
    """
    # SGLang is needed only here.
    from sglang.srt.function_call.function_call_parser import FunctionCallParser  # type: ignore[import-not-found]
    from sglang.srt.parser.reasoning_parser import ReasoningParser  # type: ignore[import-not-found]

    from .reasoning import reasoning_detector
    from .tools import tool_detector

    module = module_for(template)
    FunctionCallParser.ToolCallParserEnum[name] = tool_detector(module.ResponseParser)
    detector = reasoning_detector(module.TEMPLATE, reasoning_marks)
    if detector is not None:
        ReasoningParser.DetectorMap[name] = detector


def plugin() -> None:
    """The entry point that SGLang calls in each of its processes: registers the template in `UNTEMPLATE_TEMPLATE`."""
    template = os.environ.get(TEMPLATE_VARIABLE)
    if template:
        register(template)
