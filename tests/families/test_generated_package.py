"""The package of generated parsers: listed without importing, imported on access, from a folder or a zip file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from untemplate.compiler import compile_template

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and two parsers in it, and the runtime: all that an installed parser needs."""
    folder = tmp_path_factory.mktemp("library")
    shutil.copytree(ROOT / "runtime", folder / "untemplate/runtime", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "untemplate/generated").mkdir()
    shutil.copy(ROOT / "generated/__init__.py", folder / "untemplate/generated")
    for family in ("smollm3", "gpt_oss"):
        source = compile_template(ROOT / f"templates/{family}.json")
        (folder / f"untemplate/generated/{family}.py").write_text(source, "utf-8")
    return folder


@pytest.fixture(scope="module")
def archive(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in a zip file."""
    return Path(shutil.make_archive(str(tmp_path_factory.mktemp("archive") / "library"), "zip", library))


def run(where: Path, code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs code with nothing but the standard library and `where` on the path."""
    setup = f"import sys; sys.path.insert(0, {str(where)!r}); "
    return subprocess.run(
        [sys.executable, "-I", "-S", *options, "-c", setup + code], capture_output=True, text=True, check=True
    )


LISTING = """
from untemplate.generated import FAMILIES, load
import json
before = [name for name in sys.modules if name.startswith("untemplate.generated.")]
listed = list(FAMILIES), len(FAMILIES), "smollm3" in FAMILIES, "nothing" in FAMILIES, repr(FAMILIES)
after = [name for name in sys.modules if name.startswith("untemplate.generated.")]
module = FAMILIES["smollm3"]
message = module.parse_response("<think>Easy.</think>Four.", prefix="")
same = module is load("smollm3") is sys.modules["untemplate.generated.smollm3"]
try:
    load("nothing")
except LookupError as error:
    unknown = str(error)
try:
    FAMILIES["nothing"]
except KeyError as error:
    missing = error.args[0]
print(json.dumps([before, listed, after, message, same, unknown, missing]))
"""


@pytest.mark.parametrize("kind", ["library", "archive"])
def test_families(kind: str, request: pytest.FixtureRequest) -> None:
    result = run(request.getfixturevalue(kind), f"exec({LISTING!r})")
    before, listed, after, message, same, unknown, missing = json.loads(result.stdout)
    assert before == after == []
    assert listed == [["gpt_oss", "smollm3"], 2, True, False, "<2 families: gpt_oss, smollm3>"]
    assert message == {"role": "assistant", "reasoning_content": "Easy.", "content": "Four."}
    assert same
    assert "'nothing'" in unknown
    assert missing == "nothing"


def test_a_parser_loads_the_runtime_and_the_standard_library_only(library: Path) -> None:
    result = run(library, "from untemplate.generated import smollm3", "-X", "importtime")
    names = [line.rpartition("|")[2].strip() for line in result.stderr.splitlines() if line.startswith("import time:")]
    foreign = {name for name in names[1:] if name.partition(".")[0] not in {*sys.stdlib_module_names, "untemplate"}}
    assert not {name for name in foreign if name not in ("zipimport", "encodings")}
    own = {name for name in names if name.startswith("untemplate.")}
    assert {name.split(".")[1] for name in own} == {"generated", "runtime"}
    assert "untemplate.generated.gpt_oss" not in own


def test_the_names_of_the_package_lead_to_its_modules(library: Path) -> None:
    result = run(library, "from untemplate.generated import gpt_oss; print(gpt_oss.TEMPLATE['start_anchor'])")
    assert result.stdout.strip() == "<|start|>assistant"
