"""What the commands that read replies share: which parser, which prompt, which tools, and the reply in pieces."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, TypeVar

import click

from untemplate.compiler.cli.batch import ParserSpec
from untemplate.compiler.cli.failure import Failure, problem, read_text, reason, template_errors

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_READ_SIZE = 1 << 16


def _complete_family(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    from untemplate.generated import FAMILIES

    return [family for family in FAMILIES if family.startswith(incomplete)]


def prefix_options(function: Decorated) -> Decorated:
    """Adds the options that say which prompt the model continued."""
    for option in (
        click.option("--no-prefix", is_flag=True, help="The reply is whole: the prompt holds none of it."),
        click.option(
            "--prefix-file",
            type=click.Path(allow_dash=True),
            help="A file that is the prompt, and no more.",
        ),
        click.option("--prefix", metavar="TEXT", help="The prompt that the model continued."),
    ):
        function = option(function)
    return function


def family_option(function: Decorated) -> Decorated:
    """Adds the option that names a family that is built in."""
    option = click.option(
        "--family", metavar="FAMILY", shell_complete=_complete_family, help="A family of `untemplate families`."
    )
    return option(function)


def parser_spec(family: str | None, template: str | None) -> ParserSpec:
    """The parser of a family, or of a template.

    Raises:
        UsageError: not exactly one of the two is given, or there is no such family.
        Failure: the template is bad.
    """
    if (family is None) == (template is None):
        raise click.UsageError("Say which parser: give either --family or --template.")
    if template is not None:
        with template_errors():
            from untemplate.compiler.frontend.inputs import read_source
            from untemplate.compiler.pipeline import compile_in_memory

            plan, code = compile_in_memory(read_source(template))
        return ParserSpec(plan.name, code)
    assert family is not None
    from untemplate.generated import FAMILIES

    if family not in FAMILIES:
        from difflib import get_close_matches

        near = get_close_matches(family, FAMILIES, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`untemplate families` lists all"
        raise click.UsageError(f"There is no family {family!r}; {hint}")
    return ParserSpec(family, "")


def prefix_of(prefix: str | None, prefix_file: str | None, no_prefix: bool) -> str | None:
    """The prompt that the options give; `None` if they say nothing.

    Raises:
        UsageError: they say several things.
        Failure: the file can not be read.
    """
    if (prefix is not None) + (prefix_file is not None) + no_prefix > 1:
        raise click.UsageError("Give only one of --prefix, --prefix-file and --no-prefix.")
    if prefix_file is not None:
        return read_text(prefix_file)
    return "" if no_prefix else prefix


def tools_of(path: str | None) -> list[Any] | None:
    """The tools in a file.

    Raises:
        Failure: it can not be read, or is no JSON list of objects.
    """
    if path is None:
        return None
    try:
        tools = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise Failure(problem(path, f"not JSON: {reason(error)}")) from error
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise Failure(problem(path, "tools are a JSON list of objects, each with a function's name and parameters"))
    return tools


def arriving(stream: BinaryIO, origin: str) -> Iterator[str]:
    """The text of a stream in UTF-8, in pieces as they come.

    Raises:
        Failure: it is not UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    read = getattr(stream, "read1", stream.read)
    try:
        while data := read(_READ_SIZE):
            if text := decoder.decode(data):
                yield text
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise Failure(problem(origin, f"not UTF-8: byte 0x{error.object[error.start]:02X}")) from error


def in_chunks(pieces: Iterable[str], size: int | None) -> Iterator[str]:
    """The text of all pieces cut into chunks of `size` characters; as it is for `None`."""
    if size is None:
        yield from pieces
        return
    rest = ""
    for piece in pieces:
        rest += piece
        whole = len(rest) - len(rest) % size
        yield from (rest[at : at + size] for at in range(0, whole, size))
        rest = rest[whole:]
    if rest:
        yield rest
