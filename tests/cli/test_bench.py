"""`untemplate bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from untemplate.compiler.cli import bench
from untemplate.compiler.cli.measuring import Interpreted


def test_one_reply(run: Any, template: Path, here: Path) -> None:
    pytest.importorskip("transformers")
    (here / "reply.txt").write_text("<think>a</think>b<end>", "utf-8")
    result = run("bench", template, "reply.txt", "--seconds", "0.01")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "1 reply of 22 characters on average, chunks of 4"
    assert [line.split()[0] for line in lines[2:5]] == ["untemplate", "transformers", "ratio"]
    assert lines[5] == "in one piece: both read the same"


def test_lines_without_transformers(run: Any, template: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interpreted, "of", classmethod(lambda cls, template: None))
    entries = [{"text": "a<end>"}, {"text": "<call>{x</call>"}, {"text": "bc", "prefix": "<|assistant|><think>"}]
    (here / "in.jsonl").write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), "utf-8")
    result = run("bench", template, "in.jsonl", "--seconds", "0.01", "--chunk", "2")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("2 replies of 4 characters on average, chunks of 2")
    assert "left out: 1 replies that are rejected" in result.stdout
    assert "nothing to compare with" in result.stdout


def test_nothing_to_measure(run: Any, template: Path, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.Interpreted, "of", classmethod(lambda cls, template: None))
    (here / "reply.txt").write_text("<call>{x</call>", "utf-8")
    assert run("bench", template, "reply.txt").exit_code == 1


@pytest.mark.parametrize(("text", "said"), [("", "no replies"), ("{}\n", "in.jsonl:1: error: the object has no")])
def test_refuses(text: str, said: str, run: Any, template: Path, here: Path) -> None:
    (here / "in.jsonl").write_text(text, "utf-8")
    result = run("bench", template, "in.jsonl")
    assert result.exit_code == 2
    assert said in result.stderr
