"""What is said about a parser: everything that the forms of output have in common."""

from __future__ import annotations

from dataclasses import dataclass

OUTSIDE = "outside"
"""The name of the state in which no explicit region is open."""


@dataclass(frozen=True, slots=True)
class DelimiterNote:
    """A delimiter in the state that watches it.

    Attributes:
        field: whose region it opens or closes.
        opens: whether it opens.
        written: the delimiter as it stands in the template: literals as JSON strings, a pattern between slashes.
        leads_to: the state after it.
        words: how it is waited for and when it takes effect, a sentence each.
        stalls: whether text of any kind and length can be held back for it.
    """

    field: str
    opens: bool
    written: str
    leads_to: str
    words: tuple[str, ...]
    stalls: bool


@dataclass(frozen=True, slots=True)
class StateNote:
    """A state: its name (a field's, or `OUTSIDE`), its method in the module, and how it finds its delimiters.

    Attributes:
        means: whose region its text is.
        search: how delimiters are found, in words.
        delimiters: what is watched.
    """

    name: str
    method: str
    means: str
    search: str
    delimiters: tuple[DelimiterNote, ...]


@dataclass(frozen=True, slots=True)
class FieldNote:
    """How a region becomes part of the message, each part in words; `transform` is JSON, "" without one."""

    name: str
    streams: str
    content: str
    transform: str
    store: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything about one parser.

    Attributes:
        name: what the parser is called.
        digest: the template's.
        anchor: what of a prompt counts, in words.
        quick: when a chunk is passed on at once, in words.
        early: what is said before it is decided which delimiter matches, in words; "" if nothing ever is.
        states: all states, `OUTSIDE` first.
        fields: all fields, in the order of the template.
        required: fields without which a message is an error.
    """

    name: str
    digest: str
    anchor: str
    quick: str
    early: str
    states: tuple[StateNote, ...]
    fields: tuple[FieldNote, ...]
    required: tuple[str, ...]
