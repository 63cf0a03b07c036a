"""The JSON Schema (2020-12) of response templates, as it is shipped with them."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

_FILE = "schema/response_template.schema.json"


def schema_text() -> str:
    """The schema as JSON text."""
    return files("untemplate.templates").joinpath(_FILE).read_text("utf-8")


def template_schema() -> dict[str, Any]:
    """The schema as JSON values."""
    schema: dict[str, Any] = json.loads(schema_text())
    return schema
