"""The command `untemplate bench`."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from untemplate.compiler.cli.batch import BadLine, Settings, read_line
from untemplate.compiler.cli.console import is_rich
from untemplate.compiler.cli.entry import EXIT_CODES, FINDINGS
from untemplate.compiler.cli.failure import Failure, problem, read_bytes, read_text
from untemplate.compiler.cli.measuring import Compiled, Interpreted, Measured, Reader, Reply, measure
from untemplate.compiler.cli.replies import parser_spec, prefix_of, prefix_options, tools_of


@click.command("bench", epilog=EXIT_CODES)
@click.argument("template", type=click.Path())
@click.argument("file", type=click.Path(allow_dash=True))
@prefix_options
@click.option("--tools", metavar="FILE", type=click.Path(), help="JSON tools, for the types of arguments.")
@click.option(
    "--chunk", metavar="N", type=click.IntRange(min=1), default=4, show_default=True, help="Characters fed at a time."
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=1.0,
    show_default=True,
    help="How long to measure each; it takes longer only where reading all replies once does.",
)
@click.pass_context
def command(
    ctx: click.Context,
    template: str,
    file: str,
    prefix: str | None,
    prefix_file: str | None,
    no_prefix: bool,
    tools: str | None,
    chunk: int,
    seconds: float,
) -> None:
    """Measure a template's parser on your replies.

    FILE holds one reply, or, if its name ends in .jsonl, one JSON object a line with "text" and, if need be, "prefix"
    and "tools". All replies are read in one piece, and streamed in chunks; if transformers is installed, by its
    interpreter too, and it is said whether both read the same. Times are the best of several rounds.

    Without a prefix, replies are taken to be whole. Replies that are rejected are left out.

    \b
      untemplate bench my.json replies.jsonl --chunk 4
    """
    parser = parser_spec(None, template)
    settings = Settings(prefix_of(prefix, prefix_file, no_prefix) or "", tools_of(tools), "raise")
    replies = _replies(file, settings)
    readers: list[Reader] = [Compiled(parser.load())]
    interpreter = Interpreted.of(readers[0].template)
    if interpreter is not None:
        readers.append(interpreter)
    kept = [reply for reply in replies if all(reader.accepts(reply) for reader in readers)]
    if not kept:
        click.echo(f"all {len(replies)} replies are rejected: there is nothing to measure", err=True)
        ctx.exit(FINDINGS)
    measured = [measure(reader, kept, chunk, seconds) for reader in readers]
    characters = sum(len(reply.text) for reply in kept)
    count = "1 reply" if len(kept) == 1 else f"{len(kept)} replies"
    head = f"{count} of {characters / len(kept):.0f} characters on average, chunks of {chunk}"
    _print(head, _rows(readers, measured))
    if len(kept) < len(replies):
        click.echo(f"left out: {len(replies) - len(kept)} replies that are rejected")
    if interpreter is None:
        click.echo("nothing to compare with: transformers is not installed, too old, or refuses the template")
        return
    for what, differ in _differences(readers, kept, chunk):
        click.echo(f"{what}: {f'{differ} replies are read differently' if differ else 'both read the same'}")


def _replies(file: str, settings: Settings) -> list[Reply]:
    """The replies in a file.

    Raises:
        Failure: there are none, or a line holds none.
    """
    if not file.endswith(".jsonl"):
        return [Reply(read_text(file), settings.prefix or "", settings.tools)]
    replies = []
    for number, line in enumerate(read_bytes(file).splitlines(), 1):
        try:
            replies.append(Reply(*read_line(line, settings)))
        except BadLine as error:
            raise Failure(problem(f"{file}:{number}", str(error))) from error
    if not replies:
        raise Failure(problem(file, "there are no replies in it"))
    return replies


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    cells: tuple[str, ...]


def _rows(readers: list[Reader], measured: list[Measured]) -> list[_Row]:
    rows = [
        _Row(reader.name, (f"{one.whole:.1f}", f"{one.streamed:.1f}", f"{one.chunk:.2f}"))
        for reader, one in zip(readers, measured, strict=True)
    ]
    if len(measured) > 1:
        ours, theirs = measured[0], measured[1]
        pairs = ((theirs.whole, ours.whole), (theirs.streamed, ours.streamed), (theirs.chunk, ours.chunk))
        rows.append(_Row("ratio", tuple(f"{other / own:.1f}×" for other, own in pairs)))
    return rows


_COLUMNS = ("in one piece, µs per reply", "streamed, µs per reply", "streamed, µs per chunk")


def _print(head: str, rows: list[_Row]) -> None:
    if is_rich(sys.stdout):
        from rich.console import Console
        from rich.table import Table

        table = Table(title=head)
        table.add_column("")
        for column in _COLUMNS:
            table.add_column(column, justify="right")
        for row in rows:
            table.add_row(row.name, *row.cells, style="bold" if row.name == "ratio" else "")
        Console(file=sys.stdout).print(table)
        return
    first = max(len(row.name) for row in rows)
    click.echo(head)
    click.echo("  ".join([" " * first, *_COLUMNS]))
    for row in rows:
        cells = [cell.rjust(len(column)) for cell, column in zip(row.cells, _COLUMNS, strict=True)]
        click.echo("  ".join([row.name.ljust(first), *cells]))


def _differences(readers: list[Reader], replies: list[Reply], chunk: int) -> list[tuple[str, int]]:
    """How many replies the two readers read differently, in one piece and streamed."""
    ours, theirs = readers
    whole = sum(ours.read(reply) != theirs.read(reply) for reply in replies)
    streamed = sum(ours.streamed(reply, chunk) != theirs.streamed(reply, chunk) for reply in replies)
    return [("in one piece", whole), ("streamed", streamed)]
