"""From the checked template to the plan."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from untemplate.compiler.frontend.digest import template_digest
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.schema import (
    Bool,
    Constant,
    Content,
    Field,
    Float,
    Int,
    Json,
    KvLines,
    ListOf,
    LiteralDelimiter,
    ObjectOf,
    PatternDelimiter,
    Placeholder,
    Template,
    Text,
    Transform,
    XmlInline,
)
from untemplate.compiler.frontend.source import Source
from untemplate.compiler.patterns.analysis import constant_groups
from untemplate.compiler.patterns.decisive import is_decided
from untemplate.compiler.patterns.enclosed import enclosed
from untemplate.compiler.patterns.sets import count, members
from untemplate.compiler.patterns.sure import sure
from untemplate.compiler.plan.exploring import Exploration
from untemplate.compiler.plan.loops import can_loop
from untemplate.compiler.plan.names import identifiers
from untemplate.compiler.plan.nodes import (
    AnchorPlan,
    ContentPlan,
    Expressions,
    FieldPlan,
    ManyLiterals,
    OneLiteral,
    Plan,
    QuickPlan,
    Scan,
    Search,
    StatePlan,
    TagPlan,
    ToEnd,
    Watched,
)
from untemplate.compiler.plan.origins import origin
from untemplate.compiler.plan.probes import kinds, may_be_certain
from untemplate.compiler.plan.searches import context, literal_tree, search, spot, watched
from untemplate.runtime.pattern import Chars, one_of

_MOST_TRIGGERS = 32


def plan_template(template: Template, name: str, source: Source) -> Plan:
    """Decides how each state searches and each value is made.

    Args:
        name: what the parser is called.
        source: where the template comes from, for the places of faults.

    Raises:
        TemplateError: a field could open and close at one place for ever.
    """
    _refuse_loops(template, source)
    idents = identifiers(field.name for field in template.fields)
    implicit = next((field for field in template.fields if field.open is None), None)
    inside = {field.name: _inside(template, field, idents[field.name]) for field in template.fields if field.open}
    insides = tuple(inside.values())
    outside = _outside(template, implicit, idents, inside)
    states = (outside, *insides)
    reach = max((state.search.context for state in states if isinstance(state.search, Scan)), default=0)
    probes, begins = _foretold(template, states)
    return Plan(
        name=name,
        digest=template_digest(template.raw),
        raw=template.raw,
        defaults=template.defaults,
        anchor=_anchor(template),
        outside=outside,
        insides=insides,
        fields=tuple(_field(template, field, idents[field.name]) for field in template.fields),
        implicit=implicit.name if implicit else None,
        required=tuple(field.name for field in template.fields if not field.optional),
        context=reach,
        probes=probes,
        begins=begins,
        quick=_quick(states if implicit else insides),
    )


def _foretold(template: Template, states: tuple[StatePlan, ...]) -> tuple[str, bool]:
    """The plan's `probes`, and whether something is certain before the first character."""
    if not may_be_certain(states):
        return "", False
    implicit = next((field.name for field in template.fields if field.open is None), None)
    found, begins = _explored(states, implicit, _kinds(template))
    return "".join(_kinds(template)) if found else "", begins


@lru_cache(maxsize=256)
def _explored(states: tuple[StatePlan, ...], implicit: str | None, kinds: tuple[str, ...]) -> tuple[bool, bool]:
    """Whether something can be certain before delimiters are, and whether it is so before the first character."""
    exploration = Exploration(states, implicit, kinds)
    found = exploration.finds() is not False  # if there is too much to go through, it has to be looked for
    return found, found and exploration.begins()


def _kinds(template: Template) -> tuple[str, ...]:
    delimiters = [one for field in template.fields for one in (field.open, field.close) if one is not None]
    return kinds(literal_tree(one.literals) if isinstance(one, LiteralDelimiter) else one.tree for one in delimiters)


def _refuse_loops(template: Template, source: Source) -> None:
    report = Report(source)
    for field in template.fields:
        if field.open is None or field.close is None:
            continue
        trees = [
            literal_tree(one.literals) if isinstance(one, LiteralDelimiter) else one.tree
            for one in (field.open, field.close)
        ]
        if can_loop(*trees):
            report.add(
                "endless-loop",
                field.path,
                "the open and the close of this field can both match empty at one place, for ever",
                "let one of the two take at least one character",
            )
    if report.any:
        raise report.error()


def _raw_field(template: Template, field: Field) -> dict[str, Any]:
    raw: dict[str, Any] = template.raw["fields"][field.name]
    return raw


def _part(template: Template, field: Field, *keys: str) -> str:
    """The field with these of its keys, as text for a comment."""
    raw = _raw_field(template, field)
    return origin({field.name: {key: raw[key] for key in keys if key in raw}})


def _outside(
    template: Template, implicit: Field | None, idents: dict[str, str], inside: dict[str, StatePlan]
) -> StatePlan:
    delimiters: list[Watched] = []
    for field in template.fields:
        if field.open is not None:
            part = _part(template, field, "open", "open_pattern")
            delimiters.append(watched(field.name, field.open, _asked(field), part, inside[field.name]))
    text = "no field is open"
    if implicit is not None:
        text = _part(template, implicit, "close", "close_pattern")
        if implicit.close is not None:
            delimiters.append(watched(implicit.name, implicit.close, _asked(implicit), text))
    close = f"_close_{idents[implicit.name]}" if implicit is not None else ""
    found = search(delimiters, "_OUTSIDE", is_inside=False, drops=implicit is None)
    return StatePlan("_outside", None, close, implicit is None, "", False, found, text)


def _inside(template: Template, field: Field, ident: str) -> StatePlan:
    text = _part(template, field, "close", "close_pattern")
    delimiters = [watched(field.name, field.close, _asked(field), text)] if field.close else []
    constant = f"_{ident.upper()}_CLOSE"
    found = search(delimiters, constant, is_inside=True)
    adds = f"_add_{ident}" if _store(field) == "append" and _has_one_end(found) else ""
    close = f"_close_{ident}"
    return StatePlan(f"_inside_{ident}", field.name, close, False, adds, bool(_asked(field)), found, text)


def _has_one_end(search: Search) -> bool:
    """Whether a region ends where one of some literals begins, and what is behind is swallowed alike."""
    match search:
        case OneLiteral():
            return True
        case ManyLiterals(markers, lead):
            return not lead and len({marker.tail for marker in markers}) == 1
    return False


def _quick(states: tuple[StatePlan, ...]) -> QuickPlan | None:
    """What makes a chunk plain text in every state, if that is quick to say."""
    firsts: list[Chars] = []
    leads: list[Chars] = []
    led: list[str] = []
    for state in states:
        triggers, lead = _beginnings(state.search)
        if triggers is None:
            return None
        firsts.append(triggers)
        if lead.ranges:
            leads.append(lead)
            led.append(state.method)
    if max(count(one_of(*firsts)), count(one_of(*leads))) > _MOST_TRIGGERS:
        return None
    if len(set(leads)) > 1:
        return None
    return QuickPlan(members(one_of(*firsts)), _first_pairs(states), members(one_of(*leads)), tuple(led))


def _first_pairs(states: tuple[StatePlan, ...]) -> tuple[str, ...]:
    """What the delimiters of all states begin with, two characters of each at most; empty if that is not known."""
    pairs: set[str] = set()
    for state in states:
        match state.search:
            case OneLiteral(marker):
                pairs.add(marker.text[:2])
            case ManyLiterals(markers):
                pairs |= {marker.text[:2] for marker in markers}
            case Expressions(starts=starts):
                pairs |= {start[:2] for start in starts}
            case Scan(spot=spot) if spot.starts and not spot.mixed:
                pairs |= {start[:2] for start in spot.starts}
            case Scan():
                return ()
    kept = sorted(pair for pair in pairs if len(pair) == 1 or pair[0] not in pairs)
    return tuple(kept) if len(kept) <= _MOST_TRIGGERS and any(len(pair) > 1 for pair in kept) else ()


def _beginnings(search: Search) -> tuple[Chars | None, Chars]:
    """The characters that delimiters can start with (`None`: any), and those that may stand in front."""
    match search:
        case ToEnd():
            return one_of(), one_of()
        case OneLiteral(marker):
            return one_of(marker.text[0]), one_of()
        case ManyLiterals(markers, lead):
            return one_of("".join(marker.text[0] for marker in markers)), one_of(lead)
        case Expressions(starts=starts):
            return one_of("".join(text[0] for text in starts)), one_of()
        case Scan(spot=spot) if spot.mixed:  # which run counts, the state has to see
            return (None if spot.triggers is None else one_of(spot.triggers, spot.lead or "")), one_of()
        case Scan(spot=spot):
            return spot.triggers, spot.lead or one_of()


def _anchor(template: Template) -> AnchorPlan:
    anchor = template.anchor
    if isinstance(anchor, LiteralDelimiter):
        tree = literal_tree(anchor.literals)
        literal = anchor.literals[0] if len(anchor.literals) == 1 and not _overlaps_itself(anchor.literals[0]) else ""
        pattern = ""
    else:
        tree, literal, pattern = anchor.tree, "", anchor.pattern
    keys: dict[str, Any] = {
        key: template.raw[key] for key in ("start_anchor", "start_anchor_pattern") if key in template.raw
    }
    return AnchorPlan(literal, tree, pattern, spot([tree]), context([tree]), origin(keys))


def _overlaps_itself(literal: str) -> bool:
    """Whether a match can begin inside another: then the last one from the left is not the first from the right."""
    return any(literal.startswith(literal[start:]) for start in range(1, len(literal)))


def _store(field: Field) -> str:
    return "join" if field.join is not None else "append" if field.repeats else "store"


def _field(template: Template, field: Field, ident: str) -> FieldPlan:
    content = field.content
    keys = ("content", "content_args", "transform", "transform_each", "repeats", "join")
    asked = _asked(field)
    constant = constant_groups(field.open.tree) if isinstance(field.open, PatternDelimiter) else frozenset()
    return FieldPlan(
        name=field.name,
        ident=ident,
        dirty=not isinstance(content, (Text, Int, Float, Bool)),
        implicit=field.open is None,
        close=f"_close_{ident}",
        content=_content(content, ident),
        transform=field.transform,
        each=field.transform_each,
        captures=bool(asked),
        sure=constant,
        typed=_may_be_call(field),
        store=_store(field),
        joint=field.join or "",
        checks_string=field.join is not None and not (isinstance(content, Text) and field.transform is None),
        origin=_part(template, field, *keys),
    )


def _content(content: Content, ident: str) -> ContentPlan:
    """The parser of a body; `ident` begins the names of what the module has to hold for it."""
    if not isinstance(content, (XmlInline, KvLines)):
        return ContentPlan(content)
    tags = None
    if isinstance(content, XmlInline):
        tree = content.tag_tree
        whole = enclosed(tree)
        tags = TagPlan(
            f"_{ident.upper()}_TAGS",
            tree,
            content.tag_pattern,
            whole,
            None if whole else sure(tree),
            spot([tree]),
            context([tree]),
            is_decided(tree),
        )
    inner = content.value_parser
    if inner is None or inner == Text(strip=False):  # both leave values as they are
        return ContentPlan(content, tags)
    return ContentPlan(content, tags, _content(inner, f"{ident}_value"), f"_{ident}_value")


def _asked(field: Field) -> frozenset[str]:
    """The captures that the transform asks for."""
    known = [name for one in (field.open, field.close) if isinstance(one, PatternDelimiter) for name in one.groups]
    asked = frozenset(known).intersection(_roots(field.transform))
    return asked if field.transform_each else asked - {"content"}  # which is the content itself


def _roots(transform: Transform | None) -> Iterator[str]:
    """What the placeholders of a transform start with."""
    match transform:
        case Placeholder(path):
            yield path[0]
        case ObjectOf(items):
            for _, item in items:
                yield from _roots(item)
        case ListOf(items):
            for item in items:
                yield from _roots(item)


def _may_be_call(field: Field) -> bool:
    """Whether a value can be a call, or a list of calls, with arguments for the tools to type."""
    return (
        _transform_may_be_call(field.transform) if field.transform is not None else _content_may_be_call(field.content)
    )


def _transform_may_be_call(transform: Transform) -> bool:
    match transform:
        case Constant():
            return False
        case Placeholder():
            return True
        case ObjectOf(items):
            return any(key == "function" for key, _ in items)
        case ListOf(items):
            return any(map(_transform_may_be_call, items))


def _content_may_be_call(content: Content) -> bool:
    if isinstance(content, (XmlInline, KvLines)):
        return content.value_parser is not None and not isinstance(content.value_parser, (Text, Int, Float, Bool))
    return isinstance(content, Json)
