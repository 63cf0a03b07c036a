"""Takes out of a rendered conversation what the model would have written."""

from __future__ import annotations

import json
import os.path

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
        whole = whole[: len(whole) - _common_end(prompt, whole)]
    note = ""
    common = os.path.commonprefix((prompt, whole))
    if common != prompt:
        note = f"the reply does not go on from the generation prompt, whose end {json.dumps(prompt[len(common) :], ensure_ascii=False)} it lacks"
    # White space that separates messages follows the text that ends the reply; the model never writes it.
    return common, whole[len(common) :].rstrip(), note


def _common_end(one: str, other: str) -> int:
    return len(os.path.commonprefix((one[::-1], other[::-1])))
