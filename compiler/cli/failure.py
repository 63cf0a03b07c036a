"""What ends a command early, with exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from untemplate.compiler.cli.entry import USAGE
from untemplate.compiler.diagnostics import TemplateError, printable


class Failure(click.ClickException):
    """A report for standard error, as it stands: one line, or all the faults of a template."""

    exit_code = USAGE

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(self.message, file=file, err=file is None)


def problem(where: str, what: str, hint: str = "") -> str:
    """One fault in one line, in the form of template errors."""
    return f"{printable(where)}: error: {what}" + (f" ({hint})" if hint else "")


def reason(error: Exception) -> str:
    """Why the operating system, or a decoder, refused."""
    return getattr(error, "strerror", None) or str(error)


@contextmanager
def template_errors() -> Iterator[None]:
    """Turns the errors of a template into a `Failure` that reports all of them."""
    try:
        yield
    except TemplateError as error:
        raise Failure(str(error)) from error


def read_bytes(path: str) -> bytes:
    """All of a file, or of standard input for `-`.

    Raises:
        Failure: it can not be read.
    """
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise Failure(problem(path, f"can not be read: {reason(error)}")) from error


def read_text(path: str) -> str:
    """All of a file in UTF-8, or of standard input for `-`; line ends are kept as they are.

    Raises:
        Failure: it can not be read, or is not UTF-8.
    """
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Failure(problem(path, f"not UTF-8: byte 0x{error.object[error.start]:02X} at {error.start}")) from error
