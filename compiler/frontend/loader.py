"""From the JSON of a template to a checked `Template`."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from untemplate.compiler.frontend import checks, limits
from untemplate.compiler.frontend.contents import read_content
from untemplate.compiler.frontend.delimiters import read_delimiter
from untemplate.compiler.frontend.inputs import read_source
from untemplate.compiler.frontend.reading import ObjectView, wrong_type
from untemplate.compiler.frontend.report import Report
from untemplate.compiler.frontend.schema import Anchor, Field, Template
from untemplate.compiler.frontend.source import Source
from untemplate.compiler.frontend.transforms import read_transform

_TEMPLATE_KEYS = ("version", "defaults", "start_anchor", "start_anchor_pattern", "fields")
_FIELD_KEYS = (
    *("open", "open_pattern", "close", "close_pattern", "repeats", "join", "optional"),
    *("content", "content_args", "transform", "transform_each"),
)


def load_template(source: Source | dict[str, Any]) -> Template:
    """The template that the source holds.

    Raises:
        TemplateError: something is wrong with it; all faults are reported at once.
    """
    source = read_source(source)
    report = Report(source)
    raw = source.template
    if not isinstance(raw, dict):
        wrong_type(report, (), "a template", raw, "an object")
        raise report.error()
    view = ObjectView(report, (), raw, "a template")
    view.only_keys(_TEMPLATE_KEYS)
    _check_version(view)
    defaults = deepcopy(view.members["defaults"]) if view.object("defaults", '"defaults"') is not None else {}
    anchor = _read_anchor(view)
    fields = _read_fields(view)
    checks.check_several_implicit(report, fields)
    for field in fields:
        checks.check_field(report, field)
        if field.name in defaults:
            checks.check_default_not_extendable(report, field, defaults[field.name])
    if anchor is None or report.any:
        raise report.error()
    return Template(defaults, anchor, tuple(fields), raw)


def _check_version(view: ObjectView) -> None:
    version = view.members.get("version", 1)
    if type(version) is not int:
        wrong_type(view.report, ("version",), '"version"', version, "the number 1")
    elif version != 1:
        message = f"version {version if abs(version) < 10**9 else 'number'} is not known"
        view.report.add("unknown-version", ("version",), message, "the only version is 1")


def _read_anchor(view: ObjectView) -> Anchor | None:
    anchor = read_delimiter(view, "start_anchor")
    if anchor is None and view.report.sound(("start_anchor",), ("start_anchor_pattern",)):
        message = "there is no start_anchor, which says where the assistant's message starts in a prompt"
        hint = 'give "start_anchor" (a string or a list of strings) or "start_anchor_pattern" (a pattern)'
        view.report.add("missing-anchor", (), message, hint)
    return anchor


def _read_fields(view: ObjectView) -> list[Field]:
    """The fields that are objects, with defaults in place of what is wrong in them."""
    report = view.report
    if "fields" not in view and report.sound(("fields",)):
        report.add("missing-key", (), 'a template needs "fields"', "it maps each key of the message to a field")
    fields = view.object("fields", '"fields"')
    if fields is None:
        return []
    if not fields.members:
        report.add("no-fields", fields.path, '"fields" is empty', 'name a field, such as "content": {}')
    if len(fields.members) > limits.FIELDS:
        message = f"{len(fields.members):,} fields"
        report.add("over-limit", fields.path, message, f"the limit is {limits.FIELDS:,}")
        return []
    views = [fields.object(name, "a field") for name in fields.members]
    return [_read_field(field) for field in views if field is not None]


def _read_field(view: ObjectView) -> Field:
    view.only_keys(_FIELD_KEYS)
    return Field(
        name=str(view.path[-1]),
        open=read_delimiter(view, "open"),
        close=read_delimiter(view, "close"),
        repeats=view.flag("repeats", False),
        join=view.string("join"),
        optional=view.flag("optional", True),
        content=read_content(view),
        transform=read_transform(view),
        transform_each=view.flag("transform_each", False),
        path=view.path,
    )
