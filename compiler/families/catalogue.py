"""The catalogue of families: `templates/families.toml` as objects."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

TEMPLATES = "untemplate.templates"
"""The package that holds the catalogue and the templates."""

Status = Literal["complete", "gap"]


@dataclass(frozen=True, slots=True)
class Family:
    """What is known of one family of models that write their replies in one format.

    Attributes:
        id: the name of its template and of its generated module.
        title: its name for people.
        models: the models that belong to it.
        model_ids: globs over the names of their repositories on the hub; none where no repository is known.
        markers: texts that its chat templates hold. Only all of them together mean the family.
        reasoning, calls: how the reasoning and the calls are written, in a few words.
        status: "complete", or "gap" where the template language can not express part of the format.
        gap: what is not read, why, and what it would take; empty without a gap.
        ends: the texts that end a reply.
        prompt: a short prompt in the family's format, up to where the reply starts.
        notes: what a user of the template should know.
        sources: where the format was learnt from.
        lint_allow: codes of lint's findings that are right as they are in this family's template, each with the reason.
    """

    id: str
    title: str
    models: tuple[str, ...]
    model_ids: tuple[str, ...]
    markers: tuple[str, ...]
    reasoning: str
    calls: str
    status: Status
    ends: tuple[str, ...]
    prompt: str
    notes: str
    sources: tuple[str, ...]
    gap: str = ""
    lint_allow: Mapping[str, str] = field(default_factory=dict)

    def template(self) -> dict[str, Any]:
        """The family's response template."""
        text = files(TEMPLATES).joinpath(f"{self.id}.json").read_text("utf-8")
        template: dict[str, Any] = json.loads(text)
        return template

    def mentions(self, words: Iterable[str]) -> bool:
        """Whether each of the words stands somewhere in what names or describes the family; case does not matter."""
        text = "\n".join((self.id, self.title, *self.models, *self.model_ids, self.reasoning, self.calls, self.status))
        return all(word.lower() in text.lower() for word in words)


@cache
def catalogue() -> dict[str, Family]:
    """All families by their id, in the order of the ids.

    Raises:
        ValueError: the catalogue has a table that is not that of a family.
    """
    tables = tomllib.loads(files(TEMPLATES).joinpath("families.toml").read_text("utf-8"))
    return {family: _family(family, tables[family]) for family in sorted(tables)}


def _family(name: str, table: dict[str, Any]) -> Family:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    try:
        family = Family(id=name, **values)
    except TypeError as error:
        raise ValueError(f"families.toml: the table {name} has missing or unknown keys: {error}") from error
    if family.status not in get_args(Status) or (family.status == "gap") != bool(family.gap):
        raise ValueError(f'families.toml: {name} must have the status "complete", or "gap" together with a gap')
    return family
