"""The documentation's commands and snippets run, and print what the page says they print.

The blocks of a page are taken in order, in a folder that holds `templates/`:

- `python` is run, with the names that earlier blocks left; `text` is what the block of Python before it printed;
- `console` has commands behind `$ `, run by the shell, each with what it prints below it;
- a block of any kind with `name=FILE` is written to that file;
- other blocks of `json` have to be JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
TESTED_ELSEWHERE = {"transformers.md", "vllm-sglang.md"}
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in TESTED_ELSEWHERE),
]
BLOCK = re.compile(r"^```(\w+)(?: name=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    """A fenced block: what it is, the file it is written to (or ""), and its text."""

    language: str
    file: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    return [Block(*found) for found in BLOCK.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)], ids=lambda page: page.name)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, Any] = {}
    printed = ""
    for block in blocks_of(page):
        if block.language == "text" and not block.file:
            assert printed == block.text
            printed = ""
            continue
        assert not printed, f"the page does not show what is printed: {printed}"
        if block.file:
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            run_commands(block.text)
        elif block.language == "python":
            printed = output_of(block.text, names)
        elif block.language == "json":
            json.loads(block.text)
    assert not printed, f"the page does not show what is printed: {printed}"


def output_of(snippet: str, names: dict[str, Any]) -> str:
    """What the Python prints; it may use and change `names`."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(snippet, names)
    return output.getvalue()


def run_commands(text: str) -> None:
    """Runs the lines behind `$ `, and compares what they print with the lines that follow; no installs."""
    programs = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "120"}
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if command.startswith("pip "):
            continue
        done = subprocess.run(
            command,
            shell=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            encoding="utf-8",
        )
        assert done.stdout == expected
        assert done.returncode == 0, command
