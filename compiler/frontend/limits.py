"""How large a template may be. Each limit is named in the error that enforces it.

Those of patterns stand with the reader of patterns.
"""

from __future__ import annotations

FILE_BYTES = 16 * 1024 * 1024
"""Size of a file that holds a template."""

NESTING = 100
"""Lists and objects inside each other."""

DICT_VALUES = 1_000_000
"""Values in a template that is given as a dict."""

INTEGER_DIGITS = 640
"""Digits of an integer: the least that every Python reads and writes, whatever its digit limit is set to."""

FIELDS = 1_000
"""Fields of a template."""

LITERALS = 10_000
"""Literals of one delimiter."""

LITERAL_CHARACTERS = 1_000
"""Length of one literal or separator."""

STRING_DELIMS = 1_000
"""Entries of `string_delims`."""
