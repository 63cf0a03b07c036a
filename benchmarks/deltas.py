"""What deltas cost a chunk, beyond the parser that they come from: those of each API, of several families."""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from chunks import even
from dialects import DIALECTS, TAGGED, Dialect
from goals import NOISE
from texts import prose

from untemplate.compiler import load_parser
from untemplate.integrations.anthropic import MessageStream
from untemplate.integrations.openai import ChatCompletionStream, ResponseStream

SIZE = 100_000
SHORT = 12  # characters of a short value
COUNT = 40  # short values in a call
ROUNDS = 15
GOAL = 1.0  # microseconds a chunk

FAMILIES = ("smollm3", "qwen3_coder", "kimi_k3", "gpt_oss", "command_r7b", TAGGED.name)
APIS: dict[str, Callable[..., Any]] = {
    "chat": ChatCompletionStream,
    "responses": ResponseStream,
    "messages": MessageStream,
}

TOOLS = [
    {
        "name": "lookup",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}, "count": {"type": "integer"}}},
    }
]

Reply = tuple[str, list[dict[str, Any]] | None]


def replies(dialect: Dialect) -> Iterator[tuple[str, Reply]]:
    """What is measured: a name, and the reply with the tools that are there for it."""
    (thought, over), (says, said) = dialect.reasoning, dialect.content
    text = f"{thought}{prose(SIZE, seed=2)}{over}{says}{prose(SIZE, seed=3)}{said}{dialect.end}"
    yield "reasoning and content", (text, None)
    argument = dialect.long_argument(SIZE)
    yield "a long argument", (argument, None)
    yield "a long argument, with tools", (argument, TOOLS)
    yield "short arguments", (dialect.calls([_short(number) for number in range(SIZE // (COUNT * SHORT * 3))]), None)


def _short(number: int) -> dict[str, str]:
    words = prose(COUNT * SHORT, seed=number)
    return {f"option_{at}": words[at * SHORT : (at + 1) * SHORT] for at in range(COUNT)}


def parse(parser: type[Any], chunks: list[str], tools: list[dict[str, Any]] | None) -> None:
    """Feeds a parser alone."""
    one = parser("", tools)
    for chunk in chunks:
        one.feed(chunk)
    one.finalize()


def render(api: Callable[..., Any], parser: type[Any], chunks: list[str], tools: list[dict[str, Any]] | None) -> None:
    """Feeds a parser whose events become those of an API."""
    stream = api(parser("", tools), model="model")
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


def measure(parser: type[Any], reply: Reply, rounds: int) -> tuple[float, dict[str, float]]:
    """Microseconds a chunk: of the parser alone, and what each API takes beyond."""
    text, tools = reply
    chunks = even(text)
    alone = partial(parse, parser, chunks, tools)
    runs = {name: partial(render, api, parser, chunks, tools) for name, api in APIS.items()}
    times = [(seconds(alone), {name: seconds(run) for name, run in runs.items()}) for _ in range(rounds)]
    scale = 1e6 / len(chunks)
    beyond = {name: statistics.median(all_[name] - one for one, all_ in times) * scale for name in runs}
    return statistics.median(one for one, _ in times) * scale, beyond


def main() -> int:
    """Prints microseconds a chunk; the exit code is 0 whatever was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", default="", metavar="FAMILY", help="only families with this in their name")
    options.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    chosen = options.parse_args()
    dialects = {one.name: one for one in (*DIALECTS, TAGGED)}
    heads = " ".join(f"{name:>9}" for name in ("parser", *APIS))
    print(f"{'microseconds a chunk of 4 characters, beyond the parser':56} {heads}   at most {GOAL:.2f}")
    for family in FAMILIES:
        if chosen.only not in family:
            continue
        parser = load_parser(dialects[family].template()).ResponseParser
        for name, reply in replies(dialects[family]):
            alone, beyond = measure(parser, reply, chosen.rounds)
            figures = " ".join(f"{figure:9.2f}" for figure in (alone, *beyond.values()))
            missed = [api for api, figure in beyond.items() if figure > GOAL * NOISE]
            print(
                f"{f'{family}: {name}':56} {figures}   {'missed: ' + ', '.join(missed) if missed else 'met'}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
