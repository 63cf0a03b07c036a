"""Rules about where the reply begins and where it ends."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from untemplate.compiler.diagnostics import quoted
from untemplate.compiler.frontend.schema import Delimiter, Field, LiteralDelimiter, PatternDelimiter
from untemplate.compiler.lint.rule import Finding, Severity, rule
from untemplate.compiler.lint.shapes import empty_nearly_everywhere, holds, samples, visible
from untemplate.compiler.lint.subject import Subject
from untemplate.compiler.patterns.analysis import one_char
from untemplate.runtime.pattern import ANY, Literal, Node, Repeat, Sequence
from untemplate.runtime.unicode import SPACE

# How a turn that begins like this ends: with one of these.
_ENDS = {
    "<|im_start|>": ("<|im_end|>",),
    "<|im_assistant|>": ("<|im_end|>",),
    "<|start_header_id|>": ("<|eot_id|>",),
    "<|header_start|>": ("<|eot|>",),
    "<|start_of_role|>": ("<|end_of_text|>",),
    "<start_of_turn>": ("<end_of_turn>",),
    "<|turn>": ("<turn|>",),
    "<|START_OF_TURN_TOKEN|>": ("<|END_OF_TURN_TOKEN|>",),
    "<｜Assistant｜>": ("<｜end▁of▁sentence｜>",),
    "<seed:bos>": ("<seed:eos>",),
    "[/INST]": ("</s>",),
    "<|start|>": ("<|end|>", "<|return|>", "<|eom|>", "<|eot|>"),
}


@rule("UT301", "anchor-not-in-prompt", Severity.ERROR, "the start anchor is not in the prompt")
def anchor_not_in_prompt(subject: Subject) -> Iterator[Finding]:
    """An anchor that a prompt of the model does not hold."""
    anchor = subject.template.anchor
    if subject.prompt is not None and not _occurs(anchor, subject.prompt):
        message = f"the anchor is not in the prompt, which ends in {quoted(subject.prompt[-40:])}"
        hint = "use the header of the assistant's turn as the prompt has it, line ends included"
        yield Finding(anchor.path, message, hint)


@rule("UT302", "end-token-kept", Severity.WARNING, "the token that ends the turn becomes content")
def end_token_kept(subject: Subject) -> Iterator[Finding]:
    """No close that takes the token at the end of the turn."""
    implicit = subject.implicit
    closing = (implicit,) if implicit is not None else subject.explicit
    for tokens in _expected_ends(subject):
        if not any(field.close is not None and _occurs(field.close, token) for field in closing for token in tokens):
            message = f"no close takes {quoted(tokens[0])}: at the end of an output it becomes part of a value"
            yield _end_finding(closing, message, f"add {quoted(tokens[0])} to the close")
            return
    if implicit is not None and implicit.close is None and not _expected_ends(subject):
        message = f"{quoted(implicit.name)} has no close: an end-of-turn token in the output becomes part of it"
        hint = "close it with the token that ends the turn, unless outputs never hold it"
        yield Finding(implicit.path, message, hint, at_key=True, severity=Severity.INFO)


def _expected_ends(subject: Subject) -> list[tuple[str, ...]]:
    """Groups of tokens; of each group one has to be taken."""
    if subject.ends:
        return [(token,) for token in subject.ends]
    texts = _texts(subject.template.anchor)
    return [ends for start, ends in _ENDS.items() if any(start in text for text in texts)]


def _end_finding(closing: tuple[Field, ...], message: str, hint: str) -> Finding:
    field = closing[-1]
    if field.close is not None:
        return Finding(field.close.path, message, hint)
    return Finding(field.path, message, hint, at_key=True)


@rule("UT303", "anchor-hides-open", Severity.WARNING, "the start anchor holds the open of a field")
def anchor_hides_open(subject: Subject) -> Iterator[Finding]:
    """An anchor that cuts away what opens a region."""
    anchor = subject.template.anchor
    for text in _texts(anchor):
        for field in subject.explicit:
            if field.open is not None and _occurs(field.open, text):
                message = f"the anchor holds what opens {quoted(field.name)}: it is cut off, and the region never opens"
                yield Finding(anchor.path, message, "end the anchor before it: what follows is read like output")
                return


@rule("UT304", "empty-anchor", Severity.ERROR, "the start anchor matches the empty text")
def empty_anchor(subject: Subject) -> Iterator[Finding]:
    """An anchor that is found at the very end of every prompt."""
    anchor = subject.template.anchor
    if isinstance(anchor, PatternDelimiter) and empty_nearly_everywhere(anchor.tree):
        message = "the anchor matches the empty text, so at the end of every prompt: what it pre-filled is lost"
        yield Finding(anchor.path, message, "let it take the header of the assistant's turn")


@rule("UT305", "greedy-anchor", Severity.WARNING, "the start anchor takes what follows the header")
def greedy_anchor(subject: Subject) -> Iterator[Finding]:
    """An anchor that ends in a repeat of anything."""
    anchor = subject.template.anchor
    if isinstance(anchor, PatternDelimiter) and (run := _last_run(anchor.tree)) is not None:
        chars = one_char(run.item)
        if chars is not None and not holds(SPACE, chars):
            what = "everything" if chars == ANY else "any number of characters"
            message = f"the anchor ends in {what}: it takes the beginning of the reply that the prompt wrote"
            yield Finding(anchor.path, message, "end the anchor with the header")


def _last_run(node: Node) -> Repeat | None:
    last = node.items[-1] if isinstance(node, Sequence) and node.items else node
    return last if isinstance(last, Repeat) and last.most is None and not last.lazy else None


def _texts(anchor: Delimiter) -> list[str]:
    """The literal texts that the anchor consists of, and some whole ones."""
    if isinstance(anchor, LiteralDelimiter):
        return list(anchor.literals)
    return [*samples(anchor.tree), *(node.text for node in visible(anchor.tree) if isinstance(node, Literal))]


def _occurs(delimiter: Delimiter, text: str) -> bool:
    """Whether the delimiter takes something anywhere in the text."""
    if isinstance(delimiter, PatternDelimiter):
        return any(found[0] for found in regex.compile(delimiter.pattern, regex.DOTALL).finditer(text))
    return any(literal in text for literal in delimiter.literals)
