"""Compiled parsers against the oracle and the interpreted baseline, on random templates and outputs.

`UNTEMPLATE_EXAMPLES` sets the number of examples; `support/big_run.py` compares many more, faster.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, seed, settings

from support import oracle
from support.baseline import Baseline, Rejects, same
from support.comparison import explain, oracle_result
from support.ours import message_of, parser_of
from support.strategies import Case, cases
from untemplate.runtime import ResponseParseError

EXAMPLES = settings(
    max_examples=int(os.environ.get("UNTEMPLATE_EXAMPLES", "300")),
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@seed(20)
@EXAMPLES
@given(cases())
def test_the_oracle_agrees_with_the_baseline(case: Case) -> None:
    template, prefix, output, tools = case
    expected = oracle_result(template, prefix, output, tools)
    found = Baseline(template).message(prefix, output, tools)
    assert same(found, expected.message), explain(case, found, expected.message)


@seed(21)
@EXAMPLES
@given(cases())
def test_ours_agrees_with_the_oracle(case: Case) -> None:
    template, prefix, output, tools = case
    expected = oracle_result(template, prefix, output, tools)
    found = message_of(template, output, prefix, tools)
    assert same(found, expected.message), explain(case, found, expected.message)


def rejection(case: Case) -> oracle.Rejected | None:
    """Why the oracle rejects a case for a region's body; `None` if it does not."""
    try:
        oracle.interpret(*case)
    except oracle.Rejected as error:
        return error if error.__cause__ is not None else None
    return None


@seed(22)
@EXAMPLES
@given(cases())
def test_errors_say_the_same_as_the_oracle(case: Case) -> None:
    template, prefix, output, tools = case
    expected = rejection(case)
    if expected is None:
        return
    with pytest.raises(ResponseParseError) as caught:
        parser_of(template).parse_response(output, prefix=prefix, tools=tools)
    error = caught.value
    found = (error.field, error.raw, error.position, error.message)
    wanted = (expected.field, expected.raw, expected.position, expected.message)
    assert same(found, wanted), explain(case, found, wanted)


def test_results_are_compared_by_type() -> None:
    assert not same({"a": 1}, {"a": True})
    assert not same({"a": 1}, {"a": 1.0})
    assert same({"a": float("nan")}, {"a": float("nan")})
    assert same(Rejects("for one reason"), Rejects("for another"))
