"""All transcripts of all families: the committed module, the template compiled in memory, and the interpreter."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from support.baseline import Baseline
from support.cases import Case, load_transcripts
from support.chunking import every_char, stream
from untemplate.compiler import load_parser
from untemplate.generated import FAMILIES

TRANSCRIPTS = load_transcripts()


def cuts_of(text: str) -> list[list[str]]:
    rng = Random(text)
    ends = sorted(rng.choices(range(len(text) + 1), k=6))
    pieces = [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True)]
    fours = [text[start : start + 4] for start in range(0, len(text), 4)]
    return [[text], list(every_char(text)), fours, [text[:1], text[1:]], pieces]


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=repr)
def test_transcript(case: Case) -> None:
    generated: Any = FAMILIES[case.name.partition("-")[0]]
    assert case.template == generated.TEMPLATE
    assert Baseline(case.template).message(case.prefix, case.output, case.tools) == case.message
    for module in (generated, load_parser(case.template)):
        assert module.parse_response(case.output, prefix=case.prefix, tools=case.tools) == case.message
        results = [stream(module, case.prefix, chunks, case.tools) for chunks in cuts_of(case.output)]
        assert results[0][0] == case.message
        assert all(result == results[0] for result in results)


def test_each_family_has_transcripts_of_its_own() -> None:
    counts = {family: sum(case.name.startswith(f"{family}-") for case in TRANSCRIPTS) for family in FAMILIES}
    assert {family: count for family, count in counts.items() if count < 6} == {}
