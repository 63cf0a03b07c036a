"""What a template's parser does, in words and pictures, for `untemplate explain`."""

from untemplate.compiler.explain.build import explain
from untemplate.compiler.explain.notes import DelimiterNote, Explanation, FieldNote, StateNote

__all__ = ["DelimiterNote", "Explanation", "FieldNote", "StateNote", "explain"]
