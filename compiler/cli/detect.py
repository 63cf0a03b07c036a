"""The command `untemplate detect`: which family a model belongs to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from untemplate.compiler.cli.entry import EXIT_CODES, FINDINGS
from untemplate.compiler.cli.failure import Failure
from untemplate.compiler.diagnostics import printable
from untemplate.compiler.families.detection import Candidate, detect
from untemplate.compiler.families.subject import Subject, SubjectError, read_subject


@click.command(
    "detect", context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES, no_args_is_help=True
)
@click.argument("model", metavar="PATH|MODEL_ID")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(ctx: click.Context, model: str, form: str) -> None:
    """Find the family that a model belongs to.

    The model is a folder with its files, a tokenizer_config.json, a chat template, a response template, or an id on the
    hub; nothing is downloaded. A response template that the model carries counts most, then its chat template, its
    name, and its special tokens. If several families come into question, all are shown with what was found, the
    likeliest first. Exit code 1: none does.

    \b
      untemplate detect path/to/model
      untemplate detect chat_template.jinja
      untemplate detect Qwen/Qwen3-8B
    """
    try:
        subject = read_subject(model)
    except SubjectError as error:
        raise Failure(printable(str(error))) from error
    candidates = detect(subject)
    own = _own_template(subject, candidates)
    if form == "json":
        click.echo(json.dumps(_as_json(candidates, own), ensure_ascii=False, indent=2))
    else:
        for line in _as_text(candidates):
            click.echo(line)
        if own:
            click.echo(f"note: {own}", err=True)
        if not candidates:
            click.echo(f"{printable(model)}: no family is recognised", err=True)
    ctx.exit(0 if candidates else FINDINGS)


def _own_template(subject: Subject, candidates: Sequence[Candidate]) -> str:
    """A remark where the model carries a response template that none of the families has."""
    if subject.response_template is None or any(one.weight("response template") for one in candidates):
        return ""
    return "the model carries a response template of its own, which is not one of these: compile that one"


def _as_text(candidates: Sequence[Candidate]) -> list[str]:
    lines = []
    for candidate in candidates:
        lines.append(f"{candidate.family.id}: {candidate.family.title}")
        for evidence in candidate.evidence:
            lines.append(f"    {evidence.kind}: {', '.join(printable(text) for text in evidence.found)}")
    return lines


def _as_json(candidates: Sequence[Candidate], note: str) -> dict[str, Any]:
    return {
        "family": candidates[0].family.id if candidates else None,
        "candidates": [
            {
                "family": candidate.family.id,
                "title": candidate.family.title,
                "evidence": [{"kind": item.kind, "found": list(item.found)} for item in candidate.evidence],
            }
            for candidate in candidates
        ],
        "note": note,
    }
