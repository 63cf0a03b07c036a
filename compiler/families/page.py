"""The page about the families, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from untemplate.compiler.families.boundaries import BOUNDARIES
from untemplate.compiler.families.catalogue import Family

_INTRODUCTION = """\
# Model families

<!-- Made by `untemplate families --format markdown` from templates/families.toml: change that, not this page. -->

A family is what one response template reads: models that write their replies in the same format, whoever made them.
The template is `templates/NAME.json`, its parser `untemplate.generated.NAME`. `untemplate detect` finds the family of a
model by its id, its files or its chat template.

The status is *complete* where the template reads all of the format that is known. A *gap* is a part that the template
language can not express; what that is, and what it would take, stands [below](#gaps).
"""

_BOUNDARIES = """\
## What the template language can not express

Some formats ask for what a template has no words for. Here is what their templates do about it; text is never lost
silently: what is not read stays content, or is rejected.
"""


def page(families: Sequence[Family]) -> str:
    """The page about these families."""
    shown = {family.id for family in families}
    parts = [
        _INTRODUCTION,
        _overview(families),
        "## Gaps\n",
        *(f"- **{_link(family.id)}**: {_prose(family.gap)}" for family in families if family.status == "gap"),
        "",
        _BOUNDARIES,
        _boundaries(shown),
        "## The families one by one\n",
        *(_entry(family) for family in families),
    ]
    return "\n".join(parts)


def _overview(families: Iterable[Family]) -> str:
    rows = [
        (
            _link(family.id),
            _prose(", ".join(family.models)),
            _prose(family.reasoning),
            _prose(family.calls),
            " ".join(map(_code, family.ends)),
            f"[gap](#{family.id})" if family.status == "gap" else "complete",
        )
        for family in families
    ]
    return _table(("family", "models", "reasoning", "calls", "ends of a reply", "status"), rows)


def _boundaries(shown: set[str]) -> str:
    rows = [
        (
            boundary.need,
            ", ".join(_link(family) if family in shown else family for family in boundary.families),
            boundary.effect,
            boundary.remedy,
        )
        for boundary in BOUNDARIES
        if shown.intersection(boundary.families)
    ]
    return _table(("what a format asks for", "families", "what happens instead", "what it would take"), rows)


def _entry(family: Family) -> str:
    ids = ", ".join(map(_code, family.model_ids)) or "none known"
    lines = [
        f"### {family.id}\n",
        f"{_prose(family.title)}. {_prose(family.notes)}\n",
        f"- models: {_prose(', '.join(family.models))}",
        f"- ids on the hub: {ids}",
        f"- reasoning: {_prose(family.reasoning)}",
        f"- calls: {_prose(family.calls)}",
        f"- ends of a reply: {', '.join(map(_code, family.ends))}",
    ]
    if family.gap:
        lines.append(f"- gap: {_prose(family.gap)}")
    lines.append(f"- sources: {_prose('; '.join(family.sources))}")
    return "\n".join(lines) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _link(family: str) -> str:
    return f"[{family}](#{family})"


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _prose(text: str) -> str:
    """Plain text as Markdown: tags, entities and stars are escaped, but for what stands between backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if index % 2 else re.sub(r"[<&*\\]", r"\\\g<0>", part) for index, part in enumerate(parts))
