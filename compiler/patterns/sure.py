"""Tag patterns most of whose matches one regular expression finds, though an automaton has to find the others.

Such a pattern has an opening, and a value in one of several forms that the begin of the value tells:

    <param name="(?P<key>[^"<>\\n]+)    (?P<value>">(?:<!\\[CDATA\\[.*?\\]\\]></param>|.*?</param>))

Behind an opening a form that has begun may find no end, while another one would. The regular expression tries no
other: it is not sure there, and an automaton goes on. So no text is read again and again, and what is found is what
the pattern finds, whatever follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from untemplate.compiler.patterns.analysis import children, nullable, walk, width
from untemplate.compiler.patterns.build import sequence
from untemplate.compiler.patterns.decisive import is_decided
from untemplate.compiler.patterns.enclosed import Openings, as_item, completes_within, read_through
from untemplate.compiler.patterns.notation import is_brief
from untemplate.compiler.patterns.places import TooMuchError
from untemplate.compiler.patterns.render import render
from untemplate.runtime.pattern import ANY, Ahead, Chars, Choice, Group, Literal, Node, Repeat, Sequence

_LONGEST = 1_000  # characters of the expression

_VALUE = Repeat(ANY, lazy=True)

Items = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """One form of a value: what it begins with, `.*?`, and what stands behind that, in the value and after it."""

    begin: Items
    inner: Items
    outer: Items

    @property
    def ending(self) -> Node | None:
        """All that has to be there behind `.*?`; `None` if that can not be told."""
        read = read_through(sequence((*self.inner, *self.outer)))
        return read if read is not None and width(read)[0] else None


@dataclass(frozen=True, slots=True)
class _Tag:
    """The parts of a pattern.

    Attributes:
        opening: what it begins with, up to the first choice.
        head: what else stands before the value.
        lead: what all forms of the value begin with.
        forms: those forms, the preferred first.
    """

    opening: Items
    head: Items
    lead: Items
    forms: tuple[_Form, ...]


@dataclass(frozen=True, slots=True)
class Sure:
    """The expression in parts: the opening, what follows it, and what has to follow wherever there is a match."""

    opening: str
    rest: str
    end: str


def sure(pattern: Node) -> Sure | None:
    """The regular expression, as `SureTags` has it, or `None` if there is none."""
    tag = _parts(pattern)
    if tag is None or not _is_simple(tag):
        return None
    opening = sequence(tag.opening)
    try:
        if not width(opening)[0] or not Openings(opening).is_linear():
            return None
        if not all(_is_sure(tag, number) for number in range(len(tag.forms))):
            return None
    except TooMuchError:
        return None
    found = Sure(render(opening), _rest(tag), _end(tag))
    text = found.opening + found.rest + found.end
    return found if len(text) <= _LONGEST and text.isprintable() else None


def _items(node: Node) -> Items:
    return node.items if isinstance(node, Sequence) else (node,)


def _parts(pattern: Node) -> _Tag | None:
    """The parts of a pattern with a key, and behind it a value that has forms; `None` for any other."""
    items = _items(pattern)
    groups = [part.name for part in walk(pattern) if isinstance(part, Group)]
    if groups != ["key", "value"] or groups != [item.name for item in items if isinstance(item, Group)]:
        return None
    at = next(at for at, item in enumerate(items) if isinstance(item, Group) and item.name == "value")
    *lead, last = _items(children(items[at])[0])
    head = tuple(map(_exclusive, items[:at]))
    first = next((number for number, item in enumerate(head) if _options(item)), at)
    options = last.options if isinstance(last, Choice) else (sequence((*lead, last)),)
    forms = [form for option in options if (form := _form(option, items[at + 1 :])) is not None]
    if len(forms) < len(options):
        return None
    return _Tag(head[:first], head[first:], tuple(lead) if isinstance(last, Choice) else (), tuple(forms))


def _form(option: Node, outer: Items) -> _Form | None:
    items = _items(option)
    if items.count(_VALUE) != 1:
        return None
    at = items.index(_VALUE)
    return _Form(items[:at], items[at + 1 :], outer)


def _exclusive(item: Node) -> Node:
    """What may be left out, `(?:(?!X)Y)?`, as a choice of which one option at most can match: `(?!X)Y|(?=X)`.

    Where neither does, it is left out, too; but that more text can change.
    """
    match item:
        case Repeat(Sequence((Ahead(Literal() as barred, True), *_)) as inner, 0, 1, False):
            return Choice(inner, Ahead(barred))
    return item


def _options(item: Node) -> Items:
    """The options of a choice, the preferred first; none for other items."""
    match item:
        case Choice(options):
            return options
        case Repeat(inner, 0, 1, lazy):
            return (Sequence(), inner) if lazy else (inner, Sequence())
    return ()


def _runs(items: Iterable[Node]) -> list[list[Node]]:
    """What stands between choices, without look-aheads."""
    runs: list[list[Node]] = [[]]
    for item in items:
        if _options(item):
            runs.append([])
        elif not isinstance(item, Ahead):
            runs[-1].append(item)
    return runs


def _is_simple(tag: _Tag) -> bool:
    """Whether all means the same for the standard library, and look-aheads stand where they are reckoned with."""
    before = [*tag.opening, *tag.lead, *(item for form in tag.forms for item in form.begin)]
    before += [item for item in tag.head if not _options(item)]
    behind = [item for form in tag.forms for item in (*form.inner, *form.outer)]
    if any(_looks(item) for item in before) or any(_looks(item, negative=True) for item in behind):
        return False
    if not all(_is_simple_option(_items(option)) for item in tag.head for option in _options(item)):
        return False
    return all(_is_simple_part(part) for item in (*before, *tag.head, *behind) for part in walk(item))


def _is_simple_option(items: Items) -> bool:
    """Whether an option looks ahead at most once at its start for what must not be there, or only behind literals."""
    match items:
        case (Ahead(barred, True), *rest):
            return not any(map(_looks, (barred, *rest)))
    if not any(map(_looks, items)):
        return True
    looked_at = [item.item for item in items if isinstance(item, Ahead) and not item.negative]
    literals = [item for item in items if isinstance(item, Literal)]
    return len(looked_at) + len(literals) == len(items) and not any(map(_looks, looked_at))


def _looks(node: Node, negative: bool = False) -> bool:
    """Whether there is a look-ahead in a node; `negative`: a negative one."""
    return any(isinstance(part, Ahead) and part.negative >= negative for part in walk(node))


def _is_simple_part(node: Node) -> bool:
    match node:
        case Chars():
            return is_brief(node)
        case Choice(options):
            return bool(options)
        case Repeat(item):
            return not nullable(item) and not any(isinstance(part, Group | Ahead) for part in walk(item))
    return isinstance(node, Literal | Sequence | Group | Ahead)


def _is_sure(tag: _Tag, number: int) -> bool:
    """Whether a form that is found, where none of the better ones has begun, is what the pattern matches."""
    form = tag.forms[number]
    ending = form.ending
    if ending is None or not is_decided(sequence((_VALUE, ending))):
        return False
    better = [sequence(one.begin) for one in tag.forms[:number]]
    if any(nullable(begin) or completes_within(begin, ending) for begin in better):
        return False
    return _is_settled((*tag.opening, *tag.head, *tag.lead, *form.begin), ending)


def _is_settled(items: Items, ending: Node) -> bool:
    """Whether the first match of the items is the only one, whatever follows, once there is a match of `ending`."""
    runs = _runs(items)
    for item in items:
        options = _options(item)
        runs += [run for option in options for run in _runs(_items(option))]
        if any(_options(part) for option in options for part in _items(option)):
            return False
        if not all(_is_over(option, options[at + 1 :], ending) for at, option in enumerate(options)):
            return False
    return all(not run or not Openings(sequence(run)).slack() for run in runs)


def _is_over(option: Node, others: Items, ending: Node) -> bool:
    """Whether an option that does not match, while one of the others does, can not match any more."""
    match _items(option):
        case (Ahead(barred, True), *_):
            longest = width(barred)[1]
            return longest is not None and longest <= width(ending)[0] and others == (Ahead(barred),)
    read = read_through(option)
    return not others or (read is not None and not completes_within(read, ending))


def _rest(tag: _Tag) -> str:
    forms = []
    for number, form in enumerate(tag.forms):
        better = "|".join(render(sequence(one.begin)) for one in tag.forms[:number])
        barred = f"(?!{better})" if better else ""
        forms.append(f"{barred}{_pieces(form.begin)}.*?{as_item(sequence(form.inner))}")
    value = "|".join(forms)
    inside = _pieces(tag.lead) + (f"(?:{value})" if tag.lead and len(forms) > 1 else value)
    return f"{_pieces(tag.head)}(?P<value>{inside}){as_item(sequence(tag.forms[0].outer))}"


def _end(tag: _Tag) -> str:
    outer = sequence(tag.forms[0].outer)
    endings = [read_through(outer)] if width(outer)[0] else [form.ending for form in tag.forms]
    return "|".join(dict.fromkeys(render(ending) for ending in endings if ending is not None))


def _pieces(items: Items) -> str:
    """The items, what is chosen in them never chosen again."""
    return "".join(f"(?>{render(item)})" if _options(item) else render(item) for item in items)
