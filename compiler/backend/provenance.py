"""What a generated module says about where it comes from."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

BODY_MARK = "from __future__ import annotations\n"
"""The line that a module's body begins with; what stands before it is the header."""

_TEMPLATE = re.compile(r"^# template digest: ([0-9a-f]{64})$", re.MULTILINE)
_BODY = re.compile(r"^# body digest:     ([0-9a-f]{64})$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the header of a generated module says.

    Attributes:
        template_digest: of the template it was made from, 64 hexadecimal digits.
        body_digest: of the body as it was written.
        edited: whether the body was changed since.
    """

    template_digest: str
    body_digest: str
    edited: bool


def body_digest(body: str) -> str:
    """The SHA-256 of a module's body, as 64 hexadecimal digits."""
    return hashlib.sha256(body.encode("utf-8")).hexdigest()


def read_provenance(module: str) -> Provenance | None:
    """What a module's source says of itself; `None` if it is not a generated module."""
    header, mark, rest = module.partition(BODY_MARK)
    template, body = _TEMPLATE.search(header), _BODY.search(header)
    if not mark or template is None or body is None:
        return None
    return Provenance(template[1], body[1], body_digest(mark + rest) != body[1])
