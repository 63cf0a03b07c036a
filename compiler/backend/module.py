"""The whole module: the skeletons, filled with what the plan says."""

from __future__ import annotations

from collections.abc import Iterable

import jinja2

from untemplate.compiler.backend.formatting import formatted
from untemplate.compiler.backend.imports import imports_for
from untemplate.compiler.backend.literals import literal, pattern_literal
from untemplate.compiler.backend.provenance import body_digest
from untemplate.compiler.backend.standalone import standalone_body
from untemplate.compiler.backend.states import chars_or_name, write_feed, write_state
from untemplate.compiler.backend.trees import chars_source, tree_source
from untemplate.compiler.backend.values import write_close, write_value_parser
from untemplate.compiler.backend.writer import Writer
from untemplate.compiler.patterns.sets import count, members
from untemplate.compiler.patterns.sure import Sure
from untemplate.compiler.plan.nodes import (
    AnchorPlan,
    ContentPlan,
    Expressions,
    ManyLiterals,
    Plan,
    Scan,
    Spot,
    StatePlan,
    TagPlan,
    Watched,
)
from untemplate.compiler.plan.origins import printable
from untemplate.runtime.api import CODEGEN
from untemplate.runtime.pattern import Chars

_SKELETONS = jinja2.Environment(
    loader=jinja2.PackageLoader("untemplate.compiler.backend", "skeletons"),
    undefined=jinja2.StrictUndefined,
    autoescape=False,
    keep_trailing_newline=True,
)


def module_body(plan: Plan) -> str:
    """The code of the module, not yet laid out: Python all the same."""
    body = _SKELETONS.get_template("body.py.j2").render(
        imports="",
        codegen=CODEGEN,
        digest=literal(plan.digest),
        constants=_constants(plan),
        base=_base(plan),
        regions=_regions(plan),
        settings=_settings(plan),
        methods=_methods(plan),
        template=literal(plan.raw),
    )
    head = "from __future__ import annotations\n"
    return body.replace(head, f"{head}\nfrom typing import Any, ClassVar\n\n{imports_for(body)}\n", 1)


def module_source(plan: Plan, command: str, standalone: bool = False) -> str:
    """The module as it is committed: header and code.

    Args:
        command: how to make the module again.
        standalone: whether the parts of the runtime that it uses are to be in it.
    """
    body = module_body(plan)
    body = formatted(standalone_body(body) if standalone else body)
    return _SKELETONS.get_template("module.py.j2").render(
        name=printable(plan.name), command=command, digest=plan.digest, body_digest=body_digest(body), body=body
    )


def _base(plan: Plan) -> str:
    """The class that the parser is made of."""
    if plan.probes:
        return "ForetellingParser"
    if plan.scans:
        return "ScanningParser"
    return "SearchingParser" if plan.searches else "Parser"


def _regions(plan: Plan) -> list[str]:
    insides = {state.field: state.method for state in plan.insides}
    return [
        f"{literal(field.name)}: Region({literal(field.name)}, dirty={field.dirty}, "
        f"inside={literal(insides.get(field.name, '_outside'))}, close={literal(field.close)})"
        for field in plan.fields
    ]


def _settings(plan: Plan) -> list[str]:
    """The class attributes that differ from the base class."""
    joints = {field.name: field.joint for field in plan.fields if field.store == "join"}
    lines = ["DIGEST = TEMPLATE_DIGEST"]
    lines += [f"IMPLICIT = {literal(plan.implicit)}"] if plan.implicit is not None else []
    lines += [f"REQUIRED = {literal(plan.required)}"] if plan.required else []
    lines += [f"DEFAULTS = frozenset({literal(tuple(plan.defaults))})"] if plan.defaults else []
    lines += [f"JOINTS = {literal(joints)}"] if joints else []
    for name, kind in (("EXPRESSIONS", Expressions), ("WATCHES", Scan)):
        found = [(state.method, state.search.constant) for state in plan.states if isinstance(state.search, kind)]
        members = ", ".join(f"{literal(method)}: {constant}" for method, constant in found)
        lines += [f"{name} = {{{members}}}"] if found else []
    lines += [f"CONTEXT = {plan.context}"] if plan.context else []
    lines += [f"AWAITED = {literal(plan.awaited)}"] if plan.awaited else []
    lines += [f"PROBES = {literal(plan.probes)}"] if plan.probes else []
    if plan.probes:
        known = ((state.method, _delimiters_constant(state)) for state in plan.states if state.delimiters)
        members = ", ".join(f"{literal(method)}: {constant}" for method, constant in known)
        lines += [f"DELIMITERS = {{{members}}}"]
    lines += ["BEGINS = True"] if plan.begins else []
    if plan.quick is not None and plan.quick.lead:
        lines += [f"LEAD = {chars_or_name(plan.quick.lead)}", f"LED = frozenset({literal(plan.quick.led)})"]
    return lines


def _constants(plan: Plan) -> str:
    writer = Writer()
    _write_anchor(writer, plan.anchor)
    for field in plan.fields:
        _write_content(writer, field.content)
    known: dict[str, str] = {}  # equal literals are looked for by one object
    for state in plan.states:
        if isinstance(state.search, ManyLiterals):
            expression = f"Literals({_literals(state.search)})"
            writer.line(f"{state.search.constant} = {known.get(expression, expression)}")
            known.setdefault(expression, state.search.constant)
        elif isinstance(state.search, Expressions):
            _write_expressions(writer, state.search)
        elif isinstance(state.search, Scan):
            _write_watch(writer, state.search.constant, state.search.watched, _where(state.search))
        if plan.probes and state.delimiters and not isinstance(state.search, Scan):
            _write_watch(writer, _delimiters_constant(state), state.delimiters)
    if plan.quick is not None and len(plan.quick.triggers) > 2:
        writer.line(f"_TRIGGERS = frozenset({literal(plan.quick.triggers)})")
    if plan.quick is not None and plan.quick.beginnings:
        writer.line(f"_BEGINNINGS = Literals({', '.join(map(literal, plan.quick.beginnings))})")
    if plan.quick is not None and plan.quick.lead:
        writer.line(f"_LEAD = frozenset({chars_or_name(plan.quick.lead)})")
    return writer.text()


def _write_anchor(writer: Writer, anchor: AnchorPlan) -> None:
    writer.comment(anchor.origin)
    if anchor.literal:
        writer.line(f"_ANCHOR = {literal(anchor.literal)}")
    else:
        writer.line(f"_ANCHOR = Finder({tree_source(anchor.tree)}{_spot(anchor.spot, anchor.context)})")


def _write_content(writer: Writer, content: ContentPlan) -> None:
    if content.tags is not None:
        writer.comment(printable(content.tags.pattern))
        writer.line(f"{content.tags.constant} = {_tags(content.tags)}")
    if content.values is not None:
        _write_content(writer, content.values)
        write_value_parser(writer, content)


def _tags(tags: TagPlan) -> str:
    if tags.enclosed is None:
        decided = ", decided=True" if tags.decided and not tags.sure else ""
        name, sure = ("SureTags", _sure(tags.sure)) if tags.sure else ("Finder", "")
        return f"{name}({tree_source(tags.tree)}{sure}{_spot(tags.spot, tags.context)}{decided})"
    head, tail = map(pattern_literal, (tags.enclosed.head, tags.enclosed.tail))
    return f"Tags(head={head}, tail={tail})" if tags.enclosed.tail else f"Tags({head})"


def _sure(sure: Sure) -> str:
    parts = ("opening", sure.opening), ("rest", sure.rest), ("end", sure.end)
    return "".join(f", {name}={pattern_literal(text)}" for name, text in parts)


def _delimiters_constant(state: StatePlan) -> str:
    """The name of what a state watches, for what may come to be looked into."""
    return state.search.constant if isinstance(state.search, Scan) else f"{state.method.upper()}_DELIMITERS"


def _where(search: Scan) -> str:
    decided = f", decided={literal(search.decided)}" if search.decided else ""
    return f"{_spot(search.spot, search.context)}{decided}".removeprefix(", ")


def _write_watch(writer: Writer, constant: str, watched: Iterable[Watched], where: str = "") -> None:
    with writer.block(f"{constant} = Watch("):
        for one in watched:
            if one.pattern:
                writer.comment(printable(one.pattern))
            kind = "opening" if one.opens else "closing"
            writer.line(f"{kind}({literal(one.field)}, {tree_source(one.tree)}),")
        if where:
            writer.line(where)
    writer.line(")")


def _write_expressions(writer: Writer, search: Expressions) -> None:
    with writer.block(f"{search.constant} = Expressions("):
        for one in search.expressions:
            writer.line(f"{pattern_literal(one.text)},")
        writer.line(f"starts={literal(search.starts)},")
        if search.skip:
            writer.line(f"skip={pattern_literal(search.skip)},")
    writer.line(")")


def _literals(search: ManyLiterals) -> str:
    parts = [literal(marker.text) for marker in search.markers]
    if search.lead:
        led = tuple(marker.text for marker in search.markers if marker.led)
        parts += [f"lead={chars_or_name(search.lead)}", f"led={literal(led)}"]
    return ", ".join(parts)


def _spot(spot: Spot, context: int) -> str:
    """The arguments that say where to look."""
    parts = [f"starts={literal(spot.starts)}"] if spot.starts else []
    parts += [f"first={chars_source(spot.first)}"] if spot.first is not None else []
    parts += [f"lead={_lead(spot.lead)}"] if spot.lead is not None else []
    parts += ["wary=True"] if spot.wary else []
    parts += [f"context={context}"] if context else []
    return "".join(f", {part}" for part in parts)


def _lead(lead: Chars) -> str:
    return chars_or_name(members(lead)) if count(lead) <= 32 else chars_source(lead)


def _methods(plan: Plan) -> str:
    writer = Writer(depth=1)
    if plan.quick is not None:
        write_feed(writer, plan, plan.quick)
    for state in plan.states:
        write_state(writer, state)
    for field in plan.fields:
        write_close(writer, field, plan.adds.get(field.name, ""))
    with writer.block("def _defaults(self) -> dict[str, Any]:"):
        writer.line(f"return {literal(plan.defaults)}")
    writer.line()
    with writer.block("def _cut(self, prefix: str) -> str:"):
        if plan.anchor.literal:
            writer.line("start = prefix.rfind(_ANCHOR)")
            writer.line("return cut_after(prefix, start + len(_ANCHOR) if start >= 0 else None)")
        else:
            writer.line("return cut_after(prefix, _ANCHOR.last_end(prefix))")
    return writer.text()
