"""From the plan to the explanation."""

from __future__ import annotations

from untemplate.compiler.explain.fields import field_note
from untemplate.compiler.explain.holding import marker_words, pattern_sentences
from untemplate.compiler.explain.notes import OUTSIDE, DelimiterNote, Explanation, StateNote
from untemplate.compiler.explain.tracing import Tracer
from untemplate.compiler.explain.wording import chars_words, delimiter_words, listed, text_words
from untemplate.compiler.plan.nodes import (
    Expressions,
    ManyLiterals,
    Marker,
    OneLiteral,
    Plan,
    Scan,
    StatePlan,
    ToEnd,
    Watched,
)
from untemplate.compiler.plan.origins import printable
from untemplate.runtime.foretelling import MOST_STEPS, MOST_STEPS_IN_ALL
from untemplate.runtime.pattern import one_of


def explain(plan: Plan) -> Explanation:
    """Says what the parser of a plan does."""
    return Explanation(
        name=plan.name,
        digest=plan.digest,
        anchor=_anchor(plan),
        quick=_quick(plan),
        early=_early(plan),
        states=tuple(_state(plan, state) for state in plan.states),
        fields=tuple(field_note(plan, field) for field in plan.fields),
        required=plan.required,
    )


def _anchor(plan: Plan) -> str:
    raw = plan.raw.get("start_anchor", "")
    literals = raw if isinstance(raw, list) else [raw]
    pattern = plan.anchor.pattern
    what = f"/{printable(pattern)}/" if pattern else listed([text_words(literal) for literal in literals], "or")
    return f"of the prompt, what follows the last {what} is read as the beginning of the reply"


def _quick(plan: Plan) -> str:
    quick = plan.quick
    if quick is None:
        return "every chunk is looked at"
    without = listed([text_words(char) for char in quick.triggers], "or") or "more ado"
    end = f" that does not end with {chars_words(one_of(quick.lead))}" if quick.lead else ""
    if quick.led:
        names = [printable(state.field or OUTSIDE) for state in plan.states if state.method in quick.led]
        end += f" (the latter counts only in state {listed(names, 'or')})"
    return f"while a region is open and nothing is held back, a chunk without {without}{end} is passed on unread"


def _early(plan: Plan) -> str:
    if not plan.probes:
        return ""
    steps = f"{MOST_STEPS:,} steps at one place or {MOST_STEPS_IN_ALL:,} in one reply"
    what = "what happens whichever delimiter matches, and wherever it ends"
    return f"{what}, is said before that is decided, unless it takes more than {steps} to find out"


def _state(plan: Plan, state: StatePlan) -> StateNote:
    if state.field is not None:
        means = f"text is the body of {state.field}"
    elif plan.implicit is not None:
        means = f"no explicit region is open; text is the body of {plan.implicit}, which opens with its first character"
    else:
        means = "no region is open; text is dropped"
        means += f", unread until {text_words(plan.awaited)} is there" if plan.awaited else ""
    notes = tuple(_delimiters(plan, state))
    return StateNote(state.field or OUTSIDE, state.method, means, _search(state), notes)


def _search(state: StatePlan) -> str:
    match state.search:
        case ToEnd():
            return "nothing is watched: the region runs to the end of the reply"
        case OneLiteral():
            return "plain search for one text"
        case ManyLiterals(markers):
            if len(markers) == 1:
                return "plain search for one text"
            return f"plain search for {len(markers)} texts at once, none of which is part of another"
        case Expressions(starts=starts):
            where = listed([text_words(start) for start in starts], "or")
            return f"regular expressions, each decided by its last character, tried only where {where} comes up"
        case Scan(watched, spot, context):
            where = "at every character"
            if spot.triggers is not None:
                texts = listed([text_words(start) for start in spot.starts], "or") or chars_words(spot.triggers)
                where = f"only where {texts} comes up"
                where += f", and at runs of {chars_words(spot.lead)} in front of that" if spot.lead else ""
            before = f", with sight of {context} character{'s' if context > 1 else ''} before" if context else ""
            ties = "; the first to start wins, of those that start together the longest" if len(watched) > 1 else ""
            return f"an automaton, that looks {where}{before}{ties}"


def _delimiters(plan: Plan, state: StatePlan) -> list[DelimiterNote]:
    match state.search:
        case ToEnd():
            return []
        case OneLiteral(marker):
            return [_note(marker.watched, (marker_words(marker, ""),))]
        case ManyLiterals(markers, led):
            found: dict[tuple[str, bool], list[Marker]] = {}
            for marker in markers:
                found.setdefault((marker.watched.field, marker.watched.opens), []).append(marker)
            return [_note(own[0].watched, tuple(marker_words(one, led) for one in own)) for own in found.values()]
        case Expressions(expressions):
            tracer = Tracer(plan)
            apart = dict.fromkeys(one.watched for one in expressions)
            return [_note(one, *pattern_sentences(state, one, tracer)) for one in apart]
        case Scan(many):
            tracer = Tracer(plan)
            return [_note(one, *pattern_sentences(state, one, tracer)) for one in many]


def _note(watched: Watched, words: tuple[str, ...], stalls: bool = False) -> DelimiterNote:
    leads_to = watched.field if watched.opens else OUTSIDE
    return DelimiterNote(watched.field, watched.opens, delimiter_words(watched), leads_to, words, stalls)
