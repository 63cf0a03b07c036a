"""The command `untemplate schema`: the JSON Schema of response templates."""

from __future__ import annotations

import click

from untemplate.compiler.cli.entry import EXIT_CODES
from untemplate.compiler.json_schema import schema_text


@click.command("schema", context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
def command() -> None:
    """Print the JSON schema of templates.

    Editors that are given it complete the keys of a template, explain them and mark mistakes. It knows the shape of
    templates only: patterns, captures and placeholders are checked by `untemplate lint` and by the compiler.

    \b
      untemplate schema > response_template.schema.json
    """
    click.echo(schema_text(), nl=False)
