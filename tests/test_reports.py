"""Outputs of the kinds that parsers are known to fail on: read at once, and streamed in every way."""

from __future__ import annotations

from random import Random

import pytest

from support.cases import Case, load_cases
from support.chunking import all_cuts, stream, usual_cuts
from support.ours import as_json, parser_of

CASES = [case for name in ("reports", "streaming", "typing") for case in load_cases(name)]
MALFORMED = load_cases("malformed")


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_the_message(case: Case) -> None:
    message = parser_of(case.template).parse_response(case.output, prefix=case.prefix, tools=case.tools)
    assert as_json(message) == as_json(case.message), case.why


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_the_message_of_a_stream(case: Case) -> None:
    parser = parser_of(case.template)
    _, events = stream(parser, case.prefix, [case.output], case.tools)
    for chunks in usual_cuts(case.output, Random(case.name)):
        message, others = stream(parser, case.prefix, chunks, case.tools)
        assert as_json(message) == as_json(case.message), (case.why, chunks)
        assert as_json(others) == as_json(events), (case.why, chunks)


@pytest.mark.parametrize("case", [case for case in CASES if len(case.output) <= 12], ids=repr)
def test_every_way_of_cutting_a_short_output(case: Case) -> None:
    parser = parser_of(case.template)
    for chunks in all_cuts(case.output):
        assert as_json(stream(parser, case.prefix, chunks)[0]) == as_json(case.message), (case.why, chunks)


@pytest.mark.parametrize("case", [case for case in CASES if not case.prefix], ids=repr)
def test_the_prompt_may_have_written_any_part(case: Case) -> None:
    parser = parser_of(case.template)
    anchor = case.template.get("start_anchor", "")
    for cut in range(len(case.output) + 1) if anchor else ():
        prompt = anchor + case.output[:cut]
        if anchor in case.output[:cut]:
            break
        message, _ = stream(parser, prompt, [case.output[cut:]], case.tools)
        assert as_json(message) == as_json(case.message), (case.why, prompt)


@pytest.mark.parametrize("case", MALFORMED, ids=repr)
def test_malformed_regions_are_reported_and_lose_nothing_else(case: Case) -> None:
    parser = parser_of(case.template)
    at_once = parser.parse_response(case.output, prefix=case.prefix, on_malformed="event")
    assert as_json(at_once) == as_json(case.message), case.why
    for chunks in usual_cuts(case.output, Random(case.name)):
        message, events = stream(parser, case.prefix, chunks, on_malformed="event")
        assert as_json(message) == as_json(case.message), (case.why, chunks)
        reported = [event for event in events if event["type"] == "region_malformed"]
        assert reported == [{"type": "region_malformed", **region} for region in case.malformed], case.why
