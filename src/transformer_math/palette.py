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

# Low to high for weights and probabilities; low, zero, high for signed numbers.
SEQUENTIAL = ("#f4f1e8", "#b9d3ea", "#6fa8dc", "#2f7fd0", "#1d4f91", "#0d2750")
DIVERGING = ("#b2451a", "#e39468", "#f4f1e8", "#7fb0dd", "#1d5fa8")

FONT = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
)
FONT_SIZE = 11  # points, in figures
