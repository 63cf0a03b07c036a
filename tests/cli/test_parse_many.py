"""`untemplate parse` for files of replies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from untemplate.compiler import load_parser
from untemplate.compiler.cli.batch import ParserSpec, Settings, parse_lines
from untemplate.compiler.pipeline import compile_in_memory
from untemplate.runtime import ResponseParseError

from .conftest import TEMPLATE

ENTRIES: list[Any] = [
    {"text": "<think>a</think>b<end>"},
    {"text": "a</think>b", "prefix": "<|assistant|><think>"},
    {"text": "<call>{x</call>rest"},
    {"text": "\ud800 é"},
    {"text": '<call>{"name": "f", "arguments": {"n": "1"}}</call>', "tools": [{"name": "f", "parameters": {}}]},
]


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(line if isinstance(line, str) else f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def one_by_one(entries: list[Any]) -> list[Any]:
    module = load_parser(TEMPLATE)
    found = []
    for number, entry in enumerate(entries, 1):
        try:
            text, prefix, tools = entry["text"], entry.get("prefix", ""), entry.get("tools")
            found.append({"message": module.parse_response(text, prefix=prefix, tools=tools)})
        except ResponseParseError as error:
            carried = {key: getattr(error, key) for key in ("reason", "field", "raw", "position", "message")}
            found.append({"error": {"line": number, "kind": "rejected", **carried}})
    return found


def test_lines(run: Any, template: Path, here: Path) -> None:
    write(here / "in.jsonl", ENTRIES)
    result = run("parse", "--template", template, "--no-prefix", "in.jsonl", "-o", "out.jsonl")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.splitlines()[0].startswith("in.jsonl:3: rejected: field 'tool_calls'")
    assert result.stderr.splitlines()[-1] == "5 lines: 1 rejected, 0 bad"
    assert read(here / "out.jsonl") == one_by_one(ENTRIES)
    assert [path.name for path in here.iterdir() if path.suffix == ".tmp"] == []


def test_to_standard_output_and_from_standard_input(run: Any, template: Path, here: Path) -> None:
    write(here / "in.jsonl", ENTRIES[:2])
    options = ["parse", "--template", template, "--no-prefix"]
    for result in (run(*options, "in.jsonl"), run(*options, "--jsonl", input=(here / "in.jsonl").read_bytes())):
        assert result.exit_code == 0
        assert [json.loads(line) for line in result.stdout.splitlines()] == one_by_one(ENTRIES[:2])


def test_bad_lines_are_reported_and_kept(run: Any, template: Path, here: Path) -> None:
    bad = ["not json\n", "\n", "[]\n", '{"text": 1}\n', {"text": "a"}, {"text": "a", "prefix": 1}]
    bad += [{"text": "a", "prefix": "", "tools": {}}, {"text": "b", "prefix": ""}, '{"text": "cut']
    write(here / "in.jsonl", bad)
    result = run("parse", "--template", template, "in.jsonl", "-o", "out.jsonl")
    assert result.exit_code == 1
    found = read(here / "out.jsonl")
    kinds = [line["error"]["kind"] if "error" in line else None for line in found]
    assert kinds == [
        "invalid-json",
        "invalid-json",
        "not-an-object",
        "no-text",
        "no-prefix",
        "bad-prefix",
        "bad-tools",
        None,
        "invalid-json",
    ]
    assert [line["error"]["line"] for line in found if "error" in line] == [1, 2, 3, 4, 5, 6, 7, 9]
    assert found[0]["error"]["input"] == "not json"
    assert found[8]["error"]["input"] == '{"text": "cut'
    assert "in.jsonl:1: bad: not JSON" in result.stderr


def test_a_line_that_is_not_utf8(run: Any, template: Path, here: Path) -> None:
    (here / "in.jsonl").write_bytes(b'{"text": "\xff"}\n{"text": "ok"}\n')
    run("parse", "--template", template, "--no-prefix", "in.jsonl", "-o", "out.jsonl")
    bad, good = read(here / "out.jsonl")
    assert bad["error"]["kind"] == "not-utf8"
    assert good["message"]["content"] == "ok"


def test_rejected_regions(run: Any, template: Path, here: Path) -> None:
    write(here / "in.jsonl", ENTRIES[:3])
    options = ["--template", template, "--no-prefix", "--on-malformed", "event", "in.jsonl", "-o", "out.jsonl"]
    assert run("parse", *options).exit_code == 1
    last = read(here / "out.jsonl")[2]
    assert last["message"] == {"role": "assistant", "content": "rest"}
    assert [(region["field"], region["text"]) for region in last["malformed"]] == [("tool_calls", "{x")]


def test_the_output_may_be_the_input(run: Any, template: Path, here: Path) -> None:
    write(here / "all.jsonl", ENTRIES[:2])
    assert run("parse", "--template", template, "--no-prefix", "all.jsonl", "-o", "all.jsonl").exit_code == 0
    assert read(here / "all.jsonl") == one_by_one(ENTRIES[:2])


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["in.jsonl", "-o", "gone/file/"], "can not be written"),
        (["gone.jsonl", "-o", "out.jsonl"], "can not be read"),
        (["in.jsonl", "--stream"], "for one reply"),
        (["in.jsonl", "--workers", "0"], "--workers"),
    ],
)
def test_refuses(args: list[str], said: str, run: Any, template: Path, here: Path) -> None:
    write(here / "in.jsonl", ENTRIES[:1])
    (here / "gone").write_text("", "utf-8")
    result = run("parse", "--template", template, "--no-prefix", *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert sorted(path.name for path in here.iterdir()) == ["gone", "in.jsonl"]


def test_processes_give_the_same_as_one(template: Path, here: Path, program: Callable[..., Any]) -> None:
    entries = [{**ENTRIES[number % 5], "n": number} for number in range(3_000)]
    write(here / "in.jsonl", entries)
    args = ["parse", "--template", template, "--no-prefix", "in.jsonl", "-o"]
    for workers in (1, 2):
        done = program("untemplate", *args, f"out{workers}.jsonl", "--workers", workers, cwd=here)
        assert done.returncode == 1, done.stderr
    assert (here / "out1.jsonl").read_bytes() == (here / "out2.jsonl").read_bytes()
    assert read(here / "out2.jsonl") == one_by_one(entries)


def test_reading_does_not_run_ahead() -> None:
    plan, code = compile_in_memory(TEMPLATE)
    read_so_far = 0

    def lines() -> Any:
        nonlocal read_so_far
        for _ in range(100_000):
            read_so_far += 1
            yield b'{"text": "a"}\n'

    outcomes = parse_lines(lines(), ParserSpec(plan.name, code), Settings("", None, "raise"), 2)
    assert next(outcomes).lines > 0
    assert read_so_far < 5_000
    outcomes.close()  # type: ignore[attr-defined]
