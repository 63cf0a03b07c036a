"""Compiled parsers against the oracle and the interpreted baseline, on random templates and outputs.

`UNTEMPLATE_EXAMPLES` sets the number of examples; `support/big_run.py` compares many more, faster.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, given, seed, settings

from support.baseline import Baseline, Rejects, same
from support.comparison import explain, oracle_result
from support.ours import message_of
from support.strategies import Case, cases

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


def test_results_are_compared_by_type() -> None:
    assert not same({"a": 1}, {"a": True})
    assert not same({"a": 1}, {"a": 1.0})
    assert same({"a": float("nan")}, {"a": float("nan")})
    assert same(Rejects("for one reason"), Rejects("for another"))
