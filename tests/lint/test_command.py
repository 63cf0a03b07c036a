"""`untemplate lint` as it is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from untemplate.compiler.cli.lint import command

GOOD = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|assistant|>",
    "fields": {"content": {"close_pattern": r"<\|end\|>\s*", "repeats": True, "join": ""}},
}
BAD = {**GOOD, "fields": {"content": {"close": "<|end|>"}}}
NOTED = {**GOOD, "defaults": {}}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with templates in it."""
    monkeypatch.chdir(tmp_path)
    for name, template in (("good", GOOD), ("bad", BAD), ("noted", NOTED), ("broken", {**GOOD, "feilds": {}})):
        (tmp_path / f"{name}.json").write_text(json.dumps(template, indent=2), encoding="utf-8")
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(command, arguments, input=stdin, catch_exceptions=False)


def test_a_clean_template() -> None:
    result = run("good.json")
    assert (result.exit_code, result.output) == (0, "1 template: 0 errors, 0 warnings, 0 info\n")


def test_a_finding_shows_its_place() -> None:
    result = run("bad.json", "good.json")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0].startswith("bad.json:7:5: warning: ")
    assert lines[0].endswith(" [UT101 overwritten-content]")
    assert lines[1:4] == ["  at $.fields.content", '  7 |     "content": {', "    |     ^"]
    assert lines[-1] == "2 templates: 0 errors, 1 warning, 0 info"


def test_info_counts_only_when_strict() -> None:
    assert run("noted.json").exit_code == 0
    assert "UT110 missing-role" in run("noted.json").output
    assert run("noted.json", "--strict").exit_code == 1


def test_a_template_that_does_not_load() -> None:
    result = run("broken.json", "bad.json")
    assert result.exit_code == 2
    assert "broken.json:13:3: error: " in result.output
    assert "[unknown-key]" in result.output
    assert "UT101" in result.output
    assert run("absent.json").exit_code == 2


def test_standard_input() -> None:
    result = run("-", stdin=json.dumps(BAD))
    assert result.exit_code == 1
    assert result.output.startswith("<stdin>:1:")


def test_json() -> None:
    (entry,) = json.loads(run("bad.json", "--format", "json").output)
    (finding,) = entry.pop("findings")
    assert entry == {"template": "bad.json", "loads": True}
    assert finding.pop("message")
    assert finding.pop("hint")
    expected = {"code": "UT101", "name": "overwritten-content", "severity": "warning", "path": "$.fields.content"}
    assert finding == {**expected, "line": 7, "column": 5, "allowed": None}


def test_github() -> None:
    result = run("bad.json", "--format", "github")
    assert result.exit_code == 1
    assert result.output.startswith("::warning file=bad.json,line=7,col=5,title=UT101 overwritten-content::")
    assert result.output.count("\n") == 1


@pytest.mark.parametrize(
    "entry", ["UT101", "overwritten-content", "UT101:$.fields", "UT101:$.fields.content", "UT101:$"]
)
def test_allowed_on_the_command_line(entry: str) -> None:
    result = run("bad.json", "--allow", entry)
    assert (result.exit_code, result.output) == (0, "1 template: 0 errors, 0 warnings, 0 info (1 allowed)\n")


@pytest.mark.parametrize("entry", ["UT102", "UT101:$.fields.cont", "UT101:$.defaults"])
def test_not_what_is_allowed(entry: str) -> None:
    assert run("bad.json", "--allow", entry).exit_code == 1


def test_allow_file(folder: Path) -> None:
    file = folder / "allow.toml"
    file.write_text('[bad]\nlint_allow = { "UT101:$.fields.content" = "one region only" }\n', encoding="utf-8")
    assert run("bad.json", "--allow-file", "allow.toml").exit_code == 0
    (entry,) = json.loads(run("bad.json", "--allow-file", "allow.toml", "--format", "json").output)
    assert [finding["allowed"] for finding in entry["findings"]] == ["one region only"]


def test_an_entry_for_all_templates(folder: Path) -> None:
    (folder / "allow.toml").write_text('lint_allow = { UT101 = "one region only" }\n', encoding="utf-8")
    assert run("bad.json", "--allow-file", "allow.toml").exit_code == 0


def test_an_entry_without_use_is_a_finding(folder: Path) -> None:
    (folder / "allow.toml").write_text('[good]\nlint_allow = { UT101 = "was needed once" }\n', encoding="utf-8")
    result = run("good.json", "--allow-file", "allow.toml")
    assert result.exit_code == 1
    assert "UT001 unused-allowance" in result.output


@pytest.mark.parametrize(
    "text", ["[bad", 'bad = "x"', '[bad]\nlint_allow = ["UT101"]', '[bad]\nlint_allow = { UT101 = "" }']
)
def test_a_wrong_allow_file(folder: Path, text: str) -> None:
    (folder / "allow.toml").write_text(text, encoding="utf-8")
    result = run("bad.json", "--allow-file", "allow.toml")
    assert result.exit_code == 2
    assert "allow.toml" in result.output


def test_the_catalogue_beside_the_template(folder: Path) -> None:
    catalogue = '[bad]\nlint_allow = { UT101 = "one region only" }\n[good]\nprompt = "<|user|>Hi"\nends = ["<|eot|>"]\n'
    (folder / "families.toml").write_text(catalogue, encoding="utf-8")
    assert run("bad.json").exit_code == 0
    output = run("good.json").output
    assert "UT301 anchor-not-in-prompt" in output
    assert "UT302 end-token-kept" in output


def test_a_prompt(folder: Path) -> None:
    (folder / "prompt.txt").write_text("<|user|>Hi", encoding="utf-8")
    result = run("good.json", "--prompt", "prompt.txt")
    assert result.exit_code == 1
    assert "UT301 anchor-not-in-prompt" in result.output
