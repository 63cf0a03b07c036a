"""The command `untemplate verify`: a response template against the chat template of its model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from untemplate.compiler.cli.entry import EXIT_CODES, FINDINGS
from untemplate.compiler.cli.failure import Failure, problem, read_text, template_errors
from untemplate.compiler.diagnostics import printable
from untemplate.compiler.families.catalogue import catalogue
from untemplate.compiler.families.subject import Subject, SubjectError, read_subject
from untemplate.compiler.loading import load_parser
from untemplate.compiler.verify.chat_template import ChatTemplate, RenderError
from untemplate.compiler.verify.conversations import BUILT_IN, Conversation, ConversationError, read_conversations
from untemplate.compiler.verify.report import as_json, as_text
from untemplate.compiler.verify.verification import Result, verify


@click.command(
    "verify", context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES, no_args_is_help=True
)
@click.argument("template", metavar="TEMPLATE|FAMILY")
@click.option(
    "--chat-template",
    "where",
    metavar="FILE|DIR",
    help="A chat template, a tokenizer_config.json, or a model's folder. By default the folder that TEMPLATE is.",
)
@click.option(
    "--messages",
    metavar="FILE",
    help="More conversations, as JSON: a list of messages, an object with messages and tools, or a list of such ones.",
)
@click.option(
    "--variable",
    "variables",
    metavar="NAME=VALUE",
    multiple=True,
    help="A variable of the chat template, such as enable_thinking=true or eos_token=</s>. May be repeated.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.pass_context
def command(
    ctx: click.Context, template: str, where: str | None, messages: str | None, variables: tuple[str, ...], form: str
) -> None:
    """Verify a response template with the chat template of its model.

    Conversations are written by the chat template; what it writes after the generation prompt is taken for the model's
    reply and is parsed, at once and character by character. The message that comes out must be the one put in. TEMPLATE
    is a response template as compile-template takes it; or the name of a FAMILY, for the one that is built in.

    \b
      untemplate verify my.json --chat-template chat_template.jinja
      untemplate verify path/to/model
      untemplate verify qwen3 --chat-template path/to/model --variable enable_thinking=false

    Exit code 1: a message came back changed, or no conversation could be tried.
    """
    subject = _subject(where if where is not None else template)
    conversations = [*BUILT_IN, *(_read_conversations(messages) if messages is not None else [])]
    values = {**subject.variables, **_values(variables)}
    with template_errors():
        parser = load_parser(catalogue()[template].template() if template in catalogue() else template)
    results = [verify(parser, _chat_template(subject, one, values), one) for one in conversations]
    if form == "json":
        click.echo(json.dumps([as_json(result) for result in results], ensure_ascii=False, indent=2))
    else:
        for result in results:
            click.echo(as_text(result))
        click.echo(_summary(results))
    ctx.exit(0 if _is_fine(results) else FINDINGS)


def _subject(where: str) -> Subject:
    try:
        subject = read_subject(where)
    except SubjectError as error:
        raise Failure(printable(str(error))) from error
    if not subject.chat_templates:
        raise Failure(problem(where, "there is no chat template", "say with --chat-template where it is"))
    return subject


def _chat_template(subject: Subject, conversation: Conversation, values: dict[str, Any]) -> ChatTemplate:
    """The chat template for a conversation: some models have one of its own for tools."""
    named = subject.chat_templates
    default = named.get("default", next(iter(named.values())))
    source = named.get("tool_use", default) if conversation.tools else default
    try:
        return ChatTemplate(source, values)
    except RenderError as error:
        raise Failure(printable(str(error))) from error


def _read_conversations(path: str) -> list[Conversation]:
    try:
        return read_conversations(read_text(path), path)
    except ConversationError as error:
        raise Failure(printable(str(error))) from error


def _values(variables: Sequence[str]) -> dict[str, Any]:
    """The values of `--variable`: JSON where they are, else text."""
    values: dict[str, Any] = {}
    for variable in variables:
        name, equals, text = variable.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{variable!r} is not of the form NAME=VALUE", param_hint="--variable")
        try:
            values[name] = json.loads(text)
        except ValueError:
            values[name] = text
    return values


def _is_fine(results: Sequence[Result]) -> bool:
    return not any(result.fault for result in results) and any(not result.skipped for result in results)


def _summary(results: Sequence[Result]) -> str:
    wrong = sum(result.fault is not None for result in results)
    skipped = sum(bool(result.skipped) for result in results)
    same = len(results) - wrong - skipped
    return f"{same} of {len(results)} came back as they were, {wrong} changed, {skipped} not tried"
