"""The family of a model by its id, its files and its chat template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from untemplate.compiler.cli.detect import command
from untemplate.compiler.families.catalogue import Family, catalogue
from untemplate.compiler.families.detection import detect
from untemplate.compiler.families.subject import Subject, SubjectError, read_subject

MODEL_IDS = [(family.id, glob) for family in catalogue().values() for glob in family.model_ids]

# Further ids, where globs of several families could be confused.
NAMES = [
    ("deepseek-ai/DeepSeek-V3", "deepseek_v3"),
    ("deepseek-ai/DeepSeek-V3.1-Terminus", "deepseek_v3_1"),
    ("deepseek-ai/DeepSeek-V3.2-Exp", "deepseek_v3_2"),
    ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "deepseek_r1"),
    ("Qwen/Qwen3-8B", "qwen3"),
    ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3_coder"),
    ("Qwen/Qwen3.5-27B", "qwen3_5"),
    ("Qwen/Qwen2.5-Coder-7B-Instruct", "qwen2_5"),
    ("qwen/qwen2.5-7b-instruct", "qwen2_5"),
    ("google/gemma-3-4b-it", "gemma3"),
    ("google/functiongemma-270m-it", "functiongemma"),
    ("zai-org/GLM-4.6", "glm4_5"),
    ("zai-org/GLM-4.7-Flash", "glm4_7"),
    ("inclusionAI/Ling-3-flash", "ling3"),
    ("meta-llama/Llama-3.3-70B-Instruct", "llama3_1"),
    ("SmolLM3-3B", "smollm3"),
    ("Qwen3-8B-GGUF", "qwen3"),
]

_CHATML = """
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""
_ROLES = '{%- for message in messages %}{{- "<|role|>" + message.role + message.content }}{%- endfor %}'
_ARG_PAIRS = "<tool_call>{name}\n<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n</tool_call>"

# Chat templates in the manner of families whose markers are shared by others: the one whose family is meant must win.
CLOSE_ONES = {
    "deepseek_v3": "'<｜Assistant｜>' + tool['type'] + '<｜tool▁sep｜>' '<｜tool▁outputs▁end｜>'",
    "deepseek_r1": "tool['type'] + '<｜tool▁sep｜>' '<｜tool▁outputs▁end｜>' {{'<｜Assistant｜><think>\\n'}}",
    "deepseek_v3_1": "tool['function']['name'] + '<｜tool▁sep｜>' '<｜Assistant｜></think>' '<｜tool▁outputs▁end｜>'",
    "gemma3": "{{ '<start_of_turn>' + role }}{{ message.content }}{{ '<end_of_turn>\\n' }}",
    "functiongemma": "'<start_of_turn>' '<end_of_turn>\\n' '<start_function_call>call:' '<escape>'",
    "glm4_5": _ROLES + _ARG_PAIRS + "{{- '\\n<think></think>' if (enable_thinking is false) else '' -}}",
    "glm4_7": _ROLES
    + _ARG_PAIRS
    + "{{- '</think>' if (enable_thinking is defined and not enable_thinking) else '<think>' -}}",
    "command_r7b": "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|> your reasoning <|START_ACTION|> then <|START_RESPONSE|>",
    "command_a_reasoning": "<|CHATBOT_TOKEN|>{% if reasoning %}<|START_THINKING|>{% else %}<|START_THINKING|>"
    "<|END_THINKING|>{% endif %}<|START_ACTION|><|END_ACTION|><|START_RESPONSE|><|END_RESPONSE|>",
    "hy_v3": "'<｜hy_Assistant｜>' '<｜hy_eos｜>' <tool_sep> <arg_key>",
    "hy_v4": "'<｜hy_Assistant:opensource｜>' '<｜hy_eos:opensource｜>' <arg_key:opensource>",
    "ling2": "<role>ASSISTANT</role> <|role_end|> <tool_call>{name, arguments: <args-json-object>}</tool_call>",
    "ling3": "<role>ASSISTANT</role> <|role_end|> <tool_call>name<arg_key>k</arg_key></tool_call>",
    "qwen2_5": _CHATML + "You are Qwen, created by Alibaba Cloud. <args-json-object> <tool_response>",
    "qwen3": _CHATML + "<args-json-object> <tool_response> message.reasoning_content enable_thinking",
    "qwq": _CHATML + "<args-json-object> <tool_response> {{ '<|im_start|>assistant\\n<think>\\n' }}",
    "hermes": _CHATML + "You are a function calling AI model. <tools></tools> <tool_call>",
    "smollm3": _CHATML + "xml_tools python_tools 'Reasoning Mode: ' <args-json-object> <tool_call>",
    "mistral_v3": "[AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [INST] [TOOL_CALLS] [ [TOOL_RESULTS]",
    "mistral_v11": "[AVAILABLE_TOOLS] [INST] [TOOL_CALLS] + name + [CALL_ID] + id + [ARGS] [TOOL_RESULTS]",
    "minimax_m2": "']~b]ai' '[e~[' '<minimax:tool_call>'",
    "minimax_m3": "']~b]ai' '[e~[' ']<]minimax[>[' '<mm:think>'",
    "gpt_oss": "'<|start|>assistant<|channel|>analysis<|message|>'",
    "muse": "'<|start|>assistant' '<|eom|>' <atem:function_calls>",
}


def chat_template(family: Family) -> str:
    """A small chat template in the style of a family: its markers in the tool instructions, its prompt, its ends."""
    markers = "\n".join(f"    {{% raw %}}{marker}{{% endraw %}}" for marker in family.markers)
    prompt, ends = json.dumps(family.prompt, ensure_ascii=False), json.dumps(family.ends, ensure_ascii=False)
    return (
        f"{{%- if tools %}}\n{markers}\n{{%- endif %}}\n"
        f"{{%- for message in messages %}}\n    {{{{- message.content + {ends}[0] }}}}\n{{%- endfor %}}\n"
        f"{{%- if add_generation_prompt %}}\n    {{{{- {prompt} }}}}\n{{%- endif %}}\n"
    )


def first(subject: Subject) -> str | None:
    """The likeliest family."""
    candidates = detect(subject)
    return candidates[0].family.id if candidates else None


@pytest.mark.parametrize("family", catalogue().values(), ids=lambda family: family.id)
def test_by_chat_template(family: Family) -> None:
    assert first(Subject(chat_templates={"default": chat_template(family)})) == family.id


@pytest.mark.parametrize(("family", "glob"), MODEL_IDS)
def test_by_model_id(family: str, glob: str) -> None:
    name = glob.removeprefix("*/").replace("[0-9]*", "8B").replace("*", "X")
    assert first(Subject(names=(name,))) == family
    assert first(Subject(names=(name.rpartition("/")[2],))) == family


@pytest.mark.parametrize(("name", "family"), NAMES)
def test_by_close_names(name: str, family: str) -> None:
    assert first(read_subject(name)) == family


@pytest.mark.parametrize("family", CLOSE_ONES)
def test_close_families(family: str) -> None:
    assert first(Subject(chat_templates={"default": CLOSE_ONES[family]})) == family


def test_markers_of_part_of_a_family_are_no_evidence() -> None:
    assert detect(Subject(chat_templates={"default": _CHATML})) == []


def test_a_family_whose_markers_are_part_of_another_is_no_candidate() -> None:
    found = detect(Subject(chat_templates={"default": CLOSE_ONES["functiongemma"]}))
    assert [candidate.family.id for candidate in found] == ["functiongemma"]


def test_the_chat_template_counts_more_than_the_name() -> None:
    subject = Subject(names=("Qwen/Qwen3-8B",), chat_templates={"default": chat_template(catalogue()["gpt_oss"])})
    assert [candidate.family.id for candidate in detect(subject)] == ["gpt_oss", "qwen3"]


def model_folder(path: Path, config: dict[str, Any], **files: str) -> Path:
    path.mkdir(parents=True)
    (path / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    for name, text in files.items():
        (path / name.replace("__", ".")).write_text(text, "utf-8")
    return path


def test_folder_with_a_response_template(tmp_path: Path) -> None:
    config = {
        "response_template": catalogue()["kimi_k2"].template(),
        "chat_template": chat_template(catalogue()["gemma4"]),
    }
    found = detect(read_subject(str(model_folder(tmp_path / "model", config))))
    assert [candidate.family.id for candidate in found] == ["kimi_k2", "gemma4"]
    assert found[0].evidence[0].kind == "response template"


def test_folder_with_a_response_template_that_is_no_json(tmp_path: Path) -> None:
    config = {"response_template": {"fields": float("nan")}, "chat_template": chat_template(catalogue()["gemma4"])}
    assert first(read_subject(str(model_folder(tmp_path / "model", config)))) == "gemma4"


def test_folder_with_chat_templates_by_name(tmp_path: Path) -> None:
    named = [{"name": "default", "template": "x"}, {"name": "tool_use", "template": chat_template(catalogue()["xlam"])}]
    assert first(read_subject(str(model_folder(tmp_path / "model", {"chat_template": named})))) == "xlam"


def test_folder_with_a_chat_template_file(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "model", {}, chat_template__jinja=chat_template(catalogue()["dots"]))
    assert first(read_subject(str(folder))) == "dots"
    assert first(read_subject(str(folder / "chat_template.jinja"))) == "dots"


def test_folder_with_more_chat_templates(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "model", {})
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates/tools.jinja").write_text(chat_template(catalogue()["step3"]), "utf-8")
    assert first(read_subject(str(folder))) == "step3"


def test_folder_of_the_hub_cache(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "models--Qwen--QwQ-32B/snapshots/0123abcd", {})
    assert first(read_subject(str(folder))) == "qwq"


def test_folder_with_the_name_of_a_model(tmp_path: Path) -> None:
    assert first(read_subject(str(model_folder(tmp_path / "SmolLM3-3B", {})))) == "smollm3"


def test_special_tokens(tmp_path: Path) -> None:
    tokens = ["<seed:bos>", "<seed:tool_call>", {"content": "<seed:think>", "special": True}]
    config = {
        "added_tokens_decoder": {str(number): {"content": text} for number, text in enumerate(tokens[:2])},
        "additional_special_tokens": tokens[2:],
        "eos_token": {"content": "<seed:eos>"},
    }
    subject = read_subject(str(model_folder(tmp_path / "model", config)))
    assert subject.variables == {"eos_token": "<seed:eos>"}
    found = detect(subject)
    assert [(candidate.family.id, candidate.evidence[0].kind) for candidate in found] == [
        ("seed_oss", "special tokens")
    ]


def test_what_can_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[]", "utf-8")
    (tmp_path / "broken.json").write_text("{", "utf-8")
    (tmp_path / "latin.jinja").write_bytes(b"\xe9")
    for name, words in {
        "list.json": "not an object",
        "broken.json": "not JSON",
        "latin.jinja": "can not be read",
        "none.jinja": "no such file",
        "none/deeper/still": "no such file",
    }.items():
        with pytest.raises(SubjectError, match=words):
            read_subject(str(tmp_path / name))


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_command_says_what_it_found() -> None:
    code, out, _ = run("Qwen/Qwen3-8B")
    assert code == 0
    assert out.splitlines() == ["qwen3: Qwen3", "    model id: Qwen/Qwen3-[0-9]*"]


def test_command_writes_json(tmp_path: Path) -> None:
    config = {"chat_template": chat_template(catalogue()["jamba"])}
    code, out, _ = run(str(model_folder(tmp_path / "model", config)), "--format", "json")
    report = json.loads(out)
    assert (code, report["family"]) == (0, "jamba")
    assert report["candidates"][0]["evidence"] == [{"kind": "chat template", "found": ["<|bom|>", "<|eom|>"]}]


def test_command_without_a_finding() -> None:
    code, out, errors = run("nobody/nothing-7B")
    assert (code, out) == (1, "")
    assert "no family is recognised" in errors
    code, out, _ = run("nobody/nothing-7B", "--format", "json")
    assert (code, json.loads(out)["family"]) == (1, None)


def test_command_points_to_an_unknown_response_template(tmp_path: Path) -> None:
    own = {"start_anchor": "<bot>", "fields": {"content": {}}}
    config = {"response_template": own, "chat_template": CLOSE_ONES["qwen3"]}
    code, out, errors = run(str(model_folder(tmp_path / "model", config)))
    assert code == 0
    assert out.startswith("qwen3:")
    assert "a response template of its own" in errors


def test_command_on_a_bad_path() -> None:
    code, _, errors = run("./no/such/folder")
    assert code == 2
    assert "no such file or folder" in errors


def test_a_response_template_is_recognised(tmp_path: Path) -> None:
    for family in ("smollm3", "gpt_oss"):
        path = tmp_path / "any.json"
        path.write_text(json.dumps(catalogue()[family].template()), "utf-8")
        assert detect(read_subject(str(path)))[0].family.id == family
