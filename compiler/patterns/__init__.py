"""Delimiter patterns: from their text to the tree that generated modules hold, and facts about the tree."""

from untemplate.compiler.patterns.analysis import (
    behind_width,
    first,
    group_names,
    lead,
    literal_prefix,
    looks_ahead,
    looks_at_start,
    nullable,
    required_literals,
    width,
)
from untemplate.compiler.patterns.error import PatternError
from untemplate.compiler.patterns.reader import read_pattern
from untemplate.compiler.patterns.render import render

__all__ = [
    "PatternError",
    "behind_width",
    "first",
    "group_names",
    "lead",
    "literal_prefix",
    "looks_ahead",
    "looks_at_start",
    "nullable",
    "read_pattern",
    "render",
    "required_literals",
    "width",
]
