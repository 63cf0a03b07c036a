"""After every character, compiled parsers have let out no less than the exact method in its plainest form."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from safety.replies import delimiters

from support.cases import Case, load_transcripts
from support.probe import Out, progress
from untemplate.generated import FAMILIES

REPLIES = 12
PIECES = 9
WORDS = ["word ", "a < b", "{}", "\n", " \n\n ", "<", "</", "<|", "[", "éa", ">", '"x"', "1, 2"]


def progress_of(module: Any, text: str) -> Iterator[Out]:
    """What a compiled parser has let out after each character of `text`."""
    parser = module.ResponseParser("", on_malformed="event")
    characters = turns = 0
    for character in text:
        for event in parser.feed(character):
            if event["type"] == "region_chunk":
                characters += len(event["text"])
            else:
                turns += 1
        yield Out(characters, turns)


def assert_never_later(module: Any, text: str) -> None:
    steps = zip(progress_of(module, text), progress(module.TEMPLATE, text), strict=True)
    for place, (ours, least) in enumerate(steps, 1):
        assert ours.is_at_least(least), (text[:place], ours, least)


def replies_of(family: str) -> Iterator[str]:
    """Replies made of the family's delimiters, whole and cut off, and of what stands between them."""
    rng = Random(family)
    marks = delimiters(FAMILIES[family].TEMPLATE)
    for _ in range(REPLIES):
        pieces = []
        for _ in range(PIECES):
            mark = rng.choice(marks)
            pieces.append(rng.choice([mark, mark[: rng.randrange(len(mark) + 1)], rng.choice(WORDS)]))
        yield "".join(pieces)


@pytest.mark.parametrize("transcript", load_transcripts(), ids=repr)
def test_transcripts(transcript: Case) -> None:
    assert_never_later(FAMILIES[transcript.name.partition("-")[0]], transcript.output)


@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_of_delimiters(family: str) -> None:
    for reply in replies_of(family):
        assert_never_later(FAMILIES[family], reply)
