"""The streaming promises: cutting never matters, nothing wrong is emitted, and nothing decided is held.

`UNTEMPLATE_EXAMPLES` and `UNTEMPLATE_TINY` set how many random cases and how many tiny templates are tried.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings

from support.baseline import Rejects, same
from support.cases import Case, load_transcripts
from support.chunking import all_cuts, items, stream, usual_cuts
from support.comparison import explain, oracle_result
from support.ours import as_json, parser_of, streamed
from support.strategies import Case as RandomCase
from support.strategies import cases
from support.tiny import (
    capturing_template,
    decided,
    is_contradicted,
    letters_of,
    looking_template,
    tiny_template,
    valued_template,
)

EXAMPLES = int(os.environ.get("UNTEMPLATE_EXAMPLES", "300")) // 3
TINY = int(os.environ.get("UNTEMPLATE_TINY", "40"))


@seed(30)
@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_cutting_does_not_matter(case: RandomCase) -> None:
    template, prefix, output, tools = case
    expected = oracle_result(template, prefix, output, tools)
    for chunks in usual_cuts(output, Random(output)):
        found = streamed(template, chunks, prefix, tools)
        if isinstance(expected.message, Rejects):
            assert isinstance(found, Rejects), explain(case, (chunks, found), expected.message)
        else:
            wanted = (expected.message, expected.events)
            assert same(found, wanted), explain(case, (chunks, found), wanted)


@seed(31)
@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(cases())
def test_cutting_does_not_matter_with_malformed_regions(case: RandomCase) -> None:
    template, prefix, output, tools = case
    expected = oracle_result(template, prefix, output, tools, on_malformed="event")
    if isinstance(expected.message, Rejects):
        return
    for chunks in usual_cuts(output, Random(output)):
        found = stream(parser_of(template), prefix, chunks, tools, on_malformed="event")
        wanted = (expected.message, expected.events)
        assert same(found, wanted), explain(case, (chunks, found), wanted)


@pytest.mark.parametrize("transcript", load_transcripts(), ids=repr)
def test_transcripts(transcript: Case) -> None:
    parser = parser_of(transcript.template)
    expected = oracle_result(transcript.template, transcript.prefix, transcript.output, transcript.tools)
    for chunks in usual_cuts(transcript.output, Random(transcript.name)):
        message, events = stream(parser, transcript.prefix, chunks, transcript.tools)
        assert as_json(message) == as_json(transcript.message), chunks
        assert same(events, expected.events), chunks


TINY_TEMPLATES = [tiny_template(Random(number)) for number in range(TINY)]


def outline(template: dict[str, Any]) -> str:
    """A tiny template in few words, to tell the tests apart."""

    def words(field: dict[str, Any], key: str) -> Any:
        return field.get(key, field.get(f"{key}_pattern", ""))

    return " ".join(
        f"{name}:{words(field, 'open')}…{words(field, 'close')}" for name, field in template["fields"].items()
    )


@pytest.mark.parametrize("template", TINY_TEMPLATES, ids=outline)
def test_what_is_emitted_is_what_is_decided(template: dict[str, Any]) -> None:
    """After every text: nothing that a continuation contradicts is out, and all that none can change is."""
    letters = letters_of(template)
    module = parser_of(template)
    for text, known in decided(template, letters, length=3, ahead=3).items():
        for chunks in ([text], list(text)):
            parser = module.ResponseParser("")
            emitted = items([*parser.initial_events, *(event for chunk in chunks for event in parser.feed(chunk))])
            context = f"\n{template['fields']}\nafter {chunks!r}, letters {letters!r}: {emitted}\n{known}"
            assert emitted == known.shared[: len(emitted)], f"emitted too soon{context}"
            assert emitted[: len(known.settled)] == known.settled, f"held too long{context}"
            due = known.shared[: len(emitted) + 1]
            assert emitted == due or is_contradicted(template, text, due), f"held too long, by chance{context}"


SHARING_TEMPLATES = [
    make(Random(number)) for make in (looking_template, capturing_template) for number in range(TINY // 4)
]


@pytest.mark.parametrize("template", SHARING_TEMPLATES, ids=outline)
def test_what_is_emitted_is_what_all_continuations_share(template: dict[str, Any]) -> None:
    """Where delimiters look far ahead and captures are values: no more than all share is out, and no less."""
    check_sharing(template, letters_of(template, most=3))


@pytest.mark.parametrize("number", range(TINY // 2))
def test_a_value_is_not_held_for_captures_on_which_it_does_not_depend(number: int) -> None:
    rng = Random(number)
    template, value = valued_template(rng), rng.choice(["1", "[]"])
    check_sharing(template, letters_of(template, most=4 - len(value)) + value, others="x1[]")


def check_sharing(template: dict[str, Any], letters: str, **further: Any) -> None:
    module = parser_of(template)
    for text, known in decided(template, letters, length=3, ahead=3).items():
        parser = module.ResponseParser("", on_malformed="event")
        emitted = items([*parser.initial_events, *(event for char in text for event in parser.feed(char))])
        context = f"\n{template['fields']}\nafter {text!r}, letters {letters!r}: {emitted}\n{known.shared}"
        assert emitted == known.shared[: len(emitted)], f"emitted too soon{context}"
        due = known.shared[: len(emitted) + 1]
        assert emitted == due or is_contradicted(template, text, due, **further), f"held too long{context}"


@pytest.mark.parametrize("template", TINY_TEMPLATES[::4], ids=outline)
def test_all_cuts_of_short_texts(template: dict[str, Any]) -> None:
    letters = letters_of(template)
    rng = Random(str(template))
    for _ in range(12):
        text = "".join(rng.choices(letters, k=6))
        expected = oracle_result(template, "", text, None)
        for chunks in all_cuts(text):
            found = streamed(template, chunks)
            assert same(found, (expected.message, expected.events)), (template["fields"], chunks, found, expected)
