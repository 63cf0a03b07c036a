"""Parsing a whole file of replies: reading, progress, writing, and the summary."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import click

from untemplate.compiler.cli.batch import ParserSpec, Settings, parse_lines
from untemplate.compiler.cli.console import is_rich
from untemplate.compiler.cli.entry import FINDINGS
from untemplate.compiler.cli.failure import Failure, problem, reason
from untemplate.compiler.cli.writing import publish, stage, unwritable
from untemplate.compiler.diagnostics import printable

_MOST_SHOWN = 10


def parse_file(path: str, output: str | None, parser: ParserSpec, settings: Settings, workers: int) -> int:
    """Parses the replies in a file (`-`: standard input), into another or to standard output; returns the exit code.

    Raises:
        Failure: a file can not be read or written. Then no output is left.
    """
    try:
        source = click.open_file(path, "rb")
    except OSError as error:
        raise Failure(problem(path, f"can not be read: {reason(error)}")) from error
    with source, _target(output) as target:
        lines, rejected, bad = 0, list[tuple[int, str]](), list[tuple[int, str]]()
        with _progress(source) as advance:
            for outcome in parse_lines(source, parser, settings, workers):
                target.write(outcome.data)
                lines += outcome.lines
                rejected += outcome.rejected
                bad += outcome.bad
                advance(outcome.size)
    for what, found in (("rejected", rejected), ("bad", bad)):
        for number, why in found[:_MOST_SHOWN]:
            click.echo(f"{path}:{number}: {what}: {printable(why)}", err=True)
        if len(found) > _MOST_SHOWN:
            click.echo(f"{path}: {what}: … and {len(found) - _MOST_SHOWN} lines more", err=True)
    click.echo(f"{lines} line{'' if lines == 1 else 's'}: {len(rejected)} rejected, {len(bad)} bad", err=True)
    return FINDINGS if rejected or bad else 0


@contextmanager
def _target(output: str | None) -> Iterator[IO[bytes]]:
    """Where to write; a file comes into being only when all of it is written."""
    if output in (None, "-"):
        yield sys.stdout.buffer
        return
    assert output is not None
    path = Path(os.path.realpath(output))
    temporary: Path | None = None
    try:
        temporary = stage(path)
        with temporary.open("wb") as file:
            yield file
        publish(temporary, path)
    except OSError as error:
        raise unwritable(Path(output), error) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


@contextmanager
def _progress(source: IO[bytes]) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal; yields what to call with the bytes read since."""
    if not is_rich(sys.stderr):
        yield lambda size: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("parsing", total=_size(source))
        yield lambda size: progress.advance(task, size)


def _size(source: IO[bytes]) -> int | None:
    """Bytes of a regular file; `None` for anything else."""
    with suppress(OSError, ValueError):
        status = os.fstat(source.fileno())
        return status.st_size if stat.S_ISREG(status.st_mode) else None
    return None
