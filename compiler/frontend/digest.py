"""The fingerprint of a template, by which a generated module is known to belong to it."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def template_digest(raw: dict[str, Any]) -> str:
    """SHA-256 (64 hexadecimal digits) of the template as compact JSON in ASCII.

    Spacing and escapes of the file do not count, nor whether the template was a file or a dict; the order of keys does.
    """
    text = json.dumps(raw, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()
