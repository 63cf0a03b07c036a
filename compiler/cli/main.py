"""The program `untemplate`."""

from __future__ import annotations

from typing import NoReturn

from untemplate.compiler.cli.entry import run


def main() -> NoReturn:
    """Runs the program; see `untemplate --help`."""
    run("untemplate.compiler.cli.group", "untemplate")
