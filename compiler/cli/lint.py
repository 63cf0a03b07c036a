"""`untemplate lint`: what is likely wrong in templates that load."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from untemplate.compiler.diagnostics import TemplateError
from untemplate.compiler.frontend.inputs import module_name, read_source
from untemplate.compiler.lint.allow import CATALOGUE, Allowance, AllowError, Entry, read_allowance, read_entry
from untemplate.compiler.lint.formats import Linted, as_github, as_json, as_text, linted, unloadable
from untemplate.compiler.lint.rule import Severity
from untemplate.compiler.lint.run import lint

_FORMATS = {"text": as_text, "json": as_json, "github": as_github}


@click.command("lint")
@click.argument("templates", nargs=-1, required=True, metavar="TEMPLATE…")
@click.option("--format", "form", type=click.Choice([*_FORMATS]), default="text", help="How findings are shown.")
@click.option("--strict", is_flag=True, help="Findings of severity info count too.")
@click.option("--allow", multiple=True, metavar="CODE[:PATH]", help="Allow a rule, everywhere or below a JSON path.")
@click.option(
    "--allow-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="TOML with a table per template, in which lint_allow maps CODE[:PATH] to the reason.",
)
@click.option(
    "--prompt",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A prompt of the model, up to where its reply begins: the start anchor must be in it.",
)
def command(
    templates: tuple[str, ...],
    form: str,
    strict: bool,
    allow: tuple[str, ...],
    allow_file: Path | None,
    prompt: Path | None,
) -> None:
    """Say what is likely wrong in response templates.

    A TEMPLATE is a JSON file, a model's folder, or - for standard input. What a families.toml beside the file says
    about it (lint_allow, prompt, ends) counts too. Exit status: 0 if nothing was found, 1 if something was (warnings
    and errors, with --strict all), 2 if a template does not load.
    """
    given = tuple(read_allowance(text) for text in allow)
    try:
        text = prompt.read_text(encoding="utf-8") if prompt is not None else None
        results = [_linted(template, given, allow_file, text) for template in templates]
    except (AllowError, OSError, UnicodeDecodeError) as error:
        raise click.UsageError(str(error)) from error
    click.echo(_FORMATS[form](results))
    if not all(result.loads for result in results):
        sys.exit(2)
    worst = Severity.INFO if strict else Severity.WARNING
    sys.exit(int(any(problem.severity <= worst for result in results for problem in result.shown)))


def _linted(template: str, given: tuple[Allowance, ...], allow_file: Path | None, prompt: str | None) -> Linted:
    known = _known(template)
    from_file = read_entry(allow_file, module_name(Path(template))).allowed if allow_file is not None else ()
    try:
        source = read_source(template)
        allowed = (*given, *from_file, *known.allowed)
        return linted(
            source, lint(source, prompt=known.prompt if prompt is None else prompt, ends=known.ends, allowed=allowed)
        )
    except TemplateError as error:
        return unloadable(error)


def _known(template: str) -> Entry:
    """What the catalogue beside the file says; nothing where there is none."""
    path = Path(template)
    catalogue = path.parent / CATALOGUE
    return read_entry(catalogue, module_name(path)) if path.is_file() and catalogue.is_file() else Entry()
