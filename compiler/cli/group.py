"""The command `untemplate`: its sub-commands are imported when they are called."""

from __future__ import annotations

from importlib import import_module

import click

from untemplate.compiler.cli.entry import EXIT_CODES

_COMMANDS = {
    "parse": "Read replies: as messages, as events, or live.",
    "explain": "Say how the parser of a template works.",
    "lint": "Find what is doubtful in a template.",
    "verify": "Test a template's parser on replies.",
    "detect": "Find the family that a model belongs to.",
    "families": "List the model families that are built in.",
    "schema": "Print the JSON schema of templates.",
    "bench": "Measure a template's parser on your replies.",
}
"""Each in a module of its own name, as `command`. What they do stands here so that the help imports none of them."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"untemplate.compiler.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"untemplate {version('untemplate')}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version and exit.",
)
def command() -> None:
    """Read the replies of language models.

    Chat templates write the prompt; response templates say how to read the reply back: which delimiters open and close
    its regions, and what is in them. These are the tools around such templates. The compiler itself, which makes a
    Python module of a template, is the program compile-template.

    \b
    Which model family is this, and is there a parser for it?
      untemplate detect path/to/model
      untemplate families
    Read a reply, or a whole file of them:
      untemplate parse --family smollm3 --no-prefix '<think>Easy.</think>Four.'
      untemplate parse --template my.json --no-prefix replies.jsonl -o messages.jsonl
    Watch what a stream shows, and what it holds back:
      untemplate parse --family qwen3 --prefix-file prompt.txt --file reply.txt --stream
    Write a template of one's own:
      untemplate lint my.json
      untemplate explain my.json
      compile-template my.json -o parsers/

    \b
    Completion of options and commands (bash; zsh and fish alike):
      eval "$(_UNTEMPLATE_COMPLETE=bash_source untemplate)"
      eval "$(_COMPILE_TEMPLATE_COMPLETE=bash_source compile-template)"
    """
