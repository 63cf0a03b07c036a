"""The forms in which one reply is shown: as its message, as its events, or as the stream it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any, Protocol, TextIO

import click

from untemplate.compiler.cli.console import console, is_rich, shown
from untemplate.compiler.diagnostics import printable

_COLOURS = ("green", "cyan", "yellow", "magenta", "blue", "bright_green", "bright_cyan", "bright_yellow")


class View(Protocol):
    """A form of showing."""

    def update(self, events: Sequence[Any], held: str) -> None:
        """Shows what one chunk caused, and what is now held back."""

    def close(self, message: dict[str, Any] | None) -> None:
        """Ends the show; the message is `None` if the reply was rejected."""


class MessageView:
    """The message as JSON, in colour on a terminal; rejected regions on standard error."""

    def update(self, events: Sequence[Any], held: str) -> None:
        """Reports rejected regions."""
        for event in events:
            if event["type"] == "region_malformed":
                click.echo(f"rejected: {_line(event)[2:]}", err=True)

    def close(self, message: dict[str, Any] | None) -> None:
        """Prints the message."""
        if message is None:
            return
        text = as_json(message, indent=2)
        if is_rich(sys.stdout):
            from rich.json import JSON

            console(sys.stdout).print(JSON(text, ensure_ascii=False), soft_wrap=True)
        else:
            click.echo(text)


class EventsView:
    """The events, one JSON object a line."""

    def update(self, events: Sequence[Any], held: str) -> None:
        """Prints the events."""
        for event in events:
            click.echo(as_json(event))

    def close(self, message: dict[str, Any] | None) -> None:
        """Does nothing: every line is out."""


class PlainView:
    """The stream as lines: one for each event, and one whenever something else is held back."""

    def __init__(self) -> None:
        self._held = ""

    def update(self, events: Sequence[Any], held: str) -> None:
        """Prints the lines of one chunk."""
        for event in events:
            click.echo(_line(event))
        if held != self._held:
            self._held = held
            if held:
                click.echo(f"  held {_quoted(held)}")

    def close(self, message: dict[str, Any] | None) -> None:
        """Does nothing: every line is out."""


def _line(event: Any) -> str:
    field = printable(event["field"])
    match event["type"]:
        case "region_open":
            return f"+ {field}"
        case "region_chunk":
            return f"  {field} {_quoted(event['text'])}"
        case "region_close":
            return f"= {field} {_quoted(event['value'])}"
        case _:
            return f"! {field} {_quoted(event['text'])}: {event['error']}"


def _quoted(value: Any) -> str:
    return printable(as_json(value))


def as_json(value: Any, indent: int | None = None) -> str:
    """The value as JSON in which everything is escaped that would steer a terminal or has no form in UTF-8."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return text if text.isprintable() else "\n".join(map(printable, text.split("\n")))


class LiveView:
    """The stream on a terminal: each region's text in its own colour, behind it, inverted, what is held back.

    Whole lines are printed once and for all; only the last line is drawn again with every chunk.
    """

    def __init__(self, stream: TextIO) -> None:
        from rich.live import Live

        self._console = console(stream)
        self._live = Live(console=self._console, transient=True, auto_refresh=False)
        self._live.start()
        self._colours: dict[str, str] = {}
        self._style = ""
        self._line = ""

    def update(self, events: Sequence[Any], held: str) -> None:
        """Draws what one chunk caused."""
        from rich.text import Text

        for event in events:
            self._show(event)
        last = Text.assemble((self._line, self._style), (shown(held).replace("\n", "⏎"), "reverse dim"))
        self._live.update(last, refresh=True)

    def close(self, message: dict[str, Any] | None) -> None:
        """Leaves on the terminal what has been shown."""
        self._live.update("")
        self._flush()
        self._live.stop()

    def _show(self, event: Any) -> None:
        kind, field = event["type"], event["field"]
        if kind == "region_open":
            self._flush()
            self._style = self._colours.setdefault(field, _COLOURS[len(self._colours) % len(_COLOURS)])
            self._print(f"▌{shown(field)}", f"bold {self._style}")
        elif kind == "region_chunk":
            self._add(shown(event["text"]))
        elif kind == "region_close":
            self._flush()
            value = event["value"]
            if not isinstance(value, str):
                self._print(f"  = {_quoted(value)}", "dim")
        else:
            self._flush()
            self._print(f"  ! rejected: {shown(event['error'])}", "bold red")

    def _add(self, text: str) -> None:
        from rich.cells import chop_cells

        *whole, self._line = (self._line + text).split("\n")
        for line in whole:
            self._print(line, self._style)
        rows = chop_cells(self._line, self._console.width) or [""]
        for row in rows[:-1]:
            self._print(row, self._style)
        self._line = rows[-1]

    def _flush(self) -> None:
        if self._line:
            self._print(self._line, self._style)
            self._line = ""

    def _print(self, text: str, style: str) -> None:
        from rich.text import Text

        self._console.print(Text(text, style))
