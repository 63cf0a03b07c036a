"""The text that messages are made of: seeded, so that every run measures the same."""

from __future__ import annotations

import random
from functools import cache

_WORDS = str.split(  # the words of ordinary replies
    "the of and to a in is that it was for on are with as they be at one have this from or had by hot but some what "
    "there we can out other were all your when up use how said an each she which do their time if will way about many "
    "then them would write like so these her long make thing see him two has look more day could go come did number "
    "sound no most people over know water than call first who may down side been now find parser region delimiter "
    "function argument temperature measurement consequently nevertheless understanding approximately straße naïve 東京"
)
_CODE = (
    "if a < b and c > d:\n    return {a: b}\n",
    "x <= y",
    "std::vector<int> v{1, 2};",
    "`for (i = 0; i < n; i++) { sum += i; }`",
    '<div class="note">see below</div>',
    '{"key": [1, 2, {"inner": true}]}',
    "a -> b, b <- c",
    "List<String>",
    "<br>",
    "\n\n- ",
    "\n\n",
)
_ONE_IN = 40  # words between two pieces of code, on average


@cache
def prose(size: int, seed: int) -> str:
    """`size` characters of words and punctuation, with angle brackets and braces where code is quoted."""
    chance = random.Random(seed)
    parts: list[str] = []
    length = 0
    while length < size:
        part = chance.choice(_CODE) if chance.random() * _ONE_IN < 1 else chance.choice(_WORDS)
        part += chance.choice((" ", " ", " ", " ", " ", " ", ", ", ". "))
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]
