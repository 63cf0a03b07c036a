"""Snapshots: a parser taken apart and put together again goes on as if nothing had happened."""

from __future__ import annotations

import copy
import json
import pickle
from random import Random
from typing import Any

import pytest

from support.cases import Case, load_transcripts
from untemplate.compiler import load_parser
from untemplate.generated import FAMILIES, smollm3

TRANSCRIPTS = [case for number, case in enumerate(load_transcripts()) if number % 4 == 0]


def pieces_of(text: str, rng: Random) -> list[str]:
    cuts = sorted(rng.choices(range(len(text) + 1), k=min(len(text), 12)))
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def finished(parser: Any, chunks: list[str]) -> tuple[dict[str, Any], list[Any]]:
    events = [event for chunk in chunks for event in parser.feed(chunk)]
    message, last = parser.finalize()
    return message, [*events, *last]


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=str)
def test_goes_on_from_a_snapshot(case: Case) -> None:
    module = FAMILIES[case.name.partition("-")[0]]
    chunks = pieces_of(case.output, Random(case.output))
    expected = finished(module.ResponseParser(case.prefix, case.tools), chunks)
    for fork in range(len(chunks)):
        parser = module.ResponseParser(case.prefix, case.tools)
        before = [event for chunk in chunks[:fork] for event in parser.feed(chunk)]
        state = json.loads(json.dumps(parser.snapshot()))
        for other in (
            module.ResponseParser.restore(state, case.tools),
            copy.copy(parser),
            copy.deepcopy(parser),
            pickle.loads(pickle.dumps(parser)),
            parser,
        ):
            message, events = finished(other, chunks[fork:])
            assert (message, [*before, *events]) == expected


def test_a_fork_shares_nothing() -> None:
    parser = smollm3.ResponseParser("")
    parser.feed('<tool_call>{"name": "a", "arguments": {}}</tool_call>')
    fork = smollm3.ResponseParser.restore(parser.snapshot())
    fork.feed('<tool_call>{"name": "b", "arguments": {}}</tool_call>')
    assert len(fork.finalize()[0]["tool_calls"]) == 2
    assert len(parser.finalize()[0]["tool_calls"]) == 1


def test_a_snapshot_of_another_template_is_refused() -> None:
    other = load_parser({"start_anchor": "@", "fields": {"content": {}}})
    with pytest.raises(ValueError, match="another template"):
        other.ResponseParser.restore(smollm3.ResponseParser("").snapshot())


def test_a_finished_parser_stays_finished() -> None:
    parser = smollm3.ResponseParser("")
    parser.finalize()
    with pytest.raises(RuntimeError):
        smollm3.ResponseParser.restore(parser.snapshot()).feed("x")
