"""With compiled parsers in place, every way into transformers' response parsing gives what the interpreter gives."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, seed, settings
from transformers import ProcessorMixin, TextIteratorStreamer
from transformers.cli.serving import utils as serving
from transformers.pipelines.any_to_any import AnyToAnyPipeline
from transformers.pipelines.image_text_to_text import ImageTextToTextPipeline
from transformers.pipelines.text_generation import TextGenerationPipeline
from transformers.utils.chat_template_utils import Chat

from support.baseline import Baseline, Rejects, same
from support.cases import Case, load_transcripts
from support.chunking import at_random, merge
from support.comparison import explain, oracle_result
from support.strategies import Case as RandomCase
from support.strategies import cases
from support.tokenizers import byte_fallback, byte_level, ids_of, pieces_of, saved
from untemplate.integrations.transformers import installed
from untemplate.integrations.transformers.parsers import InterpretedParser
from untemplate.runtime import ResponseParseError

TRANSCRIPTS = load_transcripts()
FAMILIES = sorted({case.name.partition("-")[0] for case in TRANSCRIPTS})
MAKERS = {"byte level": byte_level, "byte fallback": byte_fallback}
tokenizer_of = cache(lambda kind: MAKERS[kind]())


@pytest.fixture(params=MAKERS)
def tokenizer(request: pytest.FixtureRequest) -> Any:
    return tokenizer_of(request.param)


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    with installed():
        yield


@pytest.fixture
def no_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the interpreter fail where it is given a template, so that a result is that of a compiled parser.

    The baseline of these tests, which is the interpreter, gives it templates that are loaded already.
    """
    interpreted = InterpretedParser.__init__

    def only_loaded(parser: Any, template: Any, *args: Any, **kwargs: Any) -> None:
        assert not isinstance(template, dict), "the interpreter was used"
        interpreted(parser, template, *args, **kwargs)

    monkeypatch.setattr(InterpretedParser, "__init__", only_loaded)


def arrays() -> Iterator[Callable[[Any], Any]]:
    """What makes an array of numbers: numpy, and torch where it is installed."""
    yield lambda numbers: np.array(numbers, dtype=int)
    if find_spec("torch") is not None:
        import torch

        yield lambda numbers: torch.tensor(numbers, dtype=torch.int64)


ARRAYS = list(arrays())


def of_family(family: str) -> list[Case]:
    return [case for case in TRANSCRIPTS if case.name.partition("-")[0] == family]


def expected_of(case: Case, text: str | None = None) -> dict[str, Any]:
    message = Baseline(case.template).message(case.prefix, case.output if text is None else text, case.tools)
    assert not isinstance(message, Rejects), case
    return message


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("no_interpreter")
def test_parse_response(family: str) -> None:
    """From strings, lists of tokens, arrays, tensors and batches; with the prefix in any of these forms."""
    tokenizer = tokenizer_of("byte level")
    for case in of_family(family):
        ids, before = ids_of(tokenizer, case.output), ids_of(tokenizer, case.prefix)
        text, prefix = tokenizer.decode(ids), tokenizer.decode(before)
        expected = expected_of(replace(case, prefix=prefix), text)

        def parsed(response: Any, prefix: Any, case: Case = case) -> Any:
            return tokenizer.parse_response(response, case.template, prefix=prefix, tools=case.tools)

        assert same(parsed(text, prefix), expected), case
        assert same(parsed(ids, before), expected), case
        assert same(parsed([text, text], prefix), [expected, expected]), case
        assert same(parsed([ids, ids], [before, before]), [expected, expected]), case
        for array in ARRAYS:
            assert same(parsed(array(ids), array(before)), expected), (case, array)
            assert same(parsed(array([ids, ids]), [prefix, prefix]), [expected, expected]), (case, array)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("no_interpreter")
def test_streams_token_by_token(family: str, tokenizer: Any) -> None:
    for case in of_family(family):
        ids = ids_of(tokenizer, case.output)
        text = tokenizer.decode(ids)
        parser = tokenizer.get_response_parser(case.template, prefix=case.prefix, tools=case.tools)
        events = list(parser.initial_events)
        for piece in pieces_of(tokenizer, ids):
            events += parser.feed(piece)
        message, last = parser.finalize()
        assert same(message, expected_of(case, text)), case
        assert same(merge([*events, *last]), oracle_result(case.template, case.prefix, text, case.tools).events), case


def test_characters_are_cut_into_tokens(tokenizer: Any) -> None:
    """What makes the tests above worth their while: no token of these is a whole character."""
    for character in "ï€😀":
        ids = ids_of(tokenizer, character)
        assert len(ids) > 1
        assert list(pieces_of(tokenizer, ids)) == [character]


@pytest.mark.usefixtures("no_interpreter")
def test_the_text_of_an_iterator_streamer(tokenizer: Any) -> None:
    """It holds back the last word, and gives out whole words and lines."""
    for case in of_family("qwen3"):
        streamer = TextIteratorStreamer(tokenizer, skip_prompt=False)
        for token in ids_of(tokenizer, case.output):
            streamer.put(np.array([token]))
        streamer.end()
        parser = tokenizer.get_response_parser(case.template, prefix=case.prefix, tools=case.tools)
        for piece in streamer:
            parser.feed(piece)
        assert same(parser.finalize()[0], expected_of(case)), case


@pytest.mark.usefixtures("no_interpreter")
def test_a_tokenizer_that_was_saved_and_loaded(tmp_path: Path) -> None:
    for number, case in enumerate(of_family("qwen3_coder")):
        tokenizer = saved(byte_level(), tmp_path / str(number), case.template)
        assert json.loads((tmp_path / str(number) / "tokenizer_config.json").read_text())["response_template"]
        # Saving sorts the keys of the template, and with them those of what its transforms make.
        expected = expected_of(replace(case, template=tokenizer.response_template))
        assert same(tokenizer.parse_response(case.output, prefix=case.prefix, tools=case.tools), expected)
        parser = tokenizer.get_response_parser(prefix=ids_of(tokenizer, case.prefix), tools=case.tools)
        parser.feed(case.output)
        assert same(parser.finalize()[0], expected)


class Processor(ProcessorMixin):
    """A processor around a tokenizer and nothing else."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer


@pytest.mark.usefixtures("no_interpreter")
def test_processors(tokenizer: Any) -> None:
    for case in of_family("gemma4"):
        found = Processor(tokenizer).parse_response(case.output, case.template, prefix=case.prefix, tools=case.tools)
        assert same(found, expected_of(case)), case


class Ids(np.ndarray):
    """An array with the little of a tensor that pipelines use."""

    def numpy(self) -> Any:
        return np.asarray(self)


def ids_array(ids: list[int]) -> Any:
    return np.array([ids]).view(Ids)


@pytest.mark.parametrize("family", ["qwen3", "qwen3_coder", "gpt_oss", "gemma4", "smollm3"])
@pytest.mark.usefixtures("no_interpreter")
def test_the_text_generation_pipeline(family: str, tokenizer: Any) -> None:
    pipeline = object.__new__(TextGenerationPipeline)
    pipeline.tokenizer = tokenizer
    for case in of_family(family):
        tokenizer.response_template = case.template
        before, ids = ids_of(tokenizer, case.prefix), ids_of(tokenizer, case.output)
        outputs = {
            "generated_sequence": ids_array(before + ids)[None],
            "input_ids": ids_array(before),
            "prompt_text": Chat([{"role": "user", "content": "…"}]),
        }
        [record] = pipeline.postprocess(outputs, tools=case.tools)
        written = replace(case, prefix=tokenizer.decode(before))
        assert same(record["generated_text"][-1], expected_of(written, tokenizer.decode(ids))), case
    tokenizer.response_template = None


@pytest.mark.parametrize("kind", [ImageTextToTextPipeline, AnyToAnyPipeline])
@pytest.mark.usefixtures("no_interpreter")
def test_the_multimodal_pipelines(kind: Any, tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They ask whether something is a tensor of torch, which is not needed here otherwise."""
    module = import_module(kind.__module__)
    monkeypatch.setattr(module, "torch", SimpleNamespace(Tensor=type("Tensor", (), {})), raising=False)
    pipeline = object.__new__(kind)
    pipeline.tokenizer = tokenizer
    pipeline.processor = Processor(tokenizer)
    for case in of_family("gemma4"):
        tokenizer.response_template = case.template
        before, ids = ids_of(tokenizer, case.prefix), ids_of(tokenizer, case.output)
        outputs = {
            "generated_sequence": ids_array(before + ids),
            "input_ids": ids_array(before),
            "prompt_text": [module.Chat([{"role": "user", "content": "…"}])],
        }
        options = {"generation_mode": "text"} if kind is AnyToAnyPipeline else {}
        full_text = module.ReturnType.FULL_TEXT
        [record] = pipeline.postprocess(outputs, return_type=full_text, tools=case.tools, **options)
        assert same(record["generated_text"][-1], expected_of(case)), case
    tokenizer.response_template = None


MODEL = SimpleNamespace(config=SimpleNamespace(model_type="none of the built-in ones"))


def as_served(message: dict[str, Any]) -> tuple[str, str | None, list[tuple[str, str]]]:
    """What `transformers serve` makes of a message: content, reasoning, calls."""
    calls = [call["function"] for call in message.get("tool_calls", [])]
    written = [
        (call["name"], call["arguments"] if isinstance(call["arguments"], str) else json.dumps(call["arguments"]))
        for call in calls
    ]
    return message.get("content", ""), message.get("reasoning_content"), written


def served(items: list[Any]) -> tuple[str, str | None, list[tuple[str, str]]]:
    """The items of a stream of `transformers serve`, put together."""
    content = "".join(item for item in items if type(item) is str).strip()
    thoughts = [item for item in items if isinstance(item, serving.ReasoningText)]
    calls = [(item.name, item.arguments) for item in items if isinstance(item, serving.ToolCall)]
    return content, "".join(item if isinstance(item, str) else item.text for item in thoughts).strip() or None, calls


SERVED = ["deepseek_v3_1", "gemma4", "glm4_5", "hermes", "qwen3", "qwen3_5", "qwen3_coder", "smollm3"]


@pytest.mark.parametrize("family", SERVED)
@pytest.mark.usefixtures("no_interpreter")
def test_serving_of_whole_replies(family: str, tokenizer: Any) -> None:
    for case in of_family(family):
        tokenizer.response_template = case.template
        before, ids = ids_of(tokenizer, case.prefix), ids_of(tokenizer, case.output)
        content, reasoning, calls = serving.parse_assistant_message(
            tokenizer, MODEL, ids, np.array([before]), tools=case.tools
        )
        found = content, reasoning, [(call.name, call.arguments) for call in calls or []]
        written = replace(case, prefix=tokenizer.decode(before))
        assert same(found, as_served(expected_of(written, tokenizer.decode(ids)))), case
    tokenizer.response_template = None


def direct(tokenizer: Any, parser: Any, before: list[int], ids: list[int]) -> list[Any]:
    """What a request gets, by the streamer for `model.generate()`."""

    async def run() -> list[Any]:
        queue: asyncio.Queue[Any] = asyncio.Queue()
        streamer = serving.DirectStreamer(tokenizer._tokenizer, asyncio.get_running_loop(), queue, parser)
        streamer.put(np.array(before))
        for token in ids:
            streamer.put(np.array([token]))
        streamer.end()
        return [item async for item in drained(queue)]

    return asyncio.run(run())


def batched(tokenizer: Any, parser: Any, before: list[int], ids: list[int]) -> list[Any]:
    """What a request gets, by the streamer for continuous batching, some tokens at a time."""

    async def run() -> list[Any]:
        queue: asyncio.Queue[Any] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        streamer = serving.CBStreamer(SimpleNamespace(), "1", tokenizer._tokenizer, loop, queue, parser)
        for end in range(0, len(ids) + 3, 3):
            streamer.put(SimpleNamespace(generated_tokens=ids[:end]))
        streamer.end()
        return [item async for item in drained(queue)]

    return asyncio.run(run())


async def drained(queue: asyncio.Queue[Any]) -> Any:
    while (item := await queue.get()) is not None:
        yield item


@pytest.mark.parametrize("streamed", [direct, batched])
@pytest.mark.parametrize("family", SERVED)
@pytest.mark.usefixtures("no_interpreter")
def test_serving_of_streams(family: str, streamed: Any, tokenizer: Any) -> None:
    for case in of_family(family):
        before, ids = ids_of(tokenizer, case.prefix), ids_of(tokenizer, case.output)
        tokenizer.response_template = case.template
        parser = serving.build_response_parser(tokenizer, MODEL, before, tools=case.tools)
        tokenizer.response_template = None
        text = tokenizer.decode(ids)
        oracle = oracle_result(case.template, tokenizer.decode(before), text, case.tools)
        expected = serving.response_events_to_chunks(oracle.events)
        assert same(served(streamed(tokenizer, parser, before, ids)), served(expected)), case


def test_templates_that_serving_has_built_in(no_interpreter: None) -> None:
    tokenizer = byte_level()
    texts = {
        "qwen3": '<think>hm</think>Hi <tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call><|im_end|>',
        "qwen3_5": "<tool_call>\n<function=f>\n<parameter=x>\n1\n</parameter>\n</function>\n</tool_call><|im_end|>",
        "gemma4": '<|channel>thought\nhm<channel|>Hi<|tool_call>call:f{x:<|"|>1<|"|>}<tool_call|><turn|>',
    }
    for model_type, text in texts.items():
        model = SimpleNamespace(config=SimpleNamespace(model_type=model_type))
        template = serving.get_response_template(tokenizer, model)
        found = serving.parse_assistant_message(tokenizer, model, ids_of(tokenizer, text), [])
        calls = [(call.name, call.arguments) for call in found[2] or []]
        assert same((*found[:2], calls), as_served(Baseline(template).message("", text)))


@seed(60)
@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_random_templates_and_outputs(case: RandomCase) -> None:
    template, prefix, output, tools = case
    tokenizer = tokenizer_of("byte level")
    expected = Baseline(template).message(prefix, output, tools)

    def one_shot() -> Any:
        return tokenizer.parse_response(output, template, prefix=prefix, tools=tools)

    def streamed() -> Any:
        parser = tokenizer.get_response_parser(template, prefix=prefix, tools=tools)
        for chunk in at_random(output, Random(output)):
            parser.feed(chunk)
        return parser.finalize()[0]

    for read in (one_shot, streamed):
        if isinstance(expected, Rejects):
            with pytest.raises(ResponseParseError):
                read()
        else:
            found = read()
            assert same(found, expected), explain(case, found, expected)
