"""Replies for clients of the OpenAI API: chat completions, streamed and whole. The `openai` package is not needed."""

from .chat import ChatCompletionStream, chat_completion, error_object
from .ids import new_call_id, numbered
from .responses import ResponseStream

__all__ = ["ChatCompletionStream", "ResponseStream", "chat_completion", "error_object", "new_call_id", "numbered"]
