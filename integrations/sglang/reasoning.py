"""Reasoning for SGLang: cut out of the text, whose rest goes on to the tool parser as it is."""

from __future__ import annotations

from typing import Any

from sglang.srt.parser.reasoning_parser import (  # type: ignore[import-not-found]
    BaseReasoningFormatDetector,
    StreamingParseResult,
)

from untemplate.compiler.patterns.analysis import literal_prefix
from untemplate.compiler.patterns.reader import read_pattern
from untemplate.integrations.deltas.stream import reasoning_field
from untemplate.integrations.serving import parser_for
from untemplate.runtime.parser import Parser
from untemplate.runtime.pattern import Choice

REASONING = "reasoning"
REST = "rest"
USUAL_MARKS = ("<think>", "</think>")
# From the first character that neither is blank nor opens reasoning; what looks like reasoning in calls is none.
TO_THE_END = {"open_pattern": r"(?=\S)", "content_args": {"strip": False}}


class CompiledReasoningDetector(BaseReasoningFormatDetector):  # type: ignore[misc]
    """Tells reasoning from the rest. SGLang shows it no prompt, but says whether the reply begins in reasoning."""

    parser: type[Parser]
    open: str
    close: str

    def __init__(
        self,
        stream_reasoning: bool = True,
        force_reasoning: bool = False,
        continue_final_message: bool = False,
        previous_content: str = "",
        force_nonempty_content: bool = False,
    ) -> None:
        super().__init__(
            self.open,
            self.close,
            force_reasoning=force_reasoning,
            stream_reasoning=stream_reasoning,
            continue_final_message=continue_final_message,
            previous_content=previous_content,
            force_nonempty_content=force_nonempty_content,
        )
        self._stream: Parser | None = None
        self._start = ""
        self._waiting = ""
        self._all_reasoning = ""
        self._any_rest = False

    def detect_and_parse(self, text: str) -> Any:
        """The reasoning and the rest of a whole text."""
        reasoning, rest = "", ""
        detector = type(self)(True, self.force_reasoning, self.continue_final_message, self.previous_content)
        for part in (detector.parse_streaming_increment(text), detector.finish()):
            reasoning += part.reasoning_text
            rest += part.normal_text
        result = StreamingParseResult(normal_text=rest, reasoning_text=reasoning.strip())
        return self._maybe_apply_force_nonempty_content(result)

    def parse_streaming_increment(self, new_text: str) -> Any:
        """The reasoning and the rest that the next piece of text decides."""
        if self._stream is None:
            self._start += new_text
            start = self._start.lstrip()
            if self.force_reasoning and self.open.startswith(start) and start != self.open:
                return StreamingParseResult()
            new_text = self._begin(start)
        assert self._stream is not None
        return self._result(self._stream.feed(new_text))

    def finish(self) -> Any:
        """What was held back until the end of the text."""
        events = []
        if self._stream is None:
            text = self._begin(self._start.lstrip())
            assert self._stream is not None
            events += self._stream.feed(text)
        events += self._stream.finalize()[1]
        result = self._result(events, last=True)
        if self._force_nonempty_content and not self._any_rest:
            result = StreamingParseResult(normal_text=self._all_reasoning)
        return result

    def _begin(self, start: str) -> str:
        """Makes the parser, in reasoning if it has to be and the text does not open it; returns the text so far."""
        prefix = self.previous_content
        if self.force_reasoning and self.open not in prefix and not start.startswith(self.open):
            prefix += self.open
        self._stream = self.parser(prefix, None, "event")
        return self._start

    def _result(self, events: list[Any], last: bool = False) -> Any:
        rest = ""
        closed = last
        for event in events:
            if event["type"] == "region_chunk" and event["field"] == REST:
                rest += event["text"]
            elif event["type"] == "region_chunk":
                self._waiting += event["text"]
            elif event["type"] == "region_close" and event["field"] == REASONING:
                closed = True
        reasoning = ""
        if self.stream_reasoning or closed:
            reasoning, self._waiting = self._waiting, ""
        self._all_reasoning += reasoning
        self._any_rest = self._any_rest or bool(rest)
        return StreamingParseResult(normal_text=rest, reasoning_text=reasoning)


def reasoning_detector(
    template: dict[str, Any], marks: tuple[str, str] | None
) -> type[CompiledReasoningDetector] | None:
    """The detector class of one template; `None` if it has no reasoning that is opened and closed.

    Args:
        template: the template; it was compiled before, so that it is right.
        marks: what opens and what closes the reasoning, where that can not be seen in the template's patterns.

    Raises:
        ValueError: the marks do not open and close the reasoning.
    """
    spec = template["fields"].get(reasoning_field(template["fields"]), {})
    delimiters = {key: spec[key] for key in ("open", "open_pattern", "close", "close_pattern") if key in spec}
    if len(delimiters) < 2:
        return None
    anchor = {key: value for key, value in template.items() if key.startswith("start_anchor")}
    # The transform is there for the groups of the delimiters; the values are not used.
    fields = {REASONING: {**delimiters, "repeats": True, "transform": "{content}"}, REST: TO_THE_END}
    split = parser_for({**anchor, "fields": fields})
    tried = [marks] if marks else [(_mark(spec, "open"), _mark(spec, "close")), USUAL_MARKS]
    for opens, closes in tried:
        if split.parse(f"{opens}a{closes}b", "") == {REASONING: ["a"], REST: "b"}:
            members = {"parser": split, "open": opens, "close": closes}
            return type("CompiledReasoningDetector", (CompiledReasoningDetector,), members)
    shown = " and no ".join(f"{opens!r} … {closes!r}" for opens, closes in tried)
    raise ValueError(f"the reasoning of this template is no {shown}: pass the marks that open and close it")


def _mark(spec: dict[str, Any], key: str) -> str:
    """The first literal of a delimiter, or what its pattern begins with."""
    if key in spec:
        return str(spec[key] if isinstance(spec[key], str) else spec[key][0])
    pattern = read_pattern(spec[f"{key}_pattern"])
    return literal_prefix(pattern.options[0] if isinstance(pattern, Choice) else pattern)
