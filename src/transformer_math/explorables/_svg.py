"""Still pictures as short SVG: what stands on a page where scripts are off."""

import base64
import struct
import zlib
from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

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


def shades(values: np.ndarray, ramp: Sequence[str]) -> np.ndarray:
    """Values in 0..1 as red, green and blue in 0..255, between the colours of a ramp."""
    stops = np.array(
        [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in ramp]
    )
    places = values * (len(ramp) - 1)
    channels = [np.interp(places, np.arange(len(ramp)), stops[:, i]) for i in range(3)]
    return np.rint(np.stack(channels, axis=-1)).astype(np.uint8)


def image(pixels: np.ndarray, **attributes: object) -> str:
    """An array (rows, columns, 3) of bytes as an image in which each entry stays a crisp rectangle."""
    data = base64.b64encode(_png(pixels)).decode()
    attributes |= {"preserveAspectRatio": "none", "style": "image-rendering:pixelated"}
    return tag("image", href=f"data:image/png;base64,{data}", **attributes)


def _png(pixels: np.ndarray) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body))
            + kind
            + body
            + struct.pack(">I", zlib.crc32(kind + body))
        )

    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    parts = (
        chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )
    return b"\x89PNG\r\n\x1a\n" + parts
