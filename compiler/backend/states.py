"""State methods: one for each kind of search."""

from __future__ import annotations

from collections.abc import Sequence

from untemplate.compiler.backend.literals import literal
from untemplate.compiler.backend.writer import Writer
from untemplate.compiler.plan.nodes import (
    Expression,
    Expressions,
    ManyLiterals,
    Marker,
    OneLiteral,
    Plan,
    QuickPlan,
    Scan,
    StatePlan,
    ToEnd,
    Watched,
)
from untemplate.runtime.literals import WHITE_SPACE


def write_state(writer: Writer, state: StatePlan) -> None:
    """Writes the method of one state; its first comment is the part of the template that it implements."""
    with writer.block(f"def {state.method}(self, text: str, at: int, events: Events) -> int:"):
        writer.comment(state.origin)
        match state.search:
            case ToEnd():
                writer.line("return self._wait(text, at, len(text), events)")
            case OneLiteral(marker):
                _write_one_literal(writer, state, marker)
            case ManyLiterals() as search:
                _write_many_literals(writer, state, search)
            case Expressions() as search:
                _write_origins(writer, state, [one.watched for one in search.expressions])
                _write_expressions(writer, state, search)
            case Scan(watched=watched, constant=constant):
                _write_origins(writer, state, watched)
                writer.line(f"return self._scan({constant}, text, at, events)")
    writer.line()


def _write_origins(writer: Writer, state: StatePlan, watched: Sequence[Watched]) -> None:
    """The parts of the template that define the delimiters of other fields."""
    for origin in dict.fromkeys(one.origin for one in watched):
        if origin != state.origin:
            writer.comment(origin)


def _write_one_literal(writer: Writer, state: StatePlan, marker: Marker) -> None:
    text = literal(marker.text)
    writer.line(f"start = text.find({text}, at)")
    with writer.block("if start < 0:"):
        writer.line(f"return self._wait_for({text}, text, at, events)")
    _write_end(writer, state)
    end = f"start + {len(marker.text)}"
    _write_turn(writer, state, marker.watched, marker.tail, end)


def _write_many_literals(writer: Writer, state: StatePlan, search: ManyLiterals) -> None:
    constant, markers = search.constant, search.markers
    writer.line(f"found = {constant}.find(text, at)")
    with writer.block("if found is None:"):
        end = f"{constant}.lead_from(text, at, len(text))" if search.lead else "len(text)"
        writer.line(f"return self._wait(text, at, {end}, events)")
    with writer.block("if found.lastindex:  # the beginning of a delimiter, at the end of the text"):
        hold = f"{constant}.hold(text, at, found)" if search.lead else "found.start()"
        writer.line(f'return self._wait(text, at, {hold}, events, {constant}.rest.get(found[0], ""))')
    writer.line("start, end = found.span()")
    groups: dict[str, list[Marker]] = {}
    for marker in markers:
        groups.setdefault(_kind(marker), []).append(marker)
    led = tuple(marker.text for marker in markers if marker.led)
    if len(groups) > 1:
        writer.line("delimiter = found[0]")
    if len(led) == len(markers):
        writer.line(f"start = {constant}.lead_from(text, at, start)")
    elif led:  # then there are several groups, as markers of one have the same lead
        with writer.block(f"if delimiter {_test(led)}:"):
            writer.line(f"start = {constant}.lead_from(text, at, start)")
    _write_end(writer, state)
    *others, last = groups.values()
    for group in others:
        with writer.block(f"if delimiter {_test(_texts(group))}:"):
            _write_marker(writer, state, group[0])
    if others:
        writer.comment(", ".join(map(literal, _texts(last))))
    _write_marker(writer, state, last[0])


def _write_marker(writer: Writer, state: StatePlan, marker: Marker) -> None:
    _write_turn(writer, state, marker.watched, marker.tail)


def _write_expressions(writer: Writer, state: StatePlan, search: Expressions) -> None:
    constant, expressions = search.constant, search.expressions
    writer.line(f"found = {constant}.seek(text, at)")
    with writer.block("if isinstance(found, tuple):  # where one may begin, and what may come next"):
        writer.line("return self._hold(text, at, found[0], events, found[1])")
    closing = [one for one in expressions if not one.watched.opens]
    writer.line("end = found.end()" if state.drops else "start, end = found.span()")
    _write_end(writer, state, tuple(name for one in closing for name, _ in one.captures))
    *others, last = expressions
    group = 1
    for one in others:
        with writer.block(f"if found.lastindex == {group}:"):
            _write_expression(writer, state, one)
        group += 1 + len(one.captures)
    _write_expression(writer, state, last)


def _write_expression(writer: Writer, state: StatePlan, one: Expression) -> None:
    captures = _captured(one) if one.captures and one.watched.opens else ""
    _write_turn(writer, state, one.watched, one.tail, captures=captures)


def _captured(one: Expression) -> str:
    """The captures of a match, as an object."""
    if all(always for _, always in one.captures):
        return "{" + ", ".join(f"{literal(name)}: found[{literal(name)}]" for name, _ in one.captures) + "}"
    return f"captured(found, {literal(tuple(name for name, _ in one.captures))})"


def _kind(marker: Marker) -> str:
    """Markers of the same kind have the same effect."""
    return f"{marker.watched.opens}{marker.tail}{marker.watched.field}"


def _texts(markers: list[Marker]) -> tuple[str, ...]:
    return tuple(marker.text for marker in markers)


def _test(texts: tuple[str, ...]) -> str:
    return f"== {literal(texts[0])}" if len(texts) == 1 else f"in {literal(texts)}"


def _write_end(writer: Writer, state: StatePlan, captures: tuple[str, ...] = ()) -> None:
    """Passes on the text in front of a delimiter, and ends the region that is open, whose `captures` are complete."""
    update = f"self._captures.update(captured(found, {literal(captures)}))"
    if state.field is not None:
        if captures:
            writer.line(update)
        writer.line(f"self.{state.close}(events, text[at:start])")
        return
    if state.drops:
        return
    with writer.block("if start > at:"):
        writer.line("self._emit(text[at:start], events)")
    if state.close:
        with writer.block("if self._field is not None:"):
            if captures:
                writer.line(update)
            writer.line(f"self.{state.close}(events)")


def _write_turn(
    writer: Writer, state: StatePlan, watched: Watched, tail: str, end: str = "end", captures: str = ""
) -> None:
    """What a delimiter does where no region is open any more, and where reading goes on.

    Args:
        tail: the characters that it swallows behind.
        end: where it ends, an expression.
        captures: what the region that it opens is given, an expression; "" for nothing.
    """
    length = f"{end} - {_since(state)}" if state.drops or end == "end" else end.removeprefix("start + ")
    if watched.behind is None:
        writer.line(f"self._start += {length}")
    else:
        if watched.behind.adds and not tail:
            _write_whole(writer, watched.behind, _since(state), end, captures)
        writer.line(f"self._open({literal(watched.field)}, {length}, events)")
        if captures:
            writer.line(f"self._captures = {captures}")
    _write_return(writer, end, tail, watched.behind.method if watched.behind is not None else "")


def _since(state: StatePlan) -> str:
    """From where on text is read with a delimiter: text in front of it that is for nobody, too."""
    return "at" if state.drops else "start"


def _write_whole(writer: Writer, inside: StatePlan, since: str, end: str, captures: str) -> None:
    """Stores the value of a region that is whole in the text, without opening it."""
    writer.comment("A region that is whole need not be opened where nobody asks for events.")
    with writer.block("if events is None:"):
        match inside.search:
            case OneLiteral(marker):
                writer.line(f"last = text.find({literal(marker.text)}, {end})")
                with writer.block("if last >= 0:"):
                    _write_added(writer, inside, f"text[{end}:last]", since, captures)
                    writer.line(f"self._start += {len(marker.text)}")
                    _write_return(writer, f"last + {len(marker.text)}", marker.tail)
            case ManyLiterals(markers, _, constant):
                writer.line(f"close = {constant}.find(text, {end})")
                with writer.block("if close is not None and close.lastindex is None:"):
                    writer.line("last, behind = close.span()")
                    _write_added(writer, inside, f"text[{end}:last]", since, captures)
                    writer.line("self._start += behind - last")
                    _write_return(writer, "behind", markers[0].tail)


def _write_added(writer: Writer, inside: StatePlan, body: str, since: str, captures: str) -> None:
    writer.line(f"self._start += last - {since}")
    given = [captures or "{}"] if inside.takes_captures else []
    writer.line(f"self.{inside.adds}({', '.join([body, *given, 'events'])})")


def _write_return(writer: Writer, end: str, tail: str, state: str = "") -> None:
    """Goes on behind a delimiter, in the state that it opens, or wherever the characters that it swallows end."""
    if tail:
        writer.line(f"return self._swallow(text, {end}, {chars_or_name(tail)})")
    else:
        writer.line(f"return self.{state}(text, {end}, events)" if state else f"return {end}")


def chars_or_name(chars: str) -> str:
    """A set of characters as an expression: by name where it is white space."""
    return "WHITE_SPACE" if chars == WHITE_SPACE else literal(chars)


def write_feed(writer: Writer, plan: Plan, quick: QuickPlan) -> None:
    """Writes `feed`: the test for plain text in place, all else left to the base class."""
    plain = _plain(quick)
    with writer.block("def feed(self, text: str) -> list[Event]:"):
        writer.comment(
            "Where a region is open and nothing is held back, text in which no delimiter begins is plain text."
        )
        with writer.block(f"if text and self._free and {plain}:"):
            _write_plain(writer, plan)
        if quick.lead:
            writer.comment("A run of _LEAD at its end may lead to a delimiter, and is held back until it does not.")
            with writer.block(f"if text and self._led and {plain}:"):
                with writer.block("if text[-1] in _LEAD:"):
                    writer.line("return self._feed_led(text)")
                with writer.block("if self._held:"):
                    writer.line("text = self._held + text")
                    writer.line('self._held = ""')
                _write_plain(writer, plan)
        if plan.awaited:
            writer.comment("Outside of all regions nothing happens before AWAITED is there.")
            with writer.block('if self._state == "_outside" and self._holds_on(text):'):
                writer.line("return []")
        writer.line("events: list[Event] = []")
        writer.line("self._read(text, events)")
        writer.line("return events")
    writer.line()


def _write_plain(writer: Writer, plan: Plan) -> None:
    """Passes on a whole chunk."""
    writer.line("self._body.append(text)")
    if plan.context:
        writer.line(f"self._context = (self._context + text)[-{plan.context}:]")
    writer.line("event = self._chunk.copy()")
    writer.line('event["text"] = text')
    writer.line("return [event]")


def _plain(quick: QuickPlan) -> str:
    """The test whether no delimiter begins in `text`."""
    if len(quick.triggers) > 2:
        test = "_TRIGGERS.isdisjoint(text)"
    else:
        test = " and ".join(f"{literal(char)} not in text" for char in quick.triggers) or "True"
    if not quick.beginnings:
        return test
    test = f"({test})" if len(quick.triggers) == 2 else test
    return f"({test} or _BEGINNINGS.find(text) is None)"
