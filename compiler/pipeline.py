"""The compiler, stage by stage."""

from __future__ import annotations

import os
from typing import Any

from untemplate.compiler.backend.module import module_body, module_source
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.frontend.loader import load_template
from untemplate.compiler.frontend.source import Source
from untemplate.compiler.plan.build import plan_template
from untemplate.compiler.plan.nodes import Plan

TemplateLike = str | os.PathLike[str] | dict[str, Any] | Source
"""A template file, a `tokenizer_config.json`, a model folder, "-" for standard input, or the template as a dict."""


def make_plan(template: TemplateLike, name: str | None = None) -> Plan:
    """Loads, checks and plans a template.

    Raises:
        TemplateError: there is none, or something is wrong with it.
        ValueError: the name is no Python identifier. It is part of the module's text.
    """
    if name and not name.isidentifier():
        raise ValueError(f"a parser's name is a Python identifier, not {name!r}")
    source = read_source(template)
    return plan_template(load_template(source), name or source.module_name, source)


def compile_template(template: TemplateLike, name: str | None = None) -> str:
    """The source of the parser module for a template.

    Args:
        template: where the template is, or the template itself.
        name: what the parser is called; by default after the file or folder.

    Raises:
        TemplateError: there is no template, or something is wrong with it.
    """
    plan = make_plan(template, name)
    return module_source(plan, command(plan.name))


def compile_standalone(template: TemplateLike, name: str | None = None) -> str:
    """The source of a parser module that needs the standard library alone.

    Arguments and errors are those of `compile_template`.
    """
    plan = make_plan(template, name)
    return module_source(plan, f"{command(plan.name)} --standalone", standalone=True)


def compile_in_memory(template: TemplateLike) -> tuple[Plan, str]:
    """The plan and the code of a parser, without header and layout."""
    plan = make_plan(template)
    return plan, module_body(plan)


def command(name: str) -> str:
    """The command that makes a module again."""
    return f"compile-template {name}.json"
