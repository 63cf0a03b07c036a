"""Holds a response template against the chat template of its model: what one writes, the other must read."""
