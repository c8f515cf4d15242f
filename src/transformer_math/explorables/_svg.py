"""Still pictures as short SVG: what stands on a page where scripts are off."""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO

import numpy as np
from PIL import Image

from transformer_math import palette


def tag(name: str, *children: str, **attributes: object) -> str:
    """One SVG element; `stroke_width=2` writes stroke-width="2"."""
    written = "".join(
        f' {key.replace("_", "-")}="{_short(value)}"'
        for key, value in attributes.items()
    )
    return (
        f"<{name}{written}>{''.join(children)}</{name}>"
        if children
        else f"<{name}{written}/>"
    )


def _short(value: object) -> str:
    return (
        f"{value:.1f}".removesuffix(".0")
        if isinstance(value, float)
        else escape(str(value))
    )


def picture(width: int, height: int, *children: str) -> str:
    """The outermost element; it scales to the width of the text."""
    frame = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {width} {height}",
        "aria-hidden": "true",
        "style": "display:block;max-width:44rem;width:100%;height:auto;margin:auto",
    }
    return tag("svg", *children, **frame, font_size=13, fill=palette.INK)


def text(
    x: float | int,
    y: float | int,
    content: object,
    anchor: str = "middle",
    **attributes: object,
) -> str:
    """Words or a number at (x, y)."""
    return tag(
        "text",
        escape(str(content)),
        x=float(x),
        y=float(y),
        text_anchor=anchor,
        **attributes,
    )


def curve(
    points: Iterable[Sequence[float]], colour: str, width: float | int = 2
) -> str:
    """A line through points."""
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return tag(
        "polyline", points=joined, fill="none", stroke=colour, stroke_width=width
    )


def ink(values: np.ndarray, **attributes: object) -> str:
    """A matrix of numbers in -1..1 as an image in which each entry stays a crisp rectangle: zero is the page itself.

    The class lets the style sheet brighten the colours on a dark page.
    """
    rgb = np.where(values[..., None] < 0, _rgb(palette.MINUS), _rgb(palette.PLUS))
    alpha = np.rint(255 * np.abs(values)).clip(0, 255)[..., None]
    pixels = np.concatenate([rgb, alpha], axis=-1).astype(np.uint8)
    png = BytesIO()
    Image.fromarray(pixels, "RGBA").save(png, "PNG", optimize=True)
    data = base64.b64encode(png.getvalue()).decode()
    crisp = {"preserveAspectRatio": "none", "style": "image-rendering:pixelated"}
    url = f"data:image/png;base64,{data}"
    return tag("image", href=url, **attributes, **crisp, **{"class": "xp-map"})


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
