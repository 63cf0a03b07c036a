"""Modules of every form that this runtime says it runs go on running; all others are refused with what to do."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from support.cases import Case, load_transcripts
from support.chunking import every_char, stream, whole
from support.ours import as_json
from untemplate.generated import FAMILIES
from untemplate.runtime.api import CODEGEN, OLDEST_CODEGEN
from untemplate.runtime.errors import RuntimeMismatchError

KEPT = Path(__file__).parents[1] / "data" / "older_codegen"
FORMS = range(OLDEST_CODEGEN, CODEGEN + 1)
MODULES = sorted(path.name.removesuffix(".py.txt") for path in KEPT.iterdir())


def kept(name: str) -> str:
    """The module of a family as the compiler wrote it when its form had this number: "smollm3_form_1"."""
    return (KEPT / f"{name}.py.txt").read_text("utf-8")


def loaded(source: str) -> ModuleType:
    module = ModuleType("kept_module")
    exec(compile(source, "<kept module>", "exec"), module.__dict__)
    return module


@pytest.mark.parametrize(
    ("name", "case"),
    [
        pytest.param(name, case, id=f"{name}-{case.name}")
        for name in MODULES
        for case in load_transcripts()
        if case.name.startswith(f"{name.partition('_form_')[0]}-")
    ],
)
def test_a_kept_module_runs(name: str, case: Case) -> None:
    module = loaded(kept(name))
    family, _, form = name.partition("_form_")
    assert int(form) == module.CODEGEN
    assert as_json(module.parse_response(case.output, case.prefix, case.tools)) == as_json(case.message)
    for cut in (whole, every_char):
        chunks = cut(case.output)
        assert stream(module, case.prefix, chunks, case.tools) == stream(
            FAMILIES[family], case.prefix, chunks, case.tools
        )


@pytest.mark.parametrize(
    ("form", "advice"),
    [
        (OLDEST_CODEGEN - 1, "generate the module again with `compile-template`"),
        (CODEGEN + 1, "install a newer untemplate"),
        (99, "install a newer untemplate"),
    ],
)
def test_other_forms_are_refused(form: int, advice: str) -> None:
    source = kept(f"smollm3_form_{CODEGEN}").replace(f"CODEGEN = {CODEGEN}\n", f"CODEGEN = {form}\n")
    with pytest.raises(RuntimeMismatchError) as caught:
        loaded(source)
    message = str(caught.value)
    assert message.startswith(f"kept_module was generated in form {form}, this untemplate runs {OLDEST_CODEGEN} to ")
    assert advice in message
    assert isinstance(caught.value, ImportError)


def test_every_form_that_runs_is_kept() -> None:
    """Whoever raises `CODEGEN` adds a module of the new form, and leaves the old ones as they are."""
    assert {name for name in MODULES if name.startswith("smollm3")} == {f"smollm3_form_{form}" for form in FORMS}
    assert all(module.CODEGEN == CODEGEN for module in (FAMILIES["smollm3"], FAMILIES["gpt_oss"]))
