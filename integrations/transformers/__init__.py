"""Compiled parsers inside transformers: whatever interprets response templates there runs compiled parsers instead."""

from .attaching import attach
from .patching import install, installed, uninstall

__all__ = ["attach", "install", "installed", "uninstall"]
