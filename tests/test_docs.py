"""The documentation's commands and snippets run, and print what the page says they print."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "how-it-works.md", ROOT / "docs" / "serving.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass
class Block:
    """A fenced block: what it is, and its text."""

    language: str
    text: str


def blocks_of(page: Path) -> list[Block]:
    return [Block(language, text) for language, text in BLOCK.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "templates", tmp_path / "templates")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, Any] = {}
    printed = None
    for block in blocks_of(page):
        if block.language == "console":
            run_commands(block.text)
        elif block.language == "python":
            assert printed in (None, ""), f"the page does not show what is printed: {printed}"
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(block.text, names)
            printed = output.getvalue()
        elif block.language == "text":
            assert printed == block.text
            printed = None
    assert printed in (None, "")


def run_commands(text: str) -> None:
    """Runs the lines behind `$ `, and compares what they print with the lines that follow; no installs."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        if command.startswith("pip "):
            continue
        program = Path(sys.executable).parent / command.split()[0]
        done = subprocess.run(
            [program, *command.split()[1:]], capture_output=True, text=True, check=True, encoding="utf-8"
        )
        assert done.stdout == expected
