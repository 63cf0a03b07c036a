"""What the deltas of a chat completion cost a chunk, beyond the parser that they come from."""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from chunks import even
from goals import NOISE
from texts import prose

from untemplate.generated import smollm3
from untemplate.integrations.openai import ChatCompletionStream

SIZE = 100_000
ROUNDS = 15
GOAL = 1.0  # microseconds a chunk

TOOLS = [
    {
        "name": "lookup",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "integer"}}},
    }
]


def replies() -> dict[str, tuple[str, list[dict[str, Any]] | None]]:
    """Replies, and the tools that are there for them, by name."""
    call = {"name": "lookup", "arguments": {"text": prose(SIZE, seed=4)}}
    argument = f"<tool_call>\n{json.dumps(call)}\n</tool_call>"
    return {
        "reasoning and content": (f"<think>\n{prose(SIZE, seed=2)}</think>\n{prose(SIZE, seed=3)}", None),
        "a long argument": (argument, None),
        "a long argument, with tools": (argument, TOOLS),
    }


def parse(chunks: list[str], tools: list[dict[str, Any]] | None) -> None:
    """Feeds a parser alone."""
    parser = smollm3.ResponseParser("", tools)
    for chunk in chunks:
        parser.feed(chunk)
    parser.finalize()


def render(chunks: list[str], tools: list[dict[str, Any]] | None) -> None:
    """Feeds a parser whose events become chunks of a chat completion."""
    stream = ChatCompletionStream(smollm3.ResponseParser("", tools), model="model")
    for chunk in chunks:
        stream.feed(chunk)
    stream.finish()


def seconds(run: Callable[[], None]) -> float:
    """CPU time of one run."""
    gc.collect()
    gc.disable()
    begin = time.thread_time()
    run()
    taken = time.thread_time() - begin
    gc.enable()
    return taken


def main() -> int:
    """Prints microseconds a chunk; the exit code is 0 whatever was measured."""
    print(f"{'microseconds a chunk of 4 characters':40} {'parser':>8} {'beyond':>8}   at most {GOAL:.2f}")
    for name, (text, tools) in replies().items():
        chunks = even(text)
        runs = partial(parse, chunks, tools), partial(render, chunks, tools)
        rounds = [(seconds(runs[0]), seconds(runs[1])) for _ in range(ROUNDS)]
        alone = statistics.median(one for one, _ in rounds) / len(chunks) * 1e6
        beyond = statistics.median(both - one for one, both in rounds) / len(chunks) * 1e6
        print(f"{name:40} {alone:8.2f} {beyond:8.2f}   {'met' if beyond <= GOAL * NOISE else 'missed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
