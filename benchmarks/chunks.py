"""How text is cut: evenly, or as a tokenizer of a model would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from texts import prose
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

_VOCABULARY = 4_000
_TRAINING_SIZE = 200_000


def even(text: str, size: int = 4) -> list[str]:
    """The text in pieces of `size` characters."""
    return list(cut(text, size))


def cut(text: str, size: int) -> Iterator[str]:
    """The same, piece by piece."""
    return (text[at : at + size] for at in range(0, len(text), size))


def train() -> Tokenizer:
    """A byte-level BPE of ordinary text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=_VOCABULARY,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([prose(_TRAINING_SIZE, seed=1)], trainer)
    return tokenizer


def tokens(tokenizer: Tokenizer, text: str, special: Iterable[str]) -> list[str]:
    """The text in pieces of one token each; a character that takes several tokens comes with the last of them.

    Args:
        special: what the model has single tokens for.
    """
    tokenizer.add_special_tokens([AddedToken(one, normalized=False) for one in special])
    pieces: list[str] = []
    done = 0
    for _, end in tokenizer.encode(text).offsets:
        if end > done:
            pieces.append(text[done:end])
            done = end
    return [*pieces, text[done:]] if done < len(text) else pieces
