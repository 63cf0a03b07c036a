"""Fields whose open and close can both match empty at one place: such a parser would never come to an end."""

from __future__ import annotations

from untemplate.compiler.patterns import nullable
from untemplate.compiler.patterns.analysis import walk
from untemplate.compiler.plan.searches import context
from untemplate.runtime.automaton import Automaton
from untemplate.runtime.pattern import Chars, Choice, Group, Literal, Node, Repeat, Sequence
from untemplate.runtime.states import Move, State

_MOST_STATES = 300


def can_loop(opening: Node, closing: Node) -> bool:
    """Whether there is a text with a place where both patterns match empty; true also where that can not be ruled out.

    All states that an automaton of both patterns' assertions can reach are searched for a match.
    """
    if not (nullable(opening) and nullable(closing)):
        return False
    tree = Sequence(_empty(opening), _empty(closing))
    automaton = Automaton([tree], context([tree]))
    letters = _letters(tree)
    todo = [automaton.enter("").state]
    known = {id(state) for state in todo}
    while todo:
        state = todo.pop()
        if state.winners or automaton.can_finish(state) or len(known) > _MOST_STATES:
            return True
        for step in (automaton.step(state, letter) for letter in letters):
            after: State = step.state if isinstance(step, Move) else step
            if id(after) not in known:
                known.add(id(after))
                todo.append(after)
    return False


def _empty(node: Node) -> Node:
    """What is left of `node` where it matches empty: its assertions."""
    match node:
        case Literal() | Chars():
            return Choice()
        case Sequence(items):
            return Sequence(*map(_empty, items))
        case Choice(options):
            return Choice(*map(_empty, options))
        case Repeat(item, least):
            return _empty(item) if least else Sequence()
        case Group(_, item):
            return _empty(item)
        case _:
            return node


def _letters(tree: Node) -> list[str]:
    """A character of every kind that the pattern tells apart."""
    bounds = {0}
    for node in walk(tree):
        if isinstance(node, Literal):
            bounds |= {ord(char) + more for char in node.text for more in (0, 1)}
        elif isinstance(node, Chars):
            bounds |= {bound for low, high in node.ranges for bound in (low, high + 1)}
    return [chr(bound) for bound in sorted({*bounds, ord("a"), ord(" ")}) if bound <= 0x10FFFF]
