"""Matplotlib figures as pictures for a page: light SVGs in the page's own font and ink, with words for who cannot see them."""

import io
import re
from dataclasses import dataclass
from hashlib import sha256
from html import escape

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from transformer_math.errors import require
from transformer_math.plots.style import INK


@dataclass(frozen=True)
class Picture:
    """An inline SVG with alternative text and, where wanted, a caption; Jupyter and the built page show it alike."""

    svg: str
    alt: str
    caption: str = ""

    def _repr_html_(self) -> str:
        caption = (
            f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        )
        return f'<figure class="picture"><div class="frame" tabindex="-1">{self.svg}</div>{caption}</figure>'


def canvas(
    width: float = 6.0, height: float = 2.8, rows: int = 1, columns: int = 1, **settings
) -> tuple[Figure, Axes | np.ndarray]:
    """An empty figure of the given size in inches, and its axes."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **settings)


def picture(figure: Figure, alt: str, caption: str = "") -> Picture:
    """Finish a figure. `alt` says what it shows, for a reader who does not see it. Raises ValueError without one."""
    require(
        len(alt.split()) >= 5,
        f"alt is {alt!r}; wanted a sentence that says what the picture shows. Fix: describe it.",
    )
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return Picture(_inline(buffer.getvalue(), alt), alt, caption)


def _inline(svg: str, alt: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font: (?:\S+ )*?([\d.]+px) [^;\"]+", r"font-size: \1", svg)
    svg = svg.replace(INK, "currentColor").replace("xlink:href", "href")
    prefix = "p" + sha256(svg.encode()).hexdigest()[:8]
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg))
    svg = re.sub(
        r'\bid="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg
    )
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}", svg)
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()
    size = f'viewBox="0 0 {width} {height}" style="width:{float(width) * 4 / 3:.0f}px"'
    opening = f'<svg {size} role="img" aria-label="{escape(alt)}">'
    return re.sub(r"\s*\n\s*", "\n", opening + svg[svg.index(">") + 1 :])
