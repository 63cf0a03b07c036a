"""Replies for clients of the Anthropic API: streamed messages. The `anthropic` package is not needed."""

from .messages import MessageStream

__all__ = ["MessageStream"]
