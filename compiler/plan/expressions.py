"""Delimiters that the standard library's regular expressions find, exactly and in linear time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from untemplate.compiler.patterns import group_names, width
from untemplate.compiler.patterns.analysis import constant_groups, walk
from untemplate.compiler.patterns.decisive import can_contain, decisive
from untemplate.compiler.patterns.notation import notation
from untemplate.compiler.patterns.restarts import NOTHING, skipped
from untemplate.compiler.patterns.starts import ending, starts
from untemplate.compiler.plan.nodes import Expression, Expressions, Watched
from untemplate.runtime.pattern import Ahead, Choice, Group, Node, Repeat, Sequence, one_of
from untemplate.runtime.quick import Alternative, without_tail

_MOST_FORMS = 32
_MOST_AHEAD = 64  # characters that are read again behind each match


@dataclass(frozen=True)
class _Form:
    """One way to match a delimiter.

    Attributes:
        number: which delimiter.
        pattern: its match, but for the tail.
        taken: the same without what it looks ahead for.
        read: the same with that, as something that is read.
        ahead: how many characters that may be; `None` if there is no limit.
        tail: the characters that belong to it behind, as many as there are; "" if none do.
    """

    number: int
    pattern: Node
    taken: Node
    read: Node
    ahead: int | None = 0
    tail: str = ""


def expressions(
    ordered: tuple[Watched, ...], constant: str, is_inside: bool, drops: bool = False
) -> Expressions | None:
    """The search for some delimiters by regular expressions; `None` if that would not be exact, or not linear.

    Args:
        ordered: the delimiters, in order of preference between equal matches.
        constant: a name for what the module has to hold for it.
        is_inside: whether a region is open for certain. Else a close may take effect or not, and what it only looks at
            be the same text either way, which is certain before the close is.
        drops: whether text is for nobody. Then of two matches of one delimiter that start apart, one in what may become
            the other, one is certain before it is decided which.
    """
    forms = [form for number, one in enumerate(ordered) for form in _forms(number, one.tree)]
    if len(forms) > _MOST_FORMS or not all(width(form.taken)[0] for form in forms):
        return None
    if not is_inside and any(form.read != form.pattern and not ordered[form.number].opens for form in forms):
        return None
    read = [form.read for form in forms]
    if drops and any(can_contain(Choice(*same)) for same in _by_delimiter(forms)):
        return None
    found = starts(Choice(*read))
    if found is None or len(decisive(list(map(_alternative, forms)))) < len(forms):
        return None
    skip = skipped(read)
    if skip != NOTHING and any(form.ahead is None or form.ahead > _MOST_AHEAD for form in forms):
        return None  # within what the last one looked ahead for others match, and look ahead as far
    skip_text = "" if skip == NOTHING else notation(skip) if skip is not None else None
    grouped = list(_grouped(ordered, forms))
    parts = [_expression(watched, one, tail) for watched, one, tail in grouped]
    known = tuple(part for part in parts if part is not None)
    names = [node.name for _, one, _ in grouped for node in walk(one) if isinstance(node, Group)]
    if skip_text is None or len(known) < len(parts) or len(set(names)) < len(names):
        return None
    return Expressions(known, found, ending(Choice(*read)), skip_text, constant)


def _by_delimiter(forms: list[_Form]) -> Iterator[list[Node]]:
    """What is read for each delimiter."""
    for _, same in groupby(forms, key=lambda form: form.number):
        yield [form.read for form in same]


def _forms(number: int, tree: Node) -> Iterator[_Form]:
    """All ways to match the delimiter, told apart by what stands at the end."""
    for option in _options(tree):
        core, tail = without_tail(option)
        match core:
            case Sequence((*before, Ahead(item, False))) if not tail:
                yield _Form(number, core, Sequence(*before), Sequence(*before, item), width(item)[1])
            case _:
                yield _Form(number, core, core, core, tail=tail)


def _options(node: Node) -> list[Node]:
    """The alternatives of the pattern; of those at its end each with all that is in front of it."""
    match node:
        case Choice(options):
            return [one for option in options for one in _options(option)]
        case Sequence((*before, last)) if before:
            ends = _options(last)
            if len(ends) > 1 or isinstance(last, Sequence):
                return [Sequence(*before, *(end.items if isinstance(end, Sequence) else (end,))) for end in ends]
    return [node]


def _alternative(form: _Form) -> Alternative:
    whole = Sequence(form.read, Repeat(one_of(form.tail))) if form.tail else form.read
    return Alternative(form.number, whole, form.read)


def _grouped(ordered: tuple[Watched, ...], forms: list[_Form]) -> Iterator[tuple[Watched, Node, str]]:
    """The forms of each delimiter that have the same tail, as one pattern."""
    for number, watched in enumerate(ordered):
        own = [form for form in forms if form.number == number]
        tails = list(dict.fromkeys(form.tail for form in own))
        for tail in tails:
            patterns = [form.pattern for form in own if form.tail == tail]
            whole = watched.tree if tails == [""] else Choice(*patterns) if len(patterns) > 1 else patterns[0]
            yield watched, whole, tail


def _expression(watched: Watched, pattern: Node, tail: str) -> Expression | None:
    text = notation(pattern)
    if text is None:
        return None
    always = constant_groups(pattern)
    return Expression(watched, text, tuple((name, name in always) for name in group_names(pattern)), tail)
