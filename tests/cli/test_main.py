"""The programs themselves: help, version, what is missing, faults of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]
PROGRAMS = ("untemplate", "compile-template")


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_teaches(name: str, program: Program) -> None:
    done = program(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Exit codes:" in done.stdout
    assert "compile-template" in done.stdout


def test_version(program: Program) -> None:
    assert program("untemplate", "--version").stdout.startswith("untemplate 0.")


@pytest.mark.parametrize("command", ["parse", "explain", "bench", "lint", "verify", "families", "detect", "schema"])
def test_every_command_has_help(command: str, run: Any) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0, result.output
    assert "Usage:" in result.stdout


def test_an_unknown_command_is_a_wrong_call(program: Program) -> None:
    done = program("untemplate", "pares")
    assert done.returncode == 2
    assert "pares" in done.stderr


@pytest.mark.parametrize("package", ["click", "rich", "jinja2", "regex", "black"])
def test_a_package_that_is_missing_is_named_in_one_line(package: str, template: Path, program: Program) -> None:
    before = f"sys.modules[{package!r}] = None"
    if package == "rich":
        before += "\nsys.stdout.isatty = lambda: True"
        done = program("untemplate", "explain", template, before=before, env=_without_no_color())
    else:
        done = program("compile-template", template, "--stdout", before=before)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"{'untemplate' if package == 'rich' else 'compile-template'}: the package {package} is not installed; "
        "try: pip install 'untemplate[compiler]'"
    ]


def _without_no_color() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"}


def test_help_imports_nothing_heavy(program: Program) -> None:
    check = (
        "import atexit\n"
        "heavy = {'black', 'jinja2', 'rich', 'transformers', 'regex'}\n"
        "atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))"
    )
    assert program("untemplate", "--help", before=check).stderr == "[]\n"


def test_a_fault_of_the_program_itself(template: Path, program: Program) -> None:
    before = "import untemplate.compiler.check as check\ncheck.check_modules = None"
    done = program("compile-template", template, "--check", before=before)
    assert done.returncode == 3
    assert "Traceback" in done.stderr
    assert done.stderr.splitlines()[-1] == "compile-template: internal error: please report it, with the lines above"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="pipes of a shell")
def test_a_closed_pipe_is_no_fault(template: Path) -> None:
    code = "from untemplate.compiler.cli.compile_template import main; main()"
    call = subprocess.Popen(
        [sys.executable, "-c", code, str(template), "--stdout"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert call.stdout is not None
    assert call.stderr is not None
    call.stdout.close()
    error = call.stderr.read()
    call.stderr.close()
    assert call.wait(60) == 141
    assert error == b""


def test_completion(template: Path, program: Program) -> None:
    env = {**os.environ, "_UNTEMPLATE_COMPLETE": "bash_complete", "COMP_WORDS": "untemplate exp", "COMP_CWORD": "1"}
    assert program("untemplate", env=env).stdout == "plain,explain\n"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_installed_program(name: str) -> None:
    found = shutil.which(name, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if found is None:
        pytest.skip("the programs are not installed")
    done = subprocess.run([found, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: {name}")
