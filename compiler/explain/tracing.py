"""When a delimiter takes effect, found out by feeding samples to the parser itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from untemplate.compiler.explain.samples import Sample
from untemplate.compiler.loading import load_parser
from untemplate.compiler.plan.nodes import Plan, StatePlan, Watched

_NEUTRAL = "\N{SNOWMAN}"
_PROSE = 'Some words, of which 12 count; and more.\n\nA second line (so to say) has others: "quoted", it\'s so. ' * 3


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened to a sample.

    Attributes:
        effect: how many characters of the sample, and of what follows, the delimiter needed to take effect; `None`: all
            of them, and the end of the text.
        swallows: whether what may still belong to it is swallowed after that.
        stall: the shortest beginning of the sample behind which prose of any length was held back; `None` if there is
            none.
    """

    effect: int | None
    swallows: bool
    stall: str | None


class Tracer:
    """Tries samples on a parser with the delimiters of a plan.

    All its fields are text, and there is an implicit one, so that events show what becomes of every character.
    """

    def __init__(self, plan: Plan) -> None:
        delimiters = ("open", "open_pattern", "close", "close_pattern")
        fields: dict[str, Any] = {
            name: {"transform": "{content}"} | {key: raw[key] for key in delimiters if key in raw}
            for name, raw in plan.raw["fields"].items()
        }
        if plan.implicit is None:
            fields["".join(fields) + "_"] = {}  # longer than any name that is taken
        self._module = load_parser({"start_anchor": "-", "fields": fields})

    def trace(self, state: StatePlan, watched: Watched, sample: Sample, more: str) -> Trace | None:
        """What happens to a sample of a delimiter in a state; `None` if it is no match after all.

        Args:
            more: what may belong to the delimiter behind the sample; "" if nothing may.
        """
        for before in dict.fromkeys([sample.before, f"a{sample.before}", "", "\n"]):
            trial = _Trial(self._module, state, watched, before)
            effect = trial.effect(sample)
            if effect is not None:
                needed = effect if effect <= len(sample.match) + len(sample.after) + 1 else None
                swallows = effect == len(sample.match) and bool(more) and trial.swallows(sample, more)
                return Trace(needed, swallows, trial.stall(sample))
        return None


class _Trial:
    """One delimiter behind one text."""

    def __init__(self, module: Any, state: StatePlan, watched: Watched, before: str) -> None:
        self._module = module
        self._state = state
        self._target = (("region_open",) if watched.opens else ("region_close", "region_malformed"), watched.field)
        self._before = before

    def effect(self, sample: Sample) -> int | None:
        """After how many characters the delimiter takes effect; more than there are: at the end. `None`: never."""
        parser, shown = self._started()
        text = sample.match + sample.after + _NEUTRAL
        for at, char in enumerate(text, 1):
            events = parser.feed(char)
            until = self._until(events)
            shown += _text(events[: len(events) if until is None else until])
            if until is not None:
                return at if shown == self._before else None
        parser, shown = self._started()
        events = parser.feed(sample.match + sample.after) + parser.finalize()[1]
        until = self._until(events)
        return len(text) + 1 if until is not None and shown + _text(events[:until]) == self._before else None

    def swallows(self, sample: Sample, more: str) -> bool:
        """Whether `more` disappears behind a sample that has taken effect."""
        parser, _ = self._started()
        parser.feed(sample.match)
        return _text(parser.feed(more + _NEUTRAL)) in ("", _NEUTRAL)

    def stall(self, sample: Sample) -> str | None:
        """See `Trace`."""
        text = sample.match + sample.after
        for size in range(len(text) + 1):
            parser, shown = self._started()
            events = parser.feed(text[:size])
            if self._until(events) is not None:
                return None
            events += parser.feed(_PROSE)
            if self._until(events) is None and shown + _text(events) == self._before:
                return text[:size]
        return None

    def _started(self) -> tuple[Any, str]:
        """A parser in the state, that has read the text before; and what it has passed on of that."""
        parser = self._module.ResponseParser("", None, "event")
        if self._state.field is not None:
            parser._open(self._state.field, 0, None)
        return parser, _text(parser.feed(self._before))

    def _until(self, events: Sequence[Any]) -> int | None:
        """The index of the event that shows the effect, or `None`."""
        kinds, field = self._target
        return next((at for at, event in enumerate(events) if event["type"] in kinds and event["field"] == field), None)


def _text(events: Sequence[Any]) -> str:
    """What the events pass on."""
    return "".join(event["text"] for event in events if event["type"] == "region_chunk")
