"""The events of a stream. All are plain dicts, with exactly these keys in this order."""

from __future__ import annotations

import typing
from typing import Any, TypedDict


class RegionOpen(TypedDict):
    """A region starts."""

    type: typing.Literal["region_open"]
    field: str


class RegionChunk(TypedDict):
    """Text of the open region; `dirty` if it is raw text that only the region's value makes sense of."""

    type: typing.Literal["region_chunk"]
    field: str
    text: str
    dirty: bool


class RegionClose(TypedDict):
    """A region's final value. Under `join` it is this region's own, not the joined one."""

    type: typing.Literal["region_close"]
    field: str
    value: Any


class RegionMalformed(TypedDict):
    """In place of `region_close`, with `on_malformed="event"`: the raw body, and why it was rejected."""

    type: typing.Literal["region_malformed"]
    field: str
    text: str
    error: str


Event = RegionOpen | RegionChunk | RegionClose | RegionMalformed
