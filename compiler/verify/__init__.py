"""Holds a response template against the chat template that it reads the replies of: what one writes, the other reads."""
