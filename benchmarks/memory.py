"""Memory that parsers hold while they wait for text."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

GOAL = 1_024
_PARSERS = 1_000


def held(create: Callable[[str], Any]) -> float:
    """Bytes that one parser holds after it was made and fed once, on average over many."""
    parsers: list[Any] = [None] * _PARSERS
    warm = create("")
    warm.feed("warm up")
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(_PARSERS):
            parsers[number] = create("")
            parsers[number].feed(f"Hello {number:04}")
        gc.collect()
        return (tracemalloc.get_traced_memory()[0] - before) / _PARSERS
    finally:
        tracemalloc.stop()
