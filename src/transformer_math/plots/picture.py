"""Matplotlib figures as pictures for a page: light SVGs in the page's own font and ink, with words for who cannot see them.

A figure of several panels is cut into one drawing for each, so that they stand below each other on a phone.
"""

import io
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape, unescape

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter
from matplotlib.transforms import Bbox
from PIL import Image

from transformer_math.errors import require
from transformer_math.plots import symbols
from transformer_math.plots.numbers import Real
from transformer_math.plots.style import INK

PHONE = 322  # pixels of text width on a phone
PHOTOGRAPH = "photograph"  # the class of images that keep their colours
SMALLEST = 10.2  # pixels: no letter is smaller there
PIXELS = (
    4096  # an image of more is kept as photographs are, a smaller one number by number
)
WIDEST = 4.8  # inches of one panel: what a phone shrinks by a quarter
PAGE = 6.1  # inches of several panels side by side
_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+$)")


@dataclass(frozen=True)
class Picture:
    """Inline SVGs with alternative text and, where wanted, a caption; Jupyter and the built page show it alike."""

    panels: tuple[tuple[str, str], ...]  # of HTML: a title, a drawing
    alt: str
    caption: str = ""
    scale: str = (
        ""  # a drawing that belongs to all panels, in a row of its own below them
    )

    @property
    def svg(self) -> str:
        """The drawings, one after the other."""
        return "".join(drawing for _, drawing in self.panels) + self.scale

    def _repr_html_(self) -> str:
        caption = (
            f"<figcaption>{symbols.html(self.caption)}</figcaption>"
            if self.caption
            else ""
        )
        panels = "".join(
            f'<div class="panel">{f"<p>{title}</p>" if title else ""}{drawing}</div>'
            for title, drawing in self.panels
        )
        if self.scale:
            panels += f'<div class="panel" style="flex-basis:100%">{self.scale}</div>'
        style = "display:flex;flex-wrap:wrap;justify-content:center;align-items:center;gap:.8rem 1rem;text-align:center"
        return (
            f'<figure class="picture"><div class="panels" role="img" aria-label="{escape(self.alt)}" style="{style}">'
            f"{panels}</div>{caption}</figure>"
        )


def described(
    panels: Sequence[tuple[str, str]], alt: str, caption: str = ""
) -> Picture:
    """A picture of drawings. `alt` says what it shows, for a reader who does not see it. Raises ValueError without one."""
    require(
        isinstance(alt, str) and len(alt.split()) >= 5,
        f"alt is {alt!r}; wanted a sentence that says what the picture shows. Fix: describe it.",
    )
    return Picture(tuple(panels), alt, caption)


def canvas(
    width: Real = WIDEST,
    height: Real = 2.8,
    rows: int = 1,
    columns: int = 1,
    **settings,
) -> tuple[Figure, Axes | np.ndarray]:
    """An empty figure of the given size in inches, at most as wide as the page, and its axes."""
    width = min(width, WIDEST if columns == 1 else PAGE)
    figure = Figure(figsize=(float(width), float(height)), layout="constrained")
    return figure, figure.subplots(rows, columns, **settings)


def picture(figure: Figure, alt: str, caption: str = "") -> Picture:
    """Finish a figure. `alt` says what it shows, for a reader who does not see it. Raises ValueError without one."""
    panels = [("", _inline(_save(figure, box))) for box in _cut(figure)]
    return described(panels, alt, caption)


def photograph(axes: Axes, pixels: np.ndarray) -> None:
    """Show pixels in their own colours, which a dark page leaves as they are; the axes go."""
    axes.imshow(pixels, gid=PHOTOGRAPH, interpolation="none")
    axes.axis("off")


class Grouped(ScalarFormatter):
    """The numbers at an axis as the book writes them: 10 000 with a narrow space."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        """One number."""
        whole, point, rest = super().__call__(x, pos).partition(".")
        return _THOUSANDS.sub("\u202f", whole) + point + rest


def _cut(figure: Figure) -> Iterator[Bbox | None]:
    """Show one panel after the other, and say each time which part of the figure it fills."""
    for axes in figure.axes:  # shared axes: each panel may come to stand alone
        if not hasattr(axes, "_colorbar"):
            axes.tick_params(labelleft=True, labelbottom=True)
        for axis in (axes.xaxis, axes.yaxis):
            if type(axis.get_major_formatter()) is ScalarFormatter:
                axis.set_major_formatter(Grouped())
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    groups = _groups(figure)
    if len(groups) == 1:
        yield None
        return
    boxes = [Bbox.union([_box(figure, artist) for artist in group]) for group in groups]
    artists = [artist for group in groups for artist in group]
    for group, box in zip(groups, boxes):
        row = [other for other in boxes if other.y0 < box.y1 and box.y0 < other.y1]
        for artist in artists:
            artist.set_visible(artist in group)
        low, high = min(b.y0 for b in row), max(b.y1 for b in row)
        yield Bbox.from_extents(box.x0 - 0.03, low - 0.03, box.x1 + 0.03, high + 0.03)
    for artist in artists:
        artist.set_visible(True)


def _groups(figure: Figure) -> list[list]:
    """The panels: axes that share a place, with their own colour bars; bars and legends of several are panels too."""
    places: dict = {}
    bars = []
    for axes in figure.axes:
        if hasattr(axes, "_colorbar"):
            bars.append(axes)
        else:
            spec = axes.get_subplotspec()
            places.setdefault(
                axes if spec is None else (spec.num1, spec.num2), []
            ).append(axes)
    groups = list(places.values())
    for bar in bars:
        parents = bar._colorbar_info["parents"]  # type: ignore[attr-defined]
        home = [group for group in groups if any(axes in group for axes in parents)]
        if len(home) == 1:
            home[0].append(bar)
        else:
            groups.append([bar])
    return groups + [[legend] for legend in figure.legends]


def _box(figure: Figure, artist) -> Bbox:
    return artist.get_tightbbox().transformed(figure.dpi_scale_trans.inverted())


def _save(figure: Figure, box: Bbox | None) -> str:
    buffer = io.StringIO()
    figure.savefig(
        buffer, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches=box
    )
    return buffer.getvalue()


def _inline(svg: str) -> str:
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"data:image/png;base64,\s*([\w+/=\s]+)", _lighter, svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    size = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0]
    width, height = map(float, size)
    floor = SMALLEST * max(1.0, width * 4 / 3 / PHONE) * 3 / 4  # in the drawing's units
    svg = re.sub(
        r"(?:font: (?:\S+ )*?|font-size: )([\d.]+)px(?:; font-family:)? [^;\"]+",
        lambda found: f"font-size: {max(float(found[1]), floor):.4g}px",
        svg,
    )
    svg = re.sub(r">([^<>]*\$[^<>]*)</text>", _typeset, svg)
    svg = re.sub(r'\b(?:d|x|y)="[^"]*"', _in_hundredths, svg)
    svg = svg.replace(INK, "currentColor").replace("xlink:href", "href")
    prefix = "p" + sha256(svg.encode()).hexdigest()[:8]
    svg = svg.replace(f'id="{PHOTOGRAPH}"', f'class="{PHOTOGRAPH}"')
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', svg))
    svg = re.sub(
        r'\bid="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg
    )
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{prefix}", svg)
    size = f'viewBox="0 0 {width:g} {height:g}" style="width:{width * 4 / 3:.0f}px;max-width:100%;height:auto"'
    opening = f'<svg {size} aria-hidden="true">'
    return re.sub(r"\s*\n\s*", "\n", opening + svg[svg.index(">") + 1 :])


def _lighter(found: re.Match) -> str:
    """An image inside the drawing, in a form that weighs less."""
    image, data = Image.open(io.BytesIO(b64decode(found[1]))), io.BytesIO()
    whole = image.width * image.height <= PIXELS
    image.save(data, "WEBP", lossless=whole, quality=70, alpha_quality=70, method=6)
    return f"data:image/webp;base64,{b64encode(data.getvalue()).decode()}"


def _in_hundredths(found: re.Match) -> str:
    """Coordinates to a hundredth of a point: what lies below it weighs much and shows on no screen."""
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), found[0])  # fmt: skip


def _typeset(found: re.Match) -> str:
    return f">{symbols.svg(unescape(found[1]))}</text>"
