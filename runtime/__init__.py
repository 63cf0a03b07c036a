"""What parsers need while they run: standard library only, no template, no compiler."""

from .errors import ResponseParseError, RuntimeMismatchError
from .events import Event, RegionChunk, RegionClose, RegionMalformed, RegionOpen

__all__ = [
    "Event",
    "RegionChunk",
    "RegionClose",
    "RegionMalformed",
    "RegionOpen",
    "ResponseParseError",
    "RuntimeMismatchError",
]
