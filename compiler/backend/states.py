"""State methods: one for each kind of search."""

from __future__ import annotations

from untemplate.compiler.backend.literals import literal
from untemplate.compiler.backend.writer import Writer
from untemplate.compiler.plan.nodes import ManyLiterals, OneLiteral, Plan, QuickPlan, Scan, StatePlan, ToEnd, Watched


def write_state(writer: Writer, state: StatePlan) -> None:
    """Writes the method of one state; its first comment is the part of the template that it implements."""
    with writer.block(f"def {state.method}(self, text: str, at: int, events: Events) -> int:"):
        writer.comment(state.origin)
        match state.search:
            case ToEnd():
                writer.line("return self._wait(text, at, len(text), events)")
            case OneLiteral(watched, text):
                _write_one_literal(writer, watched, text)
            case ManyLiterals(_, literals, constant):
                _write_many_literals(writer, literals, constant)
            case Scan(watched, _, _, constant):
                for one in watched:
                    if one.origin != state.origin:
                        writer.comment(one.origin)
                writer.line(f"return self._scan({constant}, text, at, events)")
    writer.line()


def _write_one_literal(writer: Writer, watched: Watched, text: str) -> None:
    writer.line(f"start = text.find({literal(text)}, at)")
    with writer.block("if start < 0:"):
        writer.line(f"return self._wait(text, at, held_from(text, at, {literal(text)}), events)")
    writer.line("self._emit(text[at:start], events)")
    writer.line(_effect(watched, text))
    writer.line(f"return start + {len(text)}")


def _write_many_literals(writer: Writer, literals: tuple[tuple[str, Watched], ...], constant: str) -> None:
    writer.line(f"found = {constant}.search(text, at)")
    with writer.block("if found is None:"):
        writer.line(f"return self._wait(text, at, {constant}.held_from(text, at), events)")
    writer.line("start, end = found.span()")
    writer.line("self._emit(text[at:start], events)")
    effects: dict[tuple[str, bool], list[str]] = {}
    for text, watched in literals:
        effects.setdefault((watched.field, watched.opens), []).append(text)
    owners = dict(literals)
    if len(effects) == 1:
        writer.line(_effect(literals[0][1], None))
    else:
        writer.line("delimiter = found[0]")
        for number, texts in enumerate(effects.values()):
            test = f"== {literal(texts[0])}" if len(texts) == 1 else f"in {literal(tuple(texts))}"
            last = number == len(effects) - 1
            with writer.block(f"else:  # {_commented(texts)}" if last else f"{'el' if number else ''}if delimiter {test}:"):
                writer.line(_effect(owners[texts[0]], texts[0] if len(texts) == 1 else None))
    writer.line("return end")


def _commented(texts: list[str]) -> str:
    return ", ".join(map(literal, texts))[:80]


def _effect(watched: Watched, text: str | None) -> str:
    length = str(len(text)) if text is not None else "end - start"
    if watched.opens:
        return f"self._open({literal(watched.field)}, {length}, events)"
    return f"self._close({length}, events)"


def write_feed(writer: Writer, plan: Plan, quick: QuickPlan) -> None:
    """Writes `feed`: the test for plain text in place, all else left to the base class."""
    with writer.block("def feed(self, text: str) -> list[Event]:"):
        writer.comment(f"Where a region is open and nothing is held back, text without {_named(quick)} is plain text.")
        with writer.block(f"if text and self._free and {_plain(quick)}:"):
            writer.line("self._body.append(text)")
            writer.line('return [{"type": "region_chunk", "field": self._field, "text": text, "dirty": self._dirty}]')
        writer.line("return self._feed(text)")
    writer.line()


def _named(quick: QuickPlan) -> str:
    names = " and ".join(map(literal, quick.triggers)) if len(quick.triggers) <= 2 else "any of _TRIGGERS"
    return f"{names}, and without _LEAD at its end," if quick.lead else names


def _plain(quick: QuickPlan) -> str:
    tests = [f"{literal(char)} not in text" for char in quick.triggers]
    if len(tests) > 2:
        tests = ["_TRIGGERS.isdisjoint(text)"]
    if quick.lead and quick.led:
        states = f"!= {literal(quick.led[0])}" if len(quick.led) == 1 else f"not in {literal(quick.led)}"
        tests.append(f"(text[-1] not in _LEAD or self._state {states})")
    elif quick.lead:
        tests.append("text[-1] not in _LEAD")
    return " and ".join(tests) or "True"
