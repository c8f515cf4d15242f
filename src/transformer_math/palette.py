"""The book's one visual language: colours, fonts and scales for every picture, drawn by Python or by a browser.

Every hue has at least 3:1 contrast with white and with the dark theme's background, so one drawing serves both themes.
"""

INK = "currentColor"  # text and axes take the colour of the page's own text

BLUE, ORANGE, GREEN, PURPLE, PINK, GREY = (
    "#2f7fd0",
    "#d4601c",
    "#178a58",
    "#9262c8",
    "#c8468f",
    "#808080",
)

CYCLE = (BLUE, ORANGE, GREEN, PURPLE, PINK, GREY)

ROLES = {
    "query": BLUE,
    "key": ORANGE,
    "value": GREEN,
    "position": PURPLE,
    "content": PINK,
    "muted": GREY,
}

# A heatmap is ink on the page: zero is the page itself, the largest number the full colour. On a dark page the
# colours are DARK_GAIN times as bright (style sheets say `brightness(1.9)`).
GROUND = "#ffffff"
PLUS, MINUS = "#17509a", "#a8401a"
DARK_GAIN = 1.9


def _channels(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _hex(channels: list[float]) -> str:
    return "#" + "".join(f"{min(round(c), 255):02x}" for c in channels)


def ramp(ground: str, colour: str, steps: int = 6) -> tuple[str, ...]:
    """From the ground to the full colour, in equal steps.

    >>> ramp("#000000", "#0000ff", 3)
    ('#000000', '#000080', '#0000ff')
    """
    ends = list(zip(_channels(ground), _channels(colour)))
    shares = [i / (steps - 1) for i in range(steps)]
    return tuple(_hex([a + (b - a) * share for a, b in ends]) for share in shares)


# Low to high for weights and probabilities; low, zero, high for signed numbers.
SEQUENTIAL = ramp(GROUND, PLUS)
DIVERGING = (*ramp(GROUND, MINUS, 3)[:0:-1], *ramp(GROUND, PLUS, 3))

FONT_SIZE = 11  # points, in figures
