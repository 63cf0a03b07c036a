"""How a command line starts and ends: what is missing is said in one line, and every way out has its exit code."""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module
from typing import NoReturn

FINE, FINDINGS, USAGE, INTERNAL = 0, 1, 2, 3
"""Exit codes: all well; something was found, or a reply rejected; a bad call or template; a fault of untemplate."""

_PIPE_CLOSED, _INTERRUPTED = 141, 130  # what shells expect of a process that SIGPIPE or SIGINT ended
_EXTRA = frozenset({"black", "click", "jinja2", "regex", "rich"})

EXIT_CODES = """\b
Exit codes:
  0  all is well
  1  there are findings, or a reply was rejected
  2  the call or a template is wrong
  3  untemplate itself is at fault"""
"""The end of every command's help."""


def run(module: str, program: str) -> NoReturn:
    """Runs the click command `command` of a module as the program of that name, and exits.

    The module is imported here, not by its caller, so that this works without the packages that it needs.
    """
    try:
        code = import_module(module).command.main(prog_name=program, standalone_mode=False)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRA:
            _internal(program)
        _say(f"{program}: the package {package} is not installed; try: pip install 'untemplate[compiler]'")
        sys.exit(USAGE)
    except (BrokenPipeError, KeyboardInterrupt) as error:
        _quiet(error)
    except SystemExit:
        # Click ends with 1, the code of findings, when nobody reads on; it leaves its mark on the stream then.
        if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):
            sys.exit(_PIPE_CLOSED)
        raise
    except Exception as error:
        sys.exit(_shown(error, program))
    try:
        sys.stdout.flush()
    except BrokenPipeError as error:
        _quiet(error)
    sys.exit(code if isinstance(code, int) else FINE)


def _shown(error: Exception, program: str) -> int:
    """Reports an exception that click lets through; returns the exit code."""
    import click

    if isinstance(error, click.ClickException):
        error.show()
        return FINDINGS if error.exit_code == FINDINGS and not isinstance(error, click.FileError) else USAGE
    if isinstance(error, click.Abort):
        _say("")
        return _INTERRUPTED
    _internal(program)


def _internal(program: str) -> NoReturn:
    traceback.print_exc()
    _say(f"{program}: internal error: please report it, with the lines above")
    sys.exit(INTERNAL)


def _quiet(error: BaseException) -> NoReturn:
    """Ends without a word; what is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(_PIPE_CLOSED if isinstance(error, BrokenPipeError) else _INTERRUPTED)


def _say(text: str) -> None:
    print(text, file=sys.stderr)
