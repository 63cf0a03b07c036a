"""The cases that are kept as data: a template, an output, and the message it must give, written by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"
TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
TEMPLATES = Path(__file__).parents[2] / "templates"


@dataclass(frozen=True)
class Case:
    """One output and what must come of it; `malformed` are the `field` and `text` of regions that are rejected."""

    name: str
    template: dict[str, Any]
    output: str
    message: dict[str, Any]
    why: str = ""
    prefix: str = ""
    tools: list[dict[str, Any]] | None = None
    malformed: list[dict[str, str]] = field(default_factory=list)

    def __repr__(self) -> str:
        return self.name


def load_cases(name: str) -> list[Case]:
    """The cases of `data/NAME.json`. A case holds its template, or the name of one of the file's templates."""
    data = json.loads((DATA / f"{name}.json").read_text("utf-8"))
    templates = data["templates"]
    cases = []
    for entry in data["cases"]:
        template = entry.pop("template")
        cases.append(Case(template=templates[template] if isinstance(template, str) else template, **entry))
    return cases


def load_transcripts() -> list[Case]:
    """The transcripts of the committed templates, `transcripts/FAMILY.json` for `templates/FAMILY.json`."""
    cases = []
    for path in sorted(TRANSCRIPTS.glob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        template = json.loads((TEMPLATES / f"{data['family']}.json").read_text("utf-8"))
        for entry in data["transcripts"]:
            name = f"{data['family']}-{entry['name']}"
            known = {key: entry[key] for key in ("prefix", "output", "tools", "message") if key in entry}
            cases.append(Case(name=name, template=template, **known))
    return cases
