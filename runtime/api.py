"""Which generated modules this runtime runs. The promise behind these numbers is in docs/compatibility.md."""

from __future__ import annotations

from .errors import RuntimeMismatchError

CODEGEN = 3
"""The form of generated modules that the compiler of this version writes."""

OLDEST_CODEGEN = 1
"""The oldest form that this runtime still runs."""


def require(codegen: int, module: str) -> None:
    """Refuses a generated module that this runtime can not run.

    Raises:
        RuntimeMismatchError: says which side to renew.
    """
    if codegen > CODEGEN:
        raise RuntimeMismatchError(
            f"{module} was generated in form {codegen}, this untemplate runs {OLDEST_CODEGEN} to {CODEGEN}: "
            "install a newer untemplate, or generate the module again with `compile-template`"
        )
    if codegen < OLDEST_CODEGEN:
        raise RuntimeMismatchError(
            f"{module} was generated in form {codegen}, this untemplate runs {OLDEST_CODEGEN} to {CODEGEN}: "
            "generate the module again with `compile-template`"
        )
