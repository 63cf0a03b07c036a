"""An explanation as an SVG picture: the outside at the left, the regions in a column at the right.

The graph of a parser is a star, as every region opens from the outside and closes to it: no layout to compute.
"""

from __future__ import annotations

from html import escape

from untemplate.compiler.explain.graph import Arrow, graph
from untemplate.compiler.explain.notes import Explanation

_CHAR, _LINE = 7.3, 18  # of the monospaced font, in pixels
_PAD, _BOX, _GAP = 20, 36, 24
_STYLE = (
    "text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#222}"
    "rect{fill:#eef3fa;stroke:#456;rx:6}"
    ".way{stroke:#456;fill:none;marker-end:url(#tip)}"
    ".name{font-weight:bold;text-anchor:middle}"
)
_TIP = (
    '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="#456"/></marker>'
)


def svg(explanation: Explanation) -> str:
    """The picture's source."""
    boxes, arrows = graph(explanation)
    outside, *regions = boxes
    wide = max(len(box.title) for box in boxes) * _CHAR + 2 * _PAD
    between = max((len(arrow.label) for arrow in arrows), default=0) * _CHAR + 4 * _PAD
    left, right = _PAD, _PAD + wide + between
    parts: list[str] = []
    y = float(_PAD)
    middles: list[tuple[str, float]] = []
    for region in regions:
        opens = [arrow for arrow in arrows if arrow.end == region.key]
        closes = [arrow for arrow in arrows if arrow.start == region.key]
        middle = y + max(_BOX / 2, _LINE * (len(opens) + 1))
        middles.append((region.key, middle))
        parts.append(_box(right, middle, wide, region.title))
        parts += _way(left + wide, right, middle - 8, opens, forth=True)
        parts += _way(left + wide, right, middle + 8, closes, forth=False)
        y = middle + max(_BOX / 2, _LINE * (len(closes) + 1)) + _GAP
    own = [arrow for arrow in arrows if arrow.start == arrow.end == outside.key]
    bottom_edge = max(y, 2 * _PAD + _BOX + _LINE * len(own) + _LINE)
    top, bottom = (middles[0][1], middles[-1][1]) if middles else (_PAD + _BOX / 2, _PAD + _BOX / 2)
    parts.append(_tall_box(left, top - _BOX / 2, wide, bottom - top + _BOX, outside.title))
    for number, arrow in enumerate(own):
        parts.append(_text(left, bottom_edge + _LINE * number, f"closes: {arrow.label}"))
    bottom_edge += _LINE * len(own) + _PAD
    own_wide = max((len(arrow.label) + 8 for arrow in own), default=0) * _CHAR
    width = max(right + wide, left + own_wide) + _PAD
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{bottom_edge:.0f}">'
    title = f"<title>{escape(explanation.name)}</title>"
    return "\n".join([head, title, f"<style>{_STYLE}</style>", f"<defs>{_TIP}</defs>", *parts, "</svg>"])


def _way(left: float, right: float, y: float, arrows: list[Arrow], *, forth: bool) -> list[str]:
    """An arrow with the labels of all delimiters that lead that way: above it to the right, below it to the left."""
    if not arrows:
        return []
    start, end = (left, right) if forth else (right, left)
    first = y - 6 - _LINE * (len(arrows) - 1) if forth else y + _LINE
    labels = [_text(left + _PAD, first + _LINE * number, arrow.label) for number, arrow in enumerate(arrows)]
    return [f'<path class="way" d="M{start:.1f} {y:.1f}H{end:.1f}"/>', *labels]


def _box(x: float, middle: float, wide: float, title: str) -> str:
    return _tall_box(x, middle - _BOX / 2, wide, _BOX, title)


def _tall_box(x: float, y: float, wide: float, high: float, title: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"/>'
        f'<text class="name" x="{x + wide / 2:.1f}" y="{y + high / 2 + 4:.1f}">{escape(title)}</text>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" xml:space="preserve">{escape(text)}</text>'
