"""The example server, asked by the client that most people use."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

openai = pytest.importorskip("openai")
uvicorn = pytest.importorskip("uvicorn")
pytest.importorskip("starlette")

ROOT = Path(__file__).parents[2]
FAMILIES = ["smollm3", "qwen3_coder", "gpt_oss", "command_r7b"]


def _load_example() -> Any:
    spec = importlib.util.spec_from_file_location("serve_example", ROOT / "examples" / "serve.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


serve = _load_example()


def _running(state: Any) -> Iterator[str]:
    """The address of a server that runs in a thread as long as it is asked for."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(512)
    server = uvicorn.Server(uvicorn.Config(state.app(), log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


STATE = serve.Server(serve.load_transcripts(ROOT / "tests" / "transcripts"))
SLOW = serve.Server(delay=0.05)
STRICT = serve.Server(on_malformed="raise")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    yield from _running(STATE)


@pytest.fixture(scope="module")
def client(address: str) -> Any:
    return openai.OpenAI(base_url=address, api_key="none", max_retries=0)


def _transcripts() -> list[Any]:
    found = []
    for family in FAMILIES:
        data = json.loads((ROOT / "tests" / "transcripts" / f"{family}.json").read_text("utf-8"))
        found += [pytest.param(family, entry, id=f"{family}-{entry['name']}") for entry in data["transcripts"]]
    return found


def _asked(family: str, text: str, **more: Any) -> dict[str, Any]:
    return {"model": family, "messages": [{"role": "user", "content": text}], **more}


def _wanted(message: dict[str, Any]) -> tuple[Any, ...]:
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", [])]
    return message.get("content", ""), message.get("reasoning_content", ""), calls


def _collected(chunks: Any) -> tuple[tuple[Any, ...], str | None]:
    content, reasoning, reason = "", "", None
    calls: dict[int, list[str]] = {}
    for chunk in chunks:
        choice = chunk.choices[0]
        content += choice.delta.content or ""
        reasoning += getattr(choice.delta, "reasoning_content", None) or ""
        for call in choice.delta.tool_calls or []:
            if call.id is not None:
                calls[call.index] = [call.function.name, ""]
            calls[call.index][1] += call.function.arguments or ""
        reason = choice.finish_reason or reason
    made = [(name, json.loads(arguments)) for name, arguments in calls.values()]
    return (content, reasoning, made), reason


@pytest.mark.parametrize(("family", "entry"), _transcripts())
def test_transcripts(client: Any, family: str, entry: dict[str, Any]) -> None:
    request = _asked(family, entry["name"])
    wanted = _wanted(entry["message"])
    reason = "tool_calls" if wanted[2] else "stop"
    assert _collected(client.chat.completions.create(**request, stream=True)) == (wanted, reason)

    choice = client.chat.completions.create(**request).choices[0]
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in choice.message.tool_calls or []]
    found = (choice.message.content or "", getattr(choice.message, "reasoning_content", ""), calls)
    assert (found, choice.finish_reason) == (wanted, reason)


def test_the_client_adds_up_what_it_is_sent(client: Any) -> None:
    text = '<think>Hm.</think>Wait.<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}]
    with client.chat.completions.stream(**_asked("smollm3", text, tools=tools)) as stream:
        names = [event.type for event in stream]
        message = stream.get_final_completion().choices[0].message
    assert message.content == "Wait."
    assert message.tool_calls[0].function.name == "f"
    assert json.loads(message.tool_calls[0].function.arguments) == {"a": 1}
    assert "tool_calls.function.arguments.delta" in names


def test_tools_give_types(client: Any) -> None:
    text = "<function=f>\n<parameter=n>\n7\n</parameter>\n</function>\n"
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}}]
    (_, _, calls), _ = _collected(
        client.chat.completions.create(**_asked("qwen3_coder", text), tools=tools, stream=True)
    )
    assert calls == [("f", {"n": 7})]


def test_models(client: Any) -> None:
    assert set(FAMILIES) <= {model.id for model in client.models.list()}
    assert client.models.retrieve("smollm3").id == "smollm3"


def test_bad_requests(client: Any) -> None:
    with pytest.raises(openai.NotFoundError, match="no model"):
        client.chat.completions.create(**_asked("no such", "Hi"))
    with pytest.raises(openai.BadRequestError, match="user message"):
        client.chat.completions.create(model="smollm3", messages=[])


def test_a_reply_that_is_cut_off(client: Any) -> None:
    text = '<tool_call>{"name": "f", "arguments": {"city": "Lyon"}}</tool_call>'
    chunks = list(client.chat.completions.create(**_asked("smollm3", text), max_tokens=11, stream=True))
    assert chunks[-1].choices[0].finish_reason == "length"
    errors = [error for chunk in chunks for error in getattr(chunk.choices[0], "errors", [])]
    assert [(error["type"], error["tool_calls"]) for error in errors] == [("malformed", [0])]


def test_a_malformed_call(client: Any) -> None:
    text = 'Hi<tool_call>{"name": "f", "arguments": {]}</tool_call>'
    chunks = list(client.chat.completions.create(**_asked("smollm3", text), stream=True))
    assert chunks[-1].choices[0].finish_reason == "error"
    completion = client.chat.completions.create(**_asked("smollm3", text))
    assert completion.choices[0].finish_reason == "error"
    assert completion.choices[0].message.content == "Hi"
    assert completion.choices[0].message.tool_calls is None
    assert completion.choices[0].errors[0]["text"] == '{"name": "f", "arguments": {]}'


def test_a_malformed_call_where_that_is_an_error() -> None:
    text = "Hi<tool_call>{]</tool_call>"
    for address in _running(STRICT):
        client = openai.OpenAI(base_url=address, api_key="none", max_retries=0)
        with pytest.raises(openai.APIError, match="not JSON"):
            list(client.chat.completions.create(**_asked("smollm3", text), stream=True))
        with pytest.raises(openai.InternalServerError, match="not JSON"):
            client.chat.completions.create(**_asked("smollm3", text))


def test_many_streams_at_once(address: str) -> None:
    async def ask(client: Any, family: str, entry: dict[str, Any]) -> bool:
        chunks = [
            chunk async for chunk in await client.chat.completions.create(**_asked(family, entry["name"]), stream=True)
        ]
        return _collected(chunks)[0] == _wanted(entry["message"])

    async def ask_all() -> list[bool]:
        entries = [parameter.values for parameter in _transcripts()]
        async with openai.AsyncOpenAI(base_url=address, api_key="none", max_retries=0) as client:
            return await asyncio.gather(*(ask(client, *entries[number % len(entries)]) for number in range(200)))

    assert asyncio.run(ask_all()) == [True] * 200


def test_a_client_that_goes_away() -> None:
    for address in _running(SLOW):
        client = openai.OpenAI(base_url=address, api_key="none", max_retries=0)
        stream = client.chat.completions.create(**_asked("smollm3", "word " * 2_000), stream=True)
        next(stream)
        next(stream)
        assert SLOW.active == 1
        stream.close()
        limit = time.monotonic() + 10
        while SLOW.active and time.monotonic() < limit:
            time.sleep(0.02)
        assert SLOW.active == 0
        assert client.models.list().data
