"""`compile-template --check`, and the comparison behind it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from untemplate.compiler import compile_template
from untemplate.compiler.backend.provenance import body_digest, read_provenance
from untemplate.compiler.check import (
    DRIFTED,
    EDITED,
    FOREIGN,
    MISSING,
    ORPHAN,
    OUTDATED,
    UNREADABLE,
    Finding,
    Module,
    check_modules,
    compare,
)
from untemplate.compiler.cli.compiling import command

from .conftest import TEMPLATE


def call(*args: Any) -> Result:
    return CliRunner().invoke(command, list(map(str, args)))


@pytest.fixture(scope="module")
def module() -> str:
    return compile_template(TEMPLATE, "small")


def with_body(module: str, old: str, new: str) -> str:
    """The module as a compiler would have written it that makes another body of the same template."""
    found = read_provenance(module)
    assert found is not None
    changed = module.replace(old, new)
    body = changed[changed.index("from __future__") :]
    return changed.replace(found.body_digest, body_digest(body))


def test_no_difference(module: str) -> None:
    assert compare(module, module) == []


def test_drifted(module: str) -> None:
    other = compile_template({**TEMPLATE, "start_anchor": "<other>"}, "small")
    assert compare(other, module) == [DRIFTED]


def test_edited(module: str) -> None:
    assert compare(module, module + "# more\n") == [EDITED]
    assert compare(module, module.replace("do not edit", "edit at will")) == [EDITED]


def test_edited_and_drifted(module: str) -> None:
    other = compile_template({**TEMPLATE, "start_anchor": "<other>"}, "small")
    assert compare(other, module + "# more\n") == [EDITED, DRIFTED]


def test_outdated(module: str) -> None:
    assert compare(module, with_body(module, "class ResponseParser", "# as of old\nclass ResponseParser")) == [OUTDATED]


def test_foreign(module: str) -> None:
    assert compare(module, "x = 1\n") == [FOREIGN]
    assert compare(module, "") == [FOREIGN]


def test_files(module: str, tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text(module, "utf-8")
    (tmp_path / "bytes.py").write_bytes(b"\xff")
    (tmp_path / "orphan.py").write_text(module, "utf-8")
    (tmp_path / "mine.py").write_text("x = 1\n", "utf-8")
    modules = [Module(f"{name}.json", name, tmp_path / f"{name}.py", module) for name in ("good", "gone", "bytes")]
    assert check_modules(modules) == [
        Finding(MISSING, tmp_path / "gone.py", "gone.json"),
        Finding(UNREADABLE, tmp_path / "bytes.py", "bytes.json"),
    ]
    assert check_modules(modules, tmp_path)[2:] == [Finding(ORPHAN, tmp_path / "orphan.py")]


def test_line_ends_of_a_checkout_do_not_count(module: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(module.replace("\n", "\r\n").encode("utf-8"))
    assert check_modules([Module("a.json", "a", tmp_path / "a.py", module)]) == []


def test_nothing_found(template: Path, here: Path) -> None:
    call(template, "-o", "out")
    result = call(template, "-o", "out", "--check")
    assert result.exit_code == 0
    assert result.output == "1 of 1 modules are as their templates give them\n"


def test_every_finding_says_what_mends_it(template: Path, here: Path) -> None:
    other = template.with_name("o ther.json")
    other.write_text(json.dumps({**TEMPLATE, "start_anchor": "x"}), "utf-8")
    call(template, other, "-o", "out")
    (here / "out/small.py").unlink()
    (here / "out/o_ther.py").rename(here / "out/left.py")
    result = call(template, "-o", "out", "--check")
    assert result.exit_code == 1
    assert result.stdout == ""
    missing, orphan, summary = result.stderr.splitlines()
    assert missing == f"out/small.py: missing: there is no such module; mend with: compile-template {template} -o out"
    assert orphan.startswith("out/left.py: orphan: ")
    assert orphan.endswith("mend with: rm -- out/left.py")
    assert summary == "0 of 1 modules are as their templates give them"
    assert sorted(path.name for path in (here / "out").iterdir()) == ["left.py"]


def test_orphans_are_looked_for_only_in_a_folder_that_is_named(template: Path, here: Path) -> None:
    (here / "left.py").write_text(compile_template(TEMPLATE, "left"), "utf-8")
    call(template)
    assert call(template, "--check").exit_code == 0
    assert call(template, "-o", "small.py", "--check").exit_code == 0
    assert call(template, "-o", ".", "--check").exit_code == 1


def test_drift_by_the_command(template: Path, here: Path) -> None:
    call(template)
    template.write_text(json.dumps({**TEMPLATE, "start_anchor": "x"}), "utf-8")
    result = call(template, "--check")
    assert result.exit_code == 1
    assert "small.py: drifted: the template has changed" in result.stderr
    assert call(template).exit_code == 0
    assert call(template, "--check").exit_code == 0


def test_a_bad_template_is_no_finding(template: Path, here: Path) -> None:
    assert call(template, "gone.json", "--check").exit_code == 2
