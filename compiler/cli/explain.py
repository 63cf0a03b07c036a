"""The command `untemplate explain`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from untemplate.compiler.cli.console import console, is_rich
from untemplate.compiler.cli.entry import EXIT_CODES
from untemplate.compiler.cli.failure import template_errors

if TYPE_CHECKING:
    from untemplate.compiler.explain import Explanation


@click.command("explain", epilog=EXIT_CODES)
@click.argument("template", type=click.Path(allow_dash=True))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "mermaid", "svg", "json"]),
    default="text",
    show_default=True,
    help="Words, or the states as a picture, or all that the words say for programs.",
)
def command(template: str, form: str) -> None:
    """Say how the parser of a template works.

    For each state: which delimiters are watched and how they are found; what of the text is held back, until when, and
    when a region opens or closes. Where a delimiter can hold back prose of any length, it says so: such text can not
    stream. For each field: how its regions become part of the message.

    TEMPLATE is a template file, a tokenizer_config.json, a model's folder, or - for standard input.

    \b
      untemplate explain my.json
      untemplate explain my.json --format svg > my.svg
    """
    with template_errors():
        from untemplate.compiler.explain import explain
        from untemplate.compiler.pipeline import make_plan

        explanation = explain(make_plan(template))
    if form == "text":
        _print_text(explanation)
    else:
        click.echo(_as_source(explanation, form))


def _as_source(explanation: Explanation, form: str) -> str:
    if form == "mermaid":
        from untemplate.compiler.explain.mermaid import mermaid

        return mermaid(explanation)
    if form == "svg":
        from untemplate.compiler.explain.svg import svg

        return svg(explanation)
    return json.dumps(asdict(explanation), indent=2)


def _print_text(explanation: Explanation) -> None:
    from untemplate.compiler.explain.text import lines, mark, plain

    if not is_rich(sys.stdout):
        click.echo(plain(explanation))
        return
    from rich.padding import Padding
    from rich.text import Text

    terminal = console(sys.stdout)
    for depth, heading, text in lines(explanation):
        style = "bold" if depth == 0 else "cyan" if depth == 1 else "dim"
        line = Text.assemble((f"{heading}{mark(heading) if text else ''}", style), text)
        line.highlight_regex(r"can not stream", "bold yellow")
        terminal.print(Padding(line, (0, 0, 0, 2 * depth)))
