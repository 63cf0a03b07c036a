"""Tells the family of a model by what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal

from untemplate.compiler.families.catalogue import Family, catalogue
from untemplate.compiler.families.subject import Subject
from untemplate.compiler.frontend.digest import template_digest

Kind = Literal["response template", "chat template", "model id", "special tokens"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason to think of a family.

    Attributes:
        kind: what was looked at.
        found: what was found there: the markers, or the glob.
        weight: how much it tells, in characters that had to agree; comparable within one kind only.
    """

    kind: Kind
    found: tuple[str, ...]
    weight: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A family, and everything that speaks for it."""

    family: Family
    evidence: tuple[Evidence, ...]

    def weight(self, kind: Kind) -> int:
        """What the evidence of one kind weighs; 0 without any."""
        return max((evidence.weight for evidence in self.evidence if evidence.kind == kind), default=0)

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The larger, the likelier. Kinds of evidence are ranked, the most trusted first."""
        return (
            self.weight("response template"),
            self.weight("chat template"),
            self.weight("model id"),
            self.weight("special tokens"),
        )


def detect(subject: Subject) -> list[Candidate]:
    """The families that the model may belong to, the likeliest first; none if nothing is recognised."""
    chat_template = "\n".join(subject.chat_templates.values())
    tokens = "\n".join(subject.tokens)
    digest = _digest(subject.response_template)
    candidates = []
    for family in catalogue().values():
        evidence = [
            _response_template(family, digest),
            _markers(family, "chat template", chat_template),
            _model_id(family, subject.names),
            _markers(family, "special tokens", tokens),
        ]
        if any(evidence):
            candidates.append(Candidate(family, tuple(item for item in evidence if item)))
    # The sort is stable, so that families of equal rank stay in the order of their ids.
    return sorted(_most_specific(candidates), key=lambda candidate: candidate.rank, reverse=True)


def _digest(response_template: dict[str, Any] | None) -> str | None:
    """The fingerprint of a response template; `None` if there is none, or nothing that JSON has a form for."""
    try:
        return None if response_template is None else template_digest(response_template)
    except (ValueError, RecursionError):
        return None


def _response_template(family: Family, digest: str | None) -> Evidence | None:
    if digest is None or template_digest(family.template()) != digest:
        return None
    return Evidence("response template", (f"templates/{family.id}.json",), 1)


def _markers(family: Family, kind: Kind, text: str) -> Evidence | None:
    """The markers, if all of them stand in the text: some of them alone are shared by other families."""
    if not all(marker in text for marker in family.markers):
        return None
    return Evidence(kind, family.markers, sum(map(len, family.markers)))


def _model_id(family: Family, names: tuple[str, ...]) -> Evidence | None:
    """The longest glob that matches a name; a name without an owner is matched by the part behind the slash."""
    matched = [glob for glob in family.model_ids for name in names if _matches(name.lower(), glob.lower())]
    if not matched:
        return None
    best = max(matched, key=_letters)
    return Evidence("model id", (best,), _letters(best))


def _matches(name: str, glob: str) -> bool:
    return fnmatchcase(name, glob if "/" in name else glob.partition("/")[2])


def _letters(glob: str) -> int:
    return len(glob.replace("*", "").replace("[0-9]", ""))


def _most_specific(candidates: list[Candidate]) -> list[Candidate]:
    """Without the families that only their markers speak for, where those are part of another candidate's markers."""

    def is_part(one: Candidate) -> bool:
        kinds = {evidence.kind for evidence in one.evidence}
        return any(
            set(one.family.markers) < set(other.family.markers)
            and kinds <= {evidence.kind for evidence in other.evidence} & {"chat template", "special tokens"}
            for other in candidates
        )

    return [candidate for candidate in candidates if not is_part(candidate)]
