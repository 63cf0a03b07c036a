"""The command `untemplate parse`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import click

from untemplate.compiler.cli.batch import ParserSpec, Settings
from untemplate.compiler.cli.bulk import parse_file
from untemplate.compiler.cli.console import is_rich
from untemplate.compiler.cli.entry import EXIT_CODES, FINDINGS
from untemplate.compiler.cli.failure import Failure, problem, reason
from untemplate.compiler.cli.live import EventsView, LiveView, MessageView, PlainView, View, as_json
from untemplate.compiler.cli.replies import (
    arriving,
    family_option,
    in_chunks,
    parser_spec,
    prefix_of,
    prefix_options,
    tools_of,
)
from untemplate.compiler.diagnostics import printable
from untemplate.runtime.errors import ResponseParseError

_LIVE_CHUNK = 4  # characters, about a token

_NO_PREFIX = (
    "The prompt is missing: chat templates often write the beginning of the reply into it (an opening <think>, say), "
    "and without that the reply is read wrongly. Give it with --prefix or --prefix-file; if the reply is whole, say "
    "--no-prefix."
)


@click.command("parse", epilog=EXIT_CODES)
@click.argument("reply", required=False)
@family_option
@click.option("--template", metavar="TEMPLATE", type=click.Path(allow_dash=True), help="A template of your own.")
@click.option("--file", type=click.Path(), help="A file that holds the reply.")
@prefix_options
@click.option("--tools", metavar="FILE", type=click.Path(), help="JSON tools, for the types of arguments.")
@click.option("--chunk", metavar="N", type=click.IntRange(min=1), help="Feed the reply in chunks of N characters.")
@click.option("--stream", is_flag=True, help="Show the regions as they come, and what is held back.")
@click.option("--events", is_flag=True, help="Print the events, one JSON object a line.")
@click.option("--delay", metavar="SECONDS", type=click.FloatRange(min=0), default=0.0, help="Wait after each chunk.")
@click.option("--jsonl", is_flag=True, help="The input holds many replies, one JSON object a line.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Where the lines for many replies go.")
@click.option(
    "--workers", metavar="N", type=click.IntRange(min=1), help="Processes for many replies; all cores if left out."
)
@click.option(
    "--on-malformed",
    type=click.Choice(["raise", "event"]),
    default="raise",
    show_default=True,
    help="A region whose content is rejected: reject the reply, or report the region and go on.",
)
@click.pass_context
def command(
    ctx: click.Context,
    reply: str | None,
    family: str | None,
    template: str | None,
    file: str | None,
    prefix: str | None,
    prefix_file: str | None,
    no_prefix: bool,
    tools: str | None,
    chunk: int | None,
    stream: bool,
    events: bool,
    delay: float,
    jsonl: bool,
    output: str | None,
    workers: int | None,
    on_malformed: Literal["raise", "event"],
) -> None:
    """Read replies into messages.

    REPLY is the model's output itself; without it, it comes from --file or from standard input. The message is printed
    as JSON; with --events what a stream of the reply would give, with --stream the same to look at.

    \b
      untemplate parse --family smollm3 --no-prefix '<think>Easy.</think>Four.'
      untemplate parse --template my.json --prefix-file prompt.txt --file reply.txt --stream --delay 0.05
      some-server | untemplate parse --family qwen3 --prefix-file prompt.txt --events

    Many replies at once: a file whose name ends in .jsonl, or any input with --jsonl, has an object a line, with "text"
    and, if need be, "prefix" and "tools", which go before the options. For every line there is one of output,
    {"message": ...} or {"error": {"line": ..., "kind": ..., "reason": ...}}, in the same order.

    \b
      untemplate parse --family qwen3 --no-prefix replies.jsonl -o messages.jsonl
    """
    many = jsonl or output is not None or _is_lines_file(reply) or _is_lines_file(file)
    from_stdin = file is None and reply in (None, "-")
    if from_stdin + (template == "-") + (prefix_file == "-") > 1:
        raise click.UsageError("Standard input can be read only once.")
    if reply is not None and file is not None:
        raise click.UsageError("Give the reply either as argument or with --file.")
    if reply is not None and not many and os.path.isfile(reply):
        raise click.UsageError(f"{reply!r} is a file: read it with --file, or pass the reply itself.")
    if stream and events:
        raise click.UsageError("Give only one of --stream and --events.")
    if many and (stream or events or chunk):
        raise click.UsageError("--stream, --events and --chunk are for one reply, not for lines of JSON.")
    parser = parser_spec(family, template)
    before = prefix_of(prefix, prefix_file, no_prefix)
    if before is None and not many:
        raise click.UsageError(_NO_PREFIX)
    settings = Settings(before, tools_of(tools), on_malformed)
    if many:
        path = file or reply or "-"
        ctx.exit(parse_file(path, output, parser, settings, workers or _cores()))
    size = _LIVE_CHUNK if chunk is None and stream and not from_stdin else chunk
    pieces = in_chunks(_pieces(reply, file, whole=not (stream or events)), size)
    ctx.exit(_parse_one(pieces, parser, settings, _view(stream, events), delay, stream))


def _is_lines_file(path: str | None) -> bool:
    """Whether this names a file of many replies: also one that is not there, unless it looks like a reply."""
    if path is None or not path.endswith(".jsonl"):
        return False
    return os.path.isfile(path) or not any(map(str.isspace, path))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pieces(reply: str | None, file: str | None, whole: bool) -> Iterator[str]:
    """The reply, in one piece or as it comes.

    Raises:
        Failure: it can not be read.
    """
    if file is None and reply not in (None, "-"):
        assert reply is not None
        yield reply
        return
    try:
        with _opened(file) as source:
            pieces = arriving(source, file or "<stdin>")
            if whole:
                yield "".join(pieces)
            else:
                yield from pieces
    except OSError as error:
        raise Failure(problem(file or "<stdin>", f"can not be read: {reason(error)}")) from error


def _opened(file: str | None) -> Any:
    """The file, or standard input, as a context of bytes."""
    if file is not None:
        return open(file, "rb")
    if sys.stdin.isatty():
        click.echo("reading the reply from the terminal; end it with Ctrl-D", err=True)
    return click.open_file("-", "rb")


def _parse_one(
    pieces: Iterable[str], parser: ParserSpec, settings: Settings, view: View, delay: float, streams: bool
) -> int:
    """Parses one reply, given in chunks, and shows it; returns the exit code."""
    module = parser.load()
    malformed = False

    def show(events: list[Any], held: str) -> None:
        nonlocal malformed
        malformed = malformed or any(event["type"] == "region_malformed" for event in events)
        view.update(events, held)

    try:
        reader = module.ResponseParser(settings.prefix, settings.tools, settings.on_malformed)
        show(reader.initial_events, reader.held if streams else "")
        for text in pieces:
            show(reader.feed(text), reader.held if streams else "")
            if delay:
                time.sleep(delay)
        message, last = reader.finalize()
        show(last, "")
    except ResponseParseError as error:
        view.update(error.events, "")
        view.close(None)
        click.echo(f"the reply is rejected: {printable(str(error))}", err=True)
        if error.message:
            click.echo(f"parsed before: {as_json(error.message)}", err=True)
        return FINDINGS
    except BaseException:
        view.close(None)
        raise
    view.close(message)
    return FINDINGS if malformed else 0


def _view(stream: bool, events: bool) -> View:
    if events:
        return EventsView()
    if not stream:
        return MessageView()
    return LiveView(sys.stdout) if is_rich(sys.stdout) else PlainView()
