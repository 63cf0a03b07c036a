"""Compiled parsers inside transformers: what there interprets response templates runs their compiled parsers instead."""

from .attaching import attach
from .patching import install, installed, uninstall

__all__ = ["attach", "install", "installed", "uninstall"]
