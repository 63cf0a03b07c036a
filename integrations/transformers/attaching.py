"""Gives a response template to a tokenizer that came without one."""

from __future__ import annotations

import copy
import os
from typing import Any

from untemplate.compiler import load_parser
from untemplate.generated import FAMILIES

from .compiled import templates


def attach(tokenizer: Any, family_or_template: str | os.PathLike[str] | dict[str, Any]) -> None:
    """Sets `response_template` of a tokenizer, or of a processor's tokenizer; saving the tokenizer saves it too.

    Args:
        tokenizer: a tokenizer, or a processor that has one under `tokenizer`.
        family_or_template: the name of a model family, whose generated parser is then used as it is; or a template,
            as a dict, a JSON file, a tokenizer_config.json or a model's folder. A name wins over a file of that name.

    Raises:
        TemplateError: there is no template, or something is wrong with it.
    """
    if isinstance(family_or_template, str) and family_or_template in FAMILIES:
        parser = FAMILIES[family_or_template]
    else:
        parser = load_parser(family_or_template)
    template: dict[str, Any] = copy.deepcopy(parser.TEMPLATE)
    templates.add(template, parser.ResponseParser)
    getattr(tokenizer, "tokenizer", tokenizer).response_template = template
