"""Real tokenizers, small enough to be made in a test, and what a server sees of their tokens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from tokenizers.decoders import DecodeStream
from transformers import AutoTokenizer, PreTrainedTokenizerFast

SPECIAL = ["<|im_start|>", "<|im_end|>", "<|endoftext|>"]
# Written by models as single tokens that are no special ones, so decoding never drops them.
ADDED = ["<think>", "</think>", "<tool_call>", "</tool_call>"]
TEXTS = [
    "the user wants the weather in Berlin, so call the tool with the city and the units in metric",
    '{"name": "get_weather", "arguments": {"city": "Berlin", "days": 3, "units": "metric"}}',
    "<function=get_weather><parameter=city>Köln</parameter></function> [get_weather(city='Zürich')]",
]


def byte_level() -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer: a character outside of ASCII is several tokens, none of which is text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    return _wrapped(tokenizer)


def byte_fallback() -> PreTrainedTokenizerFast:
    """A tokenizer of characters that falls back to byte tokens, such as `<0xC3>`, for those that it does not have."""
    pieces = [f"<0x{byte:02X}>" for byte in range(256)]
    pieces += ["▁", *sorted(set("".join(TEXTS)) - {" "} - set("öü"))]
    model = models.BPE(vocab={piece: place for place, piece in enumerate(pieces)}, merges=[], byte_fallback=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Replace(" ", "▁")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return _wrapped(tokenizer)


def _wrapped(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    tokenizer.add_special_tokens(SPECIAL)
    tokenizer.add_tokens([AddedToken(token, special=False, normalized=False) for token in ADDED])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, clean_up_tokenization_spaces=False)


def saved(tokenizer: PreTrainedTokenizerFast, folder: Path, template: dict[str, Any]) -> PreTrainedTokenizerFast:
    """The tokenizer, saved with `template` in its tokenizer_config.json and loaded again."""
    tokenizer.response_template = template
    tokenizer.save_pretrained(folder)
    del tokenizer.response_template
    loaded: PreTrainedTokenizerFast = AutoTokenizer.from_pretrained(folder)
    return loaded


def ids_of(tokenizer: PreTrainedTokenizerFast, text: str) -> list[int]:
    ids: list[int] = tokenizer.encode(text, add_special_tokens=False)
    return ids


def pieces_of(tokenizer: PreTrainedTokenizerFast, ids: list[int]) -> Iterator[str]:
    """The text that a decoder gives out token by token, as servers use it: characters come when they are whole."""
    decoder = DecodeStream([], skip_special_tokens=False)
    for token in ids:
        piece = decoder.step(tokenizer._tokenizer, token)
        if piece is not None:
            yield piece
