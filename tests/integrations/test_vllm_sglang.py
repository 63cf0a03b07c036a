"""The plugins for vLLM and SGLang, with stand-ins for what they touch of these servers.

`data/serving_signatures.json` holds the parameters and the fields of the real ones, as released in the versions named
there. The plugins and the stand-ins both have to agree with it.
"""

from __future__ import annotations

import importlib
import inspect
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from support import servers
from support.cases import DATA, TEMPLATES, Case, load_transcripts
from support.chunking import every_char, fixed, whole
from support.ours import parser_of
from untemplate.integrations.serving import Reply, parser_for

RECORDED = json.loads((DATA / "serving_signatures.json").read_text("utf-8"))
TRANSCRIPTS = load_transcripts()
FAMILIES = sorted({case.name.partition("-")[0] for case in TRANSCRIPTS})
REASONING_NAMES = ("reasoning_content", "reasoning", "thinking")
CUTS = [whole, every_char, fixed(3)]


def of_family(family: str) -> list[Case]:
    return [case for case in TRANSCRIPTS if case.name.partition("-")[0] == family]


def template_of(family: str) -> dict[str, Any]:
    template: dict[str, Any] = json.loads((TEMPLATES / f"{family}.json").read_text("utf-8"))
    return template


Parts = tuple[str, str, list[tuple[str, str]]]


def parts_of(case: Case, prefix: str) -> tuple[Parts, bool]:
    """Reasoning, content and calls of a reply; and whether its reasoning, if any, is in one piece and comes first.

    What the prompt holds of the message is no part of the reply. White space does not count, which `strip` and `join`
    change.
    """
    parser = parser_of(case.template).ResponseParser(prefix, case.tools)
    events = parser.feed(case.output)
    message, last = parser.finalize()
    texts, opened = {"content": ""}, []
    for event in [*events, *last]:
        if event["type"] == "region_chunk":
            texts[event["field"]] = texts.get(event["field"], "") + event["text"]
        elif event["type"] == "region_open":
            opened.append(event["field"] in REASONING_NAMES)
    calls = [call["function"] for call in message.get("tool_calls", [])]
    reasoning = "".join(texts.get(name, "") for name in REASONING_NAMES)
    parts = squeezed(reasoning), squeezed(texts["content"]), [(call["name"], text_of(call)) for call in calls]
    return parts, not any(opened[1:])


def text_of(call: dict[str, Any]) -> str:
    arguments = call["arguments"]
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def squeezed(text: str) -> str:
    return "".join(text.split())


def parameters_of(function: Any) -> list[str]:
    names, keyword_only = [], False
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            names.append("*")
            keyword_only = True
        names.append({parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + name)
    return names


def recorded(server: str, name: str) -> list[str]:
    [[_, found]] = [row for row in RECORDED[server].items() if row[0].endswith(f".{name}")]
    return list(found)


# vLLM.

VLLM = "vllm 0.33.0"


@pytest.fixture
def plugin(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The plugin file, loaded by vLLM."""
    servers.stand_in(monkeypatch, "vllm", servers.VLLM)
    return importlib.import_module("untemplate.integrations.vllm.plugin")


def serve(plugin: Any, case: Case, template: dict[str, Any], chunks: list[str], **request: Any) -> list[Any]:
    """The deltas of one request."""
    tokenizer = SimpleNamespace(response_template=template)
    parser = plugin.CompiledParser(
        tokenizer, case.tools, enable_auto_tools=True, reasoning=request.pop("reasoning", True)
    )
    asked = SimpleNamespace(**{"tool_choice": "auto", "include_reasoning": True, **request})
    deltas = [parser.parse_delta(chunk, asked, case.prefix, finished=False) for chunk in chunks]
    deltas.append(parser.parse_delta("", asked, case.prefix, finished=True))
    return [delta for delta in deltas if delta is not None]


def put_together(deltas: list[Any]) -> Parts:
    calls = [call for delta in deltas for call in delta.tool_calls]
    assert [call.index for call in calls] == list(range(len(calls)))
    assert len({call.id for call in calls}) == len(calls)
    return (
        squeezed("".join(delta.reasoning or "" for delta in deltas)),
        squeezed("".join(delta.content or "" for delta in deltas)),
        [(call.function.name, call.function.arguments) for call in calls],
    )


def test_vllm_finds_the_plugin_under_its_name(plugin: Any) -> None:
    assert servers.ToolParserManager.parsers["untemplate"].unified_parser_cls() is plugin.CompiledParser
    assert servers.ReasoningParserManager.parsers["untemplate"].unified_parser_cls() is plugin.CompiledParser


@pytest.mark.parametrize("family", FAMILIES)
def test_vllm_streams(family: str, plugin: Any) -> None:
    templates = importlib.import_module("untemplate.integrations.vllm.templates")
    template = templates.for_vllm(template_of(family))
    for case in of_family(family):
        expected, _ = parts_of(case, case.prefix)
        for cut in CUTS:
            found = put_together(serve(plugin, case, template, cut(case.output)))
            assert found == expected, case


QWEN3 = Case(
    "qwen3",
    template_of("qwen3"),
    '<think>Hm.</think>Hi.<tool_call>{"name": "f", "arguments": {"x": "1"}}</tool_call><|im_end|>',
    {},
    tools=[{"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}}}],
)
CALL = ("f", '{"x": 1}')


def test_vllm_requests(plugin: Any) -> None:
    chunks = every_char(QWEN3.output)

    def answer(**request: Any) -> Parts:
        return put_together(serve(plugin, QWEN3, QWEN3.template, chunks, **request))

    assert answer() == ("Hm.", "Hi.", [CALL])
    assert answer(include_reasoning=False) == ("", "Hi.", [CALL])
    assert answer(reasoning=False) == ("", "Hm.Hi.", [CALL])
    assert answer(tool_choice="none")[1].startswith("vLLM:")


def test_vllm_calls_come_whole_and_at_once(plugin: Any) -> None:
    """A delta can not be taken back, and whether a call is one is known at its end."""
    chunks = every_char(QWEN3.output)
    deltas = serve(plugin, QWEN3, QWEN3.template, chunks)
    assert [len(delta.tool_calls) for delta in deltas if delta.tool_calls] == [1]
    before_the_end = serve(plugin, QWEN3, QWEN3.template, chunks[: -len("<|im_end|>")])
    assert put_together(before_the_end)[2] == [CALL]


def test_vllm_malformed_calls(plugin: Any, caplog: pytest.LogCaptureFixture) -> None:
    case = Case("cut off", QWEN3.template, 'Hi.<tool_call>{"name": "f"', {})
    with caplog.at_level(logging.WARNING, "untemplate"):
        assert put_together(serve(plugin, case, case.template, every_char(case.output))) == ("", "Hi.", [])
    assert "malformed" in caplog.text


def test_vllm_answers_without_any_output(plugin: Any) -> None:
    """An optional field makes no error where nothing was generated, nor anywhere else."""
    template = {"start_anchor": "@", "fields": {"content": {"optional": False}}}
    assert serve(plugin, Case("", template, "", {}), template, []) == []


REFUSED: dict[str, dict[str, Any]] = {
    "a template that is not compiled": {"close_pattern": r"(a+)+(?<=\1)$"},
    "a close that ends with the start of the next message": {"close": "<|end|>@"},
}


@pytest.mark.parametrize("name", REFUSED)
def test_vllm_interprets_what_is_not_compiled(name: str, plugin: Any, caplog: pytest.LogCaptureFixture) -> None:
    template = {"start_anchor": "@", "fields": {"tool_calls": {"open": "<", "close": ">"}, "content": REFUSED[name]}}
    case = Case("", template, "x", {})
    with caplog.at_level(logging.WARNING, "untemplate"):
        for _ in range(2):
            assert put_together(serve(plugin, case, template, ["x"]))[1] == "vLLM:xvLLM:"
    assert len(caplog.records) == 1


def test_templates_for_vllm(plugin: Any) -> None:
    templates = importlib.import_module("untemplate.integrations.vllm.templates")
    template = {
        "defaults": {"role": "assistant", "content": ""},
        "start_anchor": "@",
        "fields": {
            "reasoning_content": {"open": "<", "close": ">", "repeats": True, "join": "\n"},
            "tool_calls": {"open": "[", "close": "]", "repeats": True},
            "content": {},
        },
    }
    before = json.dumps(template)
    assert templates.for_vllm(template) == {
        "defaults": {"role": "assistant"},
        "start_anchor": "@",
        "fields": {
            "thinking": {"open": "<", "close": ">"},
            "tool_calls": {"open": "[", "close": "]", "repeats": True},
            "content": {},
        },
    }
    assert json.dumps(template) == before
    for extra in ({"citations": {"open": "{", "close": "}"}}, {"thinking": {"open": "{", "close": "}"}}):
        with pytest.raises(ValueError, match="vLLM serves"):
            templates.for_vllm({**template, "fields": {**template["fields"], **extra}})


# SGLang.

SGLANG = "sglang 0.5.23"


@pytest.fixture
def sglang(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The plugin for SGLang, and what it registers."""
    modules = servers.sglang(forward_unknown_tools=True)
    servers.stand_in(monkeypatch, "sglang", modules)
    return SimpleNamespace(
        plugin=importlib.import_module("untemplate.integrations.sglang"),
        tools=modules["srt.function_call.function_call_parser"]["FunctionCallParser"].ToolCallParserEnum,
        reasoning=modules["srt.parser.reasoning_parser"]["ReasoningParser"].DetectorMap,
        envs=modules["srt.environ"]["envs"],
    )


def as_tool(schema: dict[str, Any]) -> Any:
    full = schema if "function" in schema else {"type": "function", "function": schema}
    return SimpleNamespace(model_dump=lambda: full)


def begins_in_reasoning(case: Case) -> bool:
    """Whether the prompt ends in reasoning, which SGLang finds out from the chat template."""
    region = None
    for event in parser_of(case.template).ResponseParser(case.prefix).initial_events:
        if event["type"] == "region_open":
            region = event["field"]
        elif event["type"] == "region_close":
            region = None
    return region in REASONING_NAMES


def by_one_call(sglang: Any, case: Case) -> Parts:
    reasoning, rest = "", case.output
    if "untemplate" in sglang.reasoning:
        result = sglang.reasoning["untemplate"](force_reasoning=begins_in_reasoning(case)).detect_and_parse(rest)
        reasoning, rest = result.reasoning_text, result.normal_text
    found = sglang.tools["untemplate"]().detect_and_parse(rest, [as_tool(tool) for tool in case.tools or []])
    return squeezed(reasoning), squeezed(found.normal_text), [(call.name, call.parameters) for call in found.calls]


def by_stream(sglang: Any, case: Case, chunks: list[str]) -> Parts:
    """As SGLang does it: the text that the reasoning parser leaves goes on to the tool parser."""
    tools = [as_tool(tool) for tool in case.tools or []]
    detector = sglang.tools["untemplate"]()
    thoughts, results = [], []

    def rests() -> Iterator[str]:
        if "untemplate" not in sglang.reasoning:
            yield from chunks
            return
        reasoning = sglang.reasoning["untemplate"](force_reasoning=begins_in_reasoning(case))
        for result in [*map(reasoning.parse_streaming_increment, chunks), reasoning.finish()]:
            thoughts.append(result.reasoning_text)
            yield result.normal_text

    results = [detector.parse_streaming_increment(rest, tools) for rest in rests() if rest]
    results.append(detector.finish(tools))
    calls = [call for result in results for call in result.calls]
    assert [call.tool_index for call in calls] == list(range(len(calls)))
    assert detector.streamed_args_for_tool == [call.parameters for call in calls]
    assert [call["name"] for call in detector.prev_tool_call_arr] == [call.name for call in calls]
    assert detector.current_tool_id == len(calls) - 1
    content = squeezed("".join(result.normal_text for result in results))
    return squeezed("".join(thoughts)), content, [(call.name, call.parameters) for call in calls]


# Where the patterns do not show it.
MARKS = {
    "k2_horizon": ("<ifm|think>", "</ifm|think>"),
    "kimi_k3": ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    "muse": ("<|start|>assistant to=self<|message|>", "<|eom|>"),
}


@pytest.mark.parametrize("family", [family for family in FAMILIES if family not in ("kimi_k3", "muse")])
def test_sglang_streams(family: str, sglang: Any) -> None:
    """SGLang shows the parsers no prompt, and reasoning that does not come first is text to them."""
    sglang.plugin.register(template_of(family), reasoning_marks=MARKS.get(family))
    for case in of_family(family):
        opened = begins_in_reasoning(case)
        expected, in_order = parts_of(case, sglang.reasoning["untemplate"].open if opened else "")
        ways: list[Callable[[], Parts]] = [lambda case=case: by_one_call(sglang, case)]
        ways += [lambda case=case, cut=cut: by_stream(sglang, case, cut(case.output)) for cut in CUTS]
        for way in ways:
            reasoning, content, calls = way()
            if in_order:
                assert (reasoning, content, calls) == expected, case
            else:
                assert sorted(reasoning + content) == sorted(expected[0] + expected[1]), case
                assert calls == expected[2], case


def test_sglang_drops_calls_of_unknown_tools(sglang: Any) -> None:
    sglang.plugin.register(QWEN3.template)
    other = Case("", QWEN3.template, QWEN3.output, {}, tools=[{"name": "g"}])
    assert by_one_call(sglang, other)[2] == [("f", '{"x": "1"}')]
    sglang.envs.SGLANG_FORWARD_UNKNOWN_TOOLS.get = lambda: False
    assert by_one_call(sglang, other)[2] == []
    assert by_one_call(sglang, QWEN3)[2] == [CALL]


def test_sglang_asks_whether_there_is_a_call(sglang: Any) -> None:
    sglang.plugin.register(QWEN3.template)
    detector = sglang.tools["untemplate"]()
    assert detector.has_tool_call(QWEN3.output)
    assert detector.has_tool_call("Hi.<tool_call>{")
    assert not detector.has_tool_call("Hi.<tool_cal")
    assert not detector.supports_structural_tag()
    with pytest.raises(NotImplementedError):
        detector.structure_info()


def read_reasoning(detector: Any, chunks: list[str]) -> tuple[list[str], str]:
    results = [*map(detector.parse_streaming_increment, chunks), detector.finish()]
    return [result.reasoning_text for result in results if result.reasoning_text], "".join(
        result.normal_text for result in results
    )


@pytest.mark.parametrize("start", ["", "<think>", "\n<think>"])
def test_sglang_replies_that_have_to_begin_in_reasoning(start: str, sglang: Any) -> None:
    """Whether the model opens it once more or not."""
    sglang.plugin.register(QWEN3.template)
    detector = sglang.reasoning["untemplate"]
    text = f"{start}Hm.</think>Hi <think>."
    for cut in CUTS:
        reasoning, rest = read_reasoning(detector(force_reasoning=True), cut(text))
        assert ("".join(reasoning), rest) == ("Hm.", "Hi <think>.")
    assert read_reasoning(detector(force_reasoning=True), ["<th"]) == (["<th"], "")


def test_sglang_options_of_reasoning(sglang: Any) -> None:
    sglang.plugin.register(QWEN3.template)
    detector = sglang.reasoning["untemplate"]
    thinking = every_char("<think>Hm. Hm.")
    assert (detector().think_start_token, detector().think_end_token) == ("<think>", "</think>")
    assert len(read_reasoning(detector(), thinking)[0]) > 1
    assert read_reasoning(detector(stream_reasoning=False), thinking) == (["Hm. Hm."], "")
    continued = detector(continue_final_message=True, previous_content="<think>Well,")
    assert read_reasoning(continued, ["hm.</think>Hi."]) == (["hm."], "Hi.")
    assert read_reasoning(detector(force_nonempty_content=True), thinking)[1] == "Hm. Hm."
    assert detector(force_nonempty_content=True).detect_and_parse("<think>Hm.").normal_text == "Hm."


def test_sglang_needs_marks_that_are_right(sglang: Any) -> None:
    with pytest.raises(ValueError, match="pass the marks"):
        sglang.plugin.register(template_of("k2_horizon"))
    assert "untemplate" in sglang.tools
    assert "untemplate" not in sglang.reasoning
    sglang.plugin.register(template_of("qwen2_5"), "no_reasoning")
    assert "no_reasoning" in sglang.tools
    assert "no_reasoning" not in sglang.reasoning


def test_sglang_loads_the_plugin(sglang: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sglang.plugin.plugin()
    assert sglang.tools == {}
    monkeypatch.setenv("UNTEMPLATE_TEMPLATE", str(TEMPLATES / "qwen3.json"))
    sglang.plugin.plugin()
    assert by_one_call(sglang, QWEN3) == ("Hm.", "Hi.", [CALL])


# Signatures.


@pytest.mark.parametrize("stand_in", [servers.DeltaFunctionCall, servers.DeltaToolCall, servers.DeltaMessage])
def test_fields_of_vllm(stand_in: Any) -> None:
    assert is_dataclass(stand_in)
    assert {field.name for field in fields(stand_in)} == set(recorded(VLLM, stand_in.__name__))


def test_signatures_of_vllm(plugin: Any) -> None:
    own = {
        "ResponseTemplateParser": plugin.CompiledParser,
        "ResponseTemplateReasoningParser": plugin.CompiledReasoningParser,
        "ResponseTemplateToolParser": plugin.CompiledToolParser,
        "_ResponseStream": plugin.CompiledStream,
    }
    for name, ours in own.items():
        theirs = getattr(servers, name.replace("_ResponseStream", "OwnStream"))
        for path, expected in RECORDED[VLLM].items():
            if f".{name}." in path:
                method = path.rpartition(".")[2]
                for cls in (ours, theirs):
                    found = getattr(cls, method)
                    assert parameters_of(getattr(found, "__func__", found)) == expected, path
    assert parameters_of(servers.resolve_response_template) == recorded(VLLM, "resolve_response_template")
    for manager in ("ToolParserManager", "ReasoningParserManager"):
        found = parameters_of(getattr(servers, manager).register_module.__func__)
        assert sorted(found) == sorted(recorded(VLLM, f"{manager}.register_module"))


def test_signatures_of_sglang(sglang: Any) -> None:
    sglang.plugin.register(QWEN3.template)
    own = {
        "BaseFormatDetector": sglang.tools["untemplate"],
        "BaseReasoningFormatDetector": sglang.reasoning["untemplate"],
    }
    for name, ours in own.items():
        for path, expected in RECORDED[SGLANG].items():
            if f".{name}." not in path:
                continue
            method = path.rpartition(".")[2]
            assert parameters_of(getattr(getattr(servers, name), method)) == expected, path
            if (name, method) != ("BaseReasoningFormatDetector", "__init__"):
                assert parameters_of(getattr(ours, method)) == expected, path
    # SGLang makes reasoning parsers with what most of them take, and not with what their base takes.
    assert parameters_of(own["BaseReasoningFormatDetector"].__init__) == recorded(SGLANG, "Qwen3Detector.__init__")
    assert parameters_of(servers.ReasoningResult.__init__) == recorded(
        SGLANG, "reasoning_parser.StreamingParseResult.__init__"
    )
    assert {field.name for field in fields(servers.ToolCallItem)} == set(recorded(SGLANG, "ToolCallItem"))
    assert {field.name for field in fields(servers.ToolResult)} == set(
        recorded(SGLANG, "core_types.StreamingParseResult")
    )


# What both are made of.


def test_a_reply_gives_out_nothing_of_the_prompt() -> None:
    reply = Reply(parser_for(QWEN3.template), "<|im_start|>assistant\n<think>Well,")
    assert reply.feed(" hm.</think>Hi.").reasoning == " hm."
    assert reply.finish().content == ""


def test_parsers_of_families_and_files(monkeypatch: pytest.MonkeyPatch) -> None:
    from untemplate.integrations import serving

    module = parser_of(QWEN3.template)
    monkeypatch.setattr(serving, "FAMILIES", {"some_family": module})
    assert parser_for("some_family") is module.ResponseParser
    assert parser_for(TEMPLATES / "qwen3.json").parse("<think>Hm.", "")["reasoning_content"] == "Hm."
    assert parser_for(QWEN3.template) is parser_for(QWEN3.template)
