"""What response templates can not say, by what the families have shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Boundary:
    """One thing that the template language has no words for.

    Attributes:
        need: what a format asks for.
        families: ids of the families that ask for it.
        effect: what their templates do instead.
        remedy: what the language would have to get.
    """

    need: str
    families: tuple[str, ...]
    effect: str
    remedy: str


BOUNDARIES: tuple[Boundary, ...] = (
    Boundary(
        "A body that ends where its value ends, without a closing delimiter",
        ("granite3", "granite_20b_fc", "llama3_1", "llama3_2_pythonic", "llama4_pythonic", "magistral"),
        "The region runs up to the next call or the end of the reply, so text after a call is taken for part of it.",
        "Content parsers that stop behind the first complete value and give the rest back.",
    ),
    Boundary(
        "A value under one of several keys",
        ("internlm2", "llama3_1"),
        "The opener eats the name and the key before the arguments, which fixes their order.",
        "A list of paths in a placeholder, of which the first that leads somewhere counts.",
    ),
    Boundary(
        "Keys that are data",
        ("apertus",),
        "Each call is a region whose opener captures the key; arguments that look like the next call can split it.",
        "A transform over the entries of an object, with the key and the value as placeholders.",
    ),
    Boundary(
        "Two ways of writing one field",
        ("k2_horizon", "kimi_k3"),
        "The usual one is read, the other stays content.",
        "Fields with alternatives, each with its own delimiters, content parser and transform.",
    ),
    Boundary(
        "Elements inside elements",
        ("minimax_m3",),
        "The inner markup is kept as text.",
        "A content parser for nested elements that learns from the tools what is a list and what an object.",
    ),
    Boundary(
        "Python calls in another frame, or badly quoted",
        ("lfm2", "olmo3"),
        "Calls on lines of their own are read by patterns, value by value; a string with a stray quote is an error.",
        "Options of `python-call-list` for brackets and separator, and a lenient mode.",
    ),
    Boundary(
        "Escapes in captures",
        ("kimi_k3",),
        "They reach the message as they were written.",
        "An option that says how a capture is to be decoded.",
    ),
    Boundary(
        "Reasoning that nothing opens, neither in the prompt nor in the reply",
        ("deepseek_r1",),
        "It is content, up to a closing tag that closes nothing. An opener that looks ahead for that tag finds it, but "
        "must hold back the whole reasoning while it streams.",
        "A field that is open from the start.",
    ),
)
"""The boundaries, those that most families meet first."""
