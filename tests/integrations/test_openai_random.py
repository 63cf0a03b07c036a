"""Random templates and outputs, good and broken: the deltas add up to whatever message comes of them."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from support.chunking import at_random, every_char, whole
from support.deltas import collect, expected, run
from support.strategies import TemplatePlan, random_run, random_template
from untemplate.compiler import TemplateError, load_parser
from untemplate.runtime import ResponseParseError


def with_calls(rng: Random) -> TemplatePlan:
    """A random template; the field that makes calls, if it has one, is the one that is called so."""
    plan = random_template(rng)
    fields = plan.template["fields"]
    makers = [name for name, field in fields.items() if "function" in (field.get("transform") or ())]
    if makers and not {"tool_calls", makers[0]} & set(plan.template.get("defaults", ())):
        names = {makers[0]: "tool_calls", "tool_calls": makers[0]}
        plan.template["fields"] = {names.get(name, name): field for name, field in fields.items()}
    return plan


@settings(max_examples=150, deadline=None)
@given(rng=st.integers(0, 2**32).map(Random))
def test_deltas_add_up_to_the_message(rng: Random) -> None:
    plan = with_calls(rng)
    try:
        module = load_parser(plan.template)
    except TemplateError:
        return
    for _ in range(4):
        prefix, output, tools = random_run(rng, plan)
        for mode in ("event", "raise"):
            for overwrites in ("send", "hold"):
                for chunks in (whole(output), every_char(output), at_random(output, rng)):
                    try:
                        parser = module.ResponseParser(prefix, tools, mode)
                    except ResponseParseError:
                        break
                    stream, deltas = run(parser, chunks, overwrites)
                    assert stream.message is not None
                    assert collect(deltas) == expected(stream.message)
                    assert all(problem.kind != "rewritten" for problem in stream.problems)
