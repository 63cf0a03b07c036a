"""Templates and runners of the command line tests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from untemplate.compiler.cli.group import command

TEMPLATE: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|assistant|>",
    "fields": {
        "thinking": {"open": "<think>", "close_pattern": "</think>\\s*"},
        "tool_calls": {
            "open": "<call>",
            "close": "</call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": "<end>"},
    },
}


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A template file, `small.json`."""
    path = tmp_path / "small.json"
    path.write_text(json.dumps(TEMPLATE), "utf-8")
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


Run = Callable[..., Any]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Calls `untemplate` with these arguments, in this process; returns click's result."""
    from click.testing import CliRunner

    monkeypatch.setenv("COLUMNS", "100")
    return lambda *args, **more: CliRunner().invoke(command, list(map(str, args)), **more)


def program(name: str, *args: Any, before: str = "", **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs the program of that name in a process of its own, after the code `before`."""
    module = {"untemplate": "main", "compile-template": "compile_template"}[name]
    code = f"import sys\n{before}\nfrom untemplate.compiler.cli.{module} import main\nmain()"
    call = [sys.executable, "-c", code, *map(str, args)]
    return subprocess.run(call, capture_output=True, text=True, encoding="utf-8", timeout=120, **more)


@pytest.fixture(name="program")
def program_fixture() -> Callable[..., subprocess.CompletedProcess[str]]:
    """The function `program`."""
    return program
