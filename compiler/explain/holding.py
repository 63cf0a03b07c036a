"""How a delimiter is waited for, and when it takes effect, in words."""

from __future__ import annotations

from untemplate.compiler.explain.parts import Alternative, alternatives, is_run, more
from untemplate.compiler.explain.samples import sample
from untemplate.compiler.explain.tracing import Trace, Tracer
from untemplate.compiler.explain.wording import chars_words, listed, pattern_words, text_words
from untemplate.compiler.patterns import first, width
from untemplate.compiler.plan.nodes import Marker, StatePlan, Watched
from untemplate.runtime.pattern import Ahead, Group, Literal, Node, Repeat, Sequence, TextEnd, one_of

_LINE_END = Ahead(Sequence(Repeat(Literal("\n"), 0, 1), TextEnd()))


def marker_words(marker: Marker, lead: str) -> str:
    """The sentence about a text that plain search finds.

    Args:
        lead: the characters that may stand in front of it, if it is led.
    """
    text = text_words(marker.text)
    verb = _verb(marker.watched)
    effect = f"{verb} with its last character"
    if marker.tail:
        effect = f"{verb} at {text}; {chars_words(one_of(marker.tail))} after it is swallowed"
    run = f"runs of {chars_words(one_of(lead))}" if marker.led else ""
    if len(marker.text) == 1:
        held = f"holds back {run}" if run else "nothing is held back"
        return f"{text} is found at once, {held}; {effect}"
    most = "" if run else f", at most {len(marker.text) - 1} characters,"
    front = f"{run} and " if run else ""
    start = text_words(marker.text[0])
    return f"holds back {front}from {start} on{most} until {text} is complete or impossible; {effect}"


def pattern_sentences(state: StatePlan, watched: Watched, tracer: Tracer) -> tuple[tuple[str, ...], bool]:
    """The sentences about a delimiter that an automaton finds, and whether it can hold back prose of any length."""
    sentences: list[str] = []
    stalls = False
    for one in alternatives(watched):
        example = sample(Sequence(*one.core, *one.ahead))
        trace = tracer.trace(state, watched, example, more(one)) if example else None
        parts = [_hold(one, trace), _effect(one, watched, trace, len(example.match) if example else 0)]
        parts += [_must_follow(node) for node in one.ahead]
        if trace is not None and trace.stall is not None:
            stalls = True
            parts.append(_stall(trace.stall))
        sentences.append("; ".join(part for part in parts if part))
    return tuple(sentences), stalls


def _verb(watched: Watched) -> str:
    return "the region opens" if watched.opens else "the region closes"


def _hold(one: Alternative, trace: Trace | None) -> str:
    """From where on text is held back, and until when."""
    if width(one.whole) == (1, 1) and not one.lead and not one.ahead and trace is not None and trace.effect == 1:
        return "is found at once, nothing is held back"
    run = f"runs of {chars_words(one.lead)} and " if one.lead else ""
    start = first(Sequence(*one.core, *one.ahead))
    where = "any character" if start is None else chars_words(start)
    most = width(one.whole)[1]
    limit = f", at most {most - 1} characters," if most and most > 1 and not one.lead and not one.ahead else ""
    what = f"{pattern_words(one.whole)} is complete or impossible" if one.core else "it is known what follows"
    return f"holds back {run}from {where} on{limit} until {what}"


def _effect(one: Alternative, watched: Watched, trace: Trace | None, size: int) -> str:
    """When the region opens or closes, and what is swallowed after that."""
    verb = _verb(watched)
    if trace is None:
        return f"{verb} when that is decided"
    if trace.effect is None:
        return f"{verb} only at the end of the reply"
    if trace.effect > size:
        return f"{verb} once the text behind it decides"
    if trace.effect < size:
        return "never gets that far, as it matches before"
    if not size:
        return f"{verb} in front of any text, without a delimiter"
    if not trace.swallows:
        return f"{verb} with its last character"
    core = pattern_words(one.whole)
    moment = f"{verb} at {core}" if len(core) <= 40 else f"{verb} there"
    swallowed = _tail_words(one) if one.tail else _open_end(one.core[-1])
    return f"{moment}; {swallowed} after it is swallowed"


def _tail_words(one: Alternative) -> str:
    words = [
        chars_words(item.item) if is_run(item) else f"an optional {pattern_words(_once(item))}"  # type: ignore[union-attr,arg-type]
        for item in one.tail
    ]
    return listed(words)


def _once(item: Node) -> Node:
    return item.item if isinstance(item, Repeat) and item.most == 1 else item


def _open_end(last: Node) -> str:
    """What may go on at the end of the core."""
    return f"the rest of {last.name}" if isinstance(last, Group) else "what still belongs to it"


def _must_follow(node: Node) -> str:
    if node in (_LINE_END, TextEnd()):
        return "counts only at the end of the reply"
    if isinstance(node, Ahead):
        return f"counts only where {pattern_words(node.item)} {'does not follow' if node.negative else 'follows'}"
    return "counts only at the edge of a word"


def _stall(start: str) -> str:
    where = f"behind {text_words(start)}" if start else "from there on"
    return f"{where} prose of any length is held back until that is decided: it can not stream"
