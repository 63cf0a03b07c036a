"""Takes out of a rendered conversation what the model would have written."""

from __future__ import annotations

import json
from itertools import takewhile

from untemplate.compiler.verify.chat_template import ChatTemplate
from untemplate.compiler.verify.conversations import Conversation


def split_reply(chat_template: ChatTemplate, conversation: Conversation) -> tuple[str, str, str]:
    """The prompt, the reply that the model would write after it, and a note (empty as a rule).

    Raises:
        RenderError: the chat template fails on the conversation.
    """
    prompt = chat_template.render(conversation.history, conversation.tools, generate=True)
    whole = chat_template.render(conversation.messages, conversation.tools, generate=False)
    if chat_template.render(conversation.history, conversation.tools, generate=False) == prompt:
        # A chat template that asks for a reply whether told to or not does so behind this one as well.
        whole = whole[: len(whole) - _common_start(prompt[::-1], whole[::-1])]
    note = ""
    common = prompt[: _common_start(prompt, whole)]
    if common != prompt:
        common = _without_cut_tag(common)
        lacking = json.dumps(prompt[len(common) :], ensure_ascii=False)
        note = f"the reply does not go on from the generation prompt, whose end {lacking} it lacks"
    # White space that separates messages follows the text that ends the reply; the model never writes it.
    return common, whole[len(common) :].rstrip(), note


def _without_cut_tag(text: str) -> str:
    """The text up to a tag or token that is cut off at its end: two different ones may begin alike."""
    for first, last in ("<>", "[]"):
        at = text.rfind(first)
        text = text[:at] if at > text.rfind(last) else text
    return text


def _common_start(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
