"""Parsers share nothing that one of them could change: many at a time give what each gives alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from safety.replies import hostile_replies, rejection_or_message
from support.cases import load_transcripts
from support.chunking import at_random, merge
from untemplate.generated import FAMILIES
from untemplate.runtime import ResponseParseError

Reply = tuple[str, str, str]


def replies(count: int) -> list[Reply]:
    """(family, prefix, output) of transcripts and of hostile replies, as many as asked for."""
    found: list[Reply] = [
        (case.name.partition("-")[0], case.prefix, case.output[:2_000]) for case in load_transcripts()
    ]
    for family in ("smollm3", "gpt_oss", "command_r7b", "qwen3_coder"):
        template = FAMILIES[family].TEMPLATE
        found += [(family, "", text) for _, text in hostile_replies(template, large=False) if len(text) < 1_000]
    Random(7).shuffle(found)
    return [found[number % len(found)] for number in range(count)]


def alone(reply: Reply) -> str:
    """What a parser makes of a reply, in words."""
    family, prefix, output = reply
    chunks = at_random(output, Random(ascii(output)), 6.0)
    return repr(rejection_or_message(FAMILIES[family].ResponseParser, chunks, prefix))


class Running:
    """A parser in the middle of a reply."""

    def __init__(self, reply: Reply) -> None:
        family, prefix, output = reply
        self._chunks = iter(at_random(output, Random(ascii(output)), 6.0))
        self._events: list[dict[str, Any]] = []
        self.result = ""
        try:
            self._parser = FAMILIES[family].ResponseParser(prefix)
            self._events += self._parser.initial_events
        except ResponseParseError as error:
            self._reject(error)

    def step(self) -> bool:
        """Feeds one chunk; false once there is a result."""
        if self.result:
            return False
        try:
            chunk = next(self._chunks, None)
            if chunk is not None:
                self._events += self._parser.feed(chunk)
            else:
                message, last = self._parser.finalize()
                self.result = repr(("message", message, merge([*self._events, *last])))
        except ResponseParseError as error:
            self._reject(error)
        return True

    def _reject(self, error: ResponseParseError) -> None:
        events = merge([*self._events, *error.events])
        self.result = repr(("rejects", (error.field, error.raw, error.position, error.message), events))


@pytest.fixture(scope="module")
def expected() -> list[tuple[Reply, str]]:
    """1,000 replies, and what each gives alone."""
    known: dict[Reply, str] = {}
    return [(reply, known.get(reply) or known.setdefault(reply, alone(reply))) for reply in replies(1_000)]


def test_interleaved(expected: list[tuple[Reply, str]]) -> None:
    running = [Running(reply) for reply, _ in expected]
    rng = Random(1)
    open_ones = list(running)
    while open_ones:
        rng.shuffle(open_ones)
        open_ones = [one for one in open_ones if one.step()]
    for one, (reply, wanted) in zip(running, expected, strict=True):
        assert one.result == wanted, reply


def test_in_threads(expected: list[tuple[Reply, str]]) -> None:
    """Eight threads with 200 parsers each, all of the same modules."""

    def work(number: int) -> list[tuple[Reply, str, str]]:
        chosen = Random(number).choices(expected, k=200)
        return [(reply, alone(reply), wanted) for reply, wanted in chosen]

    with ThreadPoolExecutor(8) as pool:
        for results in pool.map(work, range(8)):
            for reply, found, wanted in results:
                assert found == wanted, reply


def test_messages_share_nothing() -> None:
    """What a caller does to a message or to an event does not show in the next one."""
    module = FAMILIES["command_r7b"]
    text = '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"a": [1]}}]<|END_ACTION|>'
    first = module.parse_response(text, prefix="")
    wanted = repr(first)
    first["tool_calls"].append("mine")
    first["tool_calls"][0]["function"].clear()
    first["role"] = "mine"
    assert repr(module.parse_response(text, prefix="")) == wanted
