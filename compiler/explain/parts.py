"""The parts of a delimiter that are told apart: what may run in front, the core, what is optional behind, what must
follow."""

from __future__ import annotations

from dataclasses import dataclass

from untemplate.compiler.explain.samples import sample
from untemplate.compiler.patterns import lead, looks_ahead, nullable, width
from untemplate.compiler.patterns.analysis import walk
from untemplate.compiler.plan.nodes import Watched
from untemplate.runtime.pattern import (
    Ahead,
    Behind,
    Chars,
    Choice,
    Group,
    Literal,
    Node,
    Repeat,
    Sequence,
    TextEnd,
    WordEdge,
)

_MOST = 12  # so many alternatives are told one by one


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way in which a delimiter can be written.

    Attributes:
        lead: the characters of which any number may stand in front.
        core: what it is without its tail; without items it takes no text.
        tail: what may follow and is swallowed, not empty only if nothing must follow.
        ahead: the assertions behind all that.
    """

    lead: Chars | None
    core: tuple[Node, ...]
    tail: tuple[Node, ...]
    ahead: tuple[Node, ...]

    @property
    def whole(self) -> Node:
        """The core, as one pattern."""
        return _merged(self.core)


def alternatives(watched: Watched) -> list[Alternative]:
    """The ways in which the delimiter can be written, in the order of the template."""
    if watched.literals:
        return [Alternative(None, (Literal(literal),), (), ()) for literal in watched.literals]
    options = _options(watched.tree)
    return [_parted(option) for option in (options if len(options) <= _MOST else _branches(watched.tree))]


def _options(node: Node) -> tuple[Node, ...]:
    """What the node chooses from, also where it does so further in, if assertions make the options differ in kind."""
    if isinstance(node, Sequence):
        for at, item in enumerate(node.items):
            if isinstance(item, Choice) and any(isinstance(part, (Ahead, Behind)) for part in walk(item)):
                before, after = node.items[:at], node.items[at + 1 :]
                spread = [Sequence(*before, *_items(option), *after) for option in item.options]
                return tuple(one for option in spread for one in _options(option))
    return tuple(one for option in node.options for one in _options(option)) if isinstance(node, Choice) else (node,)


def _branches(node: Node) -> tuple[Node, ...]:
    return node.options if isinstance(node, Choice) else (node,)


def _items(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else (node,)


def _parted(node: Node) -> Alternative:
    led = lead(node)
    if led and width(node)[0] > width(led[1])[0]:
        led = None  # some of the run has to be there: it is part of the core
    rest = led[1] if led else node
    items = _items(rest)
    end = len(items)
    while end and isinstance(items[end - 1], (Ahead, TextEnd, WordEdge)):
        end -= 1
    start = end
    while end == len(items) and start and _is_free(items[start - 1]):
        start -= 1
    # Something has to be there for the delimiter to take effect.
    start = start or end
    return Alternative(led[0] if led else None, items[:start], items[start:end], items[end:])


def _is_free(item: Node) -> bool:
    """Whether the item can be absent, and changes nothing but where the delimiter ends."""
    fixed = any(isinstance(part, (Group, Behind)) for part in walk(item)) or looks_ahead(item)
    return nullable(item) and width(item)[1] != 0 and not fixed


def _merged(items: tuple[Node, ...]) -> Node:
    return items[0] if len(items) == 1 else Sequence(*items)


def more(one: Alternative) -> str:
    """A text that may belong to the delimiter behind its core, as short as it can be; "" if there is none."""
    last = one.tail[0] if one.tail else one.core[-1] if one.core and not one.ahead else None
    while isinstance(last, Group):
        last = last.item
    if isinstance(last, Sequence) and last.items:
        last = last.items[-1]
    if not isinstance(last, Repeat) or last.most == last.least:
        return ""
    found = sample(last.item)
    return found.match if found else ""


def is_run(node: Node) -> bool:
    """Whether this is any number of characters of one set."""
    return isinstance(node, Repeat) and isinstance(node.item, Chars) and node.most is None
