"""Response templates against chat templates: good pairs, pairs with a seeded fault, and what the command says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from untemplate.compiler import load_parser
from untemplate.compiler.cli.verify import command
from untemplate.compiler.diagnostics import path_text
from untemplate.compiler.families.catalogue import catalogue
from untemplate.compiler.verify.chat_template import ChatTemplate
from untemplate.compiler.verify.comparison import MISSING
from untemplate.compiler.verify.conversations import (
    BUILT_IN,
    Conversation,
    ConversationError,
    read_conversations,
    spellings,
)
from untemplate.compiler.verify.reply import split_reply
from untemplate.compiler.verify.verification import Result, verify

# Three chat templates, one a style. Each writes reasoning, content and calls; the markup of calls differs.
JSON_CALLS = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- for tool in tools %}{{- tool | tojson + '\\n' }}{%- endfor %}
    {{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' }}
    {%- if message.role == 'assistant' %}
        {%- generation %}
        {%- if message.reasoning_content %}
            {{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}
        {%- endif %}
        {{- message.content }}
        {%- for call in message.tool_calls or [] %}
            {%- if not loop.first or message.content %}{{- '\\n' }}{%- endif %}
            {{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
            {{- call.function.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- eos_token }}
        {%- endgeneration %}
    {%- else %}
        {{- message.content + '<|im_end|>' }}
    {%- endif %}
    {{- '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

XML_PARAMETERS = """\
{%- macro value_text(value) %}{{- value if value is string else value | tojson }}{%- endmacro %}
{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {{- '<|im_start|>assistant\\n' + message.content }}
        {%- for call in message.tool_calls or [] %}
            {{- '\\n<tool_call>\\n<function=' + call.function.name + '>\\n' }}
            {%- for key, value in call.function.arguments.items() %}
                {{- '<parameter=' + key + '>\\n' + value_text(value) + '\\n</parameter>\\n' }}
            {%- endfor %}
            {{- '</function>\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""

CHANNELS = """\
{{- '<|start|>system<|message|>Today is ' + strftime_now('%Y-%m-%d') + '.<|end|>' }}
{%- for message in messages %}
    {%- if message.role != 'assistant' %}
        {{- '<|start|>' + message.role + '<|message|>' + message.content + '<|end|>' }}
        {%- continue %}
    {%- endif %}
    {%- if message.thinking %}
        {{- '<|start|>assistant<|channel|>analysis<|message|>' + message.thinking + '<|end|>' }}
    {%- endif %}
    {%- for call in message.tool_calls or [] %}
        {{- '<|start|>assistant to=functions.' + call.function.name + '<|channel|>commentary json<|message|>' }}
        {{- call.function.arguments | tojson + '<|call|>' }}
    {%- endfor %}
    {%- if message.content %}
        {{- '<|start|>assistant<|channel|>final<|message|>' + message.content + '<|return|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}
"""

PAIRS = {"qwen3": JSON_CALLS, "qwen3_coder": XML_PARAMETERS, "gpt_oss": CHANNELS}

# family, what to write in place of what in its chat template, the conversation that shows it, and the path of the
# first difference; no path where the parser must reject the reply.
FAULTS = [
    ("qwen3", '"arguments": \' }}', '"args": \' }}', "one call", "$.tool_calls[0].function.arguments"),
    (
        "qwen3",
        "call.function.arguments | tojson }}",
        "{} | tojson }}",
        "one call",
        "$.tool_calls[0].function.arguments.city",
    ),
    ("qwen3", "}\\n</tool_call>'", "}'", "parallel calls", None),
    ("qwen3", "'\\n</think>\\n\\n'", "'\\n</thought>\\n\\n'", "reasoning and content", "$.reasoning_content"),
    (
        "qwen3_coder",
        "+ value_text(value)",
        "+ (value_text(value) | upper)",
        "one call",
        "$.tool_calls[0].function.arguments.city",
    ),
    ("qwen3_coder", "'<parameter=' + key", "'<param=' + key", "one call", "$.tool_calls[0].function.arguments.city"),
    ("qwen3_coder", "'</function>\\n</tool_call>'", "''", "parallel calls", "$.tool_calls[0].function.arguments.city"),
    ("gpt_oss", "analysis<|message|>", "final<|message|>", "reasoning and content", "$.reasoning_content"),
    ("gpt_oss", "commentary json", "commentary", "one call", ""),
    ("gpt_oss", "to=functions.' + call", "to=' + call", "one call", "$.tool_calls"),
    ("gpt_oss", "| tojson + '<|call|>'", "| tojson", "parallel calls", None),
]

VARIABLES = {"eos_token": "<|im_end|>"}


def conversation(name: str) -> Conversation:
    return next(one for one in BUILT_IN if one.name == name)


def verified(family: str, chat_template: str, one: Conversation, **variables: Any) -> Result:
    parser = load_parser(catalogue()[family].template())
    return verify(parser, ChatTemplate(chat_template, {**VARIABLES, **variables}), one)


@pytest.mark.parametrize("family", PAIRS)
@pytest.mark.parametrize("name", [one.name for one in BUILT_IN])
def test_good_pairs(family: str, name: str) -> None:
    result = verified(family, PAIRS[family], conversation(name))
    assert result.fault is None
    assert not result.skipped
    dropped = family == "qwen3_coder" and name == "reasoning and content"
    assert result.notes == (("the chat template does not write the reasoning",) if dropped else ())


@pytest.mark.parametrize(("family", "good", "bad", "name", "path"), FAULTS)
def test_seeded_faults(family: str, good: str, bad: str, name: str, path: str | None) -> None:
    assert good in PAIRS[family]
    result = verified(family, PAIRS[family].replace(good, bad), conversation(name))
    if path == "":
        assert result.fault is None, "this spelling is read as well"
        return
    assert result.fault is not None
    if path is None:
        assert result.fault.error
    else:
        assert result.fault.difference is not None
        assert path_text(result.fault.difference.path) == path
    assert 0 <= result.fault.position <= len(result.output)


def test_the_output_is_what_follows_the_generation_prompt() -> None:
    prompt, output, note = split_reply(ChatTemplate(JSON_CALLS, VARIABLES), conversation("reasoning and content"))
    assert prompt == "<|im_start|>user\nWhat is 17 times 23?<|im_end|>\n<|im_start|>assistant\n"
    assert output.startswith("<think>\n17 ×")
    assert output.endswith("**391**.<|im_end|>")
    assert note == ""


def test_a_generation_prompt_that_the_reply_lacks() -> None:
    start = "{{- '<|im_start|>assistant\\n' }}{%- endif %}\n"
    assert JSON_CALLS.endswith(start)
    prefilled = JSON_CALLS.removesuffix(start) + start.replace("assistant\\n", "assistant\\n<think>\\n")
    result = verified("qwen3", prefilled, conversation("one call"))
    assert result.fault is None
    assert result.prompt.endswith("assistant\n")
    assert result.output.startswith("<tool_call>")
    assert result.notes == ('the reply does not go on from the generation prompt, whose end "<think>\\n" it lacks',)
    assert verified("qwen3", prefilled, conversation("reasoning and content")).notes == ()


def test_a_generation_prompt_that_is_always_there() -> None:
    always = JSON_CALLS.replace("{%- if add_generation_prompt %}", "{%- if true %}")
    for one in BUILT_IN:
        result = verified("qwen3", always, one)
        assert result.fault is None
        assert "assistant" not in result.output


def test_arguments_as_text() -> None:
    as_text = JSON_CALLS.replace("call.function.arguments | tojson }}", "'' + call.function.arguments }}")
    result = verified("qwen3", as_text, conversation("hard arguments"))
    assert result.fault is None
    assert result.notes == ("the calls were put in with arguments as JSON text",)


def test_ids_with_the_name() -> None:
    section = "'<|tool_calls_section_begin|><|tool_call_begin|>' + call.id + '<|tool_call_argument_begin|>' }}"
    kimi = (
        JSON_CALLS.replace('\'<tool_call>\\n{"name": "\' + call.function.name + \'", "arguments": \' }}', section)
        .replace("'}\\n</tool_call>'", "'<|tool_call_end|><|tool_calls_section_end|>'")
        .replace("'<|im_start|>assistant\\n'", "'<|im_assistant|>assistant<|im_middle|>'")
        .replace(
            "'<|im_start|>' + message.role + '\\n'", "'<|im_' + message.role + '|>' + message.role + '<|im_middle|>'"
        )
    )
    result = verified("kimi_k2", kimi, conversation("one call"))
    assert result.fault is None
    assert result.notes == ("the calls were put in with ids that hold the function's name",)


def test_a_chat_template_that_refuses() -> None:
    refusing = "{%- if tools %}{{- raise_exception('no tools here') }}{%- endif %}" + JSON_CALLS
    result = verified("qwen3", refusing, conversation("one call"))
    assert result.skipped == "the chat template refuses it: no tools here"
    assert result.fault is None
    assert not verified("qwen3", refusing, conversation("content")).skipped


def test_a_chat_template_that_fails() -> None:
    failing = JSON_CALLS.replace("{{- eos_token }}", "{{- '' + stop_token }}")
    assert "'stop_token' is undefined" in verified("qwen3", failing, conversation("content")).skipped
    assert not verified("qwen3", failing, conversation("content"), stop_token="<|im_end|>").skipped


def test_a_chat_template_that_writes_the_first_call_only() -> None:
    first = JSON_CALLS.replace("message.tool_calls or []", "(message.tool_calls or [])[:1]")
    result = verified("qwen3", first, conversation("parallel calls"))
    assert result.fault is None
    assert result.notes == ("the chat template writes 1 of the 2 calls",)


def test_a_chat_template_that_writes_no_calls() -> None:
    none = JSON_CALLS.replace("message.tool_calls or []", "[]")
    assert verified("qwen3", none, conversation("one call")).skipped == "the chat template does not write the calls"


def test_streaming_is_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = load_parser(catalogue()["qwen3"].template())

    class Deaf(parser.ResponseParser):  # type: ignore[misc, name-defined]
        """A parser that misses the last character of the reply."""

        def finalize(self) -> Any:
            return {"role": "assistant", "content": "Bonjour"}, []

    monkeypatch.setattr(parser, "ResponseParser", Deaf)
    result = verify(parser, ChatTemplate(JSON_CALLS, VARIABLES), conversation("content"))
    assert result.fault is not None
    assert result.fault.how == "streamed"
    assert result.fault.difference is not None
    assert result.fault.difference.found == "Bonjour"
    assert result.output[result.fault.position :].startswith("Bonjour !")


def test_a_missing_value_is_told_from_null() -> None:
    text = JSON_CALLS.replace("call.function.arguments | tojson", "'{\"city\": null}'")
    result = verified("qwen3", text, conversation("one call"))
    assert result.fault is not None
    assert result.fault.difference is not None
    assert (result.fault.difference.expected, result.fault.difference.found) == ("Oslo", None)
    assert result.fault.difference.found is not MISSING


def test_jinja_conventions() -> None:
    body = "    {% if n == 2 %}\n{% break %}{% endif %}\n{{ {'a': '<é>', 'n': n} | tojson }}\n"
    source = f"{{% for n in [1, 2, 3] %}}\n{body}{{% endfor %}}\n"
    assert ChatTemplate(source).render([], None, generate=False) == '{"a": "<é>", "n": 1}\n'
    unsafe = ChatTemplate("{{ messages.append(1) }}{{ ''.__class__.__mro__ }}")
    with pytest.raises(ValueError, match="SecurityError"):
        unsafe.render([], None, generate=False)
    with pytest.raises(ValueError, match="can not be read"):
        ChatTemplate("{% if %}")


def test_spellings_of_calls() -> None:
    words = [words for words, _ in spellings(conversation("one call"))]
    assert len(words) == len(set(words)) == 4
    assert [words for words, _ in spellings(conversation("content"))] == [""]
    text = dict(spellings(conversation("one call")))["with arguments as JSON text"]
    assert text.reply["tool_calls"][0]["function"]["arguments"] == '{"city": "Oslo"}'


MESSAGES = [
    {"role": "user", "content": "One?"},
    {"role": "assistant", "content": "Two."},
    {"role": "user", "content": "Three?"},
    {"role": "assistant", "reasoning_content": "Hm.", "content": "Four."},
]


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (MESSAGES, 2),
        ({"messages": MESSAGES}, 2),
        ([{"messages": MESSAGES, "tools": []}, {"messages": MESSAGES[:2]}], 3),
    ],
)
def test_conversations_of_the_user(value: Any, count: int) -> None:
    found = read_conversations(json.dumps(value), "mine.json")
    assert len(found) == count
    assert [one.reply["role"] for one in found] == ["assistant"] * count
    assert found[1].name == "mine.json[0], message 3"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "none of the messages"),
        ('[{"role": "user", "content": "x"}]', "none of the messages"),
        ("3", "neither a list of messages"),
        ('[{"messages": 3}]', "neither a list of messages"),
        ('{"messages": [], "tools": 3}', "tools must be a list"),
    ],
)
def test_conversations_that_are_none(text: str, words: str) -> None:
    with pytest.raises(ConversationError, match=words):
        read_conversations(text, "mine.json")


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(command, arguments)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model's folder with a response template and a chat template."""
    config = {"response_template": catalogue()["qwen3"].template(), "eos_token": {"content": "<|im_end|>"}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    (tmp_path / "chat_template.jinja").write_text(JSON_CALLS, "utf-8")
    return tmp_path


def test_command_on_a_folder(model: Path) -> None:
    code, out, _ = run(str(model))
    assert code == 0
    assert out.splitlines()[-1] == "5 of 5 came back as they were, 0 changed, 0 not tried"


def test_command_on_a_family_with_messages(model: Path) -> None:
    (model / "mine.json").write_text(json.dumps(MESSAGES), "utf-8")
    arguments = ("--chat-template", str(model / "chat_template.jinja"), "--messages", str(model / "mine.json"))
    code, out, _ = run("qwen3", *arguments, "--variable", "eos_token=<|im_end|>", "--format", "json")
    assert code == 0
    assert [result["result"] for result in json.loads(out)] == ["ok"] * 7
    assert json.loads(out)[-1]["output"] == "<think>\nHm.\n</think>\n\nFour.<|im_end|>"


def test_command_shows_the_first_difference(model: Path) -> None:
    broken = JSON_CALLS.replace("{{- message.content }}", "{{- message.content | replace('Ç', 'C') }}")
    (model / "chat_template.jinja").write_text(broken, "utf-8")
    code, out, _ = run(str(model))
    assert code == 1
    assert out.splitlines()[:5] == [
        "wrong    content",
        "    at once, first difference at $.content",
        '      put in:  "Bonjour ! Ça va ?\\n\\n- 1 < 2 & 3 > 2"',
        '      got out: "Bonjour ! Ca va ?\\n\\n- 1 < 2 & 3 > 2"',
        '      in the reply at character 0: "Bonjour ! Ca va ?\\n\\n- 1 < 2 & 3 > 2<|im_end|>"',
    ]
    code, out, _ = run(str(model), "--format", "json")
    assert code == 1
    assert json.loads(out)[0]["fault"]["path"] == "$.content"


def test_command_where_nothing_can_be_tried(model: Path) -> None:
    (model / "chat_template.jinja").write_text("{{ raise_exception('closed') }}", "utf-8")
    code, out, _ = run(str(model))
    assert code == 1
    assert out.splitlines()[-1] == "0 of 5 came back as they were, 0 changed, 5 not tried"


def test_command_on_what_can_not_be_used(model: Path) -> None:
    (model / "bad.json").write_text('{"start_anchor": "", "fields": {}}', "utf-8")
    (model / "bad.jinja").write_text("{% if %}", "utf-8")
    chat_template = str(model / "chat_template.jinja")
    for arguments, words in (
        (("qwen3",), "no chat template"),
        ((str(model / "bad.json"), "--chat-template", chat_template), "[empty-literal]"),
        ((str(model), "--chat-template", str(model / "bad.jinja")), "can not be read"),
        ((str(model), "--chat-template", str(model / "none.jinja")), "no such file"),
        ((str(model), "--messages", str(model / "bad.json")), "neither a list of messages"),
        ((str(model), "--messages", str(model / "none.json")), "none.json"),
        ((str(model), "--variable", "eos"), "NAME=VALUE"),
    ):
        code, _, errors = run(*arguments)
        assert code == 2, arguments
        assert words in errors, arguments
