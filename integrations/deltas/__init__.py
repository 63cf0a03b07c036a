"""A reply as a stream of small additions to a message, of no API in particular; the renderers build on it."""

from .kinds import CONTENT, REASONING, CallEnd, CallPiece, CallStart, Delta, Extra, Problem, Text
from .stream import DeltaStream, Overwrites

__all__ = [
    "CONTENT",
    "REASONING",
    "CallEnd",
    "CallPiece",
    "CallStart",
    "Delta",
    "DeltaStream",
    "Extra",
    "Overwrites",
    "Problem",
    "Text",
]
