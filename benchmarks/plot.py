"""The cost of a chunk against the length of the message, as a picture."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import matplotlib
from cases import FLOOR, OURS, REFERENCE
from matplotlib.figure import Figure
from results import Result

_COLOURS = {OURS: "#1b7837", REFERENCE: "#b2182b", FLOOR: "#888888"}
_LABELS = {OURS: "untemplate", REFERENCE: "transformers", FLOOR: "one event a chunk"}


def draw(results: list[Result], path: Path, measure: str = "stream, 4 characters") -> None:
    """Writes an SVG with a panel for each template."""
    matplotlib.rcParams["svg.hashsalt"] = "untemplate"
    chosen = [result for result in results if result.case.measure == measure]
    templates = list(dict.fromkeys(result.case.template for result in chosen))
    columns = min(4, len(templates))
    rows = -(-len(templates) // columns)
    figure = Figure(figsize=(3.2 * columns, 2.8 * rows + 0.4), layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat
    for panel, template in zip(panels, templates, strict=False):
        ours = sorted((one for one in chosen if one.case.template == template), key=lambda one: one.case.size)
        for name, colour in _COLOURS.items():
            sizes = [one.case.size for one in ours]
            costs = [median(one.seconds[name]) * 1e6 for one in ours]
            panel.plot(sizes, costs, marker="o", markersize=3, color=colour, label=_LABELS[name])
        panel.set(title=template, xscale="log", yscale="log")
        panel.grid(True, which="major", linewidth=0.4, alpha=0.5)
    for panel in list(panels)[len(templates) :]:
        panel.set_visible(False)
    figure.supxlabel("characters in the message")
    figure.supylabel("µs per chunk of 4 characters")
    figure.axes[0].legend(fontsize="small")
    figure.savefig(path, format="svg", metadata={"Date": None})
