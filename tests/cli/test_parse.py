"""`untemplate parse` for one reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from untemplate.compiler.cli.replies import in_chunks

REPLY = '<think>Hm.</think> Yes.<call>{"name": "f", "arguments": {"n": "1"}}</call>'


def test_message(run: Any, template: Path) -> None:
    result = run("parse", "--template", template, "--no-prefix", REPLY)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "role": "assistant",
        "thinking": "Hm.",
        "content": "Yes.",
        "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"n": "1"}}}],
    }
    assert list(json.loads(result.stdout)) == ["role", "thinking", "content", "tool_calls"]


def test_ways_to_give_the_reply(run: Any, template: Path, tmp_path: Path) -> None:
    path = tmp_path / "reply.txt"
    path.write_bytes("é\r\n<end>".encode())
    options = ["parse", "--template", template, "--no-prefix"]
    results = [
        run(*options, "--file", path),
        run(*options, input=path.read_bytes()),
        run(*options, "-", input=path.read_bytes()),
        run(*options, "é\r\n<end>"),
    ]
    assert {result.exit_code for result in results} == {0}
    assert [json.loads(result.stdout)["content"] for result in results] == ["é"] * 4


def test_tools_and_prefix(run: Any, template: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools.json"
    properties = {"n": {"type": "integer"}}
    tools.write_text(json.dumps([{"name": "f", "parameters": {"properties": properties}}]), "utf-8")
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("question<|assistant|><think>", "utf-8")
    reply = REPLY.removeprefix("<think>")
    for options in (["--prefix-file", prompt], ["--prefix", prompt.read_text("utf-8")]):
        result = run("parse", "--template", template, *options, "--tools", tools, reply)
        message = json.loads(result.stdout)
        assert message["thinking"] == "Hm."
        assert message["tool_calls"][0]["function"]["arguments"] == {"n": 1}


def test_the_prefix_is_required_and_it_is_said_why(run: Any, template: Path) -> None:
    result = run("parse", "--template", template, REPLY)
    assert result.exit_code == 2
    assert all(word in result.stderr for word in ("<think>", "--prefix-file", "--no-prefix"))


def test_family(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import untemplate.generated
    from untemplate.compiler.cli import batch

    monkeypatch.setattr(untemplate.generated, "FAMILIES", {"smollm": None})
    result = run("parse", "--family", "smolm", "--no-prefix", "x")
    assert result.exit_code == 2
    assert "did you mean smollm?" in result.stderr
    assert batch.ParserSpec("parser", "parse_response = 1").load().parse_response == 1


def test_events(run: Any, template: Path) -> None:
    result = run("parse", "--template", template, "--prefix", "<|assistant|><think>", "--events", "a</think>b")
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(event["type"], event["field"]) for event in events] == [
        ("region_open", "thinking"),
        ("region_chunk", "thinking"),
        ("region_close", "thinking"),
        ("region_open", "content"),
        ("region_chunk", "content"),
        ("region_close", "content"),
    ]


def test_events_in_chunks_are_the_same_but_for_the_cuts(run: Any, template: Path) -> None:
    options = ["parse", "--template", template, "--no-prefix", "--events", REPLY]
    whole, cut = (run(*options, *more).stdout.splitlines() for more in ([], ["--chunk", 1]))
    assert len(cut) > len(whole)
    assert [line for line in cut if "chunk" not in line] == [line for line in whole if "chunk" not in line]


def test_stream_shows_what_is_held(run: Any, template: Path) -> None:
    result = run("parse", "--template", template, "--no-prefix", "--stream", "--chunk", "4", "ab <cd<end>")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "+ content",
        '  content "ab "',
        '  held "<"',
        '  content "<cd"',
        '  held "<e"',
        '= content "ab <cd"',
    ]


def test_control_characters_do_not_reach_the_terminal(run: Any, template: Path) -> None:
    for form in ([], ["--events"], ["--stream"]):
        result = run("parse", "--template", template, "--no-prefix", *form, "a\x1b[31m\x9b\u202eb")
        assert result.exit_code == 0
        assert result.stdout.replace("\n", "").isprintable()


def test_a_rejected_reply(run: Any, template: Path) -> None:
    result = run("parse", "--template", template, "--no-prefix", "ok<call>{x</call>")
    assert (result.exit_code, result.stdout) == (1, "")
    rejected, parsed = result.stderr.splitlines()
    assert rejected.startswith("the reply is rejected: field 'tool_calls', at character 8")
    assert parsed == 'parsed before: {"role": "assistant", "content": "ok"}'
    result = run("parse", "--template", template, "--no-prefix", "--events", "ok<call>{x</call>")
    shown = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(event["type"], event["field"]) for event in shown] == [
        ("region_open", "content"),
        ("region_chunk", "content"),
        ("region_close", "content"),
        ("region_open", "tool_calls"),
        ("region_chunk", "tool_calls"),
    ]


def test_a_rejected_region(run: Any, template: Path) -> None:
    options = ["parse", "--template", template, "--no-prefix", "--on-malformed", "event", "ok<call>{x</call>"]
    result = run(*options)
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"role": "assistant", "content": "ok"}
    assert result.stderr.startswith("rejected: tool_calls")
    assert run(*options, "--events").exit_code == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--no-prefix", "x"], "either --family or --template"),
        (["--template", "{t}", "--family", "f", "--no-prefix", "x"], "either --family or --template"),
        (["--template", "{t}", "--prefix", "a", "--no-prefix", "x"], "only one of"),
        (["--template", "{t}", "--no-prefix", "--stream", "--events", "x"], "only one of"),
        (["--template", "{t}", "--no-prefix", "--file", "gone", "x"], "either as argument or"),
        (["--template", "{t}", "--no-prefix", "--file", "gone"], "gone: error: can not be read"),
        (["--template", "{t}", "--prefix-file", "gone", "x"], "gone: error: can not be read"),
        (["--template", "{t}", "--no-prefix", "--tools", "{t}", "x"], "tools are a JSON list"),
        (["--template", "-", "--no-prefix"], "read only once"),
        (["--template", "gone.json", "--no-prefix", "x"], "[no-such-file]"),
    ],
)
def test_refuses(args: list[str], said: str, run: Any, template: Path, here: Path) -> None:
    result = run("parse", *(arg.replace("{t}", str(template)) for arg in args))
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_refuses_what_is_not_utf8(run: Any, template: Path, tmp_path: Path) -> None:
    path = tmp_path / "reply.txt"
    path.write_bytes(b"ab\xffcd")
    result = run("parse", "--template", template, "--no-prefix", "--file", path)
    assert result.exit_code == 2
    assert result.stderr == f"{path}: error: not UTF-8: byte 0xFF\n"


def test_colour_only_on_a_terminal(template: Path, program: Callable[..., Any]) -> None:
    before = "sys.stdout.isatty = lambda: True"
    args = ["parse", "--template", template, "--no-prefix", "a<think>b</think>c"]
    env = {"PATH": "", "TERM": "xterm-256color", "FORCE_COLOR": "1"}
    for form in ([], ["--stream"]):
        assert "\x1b[" in program("untemplate", *args, *form, before=before, env=env).stdout
        assert "\x1b[" not in program("untemplate", *args, *form, before=before, env={**env, "NO_COLOR": "1"}).stdout
        assert "\x1b[" not in program("untemplate", *args, *form).stdout


def test_in_chunks() -> None:
    assert list(in_chunks(["abc", "d", "efghij"], 4)) == ["abcd", "efgh", "ij"]
    assert list(in_chunks(["abc", "d"], None)) == ["abc", "d"]
    assert list(in_chunks([], 3)) == []


def test_the_name_of_a_file_is_not_taken_for_a_reply(run: Any, template: Path, tmp_path: Path) -> None:
    reply = tmp_path / "reply.txt"
    reply.write_text("Hi", "utf-8")
    result = run("parse", "--template", str(template), "--no-prefix", str(reply))
    assert result.exit_code == 2
    assert "is a file: read it with --file" in result.stderr


def test_the_parser_is_looked_for_before_the_prompt(run: Any) -> None:
    result = run("parse", "--family", "smollm4", "x")
    assert result.exit_code == 2
    assert "did you mean smollm3?" in result.stderr
