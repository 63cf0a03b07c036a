"""The program `compile-template`."""

from __future__ import annotations

from typing import NoReturn

from untemplate.compiler.cli.entry import run


def main() -> NoReturn:
    """Runs the program; see `compile-template --help`."""
    run("untemplate.compiler.cli.compiling", "compile-template")
