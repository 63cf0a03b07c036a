"""The plan: all decisions made, for the back end to write down.

Frozen data classes; `origin` is the part of the template that a node implements, as compact JSON for comments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from untemplate.compiler.frontend.schema import Content, Transform
from untemplate.compiler.patterns.enclosed import Enclosed
from untemplate.compiler.patterns.sure import Sure
from untemplate.runtime.pattern import Chars, Node, one_of


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an automaton has to look.

    Attributes:
        starts: at these literals, behind any number of `lead`; none of them is part of another.
        first: without such literals: at these characters, behind any number of `lead`; `None`: everywhere.
        lead: characters that may stand in front; `None` if there are none.
        wary: whether the end of a text may only look like the beginning of a match, so that an automaton has to see it.
        mixed: whether `lead` is made of the runs of several delimiters.
    """

    starts: tuple[str, ...]
    first: Chars | None
    lead: Chars | None
    wary: bool = False
    mixed: bool = False

    @property
    def triggers(self) -> Chars | None:
        """The characters that make a place worth a look; `None`: any."""
        return one_of("".join(start[0] for start in self.starts)) if self.starts else self.first


@dataclass(frozen=True, slots=True)
class Watched:
    """A delimiter in the state that watches it.

    Attributes:
        field: whose region it opens or closes.
        opens: whether it opens.
        literals: the literals it is, if it is made of literals.
        tree: the pattern, for an automaton.
        pattern: the pattern's text, "" for literals.
        origin: key and value in the template.
        behind: the state that an open leads to; `None` for a close, behind which no region is open.
    """

    field: str
    opens: bool
    literals: tuple[str, ...]
    tree: Node
    pattern: str
    origin: str
    behind: StatePlan | None = None


@dataclass(frozen=True, slots=True)
class ToEnd:
    """Nothing is watched: the region runs to the end of the text."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One text of a delimiter.

    Attributes:
        text: the text.
        watched: the delimiter that it decides.
        led: whether the run of the state's `lead` before it belongs to the delimiter.
        tail: the characters that belong to it behind, as many as there are; "" if none do.
    """

    text: str
    watched: Watched
    led: bool = False
    tail: str = ""


@dataclass(frozen=True, slots=True)
class OneLiteral:
    """A single text is searched for with `str.find`."""

    marker: Marker


@dataclass(frozen=True, slots=True)
class ManyLiterals:
    """Texts of which none is part of another: the first one found is the delimiter, whatever follows.

    Attributes:
        markers: the texts.
        lead: the characters that may stand in front of those that are `led`; "" if there are none.
        constant: the name of the texts in the module.
    """

    markers: tuple[Marker, ...]
    lead: str
    constant: str


@dataclass(frozen=True, slots=True)
class Expression:
    """A pattern each match of which is decided by its last character.

    Attributes:
        watched: the delimiter that it decides.
        text: the pattern in our notation.
        captures: the names of its groups, each with whether it takes part in every match.
        tail: the characters that belong to it behind, as many as there are; "" if none do.
    """

    watched: Watched
    text: str
    captures: tuple[tuple[str, bool], ...] = ()
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Expressions:
    """Patterns of which at one place never more than one can match, and that is decided by its last character.

    Attributes:
        expressions: the patterns.
        starts: literals with one of which every match starts; none of them is part of another.
        end: a literal that is there where a match is decided; "" if it is not always the same.
        skip: what is skipped where a match only seemed to begin, in our notation; "" for one character.
        constant: the name of the patterns in the module.
    """

    expressions: tuple[Expression, ...]
    starts: tuple[str, ...]
    end: str
    skip: str
    constant: str


@dataclass(frozen=True, slots=True)
class Scan:
    """Patterns, or literals that can be mistaken for each other: an automaton decides.

    Attributes:
        watched: the delimiters, in order of preference between equal matches.
        spot: where it has to look.
        context: how many characters before a position the delimiters can look at.
        decided: numbers of the alternatives that are decided by their last character, over all delimiters.
        constant: the name of the watch in the module.
    """

    watched: tuple[Watched, ...]
    spot: Spot
    context: int
    decided: tuple[int, ...]
    constant: str


Search = ToEnd | OneLiteral | ManyLiterals | Expressions | Scan


@dataclass(frozen=True, slots=True)
class StatePlan:
    """One state of the parser.

    Attributes:
        method: its method.
        field: the field it is inside of (`None`: of none).
        close: the method that closes that field's regions; outside of all, those of the implicit field, or "".
        drops: whether text in it is for nobody.
        adds: the method that makes and stores the value of any body of that field, if a region may be read at once.
        takes_captures: whether that method is given what the open captured.
        search: what it searches for.
        origin: the part of the template that it implements.
    """

    method: str
    field: str | None
    close: str
    drops: bool
    adds: str
    takes_captures: bool
    search: Search
    origin: str

    @property
    def delimiters(self) -> tuple[Watched, ...]:
        """All that is searched for, in order of preference between equal matches."""
        match self.search:
            case ToEnd():
                return ()
            case OneLiteral(marker):
                return (marker.watched,)
            case ManyLiterals(markers):
                watched = [marker.watched for marker in markers]
            case Expressions(expressions):
                watched = [one.watched for one in expressions]
            case Scan(watched):
                return watched
        return tuple(sorted(dict.fromkeys(watched), key=lambda one: (not one.opens, one.field)))


@dataclass(frozen=True, slots=True)
class TagPlan:
    """The tag pattern of `xml-inline`.

    Attributes:
        constant: the name of what finds its matches in the module.
        tree: the pattern.
        pattern: its text.
        enclosed: its parts, if regular expressions find all its matches; else an automaton does, for which the rest is.
        sure: the parts of a regular expression that then finds most of them; `None` if there is none.
        spot: where that has to look.
        context: how many characters before a position the pattern can look at.
        decided: whether its matches are decided by their last character.
    """

    constant: str
    tree: Node
    pattern: str
    enclosed: Enclosed | None
    sure: Sure | None
    spot: Spot
    context: int
    decided: bool


@dataclass(frozen=True, slots=True)
class ContentPlan:
    """A content parser; for `xml-inline` its tags, for objects how their values are parsed and by which function."""

    content: Content
    tags: TagPlan | None = None
    values: ContentPlan | None = None
    function: str = ""


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """How a region of one field becomes part of the message.

    Attributes:
        name: the field.
        ident: its name as part of identifiers.
        dirty: whether its chunks are raw text.
        implicit: whether it is the implicit field.
        close: the method that makes the value of a region that is open.
        content: the content parser.
        transform: what is made of the content.
        each: whether of every element of it.
        captures: whether the transform asks for captures.
        sure: the captures that every region has.
        typed: whether the value can be a call, whose arguments the tools type.
        store: "store", "append" or "join".
        joint: what joins the parts.
        checks_string: whether a part has to be checked for being a string.
        origin: the keys of the template that are implemented.
    """

    name: str
    ident: str
    dirty: bool
    implicit: bool
    close: str
    content: ContentPlan
    transform: Transform | None
    each: bool
    captures: bool
    sure: frozenset[str]
    typed: bool
    store: str
    joint: str
    checks_string: bool
    origin: str


@dataclass(frozen=True, slots=True)
class AnchorPlan:
    """The start anchor: a literal for `str.rfind`, or a pattern for a finder."""

    literal: str
    tree: Node
    pattern: str
    spot: Spot
    context: int
    origin: str


@dataclass(frozen=True, slots=True)
class QuickPlan:
    """What a chunk must not hold for `feed` to pass it on at once.

    Attributes:
        triggers: characters that a delimiter can start with, in any state with an open region.
        beginnings: the one or two characters that each can start with; none of them begins another. Empty if that is
            not known, or says no more than `triggers`.
        lead: characters that must not stand at its end, as they can lead to a delimiter; "" if there are none.
        led: the states in which they can.
    """

    triggers: str
    beginnings: tuple[str, ...]
    lead: str
    led: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole parser.

    Attributes:
        probes: characters of every kind that the delimiters tell apart, if something can be certain before they are;
            else "".
        begins: whether something is certain before the first character.
    """

    name: str
    digest: str
    raw: dict[str, Any]
    defaults: dict[str, Any]
    anchor: AnchorPlan
    outside: StatePlan
    insides: tuple[StatePlan, ...]
    fields: tuple[FieldPlan, ...]
    implicit: str | None
    required: tuple[str, ...]
    context: int
    probes: str
    begins: bool
    quick: QuickPlan | None

    @property
    def states(self) -> tuple[StatePlan, ...]:
        """All states, the outside first."""
        return (self.outside, *self.insides)

    @property
    def adds(self) -> dict[str | None, str]:
        """The methods that make and store the value of any body, by field, for regions that are read at once."""
        if isinstance(self.outside.search, Scan):
            return {}
        return {state.field: state.adds for state in self.insides if state.adds}

    @property
    def awaited(self) -> str:
        """The literal without which nothing happens outside of all regions; "" if there is none to wait for."""
        search = self.outside.search
        waits = self.outside.drops and self.quick is not None
        return search.end if waits and isinstance(search, Expressions) else ""

    @property
    def scans(self) -> bool:
        """Whether any state needs an automaton."""
        return any(isinstance(state.search, Scan) for state in self.states)

    @property
    def searches(self) -> bool:
        """Whether any state searches for regular expressions."""
        return any(isinstance(state.search, Expressions) for state in self.states)
