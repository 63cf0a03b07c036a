"""Compiles response templates into parser modules."""

from untemplate.compiler.diagnostics import Diagnostic, TemplateError
from untemplate.compiler.loading import load_parser
from untemplate.compiler.pipeline import compile_template

__all__ = ["Diagnostic", "TemplateError", "compile_template", "load_parser"]
