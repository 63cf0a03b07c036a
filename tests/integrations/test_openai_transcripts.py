"""The deltas of every transcript of every family add up to its message, however the reply is cut."""

from __future__ import annotations

from random import Random

import pytest

from support.cases import Case, load_transcripts
from support.chunking import usual_cuts
from support.deltas import collect, expected, run
from support.ours import parser_of

TRANSCRIPTS = load_transcripts()


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=repr)
def test_deltas_add_up_to_the_message(case: Case) -> None:
    module = parser_of(case.template)
    wanted = expected(module.parse_response(case.output, prefix=case.prefix, tools=case.tools, on_malformed="event"))
    for overwrites in ("send", "hold"):
        for chunks in usual_cuts(case.output, Random(7)):
            parser = module.ResponseParser(case.prefix, tools=case.tools, on_malformed="event")
            stream, deltas = run(parser, chunks, overwrites)
            assert collect(deltas) == wanted
            assert not [problem for problem in stream.problems if problem.kind == "rewritten"]
