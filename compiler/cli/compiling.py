"""The command `compile-template`: templates in, modules out."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from untemplate.compiler.check import ORPHAN, Finding, Module, check_modules, is_generated
from untemplate.compiler.cli.entry import EXIT_CODES, FINDINGS
from untemplate.compiler.cli.failure import Failure, problem
from untemplate.compiler.cli.naming import folded, name_fault
from untemplate.compiler.cli.writing import unwritable, write_all
from untemplate.compiler.diagnostics import TemplateError, quoted
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.frontend.source import Source


@click.command(
    "compile-template",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES,
    no_args_is_help=True,
)
@click.argument("templates", metavar="TEMPLATE...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "-o",
    "--output",
    metavar="FILE|DIR",
    type=click.Path(),
    help="Where the modules go: a file if it ends in .py and is no folder, else a folder, made if need be. "
    "By default the current folder.",
)
@click.option("--name", metavar="NAME", help="What the module is called. By default as FILE, else as the template.")
@click.option("--standalone", is_flag=True, help="Put the parts of the runtime that are used into the module.")
@click.option("--check", is_flag=True, help="Write nothing; report every module that is not what its template gives.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the module instead of writing it.")
@click.pass_context
def command(
    ctx: click.Context,
    templates: tuple[str, ...],
    output: str | None,
    name: str | None,
    standalone: bool,
    check: bool,
    to_stdout: bool,
) -> None:
    """Compile response templates into Python parser modules.

    A TEMPLATE is a JSON file with a response template, a tokenizer_config.json that has one under response_template, a
    model's folder with such a file, or - for standard input. Each gives a module NAME.py, called after the file, or
    after the folder where the file is called as in every folder.

    \b
      compile-template smollm3.json                  writes smollm3.py
      compile-template path/to/model -o reply.py     writes reply.py
      compile-template templates/*.json -o parsers/  writes a module for each
      compile-template templates/*.json -o parsers/ --check

    If any template is bad, all faults of all templates are reported and nothing is written. Files change only when
    their text does, and all at once. A file that was not generated is never overwritten. With the same template and
    name, the module is the same to the byte, wherever and whenever it is made.

    --check finds modules that are missing, of a template that has changed, edited by hand, or of another version of
    the compiler; and, in a folder given with -o, generated modules that none of the templates gives.
    """
    if len(templates) > 1 and (name is not None or to_stdout):
        raise click.UsageError(f"{'--name' if name is not None else '--stdout'} takes one TEMPLATE.")
    if to_stdout and (check or output is not None):
        raise click.UsageError(f"--stdout does not go with {'--check' if check else '--output'}.")
    if output == "-":
        raise click.UsageError("-o names a file or a folder; to print the module use --stdout")
    if templates.count("-") > 1:
        raise click.UsageError("Standard input can be read only once.")
    file = _as_file(output)
    if file is not None and len(templates) > 1:
        raise click.UsageError(f"{len(templates)} templates need a folder, not the file {quoted(str(file))}.")
    folder = Path(output or "") if file is None else file.parent
    modules = _compiled(templates, file.stem if name is None and file else name, folder, standalone)
    if file is not None:
        modules = [Module(module.template, module.name, file, module.source) for module in modules]
    if to_stdout:
        sys.stdout.buffer.write(modules[0].source.encode("utf-8"))
    elif check:
        findings = check_modules(modules, folder if output and file is None else None)
        options = _options(output, name, standalone)
        _report(findings, modules, options)
        ctx.exit(FINDINGS if findings else 0)
    else:
        _write(modules)


def _as_file(output: str | None) -> Path | None:
    """The output, if it is to be a file."""
    if output is None or not output.endswith(".py") or Path(output).is_dir():
        return None
    return Path(output)


def _compiled(templates: Sequence[str], name: str | None, folder: Path, standalone: bool) -> list[Module]:
    """The modules of all templates.

    Raises:
        Failure: reports all that is wrong with any template or name.
    """
    faults: list[str] = []
    sources: list[tuple[str, Source, str]] = []
    for template in templates:
        try:
            source = read_source(template)
        except TemplateError as error:
            faults.append(str(error))
        else:
            sources.append((template, source, source.module_name if name is None else name))
    modules = []
    faults += _name_faults([(template, called) for template, _, called in sources])
    for template, source, called in sources:
        try:
            text = _module(source, called, standalone)
        except TemplateError as error:
            faults.append(str(error))
        except ValueError:
            if not faults:  # else it may be the name, which is reported already
                raise
        else:
            modules.append(Module(template, called, folder / f"{called}.py", text))
    if faults:
        raise Failure("\n".join(faults))
    return modules


def _name_faults(named: Sequence[tuple[str, str]]) -> list[str]:
    """What is wrong with the names of modules; pairs of template and name."""
    faults = []
    first: dict[str, str] = {}
    for template, name in named:
        fault = name_fault(name)
        if fault is not None:
            faults.append(problem(template, f"the module's name {quoted(name)} {fault}", "choose one with --name"))
        if folded(name) in first:
            what = f"{quoted(first[folded(name)])} gives a module {quoted(name)} too"
            faults.append(problem(template, what, "compile one of them by itself, with --name"))
        first[folded(name)] = template
    return faults


def _module(source: Source, name: str, standalone: bool) -> str:
    if standalone:
        from untemplate.compiler.pipeline import compile_standalone

        return compile_standalone(source, name)
    from untemplate.compiler.pipeline import compile_template

    return compile_template(source, name)


def _write(modules: Sequence[Module]) -> None:
    """Writes the modules and names them.

    Raises:
        Failure: a file is in the way, or can not be written.
    """
    hint = "remove it, or choose another name with --name or -o"
    faults = [
        problem(str(module.path), "this file was not generated by compile-template, so it is not overwritten", hint)
        for module in modules
        if _is_foreign(module.path)
    ]
    if faults:
        raise Failure("\n".join(faults))
    written = set(write_all({module.path: module.source.encode("utf-8") for module in modules}))
    for module in modules:
        click.echo(f"{module.path}: {'written' if module.path in written else 'up to date'}")


def _is_foreign(path: Path) -> bool:
    """Whether there is a file with text that is no generated module."""
    try:
        return path.is_file() and path.stat().st_size > 0 and not is_generated(path)
    except OSError as error:
        raise unwritable(path, error) from error


def _options(output: str | None, name: str | None, standalone: bool) -> list[str]:
    options = ["-o", output] if output is not None else []
    options += ["--name", name] if name is not None else []
    return [*options, "--standalone"] if standalone else options


def _report(findings: Sequence[Finding], modules: Sequence[Module], options: Sequence[str]) -> None:
    """Prints the findings, each with what mends it, and how many of the modules are as they should be."""
    for finding in findings:
        if finding.kind == ORPHAN:
            mend = shlex.join(["rm", "--", str(finding.path)])
        else:
            mend = shlex.join(["compile-template", finding.template, *options])
        click.echo(f"{finding.path}: {finding.kind}: {finding.message}; mend with: {mend}", err=True)
    bad = len({finding.path for finding in findings if finding.kind != ORPHAN})
    click.echo(f"{len(modules) - bad} of {len(modules)} modules are as their templates give them", err=bool(findings))
