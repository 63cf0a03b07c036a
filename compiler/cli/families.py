"""The command `untemplate families`: the catalogue, as a table, as JSON, or as a page."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import click

from untemplate.compiler.cli.entry import EXIT_CODES, FINDINGS
from untemplate.compiler.families.catalogue import Family, catalogue
from untemplate.compiler.families.page import page


@click.command("families", context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="A table for people, everything that is known as JSON, or a page in Markdown.",
)
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], form: str) -> None:
    """List the model families that are built in.

    With WORDs, only the families in whose names, models, formats or status all of them stand. A family's parser is
    untemplate.generated.NAME, its template templates/NAME.json.

    \b
      untemplate families qwen
      untemplate families gap
      untemplate families --format json glm
    """
    found = [family for family in catalogue().values() if family.mentions(words)]
    if form == "json":
        click.echo(json.dumps([dataclasses.asdict(family) for family in found], ensure_ascii=False, indent=2))
    elif form == "markdown":
        click.echo(page(found), nl=False)
    elif found:
        click.echo(_table(found))
    else:
        click.echo("no family has all these words", err=True)
    ctx.exit(0 if found else FINDINGS)


def _table(families: Sequence[Family]) -> str:
    rows = [("family", "status", "models"), *((one.id, one.status, ", ".join(one.models)) for one in families)]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = [f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}" for row in rows]
    gaps = sum(one.status == "gap" for one in families)
    count = f"{len(families)} {'family' if len(families) == 1 else 'families'}"
    return "\n".join([*lines, "", f"{count}, {gaps} with a gap (see --format markdown)"])
